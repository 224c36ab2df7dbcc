"""Repositories that tests make, with nothing of the machine's own git in them."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pytest

_PINNED = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "TOKENLINT_NO_CACHE": "1",  # what a test counts was not counted by another
    "GIT_AUTHOR_NAME": "An Author",
    "GIT_AUTHOR_EMAIL": "author@example.org",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_NAME": "A Committer",
    "GIT_COMMITTER_EMAIL": "committer@example.org",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
}
_FORGES = ("GITHUB_BASE_REF", "CI_MERGE_REQUEST_DIFF_BASE_SHA", "GITHUB_STEP_SUMMARY")


def pin(patch: pytest.MonkeyPatch, ceiling: Path) -> None:
    """Let git, and what counts, know nothing but what a test tells them."""
    for name in (*_FORGES, *(name for name in os.environ if name.startswith("GIT_"))):
        patch.delenv(name, raising=False)
    for name, value in _PINNED.items():
        patch.setenv(name, value)
    patch.setenv("GIT_CEILING_DIRECTORIES", str(ceiling))


@dataclass(frozen=True)
class Repository:
    """A folder with a repository in it."""

    folder: Path

    @classmethod
    def make(cls, folder: Path, branch: str = "main") -> Repository:
        """A new one, without commits."""
        folder.mkdir(parents=True, exist_ok=True)
        made = cls(folder)
        made.git("init", "-q", "-b", branch)
        return made

    def git(self, *arguments: str, given: bytes | None = None) -> str:
        """What git prints, without the last line end."""
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.folder,
            input=given,
            check=True,
            capture_output=True,
        )
        return os.fsdecode(done.stdout).removesuffix("\n")

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files byte for byte; None takes one away."""
        for name, content in files.items():
            path = self.folder / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, files: Mapping[str, str | bytes | None] | None = None) -> str:
        """Commit everything, after writing files; the id of the commit."""
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")
        return self.git("rev-parse", "HEAD")


def stand(
    patch: pytest.MonkeyPatch, folder: Path, files: Mapping[str, str | bytes | None]
) -> Repository:
    """main with one commit of files, where the run stands."""
    pin(patch, folder.parent)
    made = Repository.make(folder / "repository")
    patch.chdir(made.folder)
    made.commit(files)
    return made
