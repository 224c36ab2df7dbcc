"""What git knows of a working tree, asked with its options pinned."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from tokenlint.errors import GitError

if TYPE_CHECKING:
    from pathlib import Path

_PINNED = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.quotePath=false",
    "-c",
    "core.untrackedCache=false",
)


class Listed(NamedTuple):
    """A path that git lists below a folder, and whether it is a submodule."""

    path: Path
    is_submodule: bool


def list_files(folder: Path) -> list[Listed]:
    """Every tracked or not ignored path below a folder, as git sees it.

    Raises GitError where git is not installed or the folder is in no working tree.
    """
    tracked = _run(folder, "ls-files", "-z", "--cached", "--stage")
    others = _run(folder, "ls-files", "-z", "--others", "--exclude-standard")
    found = [Listed(folder / name, mode == "160000") for mode, name in _staged(tracked)]
    found += [Listed(folder / name.rstrip("/"), is_submodule=False) for name in _split(others)]
    return found


def _staged(output: bytes) -> list[tuple[str, str]]:
    """Mode and name of each index entry; an unmerged file stands there up to three times."""
    entries = {}
    for entry in _split(output):
        facts, _, name = entry.partition("\t")
        entries[name] = facts.split(" ", 1)[0]
    return [(mode, name) for name, mode in entries.items()]


def _split(output: bytes) -> list[str]:
    return [os.fsdecode(name) for name in output.split(b"\0") if name]


def _run(folder: Path, *arguments: str) -> bytes:
    command = ["git", *_PINNED, *arguments]
    environment = {key: value for key, value in os.environ.items() if key not in _HOOK_VARIABLES}
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, check=False, env=environment
        )
    except OSError as error:
        raise GitError(f"git cannot be run: {error.strerror or error}") from None
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise GitError(f"git {arguments[0]} failed in {folder}: {reason[0]}")
    return done.stdout


_HOOK_VARIABLES = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"}
"Set by git for its hooks; they would turn a question about one folder into one about another."
