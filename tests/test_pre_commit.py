"""The hooks of .pre-commit-hooks.yaml, run by the real pre-commit in a repository of their own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tokenlint import fix
from tokenlint.arguments import paths_first
from tokenlint.cli import main
from tokenlint.tokens import Document, read_document

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[1]
HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
}

CLEAN = "Caf\u00e9\n"
NFD = "Cafe\u0301\n"
MARKER = "Hi<|im_end|>\n"
BUDGET = "[[budgets]]\nfiles = ['prompts/*.md']\n"

JSON = ["--output-format", "json", "--quiet"]
CONCISE = ["--output-format", "concise"]


@dataclass(frozen=True)
class Ran:
    """How pre-commit ended, and all that it printed."""

    code: int
    output: str

    @property
    def findings(self) -> set[tuple[str, str]]:
        """File name and code of every finding in a JSON report."""
        report = self.output[self.output.index("\n[\n") : self.output.index("\n]\n") + 2]
        return {(found["filename"], found["code"]) for found in json.loads(report)}


@dataclass(frozen=True)
class Repository:
    """A git repository, and pre-commit with nothing but this project's hooks."""

    folder: Path
    config: Path
    environment: Mapping[str, str]

    def git(self, *arguments: str) -> str:
        """Run git; returns what it printed."""
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        done = self._run("git", *who, *arguments)
        assert done.code == 0, done.output
        return done.output

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write files, text with its line endings as they are."""
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def stage(self, files: Mapping[str, str | bytes]) -> None:
        """Write files and add them to the index."""
        self.write(files)
        self.git("add", "--all")

    def read(self, name: str) -> bytes:
        """The bytes of a file."""
        return (self.folder / name).read_bytes()

    def hook(self, hook: str, *arguments: str, **own: Any) -> Ran:
        """Run one hook on what is staged; `own` is what a user's configuration says of it."""
        self.configure(hook, **own)
        return self._pre_commit("run", "--verbose", "--color", "never", *arguments)

    def configure(self, hook: str, **own: Any) -> None:
        """Write a configuration of one hook: its real definition, without an installation."""
        local = {**HOOKS[hook], "language": "system", **own}
        config = {"repos": [{"repo": "local", "hooks": [local]}]}
        self.config.write_text(yaml.safe_dump(config), "utf-8")

    def install(self, hook: str) -> None:
        """Make `git commit` run a hook."""
        self.configure(hook)
        assert self._pre_commit("install").code == 0

    def commit(self) -> Ran:
        """Commit what is staged, through an installed hook."""
        return self._run(
            *("git", "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-m", "-")
        )

    def _pre_commit(self, command: str, *arguments: str) -> Ran:
        python = (sys.executable, "-m", "pre_commit")
        return self._run(*python, command, "--config", str(self.config), *arguments)

    def _run(self, *command: str) -> Ran:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(errors="surrogateescape"))


def environment(home: Path, **more: str) -> dict[str, str]:
    """What hooks see: this Python's commands first, and nothing of the user's git or pre-commit."""
    theirs = ("GIT_", "PRE_COMMIT", "SKIP", "PYTHONIOENCODING", "TOKENLINT_", "XDG_")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(theirs)}
    scripts = str(Path(sys.executable).parent)
    return kept | {
        "HOME": str(home),
        "PRE_COMMIT_HOME": str(home / "pre-commit"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "PATH": scripts + os.pathsep + kept.get("PATH", ""),
        **more,
    }


def names(folder: Path) -> list[str]:
    """What is in a folder, hidden files too."""
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """An empty repository."""
    folder = tmp_path / "repository"
    folder.mkdir()
    made = Repository(folder, tmp_path / "config.yaml", environment(tmp_path))
    made.git("init", "--quiet")
    return made


@pytest.mark.parametrize("hook", HOOKS)
def test_each_hook_is_described(hook: str) -> None:
    definition = HOOKS[hook]
    assert definition["name"].startswith("tokenlint")
    assert definition["description"].endswith(".")
    assert definition["entry"].split()[:2] == ["tokenlint", "check"]
    assert definition["language"] == "python"
    assert definition["types_or"] == ["text"]
    assert definition["require_serial"] is True
    assert definition.get("pass_filenames", True) is (hook != "tokenlint-budgets")
    assert definition["args"][-1] == "--", "or file names could be options"


def test_the_hooks_are_three() -> None:
    assert list(HOOKS) == ["tokenlint", "tokenlint-fix", "tokenlint-budgets"]


# tokenlint


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.md": NFD}, "a.md:1:4: TL101 [*] decomposed text: U+0065 U+0301 is U+00E9"),
        ({"a.md": MARKER}, 'a.md:1:3: TL201 "<|im_end|>" closes a turn'),
        (
            {"prompts/a.md": "one two three\n", "tokenlint.toml": BUDGET + "max-tokens = 2\n"},
            "prompts/a.md:1:1: TL301 4 tokens, 2 over the budget of 2",
        ),
        ({"a.md": b"caf\xe9\n"}, "a.md:1:1: TL901 not UTF-8: byte 0xe9 at offset 3"),
        ({"a.md": CLEAN.encode("utf-16")}, "a.md:1:1: TL901 not UTF-8: the byte order mark says"),
    ],
)
def test_what_is_found_fails_and_is_said(
    repository: Repository, files: dict[str, str | bytes], message: str
) -> None:
    repository.stage(files)
    ran = repository.hook("tokenlint", args=[*CONCISE, "--"])
    assert ran.code == 1
    assert "- exit code: 1\n" in ran.output
    assert message in ran.output


def test_clean_files_pass_in_one_process(repository: Repository) -> None:
    # One process, although pre-commit would share them out: a total must see all files.
    repository.stage({f"{number}.md": CLEAN for number in range(60)})
    ran = repository.hook("tokenlint")
    assert ran.code == 0
    assert ran.output.count("All checks passed!\nChecked 60 files.\n") == 1
    assert ran.output.count("Checked") == 1


def test_what_is_staged_is_what_is_checked(repository: Repository) -> None:
    repository.stage({"found.md": MARKER, "clean.md": CLEAN})
    repository.write({"found.md": CLEAN, "clean.md": MARKER})
    ran = repository.hook("tokenlint", args=[*JSON, "--"])
    assert ran.code == 1
    assert ran.findings == {("found.md", "TL201")}
    assert repository.read("found.md") == CLEAN.encode()
    assert repository.read("clean.md") == MARKER.encode()


@pytest.mark.parametrize(("arguments", "code"), [((), 0), (("--no-force-exclude",), 1)])
def test_excludes_hold_for_files_that_are_passed(
    repository: Repository, arguments: tuple[str, ...], code: int
) -> None:
    config = "extend-exclude = ['vendor']\n"
    repository.stage({"tokenlint.toml": config, "vendor/a.md": MARKER, "b.md": CLEAN})
    assert repository.hook("tokenlint", args=[*arguments, "--"]).code == code


# File names

DASHED = [
    *("-x.md", "-", "--", "-v", "--fix", "--exit-zero", "--help", "--version", "--show-files"),
    *("--select=TL1.md", "--ignore=TL2", "--select", "--isolated", "--budgets", "--quiet"),
    *("--force-exclude", "--exit-non-zero-on-fix", "-o.md", "--diff", "---", "--exit"),
]
"Names that could be read as options, as standard input, or as the end of the options."

ODD = [
    *("a b.md", " lead.md", "it's.md", 'say "hi".md', "back\\slash.md", "new\nline.md", "tab\t.md"),
    *("ti\u1ebfng vi\u1ec7t.md", "\u65e5\u672c.md", "*.md", "[a-z].md", "{a,b}.md", "!no.md"),
    *("@file.md", "#.md", "$HOME.md", "`id`.md", "$(id).md", ";id.md", "~", "a%20b.md", "x\x1b[0m"),
]
"Names that a shell, a glob or a terminal could read otherwise."

DECOMPOSED = unicodedata.normalize("NFD", "\u00e9t\u00e9.md")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such file names")


@pytest.mark.parametrize(
    "arguments",
    [
        [*JSON, "--"],
        [*JSON, "--select", "TL201", "--"],
        [*JSON, "--select", "TL201"],
        ["--select=TL201", *JSON],
    ],
)
def test_no_file_name_becomes_an_option(repository: Repository, arguments: list[str]) -> None:
    repository.stage(dict.fromkeys(DASHED + ODD, MARKER))
    ran = repository.hook("tokenlint", args=arguments)
    assert ran.code == 1
    assert ran.findings == {(name, "TL201") for name in DASHED + ODD}


def test_clean_files_of_any_name_pass(repository: Repository) -> None:
    repository.stage(dict.fromkeys(DASHED + ODD, CLEAN))
    ran = repository.hook("tokenlint")
    assert ran.code == 0
    assert f"Checked {len(DASHED + ODD)} files.\n" in ran.output


def test_a_decomposed_file_name_is_found(repository: Repository) -> None:
    composed = unicodedata.normalize("NFC", DECOMPOSED)
    repository.stage({DECOMPOSED: CLEAN, f"composed/{composed}": CLEAN})
    ran = repository.hook("tokenlint", args=[*JSON, "--"])
    assert ran.code == 1
    assert ran.findings == {(DECOMPOSED, "TL103")}


@pytest.mark.parametrize("name", ["-x.md", "--exit-zero", "--help", "-"])
@pytest.mark.parametrize("arguments", [["--"], ["--select", "TL201"]])
def test_a_dashed_file_alone(repository: Repository, name: str, arguments: list[str]) -> None:
    repository.stage({name: MARKER})
    ran = repository.hook("tokenlint", args=arguments)
    assert ran.code == 1
    assert f"--> {name}:1:3\n" in ran.output


def test_files_called_like_the_hooks_own_options_change_nothing(repository: Repository) -> None:
    words = {word for hook in HOOKS.values() for word in (*hook["entry"].split(), *hook["args"])}
    config = BUDGET + "max-tokens = 2\n"
    repository.stage(dict.fromkeys(sorted(words), CLEAN) | {"tokenlint.toml": config})
    repository.git("commit", "--quiet", "--message", "-")
    repository.stage({"a.md": NFD, "prompts/a.md": "one two three\n"})
    assert "a.md:1:4: TL101" in repository.hook("tokenlint", args=[*CONCISE, "--"]).output
    assert "TL301" in repository.hook("tokenlint-budgets").output
    assert repository.hook("tokenlint-fix").code == 1
    assert repository.read("a.md") == CLEAN.encode()


@pytest.mark.parametrize(
    ("files", "given", "expected"),
    [
        ("-x.md", "check --select TL2 -x.md", "check --select TL2 ./-x.md"),
        ("-x.md", "check --select TL2 -- -x.md", "check --select TL2 -- -x.md"),
        ("-x.md", "check -x.md --fix", "check ./-x.md --fix"),
        ("", "check -x.md --fix", "check -x.md --fix"),
        # The last arguments are all files, so they are what pre-commit passed ...
        ("--fix a.md", "check --fix a.md", "check ./--fix a.md"),
        ("--fix --select a.md", "check --select TL2 --fix a.md", "check --select TL2 ./--fix a.md"),
        ("--exit-zero=x", "check --exit-zero=x", "check ./--exit-zero=x"),
        # ... and the option before them stays one, whatever files there are.
        ("--select a.md", "check --select TL2 a.md", "check --select TL2 a.md"),
        ("--fix a.md", "check --fix -- a.md", "check --fix -- a.md"),
        ("--budgets", "check --budgets --", "check --budgets --"),
        # A dash is standard input, except behind `--` where there is such a file.
        ("-", "check -", "check -"),
        ("-", "check -- -", "check -- ./-"),
        ("", "check -- -", "check -- -"),
        # A file called `--` is checked, whether or not it was the end of the options.
        ("--", "check -- --", "check -- ./--"),
        ("-- a.md", "check -- a.md", "check -- ./-- a.md"),
        ("", "", ""),
    ],
)
def test_which_arguments_are_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: str, given: str, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PRE_COMMIT", raising=False)
    for name in files.split():
        (tmp_path / name).write_text("")
    assert " ".join(paths_first(given.split())) == expected


# tokenlint-fix


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # A byte order mark, both line endings, and no newline at the end.
        (
            b"\xef\xbb\xbfcafe\xcc\x81\r\nre\xcc\x81sume\xcc\x81\nend",
            b"\xef\xbb\xbfcaf\xc3\xa9\r\nr\xc3\xa9sum\xc3\xa9\nend",
        ),
        (
            b"\re\xcc\x81\r\x0b\x0c\xc2\x85 \xe2\x80\xa8",
            b"\r\xc3\xa9\r\x0b\x0c\xc2\x85 \xe2\x80\xa8",
        ),
        ("\u0110a\u0323i <|im_end|>\n".encode(), "\u0110\u1ea1i <|im_end|>\n".encode()),
    ],
)
def test_the_fix_changes_only_what_is_decomposed(
    repository: Repository, before: bytes, after: bytes
) -> None:
    repository.write({"a.md": before})
    (repository.folder / "a.md").chmod(0o754)
    repository.git("add", "a.md")
    ran = repository.hook("tokenlint-fix")
    assert ran.code == 1
    assert "- exit code: 1\n" in ran.output
    assert "fixed, 0 remaining)" in ran.output
    assert repository.read("a.md") == after
    assert (repository.folder / "a.md").stat().st_mode & 0o777 == 0o754
    repository.git("add", "a.md")
    assert repository.hook("tokenlint-fix").code == 0
    assert repository.read("a.md") == after


def test_a_commit_fails_once_and_is_then_composed(repository: Repository) -> None:
    repository.install("tokenlint-fix")
    repository.stage({"-x.md": NFD, "b.md": CLEAN})
    assert repository.commit().code == 1
    repository.git("add", "--all")
    assert repository.commit().code == 0
    assert repository.git("show", "HEAD:-x.md") == CLEAN


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"caf\xe9 cafe\xcc\x81 \n", "a.md: not UTF-8: byte 0xe9 at offset 3 (line 1)"),
        (NFD.encode("utf-16"), "a.md: not UTF-8: the byte order mark says UTF-16 LE"),
        (NFD.encode("utf-16-be"), "a.md: binary file"),
    ],
)
def test_other_encodings_are_said_and_never_rewritten(
    repository: Repository, raw: bytes, message: str
) -> None:
    repository.stage({"a.md": raw, "b.md": NFD})
    ran = repository.hook("tokenlint-fix")
    assert ran.code == 1
    assert "- exit code: 2\n" in ran.output
    assert f"error: {message}" in ran.output
    assert repository.read("a.md") == raw
    assert repository.read("b.md") == CLEAN.encode()


def test_the_fix_leaves_what_is_not_staged(repository: Repository) -> None:
    rest = ".\n" * 9  # the two changes are apart, so git can put both in
    repository.stage({"a.md": NFD + rest})
    repository.write({"a.md": NFD + rest + "more\n"})
    assert repository.hook("tokenlint-fix").code == 1
    assert repository.read("a.md").decode() == CLEAN + rest + "more\n"


def test_the_longest_file_name_can_be_fixed(repository: Repository) -> None:
    name = "x" * 252 + ".md"
    repository.stage({name: NFD})
    assert "1 fixed, 0 remaining)" in repository.hook("tokenlint-fix").output
    assert repository.read(name) == CLEAN.encode()


def test_fixes_at_the_same_time_leave_one_whole_file(repository: Repository) -> None:
    many = 5_000
    repository.write({"a.md": NFD * many})
    command = [sys.executable, "-m", "tokenlint", "check", "--quiet", "--fix", "a.md"]
    running = [
        subprocess.Popen(
            command,
            cwd=repository.folder,
            env=repository.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    said = [process.communicate()[1] for process in running]
    # Whoever comes late finds a composed file, or says that it changed under its hands.
    assert {process.returncode for process in running} <= {0, 2}
    assert set(said) <= {b"", b"error: a.md: not fixed: it changed while it was checked\n"}
    assert repository.read("a.md") == CLEAN.encode() * many
    assert names(repository.folder) == [".git", "a.md"]


def test_what_is_saved_during_the_fix_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    path.write_text(NFD, "utf-8")
    document = read_document(path)
    assert isinstance(document, Document)
    # The last thing before the rename: somebody's editor saves.
    monkeypatch.setattr(shutil, "copymode", lambda *_: path.write_text("saved\n"))
    with pytest.raises(FileExistsError, match="it changed while it was checked"):
        fix.write(path, document, CLEAN)
    assert names(tmp_path) == ["a.md"]
    assert path.read_text() == "saved\n"


def test_a_read_only_file_is_said_and_not_fixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text(NFD, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "access", lambda *_: False)  # as for all but root
    assert main(["check", "--fix", "a.md"]) == 2
    assert capsys.readouterr().err == "error: a.md: not fixed: no permission to write it\n"
    assert (tmp_path / "a.md").read_text("utf-8") == NFD
    assert names(tmp_path) == ["a.md"]


# tokenlint-budgets

TOTAL = BUDGET + "max-total = 6\n"


def test_a_group_is_held_to_its_total_whatever_is_staged(repository: Repository) -> None:
    repository.stage({"tokenlint.toml": TOTAL, "prompts/large.md": "one two three four\n"})
    repository.git("commit", "--quiet", "--message", "-")
    assert repository.hook("tokenlint-budgets").code == 0
    repository.stage({"prompts/small.md": "five\n"})
    ran = repository.hook("tokenlint-budgets")
    assert ran.code == 1
    assert "TL302" in ran.output
    assert "prompts/large.md" in ran.output


def test_budgets_are_checked_where_nothing_is_left_to_pass(repository: Repository) -> None:
    repository.stage({"tokenlint.toml": TOTAL, "prompts/a.md": "one\n"})
    repository.git("commit", "--quiet", "--message", "-")
    repository.git("rm", "--quiet", "prompts/a.md")
    ran = repository.hook("tokenlint-budgets")
    assert ran.code == 1
    assert "budgets[0] checks nothing: no file matches prompts/*.md" in ran.output


def test_only_budgets_are_its_business(repository: Repository) -> None:
    repository.stage({"tokenlint.toml": TOTAL, "prompts/a.md": NFD, "b.md": MARKER})
    assert repository.hook("tokenlint-budgets").code == 0


@pytest.mark.parametrize("config", [{}, {"tokenlint.toml": "extend-select = ['TL102']\n"}])
def test_no_budgets_is_said(repository: Repository, config: dict[str, str]) -> None:
    repository.stage({"a.md": CLEAN, **config})
    ran = repository.hook("tokenlint-budgets")
    assert ran.code == 1
    assert "- exit code: 2\n" in ran.output
    assert "no budgets to check; add a [[tool.tokenlint.budgets]] table" in ran.output


# What is no ordinary file

ANY_FILE: dict[str, list[str]] = {"types": [], "types_or": []}


@pytest.fixture
def links(repository: Repository) -> Repository:
    """A repository with links of each kind, a submodule, and files deleted here or there."""
    nested = repository.folder / "module"
    repository.write({"a.md": MARKER, "sub/b.md": MARKER, "module/c.md": MARKER})
    repository.write({"gone.md": MARKER, "only-here.md": MARKER})
    for link, target in {"link.md": "a.md", "broken.md": "nowhere.md", "dirlink": "sub"}.items():
        (repository.folder / link).symlink_to(target)
    inner = Repository(nested, repository.config, repository.environment)
    inner.git("init", "--quiet")
    inner.git("add", "c.md")
    inner.git("commit", "--quiet", "--message", "-")
    repository.git("add", "--all")
    repository.git("rm", "--quiet", "--cached", "only-here.md")
    (repository.folder / "gone.md").unlink()
    return repository


def test_links_and_submodules_are_not_passed(links: Repository) -> None:
    ran = links.hook("tokenlint", args=[*JSON, "--"])
    assert ran.code == 1
    # A file that is deleted here and staged is one that the commit will have.
    assert ran.findings == {(name, "TL201") for name in ("a.md", "sub/b.md", "gone.md")}
    assert not (links.folder / "gone.md").exists()


def test_links_and_submodules_that_are_passed(links: Repository) -> None:
    ran = links.hook("tokenlint", args=[*JSON, "--"], **ANY_FILE)
    assert "error: broken.md: a symbolic link to a file that does not exist\n" in ran.output
    assert "- exit code: 2\n" in ran.output
    # Each once, by whichever of its names.
    real = sorted(os.path.realpath(links.folder / name) for name, _ in ran.findings)
    expected = ("a.md", "gone.md", "module/c.md", "sub/b.md")
    assert [os.path.relpath(path, links.folder) for path in real] == list(expected)


def test_the_fix_keeps_a_link(repository: Repository) -> None:
    repository.write({"a.md": NFD})
    (repository.folder / "link.md").symlink_to("a.md")
    repository.git("add", "link.md")
    assert repository.hook("tokenlint-fix", **ANY_FILE).code == 1
    assert (repository.folder / "link.md").is_symlink()
    assert repository.read("a.md") == CLEAN.encode()


# Consoles


@pytest.mark.parametrize(("text", "code"), [(NFD, 1), (CLEAN, 0)])
@pytest.mark.parametrize("form", ["full", "concise", "json"])
def test_a_console_that_cannot_show_the_text(
    tmp_path: Path, text: str, code: int, form: str
) -> None:
    name = "vi\u1ec7t \u65e5\u672c.md"
    (tmp_path / name).write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "tokenlint", "check", "--output-format", form, "--", name],
        cwd=tmp_path,
        env=environment(tmp_path, PYTHONIOENCODING="cp1252", PYTHONUTF8="0"),
        capture_output=True,
        check=False,
    )
    assert done.returncode == code
    assert done.stderr == b""
    assert ("vi\\u1ec7t \\u65e5\\u672c.md" in done.stdout.decode("cp1252")) is (code == 1)
