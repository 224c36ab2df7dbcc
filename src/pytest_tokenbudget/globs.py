"""Globs to files: the same on every system, and whichever form the file names are in."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from fnmatch import translate
from pathlib import Path, PurePath

from pytest_tokenbudget.errors import Mistake

Skip = Callable[[Path], bool]
"Whether `**` stays out of a folder; a pattern that names the folder still enters it."


def matching(root: Path, pattern: str, skip: Skip) -> list[Path]:
    """The files that a glob means, sorted; a name without wildcards may also be a folder.

    `**` stands for any number of folders, links to folders not among them. Names are compared
    in NFC: macOS hands out decomposed ones. Raises Mistake where a folder cannot be looked into.
    """
    glob = PurePath(pattern)
    try:
        if glob.anchor:
            return sorted(set(_below(Path(glob.anchor), glob.parts[1:], skip)))
        return sorted(set(_below(root, glob.parts, skip)))
    except (OSError, ValueError) as error:
        raise Mistake(f"{pattern}: cannot be looked for: {error}") from None


def _below(folder: Path, parts: Sequence[str], skip: Skip) -> Iterator[Path]:
    if not parts:
        return
    part, rest = parts[0], parts[1:]
    if part == "**":
        if skip(folder):  # the pattern names it, or a folder that it is in
            skip = _nothing
        yield from _below(folder, rest or ("*",), skip)
        for inner in _folders(folder, skip):
            yield from _below(inner, parts, skip)
        return
    for path in _named(folder, part):
        if rest:
            yield from _below(path, rest, skip)
        elif not (path.is_dir() and _is_wild(part)):
            yield path


def _folders(folder: Path, skip: Skip) -> list[Path]:
    inner = (folder / name for name in _names(folder))
    return [path for path in inner if path.is_dir() and not path.is_symlink() and not skip(path)]


def _named(folder: Path, part: str) -> list[Path]:
    """What a folder holds under a name or wildcard; a file of that very name comes first."""
    if not set(part) & {"*", "?"} and os.path.lexists(folder / part):
        return [folder / part]
    pattern = re.compile(translate(_nfc(part)))
    return [folder / name for name in _names(folder) if pattern.match(_nfc(name))]


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _nothing(_: Path) -> bool:
    return False


def _is_wild(part: str) -> bool:
    return bool(set(part) & set("*?["))


def _nfc(name: str) -> str:
    return unicodedata.normalize("NFC", name)
