"""Arguments to paths. Every file that is left out has a reason."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tokenlint import git
from tokenlint.errors import GitError

if TYPE_CHECKING:
    import pathspec

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

    def __call__(self, path: Path) -> bool:
        """Whether the path is left out."""


@dataclass(frozen=True)
class PathPatterns:
    """Patterns in the language of .gitignore, relative to a root, compared in NFC."""

    root: Path
    patterns: tuple[str, ...]

    @cached_property
    def _names(self) -> frozenset[str]:
        """The patterns that are plain names: those need no library to compare."""
        return frozenset(_nfc(p) for p in self.patterns if not set(p) & set("/*?[!\\# "))

    @cached_property
    def _spec(self) -> pathspec.GitIgnoreSpec | None:
        rest = [_nfc(p) for p in self.patterns if _nfc(p) not in self._names]
        if not rest:
            return None
        import pathspec

        return pathspec.GitIgnoreSpec.from_lines(rest)

    def match(self, path: Path) -> bool:
        """Whether a path, or a folder that it is in, matches."""
        relative = _nfc(relative_to(path, self.root))
        if not self._names.isdisjoint(relative.split("/")):
            return True
        return self._spec is not None and self._spec.match_file(relative)


def anchored(patterns: Iterable[str]) -> tuple[str, ...]:
    """Globs as .gitignore patterns that start at the root: `*.md` is not `docs/a.md`."""
    return tuple(
        ("!/" if pattern.startswith("!") else "/")
        + pattern.lstrip("!").removeprefix("./").lstrip("/")
        for pattern in patterns
    )


def is_literal(pattern: str) -> bool:
    """Whether a pattern names one path, with no wildcard in it."""
    return not set(pattern) & set("*?[!")


def _nfc(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def relative_to(path: Path, root: Path) -> str:
    """A path as seen from a folder, with `/`; of one outside, the part that is its own."""
    normal = Path(os.path.normpath(path))
    try:
        return normal.relative_to(root).as_posix()
    except ValueError:
        return shown_path(normal, root).replace("../", "")


def shown_path(path: Path, working_folder: Path) -> str:
    """A path as reports print it: from the working folder, with `/`."""
    try:
        return Path(os.path.relpath(path, working_folder)).as_posix()
    except ValueError:  # another drive on Windows
        return path.as_posix()


def find_files(
    arguments: Sequence[str],
    *,
    working_folder: Path,
    excludes: Excludes,
    force_exclude: bool = False,
    respect_gitignore: bool = True,
) -> Listing:
    """The files that arguments mean, each once, in order of their shown paths.

    A file that was named is kept even where it is excluded, unless `force_exclude` is set.
    """
    listing, seen = Listing(), set[str]()
    for argument in arguments:
        path = working_folder / argument
        if path.is_dir():
            walk(path, listing, seen, working_folder, excludes, respect_gitignore=respect_gitignore)
        elif force_exclude and excludes(absolute(path)):
            listing.skipped.append(Skipped(shown_path(path, working_folder), "excluded"))
        else:
            _add(listing, seen, path, working_folder, named=True)
    listing.found.sort(key=lambda found: found.shown)
    return listing


def walk(
    folder: Path,
    listing: Listing,
    seen: set[str],
    working_folder: Path,
    excludes: Excludes,
    *,
    respect_gitignore: bool = True,
) -> None:
    """Add every file below a folder that neither git ignores nor the configuration excludes."""
    source = _listed_by_git if respect_gitignore else _walked
    for path in source(absolute(folder), excludes):
        if path.is_symlink():
            reason = "symbolic link" if path.exists() else "broken link"
            listing.skipped.append(Skipped(shown_path(path, working_folder), reason))
        else:
            _add(listing, seen, path, working_folder, named=False)


def _add(
    listing: Listing, seen: set[str], path: Path, working_folder: Path, *, named: bool
) -> None:
    real = os.path.realpath(path)
    if real not in seen:
        seen.add(real)
        listing.found.append(Found(path, shown_path(path, working_folder), named))


def absolute(path: Path) -> Path:
    """An absolute path without `.` and `..`, links left as they are."""
    return Path(os.path.abspath(path))  # noqa: PTH100  (Path.resolve would follow links)


def _listed_by_git(folder: Path, excludes: Excludes) -> Iterator[Path]:
    """What git lists; without git, or outside a working tree, a walk that reads .gitignore."""
    try:
        listed = git.list_files(folder)
    except GitError:
        yield from _walked(folder, excludes, ignores=_gitignore)
        return
    for path, is_submodule in listed:
        if is_submodule or excludes(path):
            continue
        if path.is_dir() and not path.is_symlink():  # another repository that git does not enter
            yield from _listed_by_git(path, excludes)
        elif os.path.lexists(path):
            yield path


Ignores = Callable[[Path], "PathPatterns | None"]


def _gitignore(folder: Path) -> PathPatterns | None:
    """The patterns of a folder's .gitignore."""
    try:
        lines = (folder / ".gitignore").read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return None
    wanted = tuple(line for line in lines if line.strip() and not line.startswith("#"))
    return PathPatterns(folder, wanted) if wanted else None


def _walked(
    folder: Path, excludes: Excludes, ignores: Ignores = lambda _folder: None
) -> Iterator[Path]:
    yield from _below(folder, excludes, ignores, ())


def _below(
    folder: Path, excludes: Excludes, ignores: Ignores, above: tuple[PathPatterns, ...]
) -> Iterator[Path]:
    own = ignores(folder)
    patterns = above if own is None else (*above, own)
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        path = Path(entry.path)
        if excludes(path) or any(pattern.match(path) for pattern in patterns):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _below(path, excludes, ignores, patterns)
        else:
            yield path
