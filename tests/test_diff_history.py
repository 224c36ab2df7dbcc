"""The numbers of `tokenlint diff` are those of two full checkouts, counted with tiktoken itself."""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repositories import Repository, pin
from tokenlint.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Count = Callable[[str, str], int]

TOKENIZERS = ("o200k_base", "cl100k_base")
VIETNAMESE = "Tất nhiên, tôi sẽ giúp bạn. Nguyễn Văn An đã đến Hà Nội.\n"
DECOMPOSED = unicodedata.normalize("NFD", VIETNAMESE)
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 12345\n"
LINES = "".join(f"Rule {number}: be kind, be brief, and say why.\n" for number in range(12))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Two branches with everything that can happen to a file, and one merge of the first."""
    pin(monkeypatch, tmp_path.parent)
    made = Repository.make(tmp_path / "repository")
    monkeypatch.chdir(made.folder)
    made.commit(
        {
            "prompts/edited.md": LINES,
            "prompts/same.md": "The same in both.\n" * 9,
            "prompts/renamed.md": LINES.replace("kind", "polite"),
            "prompts/moved and edited.md": LINES.replace("brief", "thorough"),
            "prompts/deleted.md": "This one goes away.\n",
            "prompts/vi.md": VIETNAMESE,
            "prompts/cafe\u0301.md": "The name is decomposed.\n",
            "prompts/tie\u0302\u0301ng.md": "So is this one, and it stays.\n",
            "prompts/run.sh": "echo hello\n",
            "prompts/crlf.md": "one\r\ntwo\r\n",
            "prompts/bom.md": "\ufeffwith a mark\n",
            "prompts/control.md": "<|im_start|>user\n",
            "prompts/becomes a link.md": "I was a file.\n",
            "prompts/becomes binary.md": "I was text.\n",
            "prompts/merged.md": "on main\n",
            "image.bin": b"\x89PNG\0\0",
            "large.bin": POINTER.format("1" * 64),
            "utf-16.md": "text".encode("utf-16"),
            "latin-1.md": b"caf\xe9 vu\n",
        }
    )
    (made.folder / "link.md").symlink_to("prompts/same.md")
    made.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    made.git("add", "link.md")
    made.git("commit", "-qm", "a link and a submodule")
    made.git("tag", "fork")
    made.git("checkout", "-qb", "topic")
    made.git("mv", "prompts/renamed.md", "prompts/new name.md")
    made.git("mv", "prompts/moved and edited.md", "prompts/elsewhere.md")
    made.git("mv", "prompts/cafe\u0301.md", "prompts/caf\u00e9.md")
    made.git("update-index", "--cacheinfo", f"160000,{'2' * 40},module")
    (made.folder / "prompts/run.sh").chmod(0o755)
    (made.folder / "prompts/becomes a link.md").unlink()
    (made.folder / "prompts/becomes a link.md").symlink_to("same.md")
    (made.folder / "link.md").unlink()
    (made.folder / "link.md").symlink_to("prompts/edited.md")
    made.write(
        {
            "prompts/edited.md": LINES + "One more rule.\n",
            "prompts/elsewhere.md": LINES.replace("brief", "thorough") + "And a last word.\n",
            "prompts/deleted.md": None,
            "prompts/vi.md": DECOMPOSED,
            "prompts/crlf.md": "one\ntwo\n",
            "prompts/bom.md": "without a mark\n",
            "prompts/control.md": "<|im_start|>user\nIgnore <|im_end|>\n",
            "prompts/added.md": "A new prompt.\n",
            "prompts/becomes binary.md": b"\0\1\2",
            "image.bin": b"\x89PNG\0\0\0",
            "large.bin": POINTER.format("2" * 64),
            "utf-16.md": "other text".encode("utf-16"),
            "latin-1.md": b"caf\xe9 noir\n",
        }
    )
    made.git("add", "--all", "prompts", "image.bin", "large.bin", "utf-16.md", "latin-1.md")
    made.git("add", "link.md")
    made.git("commit", "-qm", "a change")
    made.git("checkout", "-q", "main")
    made.write({"prompts/merged.md": "on main, later\n", "prompts/from main.md": "New there.\n"})
    made.git("add", "prompts")
    made.git("commit", "-qm", "main moves on")
    made.git("checkout", "-q", "topic")
    made.git("merge", "-q", "-m", "merge main", "main")
    return made


def checked_out(repository: Repository, commit: str) -> dict[str, bytes]:
    """The regular files of a commit, by git's own archive."""
    raw = subprocess.run(
        ["git", "archive", "--format=tar", commit],
        cwd=repository.folder,
        check=True,
        capture_output=True,
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
        return {
            member.name: stream.read()
            for member in archive.getmembers()
            if member.isreg() and (stream := archive.extractfile(member)) is not None
        }


def on_disk(folder: Path) -> dict[str, bytes]:
    """The regular files of a working tree."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and ".git" not in path.parts
    }


def counted(files: Mapping[str, bytes], count: Count, tokenizer: str) -> dict[str, int]:
    """The tokens of each file that is text, without this project's code."""
    counts = {}
    for name, raw in files.items():
        if b"\0" in raw or raw.startswith((b"\xff\xfe", b"version https://git-lfs")):
            continue
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            continue
        counts[name] = count(tokenizer, text.replace("\r\n", "\n"))
    return counts


def diff(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    """The JSON report of a run."""
    options = [option for name in TOKENIZERS for option in ("--tokenizer", name)]
    assert main(["diff", "--output-format", "json", *options, *arguments]) == code
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def assert_true(
    report: dict[str, Any],
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    count: Count,
) -> None:
    """Every number of a report of all files is that of the two states counted directly."""
    assert report["tokenizers"] == list(TOKENIZERS)
    for name in TOKENIZERS:
        old, new = counted(before, count, name), counted(after, count, name)
        rows = report["files"]
        unknown = {path for path in before.keys() & after.keys() if (path in old) != (path in new)}
        assert {row["path"] for row in rows if not row["counted"]} == unknown
        for row in rows:
            was = row["old_path"] or row["path"]
            assert _tokens(row["before"], name) == old.get(was), row
            assert _tokens(row["after"], name) == new.get(row["path"]), row
            if row["path"] in unknown:
                assert row["change"] is None
                continue
            moved = row["change"][name]
            assert moved["tokens"] == new.get(row["path"], 0) - old.get(was, 0)
            assert moved["tokens"] == moved["text"] + moved["decomposed"] + moved["other"]
        named = {row["path"] for row in rows if row["after"]}
        assert named | {path for path in new if before.get(path) == after[path]} == set(new)
        for path in unknown:  # what cannot be counted on one side is in neither sum
            old.pop(path, None)
            new.pop(path, None)
        total = report["total"]
        assert total["before"]["tokens"][name] == sum(old.values())
        assert total["after"]["tokens"][name] == sum(new.values())
        assert (total["files_before"], total["files_after"]) == (len(old), len(new))


def _tokens(figures: dict[str, Any] | None, name: str) -> int | None:
    return None if figures is None else figures["tokens"][name]


def test_two_commits(
    repository: Repository, capsys: pytest.CaptureFixture[str], official_count: Count
) -> None:
    report = diff(capsys, "fork", "topic", "--all")
    before, after = checked_out(repository, "fork"), checked_out(repository, "topic")
    assert_true(report, before, after, official_count)
    assert {row["path"]: (row["status"], row["old_path"]) for row in report["files"]} == {
        "prompts/edited.md": ("modified", None),
        "prompts/new name.md": ("renamed", "prompts/renamed.md"),
        "prompts/elsewhere.md": ("renamed", "prompts/moved and edited.md"),
        "prompts/deleted.md": ("deleted", None),
        "prompts/vi.md": ("modified", None),
        "prompts/caf\u00e9.md": ("renamed", "prompts/cafe\u0301.md"),
        "prompts/run.sh": ("unchanged", None),
        "prompts/crlf.md": ("modified", None),
        "prompts/bom.md": ("modified", None),
        "prompts/control.md": ("modified", None),
        "prompts/becomes a link.md": ("modified", None),
        "prompts/becomes binary.md": ("modified", None),
        "prompts/added.md": ("added", None),
        "prompts/merged.md": ("modified", None),
        "prompts/from main.md": ("added", None),
    }
    assert {row["path"]: row["note"] for row in report["files"] if row["note"]} == {
        "prompts/caf\u00e9.md": "its name looks the same: only its form changed, NFD to NFC",
        "prompts/run.sh": "mode 100644 to 100755",
        "prompts/becomes a link.md": "now left out: symbolic link",
        "prompts/becomes binary.md": "could not be counted now, so no sum has it; "
        "now left out: binary",
    }
    assert report["skipped"] == [
        {"path": "image.bin", "reason": "binary"},
        {"path": "large.bin", "reason": "Git LFS pointer"},
        {"path": "latin-1.md", "reason": "not UTF-8"},
        {"path": "link.md", "reason": "symbolic link"},
        {"path": "module", "reason": "submodule"},
        {"path": "prompts/becomes a link.md", "reason": "symbolic link"},
        {"path": "prompts/becomes binary.md", "reason": "binary"},
        {"path": "utf-16.md", "reason": "UTF-16"},
    ]


def test_what_decomposed_text_adds(
    repository: Repository, capsys: pytest.CaptureFixture[str], official_count: Count
) -> None:
    (row,) = [r for r in diff(capsys, "fork", "topic")["files"] if r["path"] == "prompts/vi.md"]
    for name in TOKENIZERS:
        excess = official_count(name, DECOMPOSED) - official_count(name, VIETNAMESE)
        assert excess > 20
        assert row["change"][name] == {
            "tokens": excess,
            "text": 0,
            "decomposed": excess,
            "other": 0,
        }


def test_the_other_way_round(
    repository: Repository, capsys: pytest.CaptureFixture[str], official_count: Count
) -> None:
    report = diff(capsys, "topic", "fork", "--all")
    before, after = checked_out(repository, "topic"), checked_out(repository, "fork")
    assert_true(report, before, after, official_count)


@pytest.mark.parametrize("spelling", ["main...topic", "main...", "fork..topic"])
def test_a_range(
    repository: Repository,
    capsys: pytest.CaptureFixture[str],
    official_count: Count,
    spelling: str,
) -> None:
    report = diff(capsys, spelling, "--all")
    base = "fork" if spelling.startswith("fork") else "main"  # main was merged
    before, after = checked_out(repository, base), checked_out(repository, "topic")
    assert_true(report, before, after, official_count)


@pytest.mark.parametrize("arguments", [[], ["fork"], ["--staged"], ["--staged", "fork"]])
def test_what_is_not_committed(
    repository: Repository,
    capsys: pytest.CaptureFixture[str],
    official_count: Count,
    arguments: list[str],
) -> None:
    repository.write({"prompts/edited.md": "staged\n", "prompts/staged.md": "new in the index\n"})
    repository.git("add", "prompts/edited.md", "prompts/staged.md")
    repository.git("rm", "-q", "--cached", "prompts/same.md")
    index = checked_out(repository, repository.git("write-tree"))
    repository.write(
        {
            "prompts/edited.md": "staged, and edited again\n",
            "prompts/untracked.md": DECOMPOSED,
            "prompts/added.md": None,
            ".git/info/exclude": "ignored.md\n",
            "prompts/ignored.md": "This is ignored.\n",
        }
    )
    report = diff(capsys, *arguments, "--all")
    base = "fork" if "fork" in arguments else "HEAD" if "--staged" in arguments else "main"
    here = on_disk(repository.folder)
    del here["prompts/ignored.md"]
    after = index if "--staged" in arguments else here
    assert_true(report, checked_out(repository, base), after, official_count)


def test_without_git(
    repository: Repository,
    capsys: pytest.CaptureFixture[str],
    official_count: Count,
    tmp_path: Path,
) -> None:
    before, after = checked_out(repository, "fork"), checked_out(repository, "topic")
    for side, files in (("old", before), ("new", after)):
        for name, raw in files.items():
            path = tmp_path / side / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(raw)
    report = diff(capsys, "--no-index", "--all", str(tmp_path / "old"), str(tmp_path / "new"))
    assert_true(report, before, after, official_count)


NAMES = st.sampled_from(["a.md", "b.md", "c/d.md", "c/e.md", "cafe\u0301.md", "caf\u00e9.md"])
TEXTS = st.sampled_from(
    ["", "x\n", VIETNAMESE, DECOMPOSED, "a\r\nb\r\n", LINES, LINES + "more\n", "\ufeffmark\n"]
)
TREES = st.dictionaries(NAMES, TEXTS, min_size=1)


@settings(max_examples=12)
@given(TREES, TREES)
def test_any_two_trees(
    tmp_path_factory: pytest.TempPathFactory,
    official_count: Count,
    old: dict[str, str],
    new: dict[str, str],
) -> None:
    """However the rows are paired, no token is lost and none is counted twice."""
    folder = tmp_path_factory.mktemp("trees")
    with pytest.MonkeyPatch.context() as patch:
        pin(patch, folder.parent)
        repository = Repository.make(folder)
        base = repository.commit(dict(old))
        repository.write(dict.fromkeys(old.keys() - new.keys()))
        head = repository.commit(dict(new))
        patch.chdir(folder)
        out = io.StringIO()
        patch.setattr("sys.stdout", out)
        assert main(["diff", base, head, "--all", "--output-format", "json"]) == 0
    report = json.loads(out.getvalue())
    before, after = (checked_out(repository, commit) for commit in (base, head))
    name = "o200k_base"
    counts = [counted(files, official_count, name) for files in (before, after)]
    for side, expected in zip(("before", "after"), counts, strict=True):
        assert report["total"][side]["tokens"][name] == sum(expected.values())
    added = sum(row["change"][name]["tokens"] for row in report["files"])
    assert added == sum(counts[1].values()) - sum(counts[0].values())
