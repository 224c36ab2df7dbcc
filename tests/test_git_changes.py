"""What differs between two states, and the contents of objects, by what git itself has stored."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from repositories import Repository, pin
from tokenlint import git
from tokenlint.errors import GitError
from tokenlint.git import Blobs, Change, Entry, TooLarge

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    pin(monkeypatch, tmp_path.parent)
    return Repository.make(tmp_path / "repository")


def blob(repository: Repository, content: str) -> str:
    return repository.git("hash-object", "--stdin", given=content.encode())


def test_nothing_differs(repository: Repository) -> None:
    base = repository.commit({"a.md": "a\n"})
    top = repository.folder
    assert git.between_commits(top, base, base) == []
    assert git.staged(top, base) == []
    assert git.in_working_tree(top, base) == []
    assert git.untracked(top) == []


def test_between_commits(repository: Repository) -> None:
    base = repository.commit({"a.md": "a\n", "b.md": "b\n", "c.sh": "c\n", "d.md": "d\n"})
    (repository.folder / "c.sh").chmod(0o755)
    (repository.folder / "d.md").unlink()
    (repository.folder / "d.md").symlink_to("a.md")
    head = repository.commit({"a.md": "aa\n", "b.md": None, "new/e.md": "e\n"})
    a, b, c, e = (blob(repository, text) for text in ("a\n", "b\n", "c\n", "e\n"))
    assert git.between_commits(repository.folder, base, head) == [
        Change(Entry("a.md", "100644", a), Entry("a.md", "100644", blob(repository, "aa\n"))),
        Change(Entry("b.md", "100644", b), None),
        Change(Entry("c.sh", "100644", c), Entry("c.sh", "100755", c)),
        Change(
            Entry("d.md", "100644", blob(repository, "d\n")),
            Entry("d.md", "120000", blob(repository, "a.md")),
        ),
        Change(None, Entry("new/e.md", "100644", e)),
    ]


def test_the_index_and_the_working_tree(repository: Repository) -> None:
    base = repository.commit({"a.md": "a\n", "b.md": "b\n", ".gitignore": "ignored.md\n"})
    repository.write({"a.md": "staged\n"})
    repository.git("add", "a.md")
    repository.write({"a.md": "both\n", "b.md": "only here\n", "ignored.md": "", "new.md": ""})
    a, b = Entry("a.md", "100644", blob(repository, "a\n")), blob(repository, "b\n")
    staged = Entry("a.md", "100644", blob(repository, "staged\n"))
    assert git.staged(repository.folder, base) == [Change(a, staged)]
    assert git.in_working_tree(repository.folder, base) == [
        Change(a, Entry("a.md", "100644")),
        Change(Entry("b.md", "100644", b), Entry("b.md", "100644")),
    ]
    assert git.untracked(repository.folder) == ["new.md"]


def test_what_a_merge_left_open(repository: Repository) -> None:
    repository.commit({"a.md": "a\n"})
    repository.git("checkout", "-qb", "topic")
    repository.commit({"a.md": "theirs\n"})
    repository.git("checkout", "-q", "main")
    base = repository.commit({"a.md": "ours\n"})
    with pytest.raises(subprocess.CalledProcessError):
        repository.git("merge", "-q", "topic")
    ours = Entry("a.md", "100644", blob(repository, "ours\n"))
    assert git.staged(repository.folder, base) == [Change(ours, None, unmerged=True)]
    assert git.in_working_tree(repository.folder, base) == [Change(ours, Entry("a.md", "100644"))]


NAMES = ["cafe\u0301.md", "caf\u00e9.md", "a b.md", "a\tb\nc.md", '"q".md', ":(top)x", "*", "-x.md"]


def test_names_are_bytes(repository: Repository) -> None:
    base = repository.commit()
    undecodable = os.fsdecode(b"\xff.md")
    head = repository.commit(dict.fromkeys([*NAMES, undecodable], "x\n"))
    changes = git.between_commits(repository.folder, base, head)
    assert sorted(change.path for change in changes) == sorted([*NAMES, undecodable])
    listed = git.in_commit(repository.folder, head)
    assert sorted(entry.path for entry in listed) == sorted([*NAMES, undecodable])
    for name in NAMES:
        assert git.has_path(repository.folder, head, repository.folder / name)
        assert not git.has_path(repository.folder, base, repository.folder / name)


def test_a_path_outside_of_the_repository_is_in_no_commit(repository: Repository) -> None:
    head = repository.commit({"a.md": ""})
    assert not git.has_path(repository.folder, head, repository.folder.parent / "a.md")


def test_contents_come_back_byte_for_byte(repository: Repository) -> None:
    contents = [b"", b"\n", b"a\n\0b", b"x" * 70_000, "ti\u1ebfng\r\n".encode(), b"a blob 3\nb"]
    ids = [repository.git("hash-object", "-w", "--stdin", given=content) for content in contents]
    with Blobs(repository.folder) as blobs:
        assert [blobs.read(id_, 1_000_000) for id_ in (*ids, *reversed(ids))] == [
            *contents,
            *reversed(contents),
        ]


def test_one_that_is_too_large_is_passed_over(repository: Repository) -> None:
    large, small = (
        repository.git("hash-object", "-w", "--stdin", given=content)
        for content in (b"x" * 3_000_000, b"ten bytes!")
    )
    with Blobs(repository.folder) as blobs:
        assert blobs.read(large, 2_999_999) == TooLarge(3_000_000)
        assert blobs.read(small, 9) == TooLarge(10)
        assert blobs.read(small, 10) == b"ten bytes!"


def test_one_that_is_missing_keeps_no_other_back(repository: Repository) -> None:
    known = repository.git("hash-object", "-w", "--stdin", given=b"here")
    with Blobs(repository.folder) as blobs:
        assert blobs.read("1" * 40, 100) is None
        assert blobs.read(known, 100) == b"here"


def test_a_partial_clone_fetches_nothing(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"a.md": "a\n"})
    repository.git("config", "uploadpack.allowFilter", "true")
    url = repository.folder.as_uri()
    repository.git("clone", "-q", "--no-checkout", "--filter=blob:none", url, str(tmp_path / "p"))
    id_, known = repository.git("rev-parse", "HEAD:a.md"), repository.git("rev-parse", "HEAD")
    with Blobs(tmp_path / "p") as blobs:
        assert blobs.read(id_, 100) is None
        assert (blobs.read(known, 1000) or b"").startswith(b"tree ")  # type: ignore[union-attr]
        assert blobs.read(id_, 100) is None


def test_a_damaged_object_is_one_that_git_cannot_give(repository: Repository) -> None:
    good, bad = (
        repository.git("hash-object", "-w", "--stdin", given=content) for content in (b"1", b"2")
    )
    path = repository.folder / ".git" / "objects" / bad[:2] / bad[2:]
    path.chmod(0o644)
    path.write_bytes(b"damaged")
    with Blobs(repository.folder) as blobs:
        assert blobs.read(bad, 100) is None
        assert blobs.read(good, 100) == b"1"


def test_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with Blobs(tmp_path) as blobs, pytest.raises(GitError) as caught:
        blobs.read("1" * 40, 100)
    assert str(caught.value) == "git cannot be run: No such file or directory"


def test_a_process_that_ends_in_the_middle_of_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "git"
    program.write_text('#!/bin/sh\nread id\necho "$id blob 100"\necho half\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with Blobs(tmp_path) as blobs:
        assert blobs.read("1" * 40, 100) is None
        assert blobs.read("1" * 40, 50) == TooLarge(100)


def test_no_question_starts_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with Blobs(tmp_path):
        pass


def test_whether_a_file_is_an_object(repository: Repository) -> None:
    repository.write({"a.md": "a\r\n", "large.md": "x" * 2_500_000})
    for name in ("a.md", "large.md"):
        id_ = repository.git("hash-object", "--no-filters", name)
        assert git.is_object(repository.folder / name, id_)
        assert not git.is_object(repository.folder / name, "1" * 40)
    assert not git.is_object(repository.folder / "missing.md", "1" * 40)
    assert not git.has_hash(repository.folder / "missing.md", "1" * 64)
    assert not git.has_hash(repository.folder / "a.md", "")


def test_a_repository_of_the_other_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pin(monkeypatch, tmp_path.parent)
    repository = Repository(tmp_path)
    repository.git("init", "-q", "--object-format=sha256")
    base = repository.commit({"a.md": "a\n"})
    head = repository.commit({"a.md": "b\n"})
    (change,) = git.between_commits(tmp_path, base, head)
    assert change.after is not None
    assert git.is_object(tmp_path / "a.md", change.after.id or "")
    with Blobs(tmp_path) as blobs:
        assert blobs.read(change.after.id or "", 10) == b"b\n"


SETTINGS = [
    ("diff.external", "{trap}"),
    ("diff.x.command", "{trap}"),
    ("diff.x.textconv", "{trap}"),
    ("filter.x.clean", "{trap}"),
    ("filter.x.smudge", "{trap}"),
    ("filter.x.process", "{trap}"),
    ("filter.x=y.clean", "{trap}"),
    ("core.fsmonitor", "{trap}"),
    ("core.pager", "{trap}"),
]


@pytest.mark.parametrize(("setting", "value"), SETTINGS, ids=[name for name, _ in SETTINGS])
def test_no_setting_of_the_repository_runs_anything(
    repository: Repository, tmp_path: Path, setting: str, value: str
) -> None:
    trap = tmp_path / "trap"
    trap.write_text('#!/bin/sh\ntouch "$0-ran"\ncat\n', encoding="utf-8")
    trap.chmod(0o755)
    base = repository.commit(
        {
            "a.md": "a\n",
            ".gitattributes": "* diff=x filter=x\n*.md filter=x=y\n"
            if "=" in setting
            else "* diff=x filter=x\n",
        }
    )
    repository.git("config", setting, value.format(trap=trap))
    repository.write({"a.md": "b\n", "new.md": "n\n"})
    top = repository.folder
    assert [change.path for change in git.in_working_tree(top, base)] == ["a.md"]
    assert git.staged(top, base) == []
    assert git.untracked(top) == ["new.md"]
    assert not (tmp_path / "trap-ran").exists()


def test_the_trap_would_have_worked(repository: Repository, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text('#!/bin/sh\ntouch "$0-ran"\ncat\n', encoding="utf-8")
    trap.chmod(0o755)
    repository.commit({"a.md": "a\n", ".gitattributes": "* filter=x\n"})
    repository.git("config", "filter.x.clean", str(trap))
    repository.write({"a.md": "b\n"})
    repository.git("diff", "HEAD")
    assert (tmp_path / "trap-ran").exists()


def test_the_top_of_a_working_tree(repository: Repository) -> None:
    deep = repository.folder / "a" / "b"
    deep.mkdir(parents=True)
    assert git.top_of(repository.folder) == repository.folder
    assert git.top_of(deep) == repository.folder


@pytest.mark.parametrize("count", ["1", "", "x"])
def test_settings_of_the_environment_stay(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, count: str
) -> None:
    """A count that is none would end git; with filters it is made one."""
    base = repository.commit({"a.md": "a\n"})
    repository.git("config", "filter.x.clean", "false")
    repository.write({"a.md": "b\n"})
    monkeypatch.setenv("GIT_CONFIG_COUNT", count)
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fileMode")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "false")
    assert [change.path for change in git.in_working_tree(repository.folder, base)] == ["a.md"]


def test_a_repository_of_somebody_else(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Common in containers: what helps stands in the second line of what git says."""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(GitError) as caught:
        git.top_of(repository.folder)
    assert "git config --global --add safe.directory " in str(caught.value)
    assert "\n" not in str(caught.value)
