"""What a walk of a folder meets, by git or without it, and what of it is left out."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tokenlint import git
from tokenlint.errors import GitError
from tokenlint.ignores import ignored_above, is_ignored, with_own_ignores
from tokenlint.patterns import folder_of, nfc
from tokenlint.small_files import read_small

if TYPE_CHECKING:
    from collections.abc import Iterator


class Excludes(Protocol):
    """Decides whether the configuration that governs a path leaves it out."""

    def __call__(self, path: Path | str, *, inside: Path | None = None) -> bool:
        """Whether the path is left out; what leaves out `inside`, a named folder, is no reason."""


Names = Callable[[str, Path], "frozenset[str] | None"]
"The names that alone leave out what is in a folder; None where more is to be asked."


FILE, CLOSED = "file", "folder without permission"


def _kind(path: str) -> str:
    """What a path that was met is; one that is gone by now is left to the reader."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return FILE
    if stat.S_ISLNK(mode):
        return _link(path)
    return _folder(path) if stat.S_ISDIR(mode) else FILE


def _link(path: str) -> str:
    return "symbolic link" if os.path.exists(path) else "broken link"  # noqa: PTH110


def _folder(path: str) -> str:
    try:
        os.scandir(path).close()
    except OSError:
        return CLOSED
    return "submodule"


class LeftOut:
    """Whether a path below a folder is left out, for itself or with a folder on the way."""

    def __init__(self, folder: Path, excludes: Excludes, names: Names | None = None) -> None:
        self._folder, self._excludes, self._names = folder, excludes, names
        self._known = {os.fspath(folder): False}
        self._names_in: dict[str, frozenset[str] | None] = {}

    def __call__(self, path: Path | str) -> bool:
        file = os.fspath(path)
        if (known := self._known.get(file)) is not None:
            return known
        folder = folder_of(file)
        if self._holds(folder):
            return True
        if folder not in self._names_in:
            self._names_in[folder] = self._names and self._names(folder, self._folder)
        if (names := self._names_in[folder]) is not None:
            return nfc(file[file.rfind(os.sep) + 1 :]) in names
        return self._excludes(path, inside=self._folder)

    def _holds(self, folder: str) -> bool:
        """Whether a folder is left out, and with it all that is in it."""
        # Outer folders are asked first: the configuration in an excluded one is never read.
        unknown = []
        while folder not in self._known:
            unknown.append(folder)
            folder = folder_of(folder)
        left_out = self._known[folder]
        for below in reversed(unknown):
            left_out = left_out or self._excludes(Path(below), inside=self._folder)
            self._known[below] = left_out
        return left_out


def listed_by_git(folder: str, excludes: LeftOut) -> Iterator[tuple[str, str]]:
    """What git lists; without git, or outside a working tree, a walk that reads .gitignore."""
    try:
        listed = git.list_files(Path(folder))
    except GitError:
        listed = None
    if listed is None:
        yield from walked(folder, excludes, ignored=True)
        return
    for path, source in listed:
        file = os.fspath(path)
        if excludes(file):
            continue
        kind = _kind(file)
        if source == "file" and kind in ("submodule", CLOSED) and file != folder:
            yield from listed_by_git(file, excludes)  # a repository that git does not enter
        elif kind != FILE or os.path.lexists(file):
            yield file, kind


def walked(folder: str, excludes: LeftOut, *, ignored: bool = False) -> Iterator[tuple[str, str]]:
    """Every file below a folder, without those that .gitignore files leave out if so asked."""
    waiting = [(folder, ignored_above(Path(folder)) if ignored else ())]
    while waiting:
        folder, patterns = waiting.pop()
        if ignored:
            patterns = with_own_ignores(Path(folder), patterns)
        try:
            entries = list(os.scandir(folder))
        except OSError:
            yield folder, CLOSED
            continue
        for entry in entries:
            path, is_folder = entry.path, entry.is_dir(follow_symlinks=False)
            if entry.name == ".git" or excludes(path):
                continue
            if patterns and is_ignored(path, patterns, is_folder=is_folder):
                continue
            if is_folder and not (ignored and _is_submodule(path)):
                waiting.append((path, patterns))
            elif is_folder or entry.is_symlink():
                yield path, _folder(path) if is_folder else _link(path)
            else:
                yield path, FILE


def _is_submodule(folder: str) -> bool:
    try:
        return b"/modules/" in read_small(Path(folder, ".git"))
    except OSError:
        return False
