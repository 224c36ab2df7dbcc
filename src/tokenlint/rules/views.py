"""A text as it reads once something in it was undone, and the way back to the source."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from tokenlint.frozen import frozen

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator


class Replacement(NamedTuple):
    """A stretch of the source, and what stands in the view for it."""

    start: int
    stop: int
    became: str


class Origin(NamedTuple):
    """Where a stretch of a view came from, and whether anything was replaced in it.

    `touched` says that a replacement lies inside the stretch, `preceded` that one ends where the
    stretch begins. Both ends hold just the characters that became the stretch.
    """

    start: int
    stop: int
    touched: bool
    preceded: bool


@frozen
class View:
    """A source with stretches of it replaced; most views are never asked where from.

    So the replacements are found a second time when they are needed, and never stored: a large
    file of nothing but escapes would need many times its own size for them.
    """

    source: str
    text: str
    replacements: Callable[[], Iterable[Replacement]]

    def origins(self, spans: Iterable[tuple[int, int]]) -> Iterator[Origin]:
        """The origin of each stretch (start, end) of the view; they come in order, none empty."""
        pieces = _placed(self.replacements())
        at, last, following = 0, Replacement(0, 0, ""), next(pieces, None)
        for start, end in spans:
            while following and following[0] <= start:
                (at, last), following = following, next(pieces, None)
            after = at + len(last.became)
            inside = start < after
            begin = last.start if inside else last.stop + start - after
            preceded = last.stop > 0 and start == after
            while following and following[0] < end:
                (at, last), following = following, next(pieces, None)
                inside = True
            after = at + len(last.became)
            yield Origin(begin, last.stop + max(end - after, 0), inside, preceded)


def _placed(replacements: Iterable[Replacement]) -> Iterator[tuple[int, Replacement]]:
    """Each replacement with the offset in the view at which it stands."""
    shift = 0
    for one in replacements:
        yield one.start + shift, one
        shift += len(one.became) - (one.stop - one.start)


def replaced(source: str, pattern: re.Pattern[str], became: Callable[[str], str]) -> View | None:
    """The view with every match replaced, or None where that changes nothing."""
    text = pattern.sub(lambda match: became(match[0]), source)
    if text == source:
        return None
    return View(source, text, lambda: matches(source, pattern, became))


def view_of(source: str, replacements: Callable[[], Iterable[Replacement]]) -> View | None:
    """The view with all replacements made, or None where that changes nothing."""
    parts: list[str] = []
    at = 0
    for start, stop, became in replacements():
        parts += (source[at:start], became)
        at = stop
    text = "".join((*parts, source[at:]))
    return None if text == source else View(source, text, replacements)


def matches(
    source: str,
    pattern: re.Pattern[str],
    became: Callable[[str], str],
    span: tuple[int, int] | None = None,
) -> Iterator[Replacement]:
    """A replacement for each match in the source, or in a span of it, that changes something."""
    for match in pattern.finditer(source, *(span or ())):
        if (meaning := became(match[0])) != match[0]:
            yield Replacement(*match.span(), meaning)


def is_free(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    """Whether a stretch overlaps none of some others, which are in order and apart."""
    start, end = span
    after = bisect_right(taken, (start, start))
    near = taken[max(after - 1, 0) : after + 1]
    return not any(begin < end and start < stop for begin, stop in near)
