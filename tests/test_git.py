"""Git is asked what it lists, and a hostile repository cannot answer with a program."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from tokenlint.errors import GitError
from tokenlint.git import Listed, list_files

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _only_these_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))


def git(folder: Path, *arguments: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository without commits: one file staged, one not, one ignored."""
    folder = tmp_path / "repository"
    git(folder, "init", "-q")
    for name in ("staged.md", "other.md", "ignored.md"):
        (folder / name).write_text("x\n", encoding="utf-8")
    (folder / ".gitignore").write_text("ignored.md\n", encoding="utf-8")
    git(folder, "add", "staged.md")
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path, kind in list_files(folder) or [] if kind == "file")


EXPECTED = [".gitignore", "other.md", "staged.md"]


def test_tracked_and_untracked_files_are_listed_without_any_commit(repository: Path) -> None:
    assert names(repository) == EXPECTED


def test_a_bare_worktree_of_commits_lists_the_same(repository: Path) -> None:
    git(repository, "commit", "-qm", "1")
    git(repository, "worktree", "add", "-q", str(repository.parent / "beside"))
    assert names(repository) == EXPECTED
    assert names(repository.parent / "beside") == ["staged.md"]


def test_a_folder_that_git_ignores_is_none_and_an_empty_one_is_empty(repository: Path) -> None:
    (repository / ".gitignore").write_text("ignored/\n", encoding="utf-8")
    for name in ("ignored", "empty"):
        (repository / name).mkdir()
    assert list_files(repository / "ignored") is None
    assert list_files(repository / "empty") == []


def test_an_empty_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    assert list_files(tmp_path) == []


def test_outside_a_repository(tmp_path: Path) -> None:
    reason = "not a git repository (or any of the parent directories): .git"
    with pytest.raises(GitError) as caught:
        list_files(tmp_path)
    assert str(caught.value) == f"git ls-files failed in {tmp_path}: fatal: {reason}"


def test_messages_are_in_english_whatever_the_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "de")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    with pytest.raises(GitError, match="fatal: not a git repository"):
        list_files(tmp_path)


def test_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError) as caught:
        list_files(tmp_path)
    assert str(caught.value) == "git cannot be run: No such file or directory"


def program(folder: Path, name: str, script: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_git_that_fails_without_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "git", "exit 3")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(GitError) as caught:
        list_files(tmp_path)
    assert str(caught.value) == f"git ls-files failed in {tmp_path}: no message"


def test_folders_that_git_could_not_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warning = "warning: could not open directory 'a b/c/': Permission denied"
    program(tmp_path / "bin", "git", f'echo "{warning}" >&2')
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr("tokenlint.git.listing._is_ignored", lambda _folder: False)
    assert list_files(tmp_path) == [Listed(tmp_path / "a b/c", "closed")]


@pytest.mark.parametrize(
    "variables",
    [
        {"GIT_DIR": "elsewhere"},
        {"GIT_DIR": ".git", "GIT_WORK_TREE": "/"},
        {"GIT_INDEX_FILE": "nowhere"},
        {"GIT_PREFIX": "sub/"},
        {"GIT_COMMON_DIR": "elsewhere"},
        {"GIT_OBJECT_DIRECTORY": "elsewhere"},
    ],
    ids=" ".join,
)
def test_what_git_tells_its_hooks_changes_nothing(
    repository: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    for key, value in variables.items():
        monkeypatch.setenv(key, value)
    assert names(repository) == EXPECTED


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A program that leaves a file beside it when it is run."""
    return program(tmp_path, "trap/run", 'touch "$(dirname "$0")/it-ran"; exit 1')


@pytest.mark.parametrize(
    "setting",
    [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.askPass",
        "core.sshCommand",
        "diff.external",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "alias.ls-files",
        "alias.check-ignore",
        "uploadpack.packObjectsHook",
    ],
)
def test_a_setting_of_the_repository_runs_nothing(
    repository: Path, trap: Path, setting: str
) -> None:
    value = f"!{trap}" if setting.startswith("alias") else str(trap)
    git(repository, "config", setting, value)
    (repository / ".gitattributes").write_text("* filter=x\n", encoding="utf-8")
    (repository / "staged.md").write_text("changed\n", encoding="utf-8")
    assert names(repository) == [".gitattributes", *EXPECTED]
    assert not (trap.parent / "it-ran").exists()


def test_the_trap_would_have_worked(repository: Path, trap: Path) -> None:
    git(repository, "config", "core.fsmonitor", str(trap))
    git(repository, "status")
    assert (trap.parent / "it-ran").exists()


def test_hooks_of_the_repository_are_not_run(repository: Path, trap: Path) -> None:
    git(repository, "config", "core.hooksPath", str(trap.parent))
    (trap.parent / "post-index-change").symlink_to(trap)
    (repository / "staged.md").touch()
    before = (repository / ".git" / "index").read_bytes()
    assert names(repository) == EXPECTED
    assert (repository / ".git" / "index").read_bytes() == before
    assert not (trap.parent / "it-ran").exists()


def test_a_folder_that_poses_as_a_bare_repository(tmp_path: Path, trap: Path) -> None:
    """Its settings would hold as soon as git stands in it."""
    folder = tmp_path / "repository" / "innocent"
    git(folder, "init", "-q", "--bare")
    for setting, value in (("fsmonitor", str(trap)), ("bare", "false"), ("worktree", "..")):
        git(folder, "config", f"core.{setting}", value)
    with pytest.raises(GitError, match="cannot use bare repository"):
        list_files(folder)
    assert not (trap.parent / "it-ran").exists()


def test_an_object_that_is_missing_is_not_fetched(repository: Path, trap: Path) -> None:
    git(repository, "commit", "-qm", "1")
    git(repository, "config", "extensions.partialClone", "origin")
    git(repository, "config", "remote.origin.promisor", "true")
    git(repository, "config", "remote.origin.url", str(repository))
    git(repository, "config", "remote.origin.uploadpack", str(trap))
    for path in (repository / ".git" / "objects").glob("??/*"):
        path.unlink()
    assert names(repository) == EXPECTED
    assert not (trap.parent / "it-ran").exists()
