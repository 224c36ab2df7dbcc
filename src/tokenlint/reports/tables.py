"""Rows of cells as text: columns for people, CSV, and Markdown."""

from __future__ import annotations

import csv
import io
from itertools import starmap
from typing import TYPE_CHECKING

from tokenlint.reports.printable import width

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence


def csv_lines(rows: Iterable[Iterable[str | float | None]]) -> list[str]:
    """Rows as CSV; no cell may hold a line end. None is an empty cell."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().split("\n")[:-1]


def markdown_lines(rows: Iterable[Sequence[str]], texts: Container[str]) -> Iterator[str]:
    """Rows of escaped cells as a table of Markdown, the first as its head.

    The columns with these heads are set to the left, the figures to the right.
    """
    head, *rest = rows
    yield bar(head)
    yield bar("---" if name in texts else "--:" for name in head)
    yield from map(bar, rest)


def bar(cells: Iterable[str]) -> str:
    """A row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows set in columns, as wide as a terminal shows them: the first to the left."""
    sizes = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        figures = starmap(_right, zip(rest, sizes[1:], strict=True))
        yield "  ".join([first + " " * (sizes[0] - width(first)), *figures])


def _right(cell: str, size: int) -> str:
    return " " * (size - width(cell)) + cell
