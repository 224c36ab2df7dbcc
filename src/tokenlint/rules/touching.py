"""Whether a control string may come to life where something is undone: a look at the neighbours.

A string that an undoing makes touches what was undone. So the characters on either side of that,
or what they stand for, must follow one another in some control string too. In most texts they
never do: a joiner stands between Persian letters, a full-width comma between Chinese ones.
"""

from __future__ import annotations

import itertools
import re
import string
import unicodedata
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING

from tokenlint.rules.quick import once
from tokenlint.rules.unicode_ranges import COMPATIBLE, DEFAULT_IGNORABLE, char_class, member

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from tokenlint.rules.search import Search

_MANY = 5000  # places in one file from which the whole text is looked at at once
_SHORT = 16  # ignorable characters in a row that are walked over one by one


class Neighbours:
    """Which characters are in the strings of a search, and which follow one another there."""

    def __init__(self, search: Search) -> None:
        strings = [*search.literals, *search.runs.values()]
        ends = frozenset(itertools.chain.from_iterable(map(_tail, search.runs.items())))
        inside = itertools.chain.from_iterable(map(itertools.pairwise, strings))
        behind = itertools.product({*ends, *(one[-1] for one in search.runs.values())}, ends)
        self.pairs = frozenset((*inside, *behind))
        self.chars = frozenset().union(ends, *strings)
        self.firsts = frozenset(one[0] for one in strings)
        self.lasts = ends.union(one[-1] for one in strings)
        self._known: dict[str, bool] = {}

    def may_hold(self, char: str) -> bool:
        """Whether a character, or what NFKC makes of it, is in any string; or it is removed."""
        return is_ignorable(char) or not self.chars.isdisjoint(char + compatible(char))

    def changed(self, suspects: Iterable[str]) -> Iterator[str]:
        """Of some characters those that are removed or changed, and that matter."""
        for char in suspects:
            if is_ignorable(char) or (compatible(char) != char and self.may_hold(char)):
                yield char

    def may_touch_undone(self, text: str, suspects: Iterable[str]) -> bool:
        """Whether a string may touch what any of some characters is removed to or changed into."""
        return any(
            self.may_touch(text, char, "" if is_ignorable(char) else compatible(char))
            for char in self.changed(suspects)
        )

    def may_touch_escape(self, text: str, escaped: Mapping[str, str], escape: str) -> bool:
        """Whether a string may touch what an escape by number is read as, in any of its places."""
        char, size, at = escaped[escape], len(escape), text.find(escape)
        became = {""} if is_ignorable(char) else {char, compatible(char)}
        while at >= 0:
            before, after = _read_before(text, at, escaped), _read_after(text, at + size, escaped)
            if any(self._fits(before or self.chars, one, after or self.chars) for one in became):
                return True
            at = text.find(escape, at + 1)
        return False

    def may_touch(self, text: str, found: str, became: str) -> bool:
        """Whether a string may touch what a stretch became, in any of its places in a text."""
        size, at, places = len(found), text.find(found), 0
        while at >= 0:
            key = text[at - 1 : at + size + 1] if at else ""
            verdict = self._known.get(key)
            if verdict is None:
                verdict = self._touches(text, at, at + size, became)
                if len(key) == size + 2 and not (is_ignorable(key[0]) or is_ignorable(key[-1])):
                    if len(self._known) > _MANY:
                        self._known.clear()
                    self._known[key] = verdict
            places += 1
            if verdict or places > _MANY:
                return True
            # All of a run of ignorable characters has the same neighbours.
            at = text.find(found, at + 1 if became else max(at + 1, _run_end(text, at)))
        return False

    def _touches(self, text: str, start: int, end: int, became: str) -> bool:
        return self._fits(_near_before(text, start), became, _near_after(text, end))

    def _fits(self, before: Collection[str], became: str, after: Collection[str]) -> bool:
        if not became:
            return self._follow(before, after)
        if len(became) > 1:
            return (
                any(self._follow({one}, {other}) for one, other in itertools.pairwise(became))
                or self._follow(before, {became[0]})
                or self._follow({became[-1]}, after)
            )
        begins = became in self.firsts or self._follow(before, {became})
        return begins and (became in self.lasts or self._follow({became}, after))

    def _follow(self, before: Collection[str], after: Collection[str]) -> bool:
        return not self.pairs.isdisjoint(itertools.product(before, after))


def _tail(run: tuple[str, str]) -> str:
    """The characters that may stand behind the beginning of a numbered run."""
    pattern, beginning = run
    literal = re.sub(r"\\d|\{[\d,]+\}|\(\?:|[()?+]", "", pattern).replace("\\", "")
    return literal[len(beginning) :] + string.digits


def _near_before(text: str, end: int) -> set[str]:
    """The character before a place past what is removed: as it is, and as it may be read."""
    at = end - 1
    while at >= 0 and is_ignorable(text[at]):
        at = _run_start(text, at) - 1 if end - at > _SHORT else at - 1
    return _read(text[at], -1) if at >= 0 else set()


def _near_after(text: str, start: int) -> set[str]:
    """The character from a place on past what is removed: as it is, and as it may be read."""
    at = _run_end(text, start)
    return _read(text[at], 0) if at < len(text) else set()


def _read(char: str, end: int) -> set[str]:
    # A line that ends inside of a string of YAML is read as a space, and `\/` as a slash.
    more = {" "} if char in "\r\n" else {"/"} if char == "\\" else set[str]()
    return {char, compatible(char)[end]} | more


def _run_end(text: str, at: int) -> int:
    """Where the ignorable characters from a place on end; the place itself where none is there."""
    match = _ignorable().match(text, at)
    return match.end() if match else at


def _run_start(text: str, at: int) -> int:
    """Where the long run begins that an ignorable character is in, or the character's own place."""
    runs = _long_runs(text)
    index = bisect_right(runs, (at, len(text)))
    return runs[index - 1][0] if index and at < runs[index - 1][1] else at


@once
def _long_runs(text: str) -> tuple[tuple[int, int], ...]:
    """Where ignorable characters in a row are so many that walking back over them takes long."""
    long = re.compile(f"{char_class(DEFAULT_IGNORABLE)}{{{_SHORT},}}")
    return tuple(match.span() for match in long.finditer(text))


@cache
def _ignorable() -> re.Pattern[str]:
    return re.compile(f"{char_class(DEFAULT_IGNORABLE)}+")


def _read_before(text: str, at: int, escaped: Mapping[str, str]) -> set[str]:
    """The character before an escape, with escapes read; nothing where it can be any."""
    for size in (6, 12):
        if (char := escaped.get(text[at - size : at] if at >= size else "")) is not None:
            if is_ignorable(char) or text[at - size - 1 : at - size] == "\\":
                return set()
            return {char, compatible(char)[-1]}
    return _near_before(text, at)


def _read_after(text: str, at: int, escaped: Mapping[str, str]) -> set[str]:
    for size in (6, 12):
        if (char := escaped.get(text[at : at + size])) is not None:
            return set() if is_ignorable(char) else {char, compatible(char)[0]}
    return _near_after(text, at)


@cache
def is_ignorable(char: str) -> bool:
    """Whether a character is one of those that Unicode calls default-ignorable."""
    return member(DEFAULT_IGNORABLE)(char) is not None


@cache
def compatible(char: str) -> str:
    """What NFKC makes of a character where that may have ASCII in it."""
    return unicodedata.normalize("NFKC", char) if member(COMPATIBLE)(char) else char
