"""One prompt in a file: its text as a parser reads it, and where each character came from."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from tokenlint.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


class Run(NamedTuple):
    """Characters of a text from `at` on, and the stretch of the source that they were read from.

    An even run stands in the source as it is, so its characters can be told apart; any other is
    an escape or a folded line break, and the whole stretch stands for each of its characters.
    """

    at: int
    start: int
    stop: int
    even: bool


class Piece(NamedTuple):
    """A stretch of the source, and what a parser makes of it."""

    start: int
    stop: int
    became: str


@frozen
class Part:
    """One prompt in a document; `start` and `end` say where its source stands, without quotes.

    `origin` gives the runs of the text and is called when a place is first asked for: counting
    never needs it. Without one the text is the source from `start` to `end` as it stands.
    """

    text: str
    start: int
    end: int
    name: str = ""
    origin: Callable[[], Sequence[Run]] | None = field(default=None, compare=False, repr=False)

    @property
    def is_literal(self) -> bool:
        """Whether the text stands in the document as it is, from `start` to `end`."""
        return self.origin is None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the text came from, as offsets into the document's text."""
        if self.origin is None:
            return self.start + start, self.start + end
        begin = self._place(start)[0]
        return begin, begin if end <= start else self._place(end - 1)[1]

    @cached_property
    def _runs(self) -> Sequence[Run]:
        return self.origin() if self.origin else ()

    def _place(self, at: int) -> tuple[int, int]:
        """The source of one character; of the end of the text, the end of the source."""
        if at >= len(self.text):
            return self.end, self.end
        run = self._runs[bisect_right(self._runs, at, key=lambda run: run.at) - 1]
        if not run.even:
            return run.start, run.stop
        place = run.start + at - run.at
        return place, place + 1


def runs(source: str, pieces: Iterable[Piece]) -> list[Run]:
    """The runs of a text that consists of these pieces of a source."""
    found: list[Run] = []
    at = 0
    for start, stop, became in pieces:
        even = source[start:stop] == became
        last = found[-1] if found else None
        if last and even and last.even and last.stop == start:
            found[-1] = last._replace(stop=stop)
        else:
            found.append(Run(at, start, stop, even))
        at += len(became)
    return found
