"""How far a configuration reaches, and whose a file is that stands in a repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tokenlint.tokens.boundary import Boundary, is_brought_along


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def test_a_name_that_no_file_can_have_is_for_the_reader_to_refuse(tmp_path: Path) -> None:
    assert Boundary((tmp_path,)).refusal(Path("a\0b")) is None
    assert Boundary((tmp_path,)).refusal(Path("a b")) is not None


def test_what_git_tracks_in_a_worktree_was_brought_along(tmp_path: Path) -> None:
    main, other = tmp_path / "main", tmp_path / "other"
    git(tmp_path, "init", str(main))
    (main / "counts.sqlite3").write_bytes(b"x")
    git(main, "add", ".")
    git(main, "commit", "-m", "x")
    git(main, "worktree", "add", str(other))
    said = (other / ".git").read_text()
    from_there = f"gitdir: ../main/.git/worktrees/{other.name}\n"  # as a submodule has it
    for pointer in (said, from_there):
        (other / ".git").write_text(pointer)
        assert is_brought_along(other / "counts.sqlite3")
        assert not is_brought_along(other / "notes.sqlite3")
