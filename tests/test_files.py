"""Arguments become paths: each file once, in order, and nothing left out without a reason."""

from __future__ import annotations

import os
import subprocess
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenlint.commands.session import Session
from tokenlint.files import DEFAULT_EXCLUDE, Found, Skipped, find_files
from tokenlint.patterns import (
    PathPatterns,
    anchored,
    is_literal,
    is_pattern,
    relative_to,
    shown_path,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

NFD = "cafe\u0301.md"
NFC = "caf\u00e9.md"


@pytest.fixture(autouse=True)
def _only_these_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No ignore file of the user's, and no repository around the temporary folder."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def without_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A PATH on which there is no git."""
    monkeypatch.setenv("PATH", str(tmp_path / "no programs"))


def write(folder: Path, files: Mapping[str, str] | Iterable[str]) -> None:
    contents = files.items() if hasattr(files, "items") else ((name, "x\n") for name in files)
    for name, text in contents:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def git(folder: Path, *arguments: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def found(folder: Path, *arguments: str, **settings: object) -> list[str]:
    """The shown paths of what arguments mean, without the configuration file of the test."""
    listing = Session(folder, overrides=settings).find(arguments or ["."])
    return [file.shown for file in listing.found if file.shown != "tokenlint.toml"]


def nothing(path: Path | str, *, inside: Path | None = None) -> bool:
    """Excludes nothing."""
    return False


def skipped(folder: Path, *arguments: str, **settings: object) -> list[tuple[str, str]]:
    listing = Session(folder, overrides=settings).find(arguments or ["."])
    return [(skip.shown, skip.reason) for skip in listing.skipped]


# Arguments


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.md"],
        ["a.md", "a.md"],
        ["a.md", "./a.md"],
        ["./sub/../a.md"],
        ["a.md", "link.md"],
        ["link.md", "a.md"],
        ["loop/a.md", "a.md"],
    ],
)
def test_a_file_counts_once_by_its_own_path(tmp_path: Path, arguments: list[str]) -> None:
    write(tmp_path, ["a.md", "sub/b.md"])
    (tmp_path / "link.md").symlink_to("a.md")
    (tmp_path / "loop").symlink_to(".")
    assert found(tmp_path, *arguments) == ["a.md"]


def test_a_link_alone_is_read_under_its_own_name(tmp_path: Path) -> None:
    write(tmp_path, ["a.md"])
    (tmp_path / "link.md").symlink_to("a.md")
    assert found(tmp_path, "link.md") == ["link.md"]


@pytest.mark.parametrize("arguments", [["sub", "sub/b.md"], ["sub/b.md", "sub"]])
def test_a_file_that_is_named_stays_named_beside_its_folder(
    tmp_path: Path, arguments: list[str]
) -> None:
    write(tmp_path, ["sub/a.md", "sub/b.md"])
    listing = Session(tmp_path).find(arguments)
    assert [(file.shown, file.named) for file in listing.found] == [
        ("sub/a.md", False),
        ("sub/b.md", True),
    ]


def test_paths_are_sorted_as_they_are_shown(tmp_path: Path) -> None:
    write(tmp_path, ["b.md", "a/z.md", "a.md", "a-b.md", "B.md", "a/b/c.md"])
    assert found(tmp_path) == ["B.md", "a-b.md", "a.md", "a/b/c.md", "a/z.md", "b.md"]
    assert found(tmp_path, "b.md", "a") == ["a/b/c.md", "a/z.md", "b.md"]


def test_paths_outside_the_working_folder(tmp_path: Path) -> None:
    write(tmp_path, ["in/a.md", "out/b.md"])
    folder = tmp_path / "in"
    assert found(folder, "../out") == ["../out/b.md"]
    assert found(folder, str(tmp_path / "out" / "b.md")) == ["../out/b.md"]
    assert found(folder, "..") == ["../out/b.md", "a.md"]


def test_what_does_not_exist_is_left_to_the_reader(tmp_path: Path) -> None:
    absent = "nowhere.md"
    too_long = "x" * 5000
    listing = Session(tmp_path).find([absent, too_long])
    assert [file.shown for file in listing.found] == [absent, too_long]
    assert all(file.named for file in listing.found)


def test_another_drive_is_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_way(*_: object) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr(os.path, "relpath", no_way)
    assert shown_path(Path("/d/a.md"), Path("/c")) == "/d/a.md"


# What git leaves out


REPOSITORY = {
    ".gitignore": "*.log\n/drafts/\n!keep.log\n",
    "sub/.gitignore": "!again.log\nlocal.md\n",
    "a.md": "",
    "a.log": "",
    "keep.log": "",
    "tracked.log": "",
    "excluded.txt": "",
    "drafts/d.md": "",
    "sub/local.md": "",
    "sub/again.log": "",
    "sub/b.md": "",
    "sub/drafts/e.md": "",
    "node_modules/x.md": "",
}
LEFT = [
    *(".gitignore", "a.md", "keep.log", "sub/.gitignore", "sub/again.log", "sub/b.md"),
    "sub/drafts/e.md",
]


def repository(folder: Path) -> Path:
    git(folder, "init", "-q")
    write(folder, REPOSITORY)
    (folder / ".git/info/exclude").write_text("excluded.txt\n", encoding="utf-8")
    return folder


def test_what_git_ignores_is_left_out(tmp_path: Path) -> None:
    assert found(repository(tmp_path)) == LEFT
    assert found(tmp_path, "sub") == [path for path in LEFT if path.startswith("sub/")]


def test_a_tracked_file_is_found_whatever_gitignore_says(tmp_path: Path) -> None:
    repository(tmp_path)
    git(tmp_path, "add", "--force", "tracked.log", "drafts/d.md")
    assert found(tmp_path) == sorted([*LEFT, "tracked.log", "drafts/d.md"])


@pytest.mark.usefixtures("without_git")
def test_gitignore_is_read_where_there_is_no_git(tmp_path: Path) -> None:
    (tmp_path / ".git/info").mkdir(parents=True)
    (tmp_path / ".git/info/exclude").write_text("excluded.txt\n", encoding="utf-8")
    write(tmp_path, REPOSITORY)
    assert found(tmp_path) == sorted([*LEFT, "tracked.log"])[: len(LEFT)]
    assert found(tmp_path, "sub") == [path for path in LEFT if path.startswith("sub/")]


def test_gitignore_is_read_outside_a_repository(tmp_path: Path) -> None:
    write(tmp_path, REPOSITORY)
    assert found(tmp_path) == sorted([*LEFT, "excluded.txt"])


def test_gitignore_can_be_disregarded(tmp_path: Path) -> None:
    repository(tmp_path)
    every = [path for path in REPOSITORY if not path.startswith("node_modules/")]
    assert found(tmp_path, respect_gitignore=False) == sorted(every)


def test_the_inside_of_git_is_never_walked(tmp_path: Path) -> None:
    repository(tmp_path)
    listed = found(tmp_path, respect_gitignore=False, exclude=("nothing",))
    assert listed == sorted(REPOSITORY)


def test_a_folder_that_is_named_is_walked_although_git_ignores_it(tmp_path: Path) -> None:
    repository(tmp_path)
    write(tmp_path, {"drafts/.gitignore": "*.tmp\n", "drafts/x.tmp": "", "drafts/x.log": ""})
    assert found(tmp_path, "drafts") == ["drafts/.gitignore", "drafts/d.md"]
    assert found(tmp_path, "a.log") == ["a.log"]


def test_a_repository_that_ignores_everything(tmp_path: Path) -> None:
    """As where somebody keeps the settings in the home folder under git."""
    git(tmp_path, "init", "-q")
    write(tmp_path, {".gitignore": "*\n", "project/a.md": "", "project/sub/b.md": ""})
    assert found(tmp_path / "project") == ["a.md", "sub/b.md"]
    assert found(tmp_path) == []


# One .gitignore after another: the walk lists what git lists.

NAMES = ("a.md", "b.md", "#x.md", "!x.md", "x ", "a b.md", "t.txt")
FOLDERS = ("", "b/", "c/", "b/c/", "c/b/", "b/c/c/")

IGNORED = [
    {},
    {"": "# a.md\n\n   \n"},
    {"": "a.md"},
    {"": "a.md\r\nb.md\r\n"},
    {"": "\ufeffa.md\n"},
    {"": "a.md   \nx\\ \n"},
    {"": "a b.md\n\\#x.md\n\\!x.md\n"},
    {"": "*.md\n!a.md\n"},
    {"": "!a.md\n*.md\n"},
    {"": "/a.md\n"},
    {"": "a.md/\n"},
    {"": "b/\n"},
    {"": "/b\n"},
    {"": "b/c\n"},
    {"": "b/\n!b/a.md\n"},
    {"": "b/*\n!b/a.md\n"},
    {"": "b/*\n!b/c/\nb/c/*\n!b/c/a.md\n"},
    {"": "*\n!*/\n!*.md\n"},
    {"": "**/c\n"},
    {"": "c/**\n"},
    {"": "b/**/a.md\n"},
    {"": "**\n!**/a.md\n"},
    {"": "***/c\n"},
    {"": "**b\n"},
    {"": "?.md\n[at].txt\n"},
    {"": "[!a].md\n"},
    {"": "[^a].md\n"},
    {"": "[a-b].md\n"},
    {"": "[]a].md\n[\\]b].md\n"},
    {"": "[[:alpha:]].md\n[[:space:]]*\n"},
    {"": "[[:nothing:]].md\n"},
    {"": "[a\n[]\n[!]\n\\\n!\n/\n//\n"},
    {"": "*/a.md\n"},
    {"": "b//c\n"},
    {"": "\\a.md\n"},
    {"": "A.MD\n"},
    {"": "a.md\x0bb.md\nb.md\x85\n"},
    {"": "*.md\n", "b/": "!a.md\n"},
    {"": "!*.md\n", "b/": "*.md\n", "b/c/": "!b.md\n"},
    {"": "c\n", "b/": "!c\n", "b/c/": "/c/\n"},
    {"": "*.md\n", "b/": "!c/\n"},
]


@pytest.mark.parametrize("ignores", IGNORED, ids=repr)
def test_the_walk_lists_what_git_lists(tmp_path: Path, ignores: dict[str, str]) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, [folder + name for folder in FOLDERS for name in NAMES])
    for folder, lines in ignores.items():
        (tmp_path / folder / ".gitignore").write_bytes(lines.encode())
    for start in (".", "b", "b/c"):
        with_git = found(tmp_path, start)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PATH", "")
            assert found(tmp_path, start) == with_git


def test_bytes_in_gitignore_that_are_not_utf_8(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.md")
    write(tmp_path, [name, "b.md"])
    (tmp_path / ".gitignore").write_bytes(b"caf\xe9.md\n")
    assert found(tmp_path) == [".gitignore", "b.md"]


# Repositories in repositories


@pytest.fixture
def nested(tmp_path: Path) -> Path:
    """A repository that holds another, which knows nothing of its ignore file."""
    git(tmp_path, "init", "-q")
    git(tmp_path / "inner", "init", "-q")
    files = {".gitignore": "*.log\n", "a.md": "", "inner/b.log": "", "inner/.gitignore": "b.md\n"}
    write(tmp_path, {**files, "inner/b.md": ""})
    return tmp_path


NESTED = [".gitignore", "a.md", "inner/.gitignore", "inner/b.log"]


def test_a_repository_inside_is_entered_by_its_own_rules(nested: Path) -> None:
    assert found(nested) == NESTED


@pytest.mark.usefixtures("without_git")
def test_a_repository_inside_is_entered_without_git(tmp_path: Path) -> None:
    for folder in (".git", "inner/.git"):
        (tmp_path / folder).mkdir(parents=True)
    files = {".gitignore": "*.log\n", "a.md": "", "inner/b.log": "", "inner/.gitignore": "b.md\n"}
    write(tmp_path, {**files, "inner/b.md": ""})
    assert found(tmp_path) == NESTED


@pytest.fixture
def with_submodule(tmp_path: Path) -> Path:
    """A repository with a submodule."""
    git(tmp_path / "other", "init", "-q")
    write(tmp_path, ["other/m.md"])
    git(tmp_path / "other", "add", ".")
    git(tmp_path / "other", "commit", "-qm", "m")
    folder = tmp_path / "main"
    git(folder, "init", "-q")
    write(folder, ["a.md"])
    git(folder, "submodule", "--quiet", "add", str(tmp_path / "other"), "module")
    return folder


def test_a_submodule_is_left_out_and_said(with_submodule: Path) -> None:
    assert found(with_submodule) == [".gitmodules", "a.md"]
    assert skipped(with_submodule) == [("module", "submodule")]
    assert found(with_submodule, "module") == ["module/m.md"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", "")
        assert found(with_submodule) == [".gitmodules", "a.md"]
        assert skipped(with_submodule) == [("module", "submodule")]


def test_a_submodule_that_was_not_fetched(with_submodule: Path) -> None:
    git(with_submodule, "commit", "-qm", "m")
    git(with_submodule, "submodule", "deinit", "--quiet", "--all", "--force")
    assert skipped(with_submodule) == [("module", "submodule")]
    assert found(with_submodule, "module") == []
    assert skipped(with_submodule, "module") == [("module", "submodule")]


# Links


def test_links_that_are_met_are_left_out_and_said(tmp_path: Path) -> None:
    write(tmp_path, ["sub/a.md"])
    (tmp_path / "to_file").symlink_to("sub/a.md")
    (tmp_path / "to_folder").symlink_to("sub")
    (tmp_path / "to_nothing").symlink_to("nowhere")
    (tmp_path / "sub/up").symlink_to("..")
    (tmp_path / "to_itself").symlink_to("to_itself")
    expected = [
        ("sub/up", "symbolic link"),
        ("to_file", "symbolic link"),
        ("to_folder", "symbolic link"),
        ("to_itself", "broken link"),
        ("to_nothing", "broken link"),
    ]
    assert found(tmp_path) == ["sub/a.md"]
    assert sorted(skipped(tmp_path)) == expected
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    assert found(tmp_path) == ["sub/a.md"]
    assert sorted(skipped(tmp_path, ".", ".")) == expected


def test_a_link_that_is_named_is_not_skipped_as_well(tmp_path: Path) -> None:
    write(tmp_path, ["elsewhere/a.md"])
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "link.md").symlink_to("../elsewhere/a.md")
    assert skipped(folder) == [("link.md", "symbolic link")]
    assert skipped(folder, "link.md", ".") == []
    assert found(folder, "link.md", ".") == ["link.md"]


def test_a_link_to_a_folder_that_is_named_is_walked(tmp_path: Path) -> None:
    write(tmp_path, ["sub/a.md"])
    (tmp_path / "link").symlink_to("sub")
    assert found(tmp_path, "link") == ["link/a.md"]
    git(tmp_path, "init", "-q")
    assert found(tmp_path, "link") == ["link/a.md"]
    assert found(tmp_path, "link", "sub") == ["sub/a.md"]


# What git says that is not so on the disk


def test_a_tracked_file_that_was_deleted(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, ["a.md", "b.md", "c.md"])
    git(tmp_path, "add", ".")
    (tmp_path / "b.md").unlink()
    (tmp_path / "c.md").unlink()
    write(tmp_path, ["c.md/d.md"])  # a file that became a folder
    assert found(tmp_path) == ["a.md", "c.md/d.md"]
    assert skipped(tmp_path) == []


def test_an_unmerged_file_is_found_once(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    write(tmp_path, {"a.md": "one\n"})
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "1")
    git(tmp_path, "checkout", "-qb", "side")
    write(tmp_path, {"a.md": "two\n"})
    git(tmp_path, "commit", "-qam", "2")
    git(tmp_path, "checkout", "-q", "main")
    write(tmp_path, {"a.md": "three\n"})
    git(tmp_path, "commit", "-qam", "3")
    with pytest.raises(subprocess.CalledProcessError):
        git(tmp_path, "merge", "side")
    assert found(tmp_path) == ["a.md"]


def test_a_file_that_goes_while_it_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, ["a.md"])
    real = Path.lstat

    def vanished(path: Path) -> os.stat_result:
        (tmp_path / "a.md").unlink(missing_ok=True)
        return real(path)

    monkeypatch.setattr(Path, "lstat", vanished)
    assert found(tmp_path) == ["a.md"]  # the reader will say that it is missing


# Names


HOSTILE = [
    *("a b.md", "-r.md", "--fix", "quote'\"`.md", "new\nline.md", "back\\slash.md", "tab\t.md"),
    *("$(id).md", "*.md", "[a].md", "#a.md", "!a.md", " lead.md", "\u202eevil.md"),
    *(NFD, NFC, os.fsdecode(b"caf\xe9-\xff.md"), "\U0001f600.md"),
]


@pytest.mark.parametrize("in_repository", [False, True])
def test_hostile_names_are_found_as_they_are(tmp_path: Path, in_repository: bool) -> None:
    write(tmp_path, HOSTILE)
    if in_repository:
        git(tmp_path, "init", "-q")
        git(tmp_path, "add", "--", *HOSTILE[::2])
    assert found(tmp_path) == sorted(HOSTILE)
    assert all((tmp_path / name).is_file() for name in found(tmp_path))


def test_a_tree_deeper_than_python_recurses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(1010):
        Path("d").mkdir()
        monkeypatch.chdir("d")
    Path("a.md").touch()
    monkeypatch.chdir(tmp_path)
    try:
        listing = find_files(["."], working_folder=tmp_path, excludes=nothing)
        assert [file.shown for file in listing.found] == [f"{'d/' * 1010}a.md"]
    finally:
        subprocess.run(["rm", "-r", "d"], check=True)  # pytest would recurse


# Excludes


@pytest.mark.parametrize("name", DEFAULT_EXCLUDE.split())
def test_folders_that_are_excluded_by_default(tmp_path: Path, name: str) -> None:
    write(tmp_path, [f"{name}/a.md", f"sub/{name}/b.md", f"{name}.md", "c.md"])
    assert found(tmp_path) == sorted(["c.md", f"{name}.md"])


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        ([], ["a.md", "docs/a.md", "docs/b.txt", "src/docs/c.md"]),
        (["docs"], ["a.md"]),
        (["docs/"], ["a.md"]),
        (["/docs"], ["a.md", "src/docs/c.md"]),
        (["./docs"], ["a.md", "docs/a.md", "docs/b.txt", "src/docs/c.md"]),
        (["docs/*.md"], ["a.md", "docs/b.txt", "src/docs/c.md"]),
        (["**/docs/*.md"], ["a.md", "docs/b.txt"]),
        (["*.md"], ["docs/b.txt"]),
        (["*.md", "!/docs/*.md"], ["docs/a.md", "docs/b.txt"]),
        (["docs", "!docs/a.md"], ["a.md"]),
        (["docs", "!docs"], ["a.md", "docs/a.md", "docs/b.txt", "src/docs/c.md"]),
        (["*"], []),
        (["?.md"], ["docs/b.txt"]),
    ],
)
def test_exclude_is_gitignore_language(
    tmp_path: Path, patterns: list[str], left: list[str]
) -> None:
    write(tmp_path, ["a.md", "docs/a.md", "docs/b.txt", "src/docs/c.md"])
    assert found(tmp_path, exclude=tuple(patterns)) == left
    git(tmp_path, "init", "-q")
    assert found(tmp_path, exclude=tuple(patterns)) == left
    assert found(tmp_path, extend_exclude=tuple(patterns)) == left


def test_exclude_replaces_the_defaults_and_extend_exclude_adds(tmp_path: Path) -> None:
    write(tmp_path, ["a.md", "build/b.md", "docs/c.md"])
    assert found(tmp_path) == ["a.md", "docs/c.md"]
    assert found(tmp_path, exclude=("docs",)) == ["a.md", "build/b.md"]
    assert found(tmp_path, extend_exclude=("docs",)) == ["a.md"]
    assert found(tmp_path, extend_exclude=("!build",)) == ["a.md", "build/b.md", "docs/c.md"]


def test_patterns_are_compared_in_nfc(tmp_path: Path) -> None:
    write(tmp_path, [f"sub/{NFD}", f"sub/{NFC}", "a.md"])
    for pattern in (NFD, NFC, f"sub/{NFC}", f"su?/{NFD}"):
        assert found(tmp_path, extend_exclude=(pattern,)) == ["a.md"]


def test_what_is_named_is_kept_though_it_is_excluded(tmp_path: Path) -> None:
    write(tmp_path, ["build/a.md", "build/sub/b.md", "build/node_modules/c.md", "d.log"])
    settings = {"extend_exclude": ("*.log",)}
    assert found(tmp_path, "build", "d.log", **settings) == [
        "build/a.md",
        "build/sub/b.md",
        "d.log",
    ]
    assert found(tmp_path / "build") == ["a.md", "sub/b.md"]


def test_force_exclude_applies_to_what_is_named(tmp_path: Path) -> None:
    write(tmp_path, ["build/a.md", "d.log", "e.md"])
    settings = {"extend_exclude": ("*.log",), "force_exclude": True}
    arguments = ("build", "build/a.md", "d.log", "e.md")
    assert found(tmp_path, *arguments, **settings) == ["e.md"]
    assert skipped(tmp_path, *arguments, **settings) == [
        ("build", "excluded"),
        ("build/a.md", "excluded"),
        ("d.log", "excluded"),
    ]


def test_a_working_folder_below_an_excluded_name(tmp_path: Path) -> None:
    write(tmp_path, ["build/project/a.md", "venv/other/b.md"])
    folder = tmp_path / "build" / "project"
    assert found(folder) == ["a.md"]
    assert found(folder, "../../venv/other") == ["../../venv/other/b.md"]


def test_the_configuration_in_an_excluded_folder_is_never_read(tmp_path: Path) -> None:
    files = {"tokenlint.toml": 'exclude = ["data"]\n', "data/tokenlint.toml": "wrong = 1\n"}
    write(tmp_path, {**files, "data/deep/tokenlint.toml": "wrong = 1\n", "a.md": ""})
    assert found(tmp_path) == ["a.md"]
    assert found(tmp_path, "a.md", "data/deep/b.md", force_exclude=True) == ["a.md"]
    git(tmp_path, "init", "-q")
    assert found(tmp_path) == ["a.md"]


def test_patterns_on_the_command_line_start_where_it_stands(tmp_path: Path) -> None:
    write(tmp_path, {"tokenlint.toml": "", "sub/drafts/a.md": "", "sub/b.md": ""})
    assert found(tmp_path / "sub", exclude=("drafts/*.md",)) == ["b.md"]
    write(tmp_path, {"sub/tokenlint.toml": ""})
    assert found(tmp_path, "sub", extend_exclude=("sub/drafts",)) == [
        "sub/b.md",
        "sub/tokenlint.toml",
    ]


# Folders that cannot be listed


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Folders that refuse to be listed, root or not."""
    real = os.scandir
    names: set[str] = set()

    def scandir(folder: str | os.PathLike[str]) -> object:
        if Path(folder).name in names:
            raise PermissionError(13, "Permission denied")
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    return names.add


def test_a_folder_without_permission_is_said(tmp_path: Path, closed: Callable[[str], None]) -> None:
    write(tmp_path, ["a.md", "secret/b.md"])
    closed("secret")
    assert found(tmp_path) == ["a.md"]
    assert skipped(tmp_path) == [("secret", "folder without permission")]


def test_a_folder_without_permission_that_is_named(
    tmp_path: Path, closed: Callable[[str], None]
) -> None:
    write(tmp_path, ["a.md", "secret/b.md"])
    closed("secret")
    listing = Session(tmp_path).find(["secret", "a.md"])
    assert [(file.shown, file.named) for file in listing.found] == [
        ("a.md", True),
        ("secret", True),
    ]


def test_a_folder_that_git_cannot_open_is_said(
    tmp_path: Path, closed: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, ["a.md", "secret/b.md"])
    closed("secret")
    program = tmp_path.parent / f"{tmp_path.name} programs"
    write(
        program,
        {"git": "#!/bin/sh\necho \"warning: could not open directory 'secret/': No\" >&2\n"},
    )
    (program / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{program}:{os.environ['PATH']}")
    assert skipped(tmp_path) == [("secret", "folder without permission")]


# The parts


def test_excludes_may_be_any_function(tmp_path: Path) -> None:
    write(tmp_path, ["a.md", "b.md"])

    def excludes(path: Path | str, *, inside: Path | None = None) -> bool:
        return Path(path).name == "b.md"

    listing = find_files([".", "b.md"], working_folder=tmp_path, excludes=excludes)
    assert listing.found == [
        Found(tmp_path / "a.md", "a.md", named=False),
        Found(tmp_path / "b.md", "b.md", named=True),
    ]
    listing = find_files(["b.md"], working_folder=tmp_path, excludes=excludes, force_exclude=True)
    assert listing.skipped == [Skipped("b.md", "excluded")]


@pytest.mark.parametrize(
    ("path", "relative"),
    [
        ("/r/a.md", "a.md"),
        ("/r/./x/../a.md", "a.md"),
        ("/r", "."),
        ("/", "."),
        ("/other/a.md", "other/a.md"),
        ("/r../a.md", "r../a.md"),
    ],
)
def test_paths_seen_from_a_root(path: str, relative: str) -> None:
    assert relative_to(Path(path), Path("/r")) == relative


@pytest.mark.parametrize(
    ("glob", "pattern"),
    [
        ("a.md", "/a.md"),
        ("/a.md", "/a.md"),
        ("./a.md", "/a.md"),
        ("!a.md", "!/a.md"),
        ("!./a.md", "!/a.md"),
        ("**/a.md", "/**/a.md"),
        (".", "/**"),
        ("./", "/**"),
        (NFD, f"/{NFC}"),
    ],
)
def test_globs_of_budgets_start_at_the_root(glob: str, pattern: str) -> None:
    assert anchored([glob]) == (pattern,)


@pytest.mark.parametrize("text", ["a", "*", "!a", "[a]", "\\#a", "a b", "caf\u00e9"])
def test_patterns(text: str) -> None:
    assert is_pattern(text)


@pytest.mark.parametrize("text", ["", " ", "!", "/", "#a", "a\\", "[a", "[]", "[b-a]", "[[:no:]]"])
def test_what_is_no_pattern(text: str) -> None:
    assert not is_pattern(text)
    assert not PathPatterns(Path("/r"), (text,)).match(Path("/r/a"))


def test_a_root_and_what_is_above_it_never_match() -> None:
    patterns = PathPatterns(Path("/r/s"), ("*", "**", "/"))
    for path in ("/r/s", "/r", "/"):
        assert not patterns.match(Path(path), is_folder=True)
        assert patterns.verdict(Path(path), is_folder=True) is None


@pytest.mark.parametrize(
    ("pattern", "literal"), [("a/b.md", True), ("*.md", False), ("a?", False), ("[a]", False)]
)
def test_literal_patterns(pattern: str, literal: bool) -> None:
    assert is_literal(pattern) == literal


def test_patterns_without_those_that_match_a_folder() -> None:
    patterns = PathPatterns(Path("/r"), ("build", "*.log", "a/build/"))
    assert patterns.not_matching(Path("/r/docs")) is patterns
    assert patterns.not_matching(Path("/r/a/build")).patterns == ("*.log",)
    assert unicodedata.is_normalized("NFC", NFC)
