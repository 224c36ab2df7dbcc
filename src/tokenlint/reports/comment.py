"""Reports that are comments of a pull request: found by a marker, and never too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MOST = 65_536
"Characters that GitHub takes in a comment; counted here in units of UTF-16, as its editor counts."


def marker(command: str) -> str:
    """The first line of a comment, which nobody sees and which a later run looks for."""
    return f"<!-- tokenlint:{command} -->"


def size(lines: Sequence[str]) -> int:
    """What lines come to, line ends included."""
    return sum(len(line.encode("utf-16-le")) // 2 + 1 for line in lines)


def fitted(
    head: Sequence[str],
    rows: Sequence[str],
    tail: Sequence[str],
    more: Callable[[int], Sequence[str]],
    *,
    most: int = MOST,
) -> Iterator[str]:
    """The head, as many rows as there is room for, and the tail.

    Where rows are left out, the lines that `more` gives for their number stand between.
    """
    room = most - size(head) - size(tail)
    kept = _fitting(rows, room)
    if kept < len(rows):
        kept = _fitting(rows, room - size(more(len(rows))))
    yield from head
    yield from rows[:kept]
    if kept < len(rows):
        yield from more(len(rows) - kept)
    yield from tail


def _fitting(rows: Sequence[str], room: int) -> int:
    """How many of the rows, from the first, there is room for."""
    for at, row in enumerate(rows):
        room -= size([row])
        if room < 0:
            return at
    return len(rows)


def folded(title: str, lines: Sequence[str]) -> Iterator[str]:
    """Lines that a reader opens; the title is HTML."""
    yield from opened(title)
    yield from lines
    yield from CLOSED


def opened(title: str) -> Iterator[str]:
    """The beginning of what is folded; Markdown in it needs the empty line."""
    yield "<details>"
    yield f"<summary>{title}</summary>"
    yield ""


CLOSED = ("", "</details>")
"The end of what is folded."


def shortened(text: str, most: int) -> str:
    """A text that is not longer than this, with the end cut off where it must be."""
    return text if len(text) <= most else f"{text[: most - 3]}..."
