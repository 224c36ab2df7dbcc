"""The .gitignore files of a tree, where git itself cannot be asked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tokenlint.patterns import PathPatterns
from tokenlint.small_files import read_small

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def is_ignored(path: Path | str, patterns: Sequence[PathPatterns], *, is_folder: bool) -> bool:
    """Whether the last of several .gitignore files to speak of a path leaves it out."""
    verdicts = (own.verdict(path, is_folder=is_folder) for own in reversed(patterns))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def ignored_above(folder: Path) -> tuple[PathPatterns, ...]:
    """The ignore patterns that come down to a folder; where they leave it out, without those."""
    patterns: tuple[PathPatterns, ...] = ()
    for parent in _way_down(folder):
        patterns = with_own_ignores(parent.parent, patterns)
        if is_ignored(parent, patterns, is_folder=True):
            patterns = tuple(own.not_matching(parent) for own in patterns)
    return patterns


def _way_down(folder: Path) -> list[Path]:
    """The folders below the top of a repository, or of the disk, down to a folder."""
    way = []
    while not _is_repository(folder) and folder != folder.parent:
        way.append(folder)
        folder = folder.parent
    return way[::-1]


def with_own_ignores(folder: Path, above: tuple[PathPatterns, ...]) -> tuple[PathPatterns, ...]:
    """The ignore patterns that hold in a folder; a repository knows only its own."""
    names = [".gitignore"]
    if _is_repository(folder):
        above, names = (), [".git/info/exclude", ".gitignore"]
    own = (PathPatterns(folder, _ignore_lines(folder / name)) for name in names)
    return (*above, *(patterns for patterns in own if patterns.patterns))


def _is_repository(folder: Path) -> bool:
    return os.path.lexists(folder / ".git")


def _ignore_lines(file: Path) -> tuple[str, ...]:
    """The patterns in a .gitignore file, as git splits it into lines."""
    try:
        text = os.fsdecode(read_small(file).removeprefix(b"\xef\xbb\xbf"))
    except OSError:
        return ()
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    return tuple(line for line in lines if line.strip() and not line.startswith("#"))
