"""The search for control strings: those of the catalogue, and those of configured tokenizers."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tokenlint.errors import ConfigError
from tokenlint.frozen import frozen
from tokenlint.rules._catalogue import FAMILIES, LITERALS, NEVER, RUNS
from tokenlint.rules.quick import skeleton_of
from tokenlint.rules.touching import Neighbours
from tokenlint.tokens.trie import any_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenlint.rules.base import SpecialTokens
    from tokenlint.rules.near import Surroundings

Row = tuple[str, int | None, str]
"A family, the id of a string in it, and the role of the string there."

_Candidates = tuple[list[tuple[int, str, str]], list[re.Pattern[str]]]
"Strings, with their sizes and what must stand before them, and numbered runs."

_TIERS = ("high", "medium", "low")


def resolve_families(names: Iterable[str]) -> frozenset[str]:
    """The families that names of families and groups stand for; an unknown name is an error."""
    found: set[str] = set()
    for name in names:
        members = [key for key, groups in FAMILIES.items() if name == key or name in groups]
        if not members:
            raise ConfigError(_unknown(name))
        found.update(members)
    return frozenset(found)


def _unknown(name: str) -> str:
    from tokenlint.nearest import nearest  # only a mistake pays for the import

    names = sorted({*FAMILIES, *(group for groups in FAMILIES.values() for group in groups)})
    near = nearest(name, names)
    hint = f'did you mean "{near}"?' if near else '"tokenlint rule TL201" lists the names'
    return f'no family or group is called "{name}"; {hint}'


class Hit(NamedTuple):
    """A control string where it stands; `takes_space`: with the white space around it."""

    start: int
    end: int
    string: str
    takes_space: bool = False


def find(text: str, chosen: SpecialTokens) -> Iterator[tuple[int, int, str]]:
    """Start, end and string of each control string in a text, from left to right."""
    return (hit[:3] for hit in hits(text, chosen))


def hits(text: str, chosen: SpecialTokens) -> Iterator[Hit]:
    """Each control string in a text, from left to right; no two overlap."""
    search = quick_search(chosen)
    listed = search.scan(text) if search.may_hold(text) else iter(())
    if not chosen.tokenizers:
        return listed
    return _apart([*listed, *_of_tokenizers(text, chosen)])


def _of_tokenizers(text: str, chosen: SpecialTokens) -> Iterator[Hit]:
    """What the tokenizers would cut out, without what is ordinary text to people."""
    for tokenizer in chosen.tokenizers:
        for span in tokenizer.spans(text):
            if span.special or span.string not in NEVER:
                yield Hit(span.start, span.end, span.string, span.takes_space)


def _apart(found: list[Hit]) -> Iterator[Hit]:
    """The leftmost hits, and of those that begin alike the longest."""
    at = 0
    for hit in sorted(found, key=lambda hit: (hit.start, -hit.end, not hit.takes_space)):
        if hit.start >= at:
            yield hit
            at = hit.end


_latest: list[tuple[SpecialTokens, Search]] = []


def may_hold(text: str, chosen: SpecialTokens) -> bool:
    """False for a text that surely holds no control string, by how the strings begin."""
    return bool(chosen.tokenizers) or quick_search(chosen).may_hold(text)


def quick_search(chosen: SpecialTokens) -> Search:
    """The same as `search_for`, without hashing the settings once a file."""
    if not _latest or _latest[0][0] is not chosen:
        _latest[:] = [(chosen, search_for(chosen))]
    return _latest[0][1]


def search_by_neighbours(chosen: SpecialTokens) -> Search | None:
    """The search, if it can be told by neighbours alone that a text holds none of the strings."""
    if chosen.tokenizers or not all(map(str.isascii, chosen.extra)):
        return None
    search = quick_search(chosen)
    return None if search.stands_after else search


@lru_cache(maxsize=32)
def search_for(chosen: SpecialTokens) -> Search:
    """The search for what the settings choose; built once for all documents."""
    level = chosen.level or ("high" if chosen.families is None else "low")
    tiers = _TIERS[: _TIERS.index(level) + 1]
    families = _families(chosen)

    def chooses(tier: str, rows: tuple[Row, ...]) -> bool:
        return tier in tiers and any(family in families for family, _, _ in rows)

    known = {text: after for text, (tier, after, rows) in LITERALS.items() if chooses(tier, rows)}
    runs = {
        pattern: beginning
        for pattern, (beginning, tier, rows) in RUNS.items()
        if chooses(tier, rows)
    }
    own = _spelled(dict.fromkeys(filter(None, chosen.extra), ""))
    literals = _spelled(known) | own
    return Search(literals, runs, frozenset(chosen.extra).difference(known))


def _families(chosen: SpecialTokens) -> frozenset[str]:
    if chosen.families is None:
        return frozenset(FAMILIES)
    return frozenset() if chosen.families == "tokenizers" else resolve_families(chosen.families)


def _spelled(strings: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Each string as a text may hold it, since lines may end in CRLF, with what it is called."""
    spelled = {text: (text, after) for text, after in strings.items()}
    return {text.replace("\n", "\r\n"): named for text, named in spelled.items()} | spelled


@frozen
class Search:
    """A search for the leftmost of many strings and, of those that begin there, the longest."""

    literals: dict[str, tuple[str, str]]
    runs: dict[str, str]
    own: frozenset[str]

    @cached_property
    def trie(self) -> re.Pattern[str]:
        """One regular expression for all strings and for the literal beginnings of all runs.

        A run stands in it by its beginning only: its pattern would make every other search slow.
        """
        return any_of([*self.literals, *self.runs.values()])

    @cached_property
    def stands_after(self) -> bool:
        """Whether any string counts only behind something, such as at the start of a line."""
        return any(after for _, after in self.literals.values())

    @cached_property
    def neighbours(self) -> Neighbours:
        """Which characters follow one another in the strings."""
        return Neighbours(self)

    @cached_property
    def surroundings(self) -> Surroundings:
        """What is known of the characters beside those that somebody asks for."""
        from tokenlint.rules.near import Surroundings

        return Surroundings(self.neighbours)

    @cached_property
    def beginnings(self) -> tuple[Beginnings, ...]:
        """How the strings and runs begin, by their first characters."""
        by_first: dict[str, list[str]] = {}
        for string in (*self.literals, *self.runs.values()):
            by_first.setdefault(string[0], []).append(string[:_BEGINNING])
        return tuple(map(Beginnings, by_first.values()))

    def may_hold(self, text: str) -> bool:
        """False where no string begins as it must: most texts do not even hold the characters."""
        for first in self.beginnings:  # noqa: SIM110  (`any` takes as long again)
            if first.are_in(text):
                return True
        return False

    @cached_property
    def foldable(self) -> re.Pattern[str]:
        """The skeletons of the strings with a space, which may be the end of a line in YAML."""
        return any_of([skeleton_of(string) for string in self.literals if " " in string])

    def may_be_folded(self, text: str) -> bool:
        """False where a text surely holds no string with a space, however its lines end."""
        return self.foldable.search(skeleton_of(text)) is not None

    def scan(self, text: str) -> Iterator[Hit]:
        """Each hit, from left to right."""
        look, at = self.trie.search, 0
        while match := look(text, at):
            start, at = match.start(), match.start() + 1
            if found := self._longest(text, start, match.group()):
                at, string = found
                yield Hit(start, at, string)

    def _longest(self, text: str, start: int, needle: str) -> tuple[int, str] | None:
        """Where the longest string that begins at `start` ends, and the string."""
        if needle not in self._candidates:
            self._candidates[needle] = self._beginning(needle)
        strings, runs = self._candidates[needle]
        found = [
            (start + size, string)
            for size, string, after in strings
            if not after or _stands(text, start, after)
        ]
        found += [(run.end(), run.group()) for each in runs if (run := each.match(text, start))]
        return max(found, default=None)

    @cached_property
    def _candidates(self) -> dict[str, _Candidates]:
        """What may begin where the trie finds a needle, by needle; each is worked out once."""
        return {}

    def _beginning(self, needle: str) -> _Candidates:
        """The strings and runs that begin a needle.

        The needle is the longest string that begins at its place, so any other string or beginning
        of a run that begins there begins the needle too.
        """
        sizes = range(1, len(needle) + 1)
        strings = [(n, *self.literals[needle[:n]]) for n in sizes if needle[:n] in self.literals]
        runs = [run for run, beginning in self.runs.items() if needle.startswith(beginning)]
        return strings, list(map(compiled, runs))


def _stands(text: str, start: int, after: str) -> bool:
    """Whether what must stand before a string stands there; a line feed means a line's start."""
    if after == "\n":
        return start == 0 or text[start - 1] in "\n\r"
    return text.endswith(after, 0, start)


_BEGINNING = 4  # characters that tell nearly every string from other text


class Beginnings:
    """How the strings with the same first character begin.

    Looking for one character takes a fraction of the time of any expression, and where a text has
    few of them, all are looked at one by one.
    """

    def __init__(self, strings: Sequence[str]) -> None:
        self._first = strings[0][0]
        self._strings = frozenset(strings)
        self._is_even = all(len(string) == _BEGINNING for string in strings)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return any_of(sorted(self._strings))

    def are_in(self, text: str) -> bool:
        """Whether one of the strings may begin in a text."""
        at = text.find(self._first)
        if at < 0:
            return False
        for _ in range(_FEW if self._is_even else 0):
            if text[at : at + _BEGINNING] in self._strings:
                return True
            at = text.find(self._first, at + 1)
            if at < 0:
                return False
        return self._pattern.search(text, at) is not None


_FEW = 12  # places that are looked at before an expression takes over


@lru_cache(maxsize=64)
def compiled(pattern: str) -> re.Pattern[str]:
    """The regular expression of a run."""
    return re.compile(pattern, re.ASCII)  # the numbers are written in ASCII digits only
