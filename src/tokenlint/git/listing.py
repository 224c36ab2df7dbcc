"""Every path that git lists below a folder."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from tokenlint.git.running import ask, split

if TYPE_CHECKING:
    from pathlib import Path

_CLOSED = re.compile(r"^warning: could not open directory '(.*)/':", re.MULTILINE | re.DOTALL)


class Listed(NamedTuple):
    """A path that git lists below a folder; a `closed` folder is one that it could not open."""

    path: Path
    kind: Literal["file", "submodule", "closed"] = "file"


def list_files(folder: Path) -> list[Listed] | None:
    """Every tracked or not ignored path below a folder; None where git ignores the folder itself.

    Raises GitError where git is not installed or the folder is in no working tree.
    """
    tracked = ask(folder, "ls-files", "-z", "--cached", "--stage").stdout
    others = ask(folder, "ls-files", "-z", "--others", "--exclude-standard")
    if not others.stdout and _is_ignored(folder):
        return None
    found = [
        Listed(folder / name, "submodule" if mode == "160000" else "file")
        for mode, name in _staged(tracked)
    ]
    found += [Listed(folder / name.rstrip("/")) for name in split(others.stdout)]
    closed = _CLOSED.findall(os.fsdecode(others.stderr))
    return found + [Listed(folder / name, "closed") for name in closed]


def _is_ignored(folder: Path) -> bool:
    return ask(folder, "check-ignore", "--quiet", ".", fine=range(256)).returncode == 0


def _staged(output: bytes) -> list[tuple[str, str]]:
    """Mode and name of each index entry; an unmerged file stands there up to three times."""
    entries = {}
    for entry in split(output):
        facts, _, name = entry.partition("\t")
        entries[name] = facts.split(" ", 1)[0]
    return [(mode, name) for name, mode in entries.items()]
