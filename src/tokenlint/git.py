"""What git knows of a working tree, asked with its options pinned."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING, Literal, NamedTuple

from tokenlint.errors import GitError

if TYPE_CHECKING:
    from pathlib import Path

_PINNED = (
    "core.fsmonitor=false",  # it can name a program, and a repository's own file may set it
    "core.quotePath=false",
    "core.untrackedCache=false",
    "safe.bareRepository=explicit",  # a folder may look like a repository with settings of its own
)
_ENVIRONMENT = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}
"Messages in English, nothing written, nothing fetched."

_LOCAL_VARIABLES = re.compile(
    "GIT_(ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|DIR|GRAFT_FILE|IMPLICIT_WORK_TREE|INDEX_FILE"
    "|INTERNAL_SUPER_PREFIX|OBJECT_DIRECTORY|PREFIX|SHALLOW_FILE|WORK_TREE)"
)
"Set by git for its hooks; they would turn a question about one folder into one about another."

_CLOSED = re.compile(r"^warning: could not open directory '(.*)/':", re.MULTILINE | re.DOTALL)


class Listed(NamedTuple):
    """A path that git lists below a folder; a `closed` folder is one that it could not open."""

    path: Path
    kind: Literal["file", "submodule", "closed"] = "file"


def list_files(folder: Path) -> list[Listed] | None:
    """Every tracked or not ignored path below a folder; None where git ignores the folder itself.

    Raises GitError where git is not installed or the folder is in no working tree.
    """
    tracked = _run(folder, "ls-files", "-z", "--cached", "--stage").stdout
    others = _run(folder, "ls-files", "-z", "--others", "--exclude-standard")
    if not others.stdout and _is_ignored(folder):
        return None
    found = [
        Listed(folder / name, "submodule" if mode == "160000" else "file")
        for mode, name in _staged(tracked)
    ]
    found += [Listed(folder / name.rstrip("/")) for name in _split(others.stdout)]
    closed = _CLOSED.findall(os.fsdecode(others.stderr))
    return found + [Listed(folder / name, "closed") for name in closed]


def _is_ignored(folder: Path) -> bool:
    try:
        _run(folder, "check-ignore", "--quiet", ".")
    except GitError:
        return False
    return True


def _staged(output: bytes) -> list[tuple[str, str]]:
    """Mode and name of each index entry; an unmerged file stands there up to three times."""
    entries = {}
    for entry in _split(output):
        facts, _, name = entry.partition("\t")
        entries[name] = facts.split(" ", 1)[0]
    return [(mode, name) for name, mode in entries.items()]


def _split(output: bytes) -> list[str]:
    return [os.fsdecode(name) for name in output.split(b"\0") if name]


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    settings = [part for setting in _PINNED for part in ("-c", setting)]
    kept = {key: value for key, value in os.environ.items() if not _LOCAL_VARIABLES.fullmatch(key)}
    try:
        done = subprocess.run(
            ["git", *settings, *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            env=kept | _ENVIRONMENT,
        )
    except OSError as error:
        raise GitError(f"git cannot be run: {error.strerror or error}") from None
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise GitError(f"git {arguments[0]} failed in {folder}: {reason[0]}")
    return done
