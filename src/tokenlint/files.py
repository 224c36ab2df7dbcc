"""Arguments to paths. Every file that is left out has a reason."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tokenlint import git
from tokenlint.errors import GitError
from tokenlint.frozen import frozen
from tokenlint.patterns import (
    folder_of,
    ignored_above,
    is_ignored,
    shown_path,
    with_own_ignores,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DEFAULT_EXCLUDE = (
    ".bzr .direnv .eggs .git .git-rewrite .hg .hypothesis .ipynb_checkpoints .mypy_cache .nox "
    ".pants.d .pyenv .pytest_cache .pytype .ruff_cache .svn .tox .venv .vscode __pycache__ "
    "__pypackages__ _build buck-out build dist node_modules site-packages venv"
)
"Folders that hold no prompts of one's own: what ruff leaves out, and a few caches."


class Found:
    """A file to read: the path to open, the path to show, and whether the user named it.

    `file` is its path as a string: most files are opened, found clean, and never asked for more.
    """

    __slots__ = ("_path", "file", "named", "shown")

    def __init__(self, path: Path | str, shown: str, named: bool) -> None:
        self.file = os.fspath(path)
        self.shown = shown
        self.named = named
        self._path = path if isinstance(path, Path) else None

    @property
    def path(self) -> Path:
        """The path to open."""
        if self._path is None:
            self._path = Path(self.file)
        return self._path

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Found) and self._facts == other._facts

    def __hash__(self) -> int:
        return hash(self._facts)

    def __repr__(self) -> str:
        return "Found({!r}, {!r}, named={!r})".format(*self._facts)

    @property
    def _facts(self) -> tuple[str, str, bool]:
        return self.file, self.shown, self.named


@frozen
class Skipped:
    """A file that was met and not read, and why."""

    shown: str
    reason: str


@frozen
class Listing:
    """What the arguments came to."""

    found: list[Found] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


class Excludes(Protocol):
    """Decides whether the configuration that governs a path leaves it out."""

    def __call__(self, path: Path | str, *, inside: Path | None = None) -> bool:
        """Whether the path is left out; what leaves out `inside`, a named folder, is no reason."""


def find_files(
    arguments: Sequence[str],
    *,
    working_folder: Path,
    excludes: Excludes,
    force_exclude: bool = False,
    respect_gitignore: bool = True,
) -> Listing:
    """The files that arguments mean, each once, in order of their shown paths.

    What was named is kept even where it is excluded or ignored, unless `force_exclude` is set.
    """
    search = _Search(working_folder, excludes, respect_gitignore)
    for argument in arguments:
        path = working_folder / argument
        if force_exclude and excludes(absolute(path)):
            search.skip(path, "excluded")
        elif os.path.isdir(path):  # noqa: PTH112  (Path.is_dir raises where a name is too long)
            search.walk(absolute(path))
        else:
            search.add(path, named=True)
    return search.listing()


def absolute(path: Path) -> Path:
    """An absolute path without `.` and `..`, links left as they are."""
    return Path(os.path.abspath(path))  # noqa: PTH100  (Path.resolve would follow links)


@dataclass(eq=False, repr=False)
class _Search:
    """The files that were met so far, by the place where their bytes are."""

    working_folder: Path
    excludes: Excludes
    respect_gitignore: bool
    _found: dict[str, Found] = field(default_factory=dict)
    _skipped: dict[str, str] = field(default_factory=dict)

    def listing(self) -> Listing:
        """Everything in order; what was named as well as skipped counts as found."""
        found = sorted(self._found.values(), key=lambda found: found.shown)
        shown = {file.shown for file in found}
        skipped = [Skipped(*pair) for pair in self._skipped.items() if pair[0] not in shown]
        return Listing(found, skipped)

    def skip(self, path: Path, reason: str) -> None:
        """Leave a path out."""
        self._skipped[shown_path(path, self.working_folder)] = reason

    def add(self, path: Path, *, named: bool) -> None:
        """Take a file in, once: by its own path rather than by a link to it."""
        own = os.path.abspath(path)  # noqa: PTH100  (Path.resolve would follow links)
        self._take(
            path, os.path.realpath(path), own, shown_path(path, self.working_folder), named=named
        )

    def _take(self, path: Path | str, real: str, own: str, shown: str, *, named: bool) -> None:
        known = self._found.get(real)
        if known is not None:
            named = named or known.named
            if real != own:
                path, shown = known.path, shown_path(known.path, self.working_folder)
        self._found[real] = Found(path, shown, named)

    def walk(self, folder: Path) -> None:
        """Take in every file below a folder that neither git nor the configuration leaves out.

        Below it no link is followed, so links on the way to the folder are all that can make a
        place another one than its path says.
        """
        source = _listed_by_git if self.respect_gitignore else _walked
        above = _Above(folder, self.working_folder)
        for file, kind in source(os.fspath(folder), LeftOut(folder, self.excludes)):
            if kind == _FILE:
                below = file[above.size :]
                self._take(file, above.real + below, file, above.shown(below), named=False)
            elif kind == _CLOSED and file == os.fspath(folder):
                self.add(folder, named=True)  # named: reading it fails, and so the run
            else:
                self.skip(Path(file), kind)


class _Above:
    """A folder that is walked: what the places and the shown paths of its files begin with."""

    def __init__(self, folder: Path, working_folder: Path) -> None:
        path, real = os.fspath(folder), os.path.realpath(folder)
        self.size = len(path.rstrip(os.sep)) + 1
        self.real = real.rstrip(os.sep) + os.sep
        shown = shown_path(folder, working_folder)
        self._shown = "" if shown == "." else f"{shown.rstrip('/')}/"
        self._is_above = shown != "." and absolute(working_folder).is_relative_to(folder)
        self._folder, self._working_folder = folder, working_folder

    def shown(self, below: str) -> str:
        """How reports print the path of a file, with `/`."""
        if self._is_above:
            return shown_path(self._folder / below, self._working_folder)
        return self._shown + (below if os.sep == "/" else below.replace(os.sep, "/"))


_FILE, _CLOSED = "file", "folder without permission"


def _kind(path: str) -> str:
    """What a path that was met is; one that is gone by now is left to the reader."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return _FILE
    if stat.S_ISLNK(mode):
        return _link(path)
    return _folder(path) if stat.S_ISDIR(mode) else _FILE


def _link(path: str) -> str:
    return "symbolic link" if os.path.exists(path) else "broken link"  # noqa: PTH110


def _folder(path: str) -> str:
    try:
        os.scandir(path).close()
    except OSError:
        return _CLOSED
    return "submodule"


class LeftOut:
    """Whether a path below a folder is left out, for itself or with a folder on the way."""

    def __init__(self, folder: Path, excludes: Excludes) -> None:
        self._folder, self._excludes = folder, excludes
        self._known = {os.fspath(folder): False}

    def __call__(self, path: Path | str) -> bool:
        file = os.fspath(path)
        if (known := self._known.get(file)) is not None:
            return known
        return self._holds(folder_of(file)) or self._excludes(path, inside=self._folder)

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


def _listed_by_git(folder: str, excludes: LeftOut) -> Iterator[tuple[str, str]]:
    """What git lists; without git, or outside a working tree, a walk that reads .gitignore."""
    try:
        listed = git.list_files(Path(folder))
    except GitError:
        listed = None
    if listed is None:
        yield from _walked(folder, excludes, ignored=True)
        return
    for path, source in listed:
        file = os.fspath(path)
        if excludes(file):
            continue
        kind = _kind(file)
        if source == "file" and kind in ("submodule", _CLOSED) and file != folder:
            yield from _listed_by_git(file, excludes)  # a repository that git does not enter
        elif kind != _FILE or os.path.lexists(file):
            yield file, kind


def _walked(folder: str, excludes: LeftOut, *, ignored: bool = False) -> Iterator[tuple[str, str]]:
    """Every file below a folder, without those that .gitignore files leave out if so asked."""
    waiting = [(folder, ignored_above(Path(folder)) if ignored else ())]
    while waiting:
        folder, patterns = waiting.pop()
        if ignored:
            patterns = with_own_ignores(Path(folder), patterns)
        try:
            entries = list(os.scandir(folder))
        except OSError:
            yield folder, _CLOSED
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
                yield path, _FILE


def _is_submodule(folder: str) -> bool:
    try:
        return "/modules/" in Path(folder, ".git").read_text("utf-8", errors="replace")
    except OSError:
        return False
