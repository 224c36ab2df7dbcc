"""Pipes and devices in the places of files that a run reads: it ends, and says what it saw."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from tokenlint.cli import main
from tokenlint.git import has_hash, running
from tokenlint.tokens.boundary import is_brought_along
from tokenlint.tokens.chat.model_folder import read_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[[Path], None]

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that are files")


@pytest.fixture
def repository(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("GIT_CEILING_DIRECTORIES")
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    (folder / "sub").mkdir()
    (folder / "a.md").write_text("one", "utf-8")
    (folder / "sub/b.md").write_text("two", "utf-8")
    for command in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "x")):
        subprocess.run(["git", *command], check=True)
    return folder


@pytest.mark.parametrize("command", [["check"], ["count"], ["diff", "HEAD"], ["check", "sub"]])
@pytest.mark.parametrize("place", [".gitignore", "sub/.gitignore", ".git/info/exclude"])
def test_a_pipe_that_git_waits_for(
    repository: Path,
    place: str,
    command: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Git itself opens it, and no setting keeps it from that."""
    (repository / place).parent.mkdir(exist_ok=True)
    (repository / place).unlink(missing_ok=True)
    os.mkfifo(repository / place)
    monkeypatch.setattr(running, "SECONDS", 0.3)
    assert main(command) == 2
    asked = "diff-index" if command[0] == "diff" and "info" in place else "ls-files"
    folder = repository / "sub" if command[1:] == ["sub"] else repository
    assert capsys.readouterr() == (
        "",
        f"error: git {asked} gave no answer in {folder} within 0.3 s; look whether a .gitignore "
        "there is a pipe, or the disk does not answer\n",
    )


def test_without_asking_git_no_pipe_is_opened(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(repository / ".gitignore")
    (repository / "tokenlint.toml").write_text("respect-gitignore = false\n", "utf-8")
    assert main(["check", "--exclude", ".gitignore"]) == 0
    assert "All checks passed!" in capsys.readouterr().out


def zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def huge(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(3 * 10**9)  # no disk is needed for what was never written


@pytest.mark.parametrize("make", [zero, pipe])
def test_a_tracked_file_that_became_something_else(
    repository: Path, make: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "a.md").unlink()
    make(repository / "a.md")
    assert not has_hash(repository / "a.md", "0" * 40)
    assert main(["diff", "HEAD"]) in (0, 2)
    assert "a.md" in "".join(capsys.readouterr())


@pytest.mark.parametrize("make", [zero, pipe])
def test_a_repository_inside_whose_git_is_no_file(folder: Path, make: Make) -> None:
    """Outside of any repository it is us who look whether a folder is a submodule."""
    (folder / "inner").mkdir()
    make(folder / "inner/.git")
    (folder / "inner/a.md").write_text("<|im_start|>", "utf-8")
    assert main(["check", "--quiet"]) == 1


# What is beside a tokenizer, and the index of git

NO_FILE = "not a regular file"
TOO_LARGE = "3,000,000,000 bytes, and at most"
PLACES = ("chat_template.jinja", "chat_template.json", "tokenizer_config.json")


@pytest.mark.parametrize(("make", "why"), [(zero, NO_FILE), (pipe, NO_FILE), (huge, TOO_LARGE)])
@pytest.mark.parametrize("name", [*PLACES, "special_tokens_map.json"])
def test_what_stands_in_the_folder_of_a_model(
    folder: Path,
    name: str,
    make: Make,
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TOKENLINT_ALLOW_OUTSIDE", "1")  # or the link is refused before
    (folder / "model").mkdir()
    (folder / "model/tokenizer.json").write_text(
        '{"version": "1.0", "added_tokens": [], "model": {"type": "WordLevel", '
        '"vocab": {"a": 0}, "unk_token": "a"}}',
        "utf-8",
    )
    (folder / "m.json").write_text('[{"role": "user", "content": "a"}]', "utf-8")
    make(folder / "model" / name)
    assert main(["count", "--chat", "m.json", "-t", "./model"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert f"{name}: {why}" in error


def test_a_template_of_the_usual_size_is_read(folder: Path) -> None:
    (folder / "chat_template.jinja").write_bytes(b"\xef\xbb\xbfa\r\nb")
    found = read_folder(folder)
    assert found is not None
    assert found.source == "a\nb"


@pytest.mark.parametrize("make", [zero, pipe, huge])
def test_an_index_that_cannot_be_read_tells_nothing(folder: Path, make: Make) -> None:
    """Whether git tracks a cache is not known then, so it may be a stranger's: it is not read."""
    (folder / ".git").mkdir()
    make(folder / ".git/index")
    assert is_brought_along(folder / "counts.sqlite3")


@pytest.mark.parametrize("make", [zero, pipe, huge])
def test_a_pointer_to_a_repository_that_is_none(folder: Path, make: Make) -> None:
    make(folder / ".git")
    assert is_brought_along(folder / "counts.sqlite3")


def test_a_new_repository_tracks_nothing(folder: Path) -> None:
    assert not is_brought_along(folder / "counts.sqlite3")
    (folder / ".git").mkdir()
    assert not is_brought_along(folder / "counts.sqlite3")
    (folder / ".git/index").write_bytes(b"DIRC counts.sqlite3 \0")
    assert is_brought_along(folder / "counts.sqlite3")
    assert not is_brought_along(folder / "other.sqlite3")
