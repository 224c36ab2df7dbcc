"""Arguments to paths. Every file that is left out has a reason."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tokenlint import git
from tokenlint.errors import GitError
from tokenlint.patterns import ignored_above, is_ignored, shown_path, with_own_ignores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DEFAULT_EXCLUDE = (
    ".bzr .direnv .eggs .git .git-rewrite .hg .hypothesis .ipynb_checkpoints .mypy_cache .nox "
    ".pants.d .pyenv .pytest_cache .pytype .ruff_cache .svn .tox .venv .vscode __pycache__ "
    "__pypackages__ _build buck-out build dist node_modules site-packages venv"
)
"Folders that hold no prompts of one's own: what ruff leaves out, and a few caches."


@dataclass(frozen=True)
class Found:
    """A file to read: the path to open, the path to show, and whether the user named it."""

    path: Path
    shown: str
    named: bool


@dataclass(frozen=True)
class Skipped:
    """A file that was met and not read, and why."""

    shown: str
    reason: str


@dataclass(frozen=True)
class Listing:
    """What the arguments came to."""

    found: list[Found] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


class Excludes(Protocol):
    """Decides whether the configuration that governs a path leaves it out."""

    def __call__(self, path: Path, *, inside: Path | None = None) -> bool:
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


@dataclass
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
        real = os.path.realpath(path)
        known = self._found.get(real)
        if known is not None:
            named = named or known.named
            path = path if real == str(absolute(path)) else known.path
        self._found[real] = Found(path, shown_path(path, self.working_folder), named)

    def walk(self, folder: Path) -> None:
        """Take in every file below a folder that neither git nor the configuration leaves out."""
        source = _listed_by_git if self.respect_gitignore else _walked
        for path in source(folder, LeftOut(folder, self.excludes)):
            if (reason := _no_file(path)) is None:
                self.add(path, named=False)
            elif path == folder and reason == _CLOSED:  # named: reading it fails, and so the run
                self.add(path, named=True)
            else:
                self.skip(path, reason)


_CLOSED = "folder without permission"


def _no_file(path: Path) -> str | None:
    """Why a path that was met is no file to read; one that is gone by now is left to the reader."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return None
    if stat.S_ISLNK(mode):
        return "symbolic link" if os.path.exists(path) else "broken link"  # noqa: PTH110
    if stat.S_ISDIR(mode):
        return "submodule" if _can_list(path) else _CLOSED
    return None


def _can_list(folder: Path) -> bool:
    try:
        os.scandir(folder).close()
    except OSError:
        return False
    return True


class LeftOut:
    """Whether a path below a folder is left out, for itself or with a folder on the way."""

    def __init__(self, folder: Path, excludes: Excludes) -> None:
        self._folder, self._excludes = folder, excludes
        self._known = {folder: False}

    def __call__(self, path: Path) -> bool:
        # Outer folders are asked first: the configuration in an excluded one is never read.
        unknown = []
        while path not in self._known:
            unknown.append(path)
            path = path.parent
        left_out = self._known[path]
        for below in reversed(unknown):
            left_out = left_out or self._excludes(below, inside=self._folder)
            self._known[below] = left_out
        return left_out


def _listed_by_git(folder: Path, excludes: LeftOut) -> Iterator[Path]:
    """What git lists; without git, or outside a working tree, a walk that reads .gitignore."""
    try:
        listed = git.list_files(folder)
    except GitError:
        listed = None
    if listed is None:
        yield from _walked(folder, excludes, ignored=True)
        return
    for path, kind in listed:
        if excludes(path):
            continue
        if kind == "file" and path.is_dir() and not path.is_symlink() and path != folder:
            yield from _listed_by_git(path, excludes)  # a repository that git does not enter
        elif os.path.lexists(path):
            yield path


def _walked(folder: Path, excludes: LeftOut, *, ignored: bool = False) -> Iterator[Path]:
    """Every file below a folder, without those that .gitignore files leave out if so asked."""
    waiting = [(folder, ignored_above(folder) if ignored else ())]
    while waiting:
        folder, patterns = waiting.pop()
        if ignored:
            patterns = with_own_ignores(folder, patterns)
        try:
            entries = list(os.scandir(folder))
        except OSError:
            yield folder
            continue
        for entry in entries:
            path, is_folder = Path(entry.path), entry.is_dir(follow_symlinks=False)
            if entry.name == ".git" or excludes(path):
                continue
            if is_ignored(path, patterns, is_folder=is_folder):
                continue
            if is_folder and not (ignored and _is_submodule(path)):
                waiting.append((path, patterns))
            else:
                yield path


def _is_submodule(folder: Path) -> bool:
    try:
        return "/modules/" in (folder / ".git").read_text("utf-8", errors="replace")
    except OSError:
        return False
