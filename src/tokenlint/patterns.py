"""Globs and .gitignore files: which paths a pattern means."""

from __future__ import annotations

import os
import re
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen
from tokenlint.tokens.canonical import normalized

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@frozen
class PathPatterns:
    """Patterns in the language of .gitignore, relative to a root, compared in NFC."""

    root: Path
    patterns: tuple[str, ...]

    @cached_property
    def _names(self) -> frozenset[str]:
        """The patterns that are plain names: all of them are compared at once."""
        if any(pattern.startswith("!") for pattern in self.patterns):
            return frozenset()  # a later pattern may take back what a name matches
        return frozenset(nfc(p) for p in self.patterns if not set(p) & set("/*?[\\# "))

    @cached_property
    def _others(self) -> list[_Pattern]:
        """What is not a plain name, the last first."""
        rest = (p for p in reversed(self.patterns) if nfc(p) not in self._names)
        return [pattern for line in rest if (pattern := _parsed(nfc(line))) is not None]

    @property
    def names(self) -> frozenset[str] | None:
        """The patterns, where each is a plain name and leaves out what bears it."""
        return None if self._others else self._names

    def match(self, path: Path | str, *, is_folder: bool = False) -> bool:
        """Whether a path, or a folder that it is in, matches."""
        parts = self._parts(path)
        if not self._names.isdisjoint(parts):
            return True
        if not self._others:
            return False
        return any(
            self._verdict(parts[:end], is_folder=is_folder or end < len(parts))
            for end in range(1, len(parts) + 1)
        )

    def verdict(self, path: Path | str, *, is_folder: bool) -> bool | None:
        """True where the last pattern that matches a path itself leaves it out; None for none."""
        return self._verdict(self._parts(path), is_folder=is_folder)

    def not_matching(self, folder: Path) -> PathPatterns:
        """The same without the patterns that match a folder."""
        if not self.match(folder, is_folder=True):
            return self
        single = (PathPatterns(self.root, (pattern,)) for pattern in self.patterns)
        kept = (p.patterns for p in single if not p.match(folder, is_folder=True))
        return PathPatterns(self.root, tuple(chain.from_iterable(kept)))

    @cached_property
    def _start(self) -> str:
        """What the paths below the root begin with."""
        return os.fspath(self.root).rstrip(os.sep) + os.sep

    def _parts(self, path: Path | str) -> list[str]:
        """The names on the way from the root; none where the path is the root or above it."""
        file = os.fspath(path)
        plain = "/." not in file and "//" not in file and file[-1:] != "/"
        normal = file if plain else os.path.normpath(file)
        if os.sep == "/" and normal.startswith(self._start):
            return nfc(normal[len(self._start) :]).split("/")  # most are: nothing to take apart
        if self._start.startswith(normal.rstrip(os.sep) + os.sep):  # the root, or above it
            return self._outside(normal)
        folder, name = os.path.split(normal)
        if folder not in self._folders:
            self._folders[folder] = self._outside(folder)
        return [*self._folders[folder], nfc(name)]

    def _outside(self, path: str) -> list[str]:
        """The names of a path that is not below the root."""
        relative = nfc(relative_to(Path(path), self.root))
        return [] if relative == "." else relative.split("/")

    @cached_property
    def _folders(self) -> dict[str, list[str]]:
        """The names of the folders that were met outside of the root."""
        return {}

    def _verdict(self, parts: list[str], *, is_folder: bool) -> bool | None:
        if not parts:
            return None
        if parts[-1] in self._names:
            return True
        path = "/".join(parts)
        for pattern in self._others:
            if pattern.means(path, parts[-1], is_folder=is_folder):
                return pattern.leaves_out
        return None


@frozen
class _Pattern:
    """One line of a .gitignore file, as git reads it."""

    expression: re.Pattern[str]
    leaves_out: bool
    only_folders: bool
    by_name: bool

    def means(self, path: str, name: str, *, is_folder: bool) -> bool:
        """Whether the pattern is about this path itself."""
        if self.only_folders and not is_folder:
            return False
        return self.expression.fullmatch(name if self.by_name else path) is not None


def _parsed(line: str) -> _Pattern | None:
    """A pattern; None for a comment, an empty line, and what git makes nothing of."""
    if line.startswith("#"):
        return None
    line = _LAST_SPACES.sub("", line)
    text = line.removeprefix("!")
    glob = text.removesuffix("/")
    expression = _expression(glob.removeprefix("/"))
    if expression is None:
        return None
    return _Pattern(expression, text == line, glob != text, "/" not in glob)


_LAST_SPACES = re.compile(r"(?<!\\) +$")

_GLOB = re.compile(
    r"(?P<any_folders>(?:(?<=/)|^)\*\*+/)|(?P<below>(?:(?<=/)|^)\*\*+$)|(?P<any>\*+)|(?P<one>\?)"
    r"|\[(?P<no>[!^]?+)(?P<set>\]?+(?:\[:\w+:\]|\\.|[^\]\\])*)\]|\\(?P<escaped>.)|(?P<plain>[^\\[])",
    re.DOTALL,
)
_FOLDERS, _ANY = "**/", "*"
_DEEPER = "(?:[^/]*/)*?"
_STRETCHES = {"any_folders": _FOLDERS, "below": ".+", "any": _ANY, "one": "[^/]"}


def _expression(glob: str) -> re.Pattern[str] | None:
    parts: list[str] = []
    at = 0
    while at < len(glob):
        match = _GLOB.match(glob, at)
        if match is None:  # a bracket that is not closed, or a backslash at the end
            return None
        kind = match.lastgroup or ""
        parts.append(_STRETCHES[kind] if kind in _STRETCHES else _one_character(match))
        at = match.end()
    try:
        return re.compile(_linear(parts), re.DOTALL) if parts else None
    except re.error:  # a range that runs backwards, a class that nobody knows
        return None


def _linear(parts: Sequence[str]) -> str:
    """A regular expression of these parts in which no `*` and no `**/` is tried twice.

    What follows a `*`, up to the next one, is looked for at its first place and never again: the
    next `*` reaches whatever a later place would leave, since no `*` goes beyond a `/`. The same
    holds for folders after `**/`. Only the last of each is bound by what comes behind.
    """
    first, *others = map(_in_chunk, _split(parts, _FOLDERS))
    if not others:
        return first
    *others, last = others
    return first + "".join(f"(?>{_DEEPER}{one})" for one in others) + _DEEPER + last


def _in_chunk(parts: Sequence[str]) -> str:
    """Folders and names without a `**/` among them."""
    fixed, *others = ("".join(stretch) for stretch in _split(parts, _ANY))
    if not others:
        return fixed
    *others, last = others
    return fixed + "".join(f"(?>[^/]*?{stretch})" for stretch in others) + f"[^/]*{last}"


def _split(parts: Sequence[str], at: str) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for part in parts:
        if part == at:
            found.append([])
        else:
            found[-1].append(part)
    return found


def _one_character(match: re.Match[str]) -> str:
    if match["set"] is None:
        return re.escape(match["escaped"] or match["plain"])
    return f"(?!/)[{'^' * bool(match['no'])}{_SET.sub(_in_set, match['set'])}]"


_SET = re.compile(
    r"\[:(?P<kind>\w+):\]|(?P<first>\\.|[^\\])(?:-(?P<last>\\.|(?!\[:)[^\\]))?", re.DOTALL
)
_KINDS = {"alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z"}
_KINDS |= {"space": r"\s", "xdigit": "0-9a-fA-F"}


def _in_set(match: re.Match[str]) -> str:
    if match["kind"]:
        return _KINDS.get(match["kind"], "")
    ends = (match["first"], match["last"])
    return "-".join(re.escape(end.removeprefix("\\") or end) for end in ends if end)


def is_pattern(text: str) -> bool:
    """Whether a text means any path at all: a single `!` or a last backslash means none."""
    return _parsed(text) is not None


def anchored(patterns: Iterable[str]) -> tuple[str, ...]:
    """Globs as .gitignore patterns that start at the root: `*.md` is not `docs/a.md`."""
    return tuple(
        "!" * pattern.startswith("!") + "/" + (plain_path(pattern.removeprefix("!")) or "**")
        for pattern in patterns
    )


def plain_path(pattern: str) -> str:
    """A glob in NFC, without the `./` or `/` it may begin with; nothing for the root itself."""
    return "" if pattern == "." else nfc(pattern).removeprefix("./").lstrip("/")


def is_literal(pattern: str) -> bool:
    """Whether a pattern names one path, with no wildcard in it."""
    return not set(pattern) & set("*?[!")


def nfc(text: str) -> str:
    """A path or a pattern as it is compared with others."""
    return text if text.isascii() else normalized("NFC", text)


def relative_to(path: Path, root: Path) -> str:
    """A path as seen from a folder, with `/`; of one outside, the part that is its own."""
    normal = Path(os.path.normpath(path))
    try:
        return normal.relative_to(root).as_posix()
    except ValueError:
        own = [part for part in shown_path(normal, root).split("/") if part != ".."]
        return "/".join(own) or "."


def folder_of(path: str) -> str:
    """The folder that a file is in: `os.path.dirname` in a fraction of its time."""
    if os.sep != "/":
        return os.path.dirname(path)  # noqa: PTH120
    return path[: path.rfind("/") or 1]


def shown_path(path: Path, working_folder: Path) -> str:
    """A path as reports print it: from the working folder, with `/`."""
    try:
        return Path(os.path.relpath(path, working_folder)).as_posix()
    except ValueError:  # another drive on Windows
        return path.as_posix()
