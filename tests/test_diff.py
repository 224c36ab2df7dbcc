"""`tokenlint diff`: which states and files are compared, and what is said where they cannot be."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from repositories import Repository, pin, stand
from tokenlint.cli import main
from tokenlint.git import Blobs, TooLarge

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """main with one commit, where the run stands."""
    return stand(
        monkeypatch,
        tmp_path,
        {"prompts/a.md": "One two three.\n", "prompts/b.md": "Four.\n", "c.md": "Five.\n"},
    )


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


class Run:
    """Runs the command and reads what it says."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        code = main(["diff", *arguments])
        out, err = self._capsys.readouterr()
        return code, out, err

    def json(self, *arguments: str) -> dict[str, Any]:
        code, out, err = self("--output-format", "json", *arguments)
        assert code == 0, err
        report: dict[str, Any] = json.loads(out)
        return report

    def changed(self, *arguments: str) -> dict[str, int]:
        """The change in tokens of each file in a report."""
        files = self.json(*arguments)["files"]
        return {row["path"]: row["change"]["o200k_base"]["tokens"] for row in files}

    def refused(self, *arguments: str) -> str:
        """The sentence of a run that shows nothing."""
        code, out, err = self(*arguments)
        assert (code, out) == (2, "")
        assert err.startswith("error: ")
        assert err.count("\n") == 1
        return err.removeprefix("error: ").removesuffix("\n")


def test_nothing_changed(repository: Repository, run: Run) -> None:
    short = repository.git("rev-parse", "HEAD")[:10]
    assert run() == (
        0,
        f"the working tree compared with HEAD ({short}; it has no commit beyond the default "
        "branch main):\n\nNo change in tokens.\n",
        "0 files differ.\n",
    )


def test_the_table(repository: Repository, run: Run) -> None:
    repository.git("checkout", "-qb", "topic")
    repository.write(
        {
            "prompts/a.md": "One two three.\nfour five six\n",
            "prompts/b.md": "Four five.\n",
            "new.md": "cafe\u0301\n",
            "x.bin": b"\0",
        }
    )
    repository.git("mv", "c.md", "d.md")
    (repository.folder / "d.md").chmod(0o755)
    short = repository.git("rev-parse", "HEAD")[:10]
    assert run() == (
        0,
        f"the working tree compared with HEAD ({short}; it has no commit beyond the default "
        """branch main):

+9 tokens (+112.5 %) in 3 files with o200k_base.

file          status    before  after  change         %  text  noise
new.md        added          -      4      +4         -    +3     +1
prompts/a.md  modified       4      8      +4  +100.0 %    +4      0
prompts/b.md  modified       2      3      +1   +50.0 %    +1      0
c.md -> d.md  renamed        2      2       0     0.0 %     0      0
total                        8     17      +9  +112.5 %    +8     +1

Of the +9 with o200k_base, +8 are text, +1 decomposed text and 0 other noise.
d.md: mode 100644 to 100755
""",
        "4 files differ, skipped 1 (1 binary).\n",
    )


def test_the_merge_base_and_not_the_branch(repository: Repository, run: Run) -> None:
    repository.git("checkout", "-qb", "topic")
    repository.commit({"prompts/a.md": "One.\n"})
    repository.git("checkout", "-q", "main")
    repository.commit({"prompts/b.md": "Four and many more.\n"})
    repository.git("checkout", "-q", "topic")
    report = run.json()
    assert [row["path"] for row in report["files"]] == ["prompts/a.md"]
    assert report["base"] == "the merge base of main and HEAD"
    assert report["base_commit"] == repository.git("rev-parse", "main~1")
    assert report["base_reason"] == "the default branch, by its name"
    assert (report["head"], report["head_commit"]) == ("the working tree", None)
    assert list(run.changed("main")) == ["prompts/b.md", "prompts/a.md"]


def test_a_variable_of_the_forge_says_the_base(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = repository.git("rev-parse", "HEAD")
    repository.commit({"prompts/a.md": "One.\n"})
    monkeypatch.setenv("CI_MERGE_REQUEST_DIFF_BASE_SHA", head)
    assert run.changed() == {"prompts/a.md": -2}
    assert run()[1].startswith(
        f"the working tree compared with {head} (CI_MERGE_REQUEST_DIFF_BASE_SHA):\n"
    )


def test_files_that_are_not_tracked(repository: Repository, run: Run) -> None:
    repository.write({"new.md": "New.\n", "ignored.md": "x\n", ".gitignore": "ignored.md\n"})
    assert list(run.changed()) == [".gitignore", "new.md"]
    assert run.changed("--staged") == {}
    assert run.changed("HEAD", "main") == {}


def test_one_that_was_taken_out_of_the_index_only(repository: Repository, run: Run) -> None:
    repository.git("rm", "-q", "--cached", "c.md")
    assert run.changed() == {}
    repository.write({"c.md": "Five and six.\n"})
    assert run.changed() == {"c.md": 2}
    assert run.changed("--staged") == {"c.md": -2}


def test_a_file_that_was_only_touched(repository: Repository, run: Run) -> None:
    for name in ("prompts/a.md", "c.md"):
        os.utime(repository.folder / name, (1, 1))
    assert run.json("--all")["total"]["unchanged"] == 3
    assert run()[2] == "0 files differ.\n"


def test_a_checkout_with_other_line_ends(repository: Repository, run: Run) -> None:
    repository.write({".gitattributes": "*.md text eol=crlf\n"})
    repository.git("add", ".gitattributes")
    repository.write({"c.md": "Five.\r\n", "prompts/b.md": "Four.\r\nmore\r\n"})
    assert run.changed() == {".gitattributes": 9, "prompts/b.md": 2}


def test_files_of_git_lfs(repository: Repository, run: Run) -> None:
    """The real file stands in the working tree and would count as new."""
    real = "A long prompt that stands elsewhere.\n"
    sha = subprocess.run(["sha256sum"], input=real.encode(), capture_output=True, check=True).stdout
    pointer = (
        f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha.decode()[:64]}\nsize 9\n"
    )
    repository.commit({"same.md": pointer, "other.md": pointer, "ends.md": pointer})
    repository.write({"same.md": real, "other.md": f"{real}more\n", "ends.md": None})
    report = run.json()
    assert report["files"] == []
    assert report["skipped"] == [
        {"path": "ends.md", "reason": "Git LFS pointer"},
        {"path": "other.md", "reason": "Git LFS pointer"},
    ]
    repository.git("add", "--all")
    rows = run.json("--staged")["files"]  # no pointers any more; nobody knows what they stood for
    said = "could not be counted before, so no sum has it; before left out: Git LFS pointer"
    found = [(row["path"], row["counted"], row["note"]) for row in rows]
    assert found == [("other.md", False, said), ("same.md", False, said)]


def test_what_a_merge_left_open(repository: Repository, run: Run) -> None:
    repository.git("checkout", "-qb", "topic")
    repository.commit({"c.md": "Theirs.\n"})
    repository.git("checkout", "-q", "main")
    repository.commit({"c.md": "Ours.\n"})
    with pytest.raises(subprocess.CalledProcessError):
        repository.git("merge", "-q", "topic")
    assert run.json("--staged")["skipped"] == [{"path": "c.md", "reason": "unmerged"}]
    assert list(run.changed()) == ["c.md"]


def test_a_repository_inside(repository: Repository, run: Run) -> None:
    Repository.make(repository.folder / "inner").commit({"a.md": "a\n"})
    assert run.json()["skipped"] == [{"path": "inner", "reason": "submodule"}]


# Which files


def test_below_the_folder_it_stands_in(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write({"prompts/a.md": "One.\n", "c.md": "Six seven.\n"})
    monkeypatch.chdir(repository.folder / "prompts")
    assert run.changed() == {"a.md": -2}
    assert run("-q", "HEAD", "HEAD")[1].endswith("\n\nNo change in tokens below prompts.\n")
    assert run("HEAD", "HEAD")[2] == "0 files differ below prompts.\n"
    assert run("HEAD", "HEAD", "--", ".")[2] == "0 files differ.\n"
    assert run.changed("--", "..") == {"a.md": -2, "../c.md": 1}
    assert run.changed("--", "../c.md") == {"../c.md": 1}


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["prompts"], {"prompts/a.md", "prompts/b.md"}),
        (["prompts/b.md"], {"prompts/b.md"}),
        (["c.md", "prompts/a.md"], {"c.md", "prompts/a.md"}),
        (["./prompts/"], {"prompts/a.md", "prompts/b.md"}),
    ],
)
def test_paths_limit_it(
    repository: Repository, run: Run, paths: list[str], expected: set[str]
) -> None:
    repository.commit({"prompts/a.md": "x\n", "prompts/b.md": None, "c.md": "x x\n"})
    assert set(run.changed("HEAD~1", "--", *paths)) == expected
    assert set(run.changed("HEAD~1", "HEAD", "--", *paths)) == expected


def test_a_path_that_is_nowhere(repository: Repository, run: Run) -> None:
    repository.commit({"c.md": None})
    code, _, err = run("--", "gone.md", "prompts/a.md", "-x.md")
    assert (code, err.splitlines()[:2]) == (
        2,
        [
            "error: gone.md: no such file or directory, and none in what is compared",
            "error: -x.md: no such file or directory, and none in what is compared",
        ],
    )
    assert run("HEAD~1", "HEAD~1", "--", "c.md")[0] == 0


def test_what_is_excluded(repository: Repository, run: Run) -> None:
    repository.commit({"tokenlint.toml": 'extend-exclude = ["prompts/b*", "old"]\n'})
    repository.write({"prompts/b.md": "x\n", "c.md": "x y\n", "old/a.md": "x\n"})
    assert list(run.changed()) == ["c.md"]
    assert list(run.changed("--", "prompts/b.md")) == ["prompts/b.md"]
    assert run.changed("--force-exclude", "--", "prompts/b.md") == {}
    assert run.changed("--exclude", "c.md") == {}


def test_a_file_that_leaves_an_excluded_folder_is_new(repository: Repository, run: Run) -> None:
    repository.commit({"tokenlint.toml": 'extend-exclude = ["prompts"]\n'})
    repository.git("mv", "prompts/a.md", "a.md")
    (row,) = run.json()["files"]
    assert (row["path"], row["status"], row["before"]) == ("a.md", "added", None)


def test_a_file_that_was_named_and_cannot_be_read(repository: Repository, run: Run) -> None:
    repository.write({"x.bin": b"\0", "prompts/a.md": b"\xff\n"})
    assert run()[0] == 0
    code, out, err = run("--", "x.bin", "prompts/a.md")
    assert code == 2
    assert "1 file could not be counted" not in out
    assert "2 files could not be counted.\n" in out
    assert "prompts/a.md  modified       4  not counted       -  -\n" in out
    assert err.splitlines() == [
        "error: prompts/a.md: not UTF-8: byte 0xff at offset 0 (line 1); convert the file to UTF-8",
        "error: x.bin: binary file (it holds NUL bytes), not checked",
        "1 file differs, skipped 2 (1 binary, 1 not UTF-8).",
    ]


def test_files_that_are_too_large(repository: Repository, run: Run) -> None:
    repository.commit({"tokenlint.toml": "max-file-size = 100\n", "c.md": "x" * 101})
    repository.write({"prompts/a.md": "x" * 101, "c.md": "small\n"})
    report = run.json()
    assert {row["path"]: row["note"] for row in report["files"]} == {
        "prompts/a.md": "could not be counted now, so no sum has it; "
        "now left out: over the size limit",
        "c.md": "could not be counted before, so no sum has it; "
        "before left out: over the size limit",
    }
    assert [one["reason"] for one in report["skipped"]] == ["over the size limit"] * 2
    err = run("--", "prompts/a.md")[2]
    assert err.startswith("error: prompts/a.md: 101 bytes, over the size limit of 100 (max-file")


@pytest.mark.parametrize("target", ["c.md", "gone.md"])
def test_a_new_link(repository: Repository, run: Run, target: str) -> None:
    (repository.folder / "link.md").symlink_to(target)
    reason = "symbolic link" if target == "c.md" else "broken link"
    assert run.json()["skipped"] == [{"path": "link.md", "reason": reason}]


MIXED = "cafe\u0301 caf\u00e9.md"


@pytest.mark.parametrize(
    ("old", "new", "forms"),
    [
        ("cafe\u0301.md", "caf\u00e9.md", "NFD to NFC"),
        ("caf\u00e9.md", "cafe\u0301.md", "NFC to NFD"),
        (MIXED, "caf\u00e9 caf\u00e9.md", "mixed to NFC"),
    ],
)
def test_a_name_that_only_changes_its_form(
    repository: Repository, run: Run, old: str, new: str, forms: str
) -> None:
    repository.commit({old: "One.\n"})
    repository.write({old: None, new: "Two and three.\n"})
    (row,) = run.json()["files"]
    assert (row["path"], row["old_path"], row["status"]) == (new, old, "renamed")
    assert row["note"] == f"its name looks the same: only its form changed, {forms}"


# What is counted


def test_messages_count_with_their_frame(repository: Repository, run: Run) -> None:
    def chat(content: str) -> str:
        return json.dumps({"messages": [{"role": "user", "content": content}]})

    repository.commit({"a.json": chat("One."), "tokenlint.toml": 'extract = {"*.json" = "chat"}\n'})
    repository.write({"a.json": chat("One two.")})
    (row,) = run.json("-t", "gpt-4o")["files"]
    assert row["change"]["gpt-4o"]["tokens"] == 1
    assert row["before"]["tokens"]["gpt-4o"] > 2  # the content alone is two
    assert row["after"]["characters"] == len("One two.")


def test_extraction_counts_as_everywhere(repository: Repository, run: Run) -> None:
    repository.commit({"a.yaml": "system: One two.\nnote: x\n", "tokenlint.toml": ""})
    repository.write({"a.yaml": "system: One two three.\nnote: a longer note\n"})
    (whole,) = run.json()["files"]
    repository.write({"tokenlint.toml": '[extract]\n"*.yaml" = "system"\n'})
    rows = {row["path"]: row for row in run.json()["files"]}
    assert whole["change"]["o200k_base"]["tokens"] == 3
    assert rows["a.yaml"]["change"]["o200k_base"]["tokens"] == 1
    assert rows["a.yaml"]["after"]["characters"] == len("One two three.")


def test_a_prompt_that_was_not_there_before(repository: Repository, run: Run) -> None:
    repository.commit(
        {"a.yaml": "other: x\n", "tokenlint.toml": 'extract = {"*.yaml" = "system"}\n'}
    )
    repository.write({"a.yaml": "system: One two three.\n"})
    (row,) = run.json()["files"]
    assert (row["before"], row["after"]["tokens"]) == (None, {"o200k_base": 4})
    assert row["note"].startswith("could not be counted before, so no sum has it; a.yaml: ")
    assert (row["counted"], row["change"]) == (False, None)


def test_a_prompt_that_is_not_there_any_more(repository: Repository, run: Run) -> None:
    repository.commit(
        {"a.yaml": "system: x\n", "tokenlint.toml": 'extract = {"*.yaml" = "system"}\n'}
    )
    repository.write({"a.yaml": "other: x\n", "c.md": "x y z\n"})
    code, out, err = run()
    assert code == 2
    assert err.startswith("error: a.yaml: ")
    assert "c.md" in out


def test_each_text_is_counted_once(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

    counted = []
    count = TiktokenTokenizer.count

    def noted(tokenizer: TiktokenTokenizer, text: str) -> int:
        counted.append(text)
        return count(tokenizer, text)

    monkeypatch.setattr(TiktokenTokenizer, "count", noted)
    repository.write({"tokenlint.toml": '[[budgets]]\nfiles = ["**"]\nmax-tokens = 9\n'})
    repository.git("mv", "c.md", "d.md")
    repository.write({"prompts/a.md": "Four.\n"})
    run.json("HEAD", "--", ".")
    assert sorted(counted) == [
        "Five.\n",
        "Four.\n",
        "One two three.\n",
        '[[budgets]]\nfiles = ["**"]\nmax-tokens = 9\n',
    ]


@pytest.fixture
def objects(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The objects that were read from then on."""
    asked: list[str] = []
    read = Blobs.read

    def noted(blobs: Blobs, id_: str, most: int) -> bytes | TooLarge | None:
        asked.append(id_)
        return read(blobs, id_, most)

    monkeypatch.setattr(Blobs, "read", noted)
    return asked


def test_only_what_changed_is_read(repository: Repository, run: Run, objects: list[str]) -> None:
    base = repository.commit({f"many/{at}.md": f"Prompt {at}.\n" for at in range(200)})
    head = repository.commit({f"many/{at}.md": f"Changed {at}.\n" for at in range(0, 200, 40)})
    names = ("-t", "o200k_base", "-t", "cl100k_base")
    assert len(run.json(base, head, *names)["files"]) == 5
    assert len(objects) == len(set(objects)) == 10
    del objects[:]
    for name in ("many/0.md", "many/40.md"):
        (repository.folder / name).write_text("Changed here.\n", encoding="utf-8")
    assert len(run.json(base)["files"]) == 5
    assert len(objects) == len(set(objects)) == 8  # the two are read from the working tree
    del objects[:]
    assert run.json(base, head, "--all")["total"]["unchanged"] == 198
    assert len(objects) == len(set(objects)) == 208


def test_what_is_not_asked_about_is_not_read(
    repository: Repository, run: Run, objects: list[str]
) -> None:
    repository.commit({"prompts/a.md": "x\n", "prompts/b.md": "y\n"})
    run.json("HEAD~1", "HEAD", "--", "prompts/b.md")
    assert len(objects) == 2


def test_several_tokenizers(repository: Repository, run: Run) -> None:
    repository.write({"c.md": "Tất nhiên.\n"})
    out = run("-t", "cl100k_base", "-t", "o200k_base")[1]
    assert out.splitlines()[2:] == [
        "+4 tokens (+200.0 %) in c.md with cl100k_base (+2 with o200k_base).",
        "",
        "file  status    tokenizer    before  after  change         %",
        "c.md  modified  cl100k_base       2      6      +4  +200.0 %",
        "c.md  modified  o200k_base        2      4      +2  +100.0 %",
    ]


# What cannot be compared


def test_a_shallow_clone(
    repository: Repository, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty report would say that nothing changed."""
    repository.git("checkout", "-qb", "topic")
    repository.commit({"c.md": "Changed on topic.\n"})
    repository.git("checkout", "-q", "main")
    repository.commit({"prompts/a.md": "Changed on main.\n"})
    clone = tmp_path / "clone"
    url = repository.folder.as_uri()
    repository.git("clone", "-q", "--depth", "1", "--branch", "topic", url, str(clone))
    Repository(clone).git("fetch", "-q", "--depth", "1", "origin", "main:refs/remotes/origin/main")
    monkeypatch.chdir(clone)
    assert run.refused() == (
        "no merge base of origin/main and HEAD was found, because the clone is shallow: fetch the "
        "history (fetch-depth: 0 for actions/checkout, GIT_DEPTH: 0 on GitLab, `git fetch "
        "--unshallow` or `git fetch --deepen=100` elsewhere), or name a commit to compare with, "
        "such as `tokenlint diff origin/main`"
    )
    assert set(run.changed("origin/main")) == {"c.md", "prompts/a.md"}
    assert set(run.changed("origin/main..HEAD")) == {"c.md", "prompts/a.md"}
    assert "because the clone is shallow" in run.refused("origin/main...HEAD")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["gone"], "'gone' is no commit, branch or tag that git knows here; "),
        (["HEAD", "gone"], "'gone' is no commit, branch or tag that git knows here; "),
        (["gone...HEAD"], "'gone' is no commit, branch or tag that git knows here; "),
        (["prompts"], "'prompts' is no commit, branch or tag that git knows here; "),
        (["a", "b", "c"], "two revisions at most can be compared, found 'a b c'; "),
        (["a..b", "c"], "two revisions at most can be compared, found 'a..b c'; "),
        (["--staged", "a", "b"], "--staged compares the index with one commit; name no other"),
        (["--staged", "a..b"], "--staged compares the index with one commit; name no other"),
        (["--no-index", "prompts"], "--no-index compares two folders or two files: give OLD "),
        (["--no-index", "prompts", "gone"], "gone: no such file or directory"),
        (["--no-index", "prompts", "c.md"], "prompts and c.md are a folder and a file; give two"),
        (["--no-index", "a", "b", "--", "c"], "--no-index compares OLD and NEW as they are; "),
        (["-t", "gone"], "unknown tokenizer 'gone'"),
    ],
)
def test_what_cannot_be_meant(
    repository: Repository, run: Run, arguments: list[str], sentence: str
) -> None:
    assert run.refused(*arguments).startswith(sentence)


@pytest.mark.parametrize("argument", ["--output=x", "--max-increase=5", "--max-increase=x%"])
def test_options_are_no_revisions(
    repository: Repository, capsys: pytest.CaptureFixture[str], argument: str
) -> None:
    if argument == "--max-increase=5":
        assert main(["diff", argument]) == 0
        return
    with pytest.raises(SystemExit) as caught:
        main(["diff", argument])
    assert caught.value.code == 2
    assert not (repository.folder / "x").exists()


def test_outside_of_a_repository(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pin(monkeypatch, tmp_path.parent)
    monkeypatch.chdir(tmp_path)
    assert run.refused() == (
        f"git rev-parse failed in {tmp_path}: fatal: not a git repository (or any of the parent "
        "directories): .git; to compare two folders without git, give --no-index OLD NEW"
    )


def test_without_git(repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository.folder))
    assert run.refused() == (
        "git cannot be run: No such file or directory; to compare two folders without git, give "
        "--no-index OLD NEW"
    )


def test_without_a_commit(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pin(monkeypatch, tmp_path.parent)
    Repository.make(tmp_path)
    monkeypatch.chdir(tmp_path)
    sentence = "the repository has no commit yet, so there is nothing to compare with"
    for arguments in ((), ("--staged",), ("HEAD",), ("main",)):
        assert run.refused(*arguments) == sentence


def test_a_partial_clone(
    repository: Repository, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is missing is named, and nothing is fetched for it."""
    repository.git("config", "uploadpack.allowFilter", "true")
    repository.commit({"c.md": "Changed.\n"})
    clone = tmp_path / "clone"
    repository.git("clone", "-q", "--filter=blob:none", repository.folder.as_uri(), str(clone))
    monkeypatch.chdir(clone)
    missing = repository.git("rev-parse", "HEAD~1:c.md")
    code, _, err = run("HEAD~1")
    assert (code, err.splitlines()[0]) == (
        2,
        f"error: c.md: git does not have its content ({missing}) here, as in a partial clone; "
        "fetch it, for example with `git fetch --refetch --no-filter`",
    )


# Without git


def test_two_files(repository: Repository, run: Run) -> None:
    repository.write({"old.md": "One.\n", "new.md": "One two.\n"})
    report = run.json("--no-index", "old.md", "new.md")
    (row,) = report["files"]
    assert (row["path"], row["old_path"], row["status"]) == ("new.md", "old.md", "modified")
    assert row["change"]["o200k_base"]["tokens"] == 1
    assert (report["base"], report["head"]) == ("old.md", "new.md")
    assert run.json("--no-index", "new.md", "new.md")["files"] == []


def test_two_files_are_no_group(repository: Repository, run: Run) -> None:
    budget = '[[budgets]]\nfiles = ["*.md"]\nmax-total = 100\nmax-total-increase = 0\n'
    repository.write({"old.md": "One.\n", "new.md": "One two.\n", "tokenlint.toml": budget})
    report = run.json("--no-index", "old.md", "new.md")
    assert (report["groups"], report["findings"]) == ([], [])


def test_two_names_that_look_the_same(folder: Path, run: Run) -> None:
    Repository(folder).write({"caf\u00e9.md": "One.\n", "cafe\u0301.md": "One two.\n"})
    (row,) = run.json("--no-index", "cafe\u0301.md", "caf\u00e9.md")["files"]
    assert (row["status"], row["note"]) == ("modified", None)


def test_a_file_that_was_named_is_read_through_a_link(folder: Path, run: Run) -> None:
    Repository(folder).write({"a.md": "One.\n", "b.md": "One two.\n"})
    (folder / "link.md").symlink_to("b.md")
    assert run.changed("--no-index", "a.md", "link.md") == {"link.md": 1}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("other", "said"),
    [("bin.md", "binary file"), ("latin.md", "not UTF-8"), ("/dev/zero", "not a regular file")],
)
def test_two_files_of_which_one_is_no_text(
    folder: Path, run: Run, other: str, said: str, turned: bool
) -> None:
    Repository(folder).write({"a.md": "One.\n", "bin.md": b"\0\1", "latin.md": b"caf\xe9\n"})
    names = (other, "a.md") if turned else ("a.md", other)
    code, out, err = run("--no-index", *names)
    assert (code, out.count("%")) == (2, 1)  # the head of the column
    assert "\n1 file could not be counted.\n" in out
    assert f"{other}: {said}" in err.splitlines()[0]


def test_two_files_that_are_no_text(folder: Path, run: Run) -> None:
    Repository(folder).write({"a.md": b"\0\1", "b.md": b"caf\xe9\n"})
    code, out, err = run("--no-index", "a.md", "b.md")
    assert code == 2
    assert out.splitlines()[2:] == ["2 files could not be counted."]
    assert [line.split(": ")[1] for line in err.splitlines()[:2]] == ["a.md", "b.md"]


def test_two_folders(folder: Path, run: Run) -> None:
    Repository(folder).write(
        {
            "old/a.md": "One.\n",
            "old/same.md": "x\n",
            "old/gone.md": "Three.\n",
            "old/b.bin": b"\0",
            "new/a.md": "One two.\n",
            "new/same.md": "x\n",
            "new/c/d.md": "A new one.\n",
            "new/b.bin": b"\0\0",
        }
    )
    for side, target in (("old", "a.md"), ("new", "c")):
        (folder / side / "other link").symlink_to(target)
        (folder / side / "same link").symlink_to("a.md")
    report = run.json("--no-index", "old", "new")
    assert {row["path"]: row["status"] for row in report["files"]} == {
        "a.md": "modified",
        "gone.md": "deleted",
        "c/d.md": "added",
    }
    assert report["skipped"] == [
        {"path": "b.bin", "reason": "binary"},
        {"path": "other link", "reason": "symbolic link"},
    ]
    (folder / "new/a.md").unlink()
    (folder / "new/a.md").symlink_to("same.md")
    rows = run.json("--no-index", "old", "new")["files"]
    assert {row["path"]: row["note"] for row in rows if row["note"]} == {
        "a.md": "now left out: symbolic link"
    }
    whole = run.json("--no-index", "old", "new", "--all")
    assert whole["total"]["unchanged"] == 1
    assert len(whole["skipped"]) == 4


def test_a_file_that_cannot_be_compared_is_read(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(*_: object, **__: object) -> bool:
        raise PermissionError

    Repository(folder).write({"old/a.md": "One.\n", "new/a.md": "One two.\n"})
    monkeypatch.setattr("tokenlint.commands.diff_sources.cmp", closed)
    assert run.changed("--no-index", "old", "new") == {"a.md": 1}
