"""Arguments to paths. Every file that is left out has a reason."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen
from tokenlint.patterns import shown_path
from tokenlint.walking import CLOSED, FILE, LeftOut, listed_by_git, walked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenlint.walking import Excludes, Names

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


def find_files(
    arguments: Sequence[str],
    *,
    working_folder: Path,
    excludes: Excludes,
    names: Names | None = None,
    force_exclude: bool = False,
    respect_gitignore: bool = True,
) -> Listing:
    """The files that arguments mean, each once, in order of their shown paths.

    What was named is kept even where it is excluded or ignored, unless `force_exclude` is set.
    `names` answers for many files what `excludes` answers for one.
    """
    search = _Search(working_folder, excludes, names, respect_gitignore)
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
    names: Names | None
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
        source = listed_by_git if self.respect_gitignore else walked
        above = _Above(folder, self.working_folder)
        for file, kind in source(os.fspath(folder), LeftOut(folder, self.excludes, self.names)):
            if ".tokenlint-" in file and _is_unfinished(file):
                self.skip(Path(file), "left by a killed run")
            elif kind == FILE:
                below = file[above.size :]
                self._take(file, above.real + below, file, above.shown(below), named=False)
            elif kind == CLOSED and file == os.fspath(folder):
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


def _is_unfinished(file: str) -> bool:
    from tokenlint.atomic import is_unfinished

    return is_unfinished(file)
