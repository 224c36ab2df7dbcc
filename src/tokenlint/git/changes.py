"""Which entries differ between two states of a repository, by modes and object ids alone.

The plumbing commands are asked, because `git diff` would send files of the working tree through
the filters that the repository's own settings name, and so would the search for renames.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen
from tokenlint.git.running import ask, split

if TYPE_CHECKING:
    from pathlib import Path

_RAW = ("--raw", "-z", "--no-renames", "--full-index", "--no-ext-diff", "--no-textconv")
_SUBMODULES = "--ignore-submodules=dirty"  # to look for more, git would be run in the submodule


@frozen
class Entry:
    """A path with its mode and the id of its content; no id means what the working tree holds."""

    path: str
    mode: str
    id: str | None = None


@frozen
class Change:
    """A path that differs: what it was and what it is. Without a `before` it was added."""

    before: Entry | None
    after: Entry | None
    unmerged: bool = False

    @property
    def path(self) -> str:
        """Where it stands, or stood."""
        entry = self.after or self.before
        return entry.path if entry else ""


def between_commits(top: Path, base: str, head: str) -> list[Change]:
    """What differs between two commits."""
    return _changes(ask(top, "diff-tree", "-r", *_RAW, base, head).stdout)


def staged(top: Path, base: str) -> list[Change]:
    """What differs between a commit and the index."""
    return _changes(ask(top, "diff-index", "--cached", *_RAW, base).stdout)


def in_working_tree(top: Path, base: str) -> list[Change]:
    """What may differ between a commit and the tracked files of the working tree.

    A file whose time stamp is not the one that the index knows is named, whatever its content.
    """
    settings = _without_filters(top)
    return _changes(ask(top, "diff-index", _SUBMODULES, *_RAW, base, settings=settings).stdout)


def _without_filters(top: Path) -> dict[str, str]:
    """Settings that leave the repository's filters without a program.

    A file that is as old as the index is looked into, and would go through its clean filter.
    """
    names = ("config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process)$")
    return dict.fromkeys(split(ask(top, *names, fine=(0, 1)).stdout), "")


def untracked(top: Path) -> list[str]:
    """Files that are neither tracked nor ignored; a repository inside ends with a slash."""
    return split(ask(top, "ls-files", "-z", "--others", "--exclude-standard").stdout)


def in_commit(top: Path, commit: str) -> list[Entry]:
    """Every entry of a commit."""
    listed = split(ask(top, "ls-tree", "-r", "-z", "--full-tree", commit).stdout)
    return [_listed(line) for line in listed]


def _listed(line: str) -> Entry:
    facts, _, path = line.partition("\t")
    mode, _, id_ = facts.split(" ")
    return Entry(path, mode, id_)


def _changes(output: bytes) -> list[Change]:
    fields = output.split(b"\0")[:-1]
    return [
        _change(facts.decode(), os.fsdecode(path))
        for facts, path in zip(fields[::2], fields[1::2], strict=True)
    ]


def _change(facts: str, path: str) -> Change:
    old_mode, mode, old_id, id_, status = facts.removeprefix(":").split(" ")
    return Change(_entry(path, old_mode, old_id), _entry(path, mode, id_), status.startswith("U"))


def _entry(path: str, mode: str, id_: str) -> Entry | None:
    if mode == "000000":
        return None
    return Entry(path, mode, id_ if id_.strip("0") else None)


def has_path(top: Path, commit: str, path: Path) -> bool:
    """Whether a commit has a file or a folder."""
    if not path.is_relative_to(top):
        return False
    name = path.relative_to(top).as_posix()
    # The dot keeps a name such as `:(top)` from being read as a pattern.
    return bool(ask(top, "ls-tree", "-z", commit, "--", f"./{name}").stdout)


def entry_of(top: Path, commit: str | None, name: str) -> Entry | None:
    """The entry of a path in a commit, or in the index where there is none."""
    if commit is None:
        staged = split(ask(top, "ls-files", "-z", "--stage", "--", f":(literal){name}").stdout)
        mode, id_ = staged[0].split(" ")[:2] if staged else ("", "")
        return Entry(name, mode, id_) if staged else None
    listed = split(ask(top, "ls-tree", "-z", commit, "--", f"./{name}").stdout)
    return _listed(listed[0]) if listed else None
