"""`tokenlint compare` as a table, JSON, CSV and Markdown; no meaning is `-`, null or empty."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import asdict, fields
from typing import TYPE_CHECKING

from tokenlint.reports.printable import printable, width
from tokenlint.tokens.comparison import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_TEXTS = ("path", "form", "tokenizer", "word_unit")
_HEADINGS = {
    "path": "file",
    "word_unit": "unit",
    "characters_per_token": "characters/token",
    "bytes_per_token": "bytes/token",
}
"The columns whose headings differ from their names in JSON and CSV."

COLUMNS = tuple(column.name for column in fields(Row))


def as_json(rows: Sequence[Row], reference: str | None) -> list[str]:
    """The JSON report."""
    report = {"reference": reference, "rows": [asdict(row) for row in rows]}
    return json.dumps(report, indent=2).split("\n")


def as_csv(rows: Sequence[Row], _reference: str | None = None) -> list[str]:
    """The figures unrounded, under the names that they have in JSON."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        cells = asdict(row) | {"path": printable(row.path)}
        writer.writerow("" if cells[name] is None else cells[name] for name in COLUMNS)
    return text.getvalue().removesuffix("\n").split("\n")


def as_markdown(rows: Sequence[Row], _reference: str | None = None) -> Iterator[str]:
    """A table for a comment or a report."""
    yield _bar(map(_heading, COLUMNS))
    yield _bar("---" if name in _TEXTS else "--:" for name in COLUMNS)
    for row in rows:
        yield _bar(_ACTIVE.sub(r"\\\g<0>", cell) for cell in _cells(row))


_ACTIVE = re.compile(r"[\\`*_\[\]<>|~&]")


def _bar(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def as_table(rows: Sequence[Row], _reference: str | None = None) -> Iterator[str]:
    """The rows in columns."""
    lines = [tuple(map(_heading, COLUMNS)), *map(_cells, rows)]
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (
            _set(cell, size, name) for cell, size, name in zip(line, widths, COLUMNS, strict=True)
        )
        yield "  ".join(cells).rstrip()


def definitions(rows: Sequence[Row], reference: str | None) -> Iterator[str]:
    """What the figures under a table mean."""
    units = sorted({row.word_unit for row in rows if row.word_unit})
    if units:
        yield f"fertility: tokens of a whole text divided by its words (unit: {', '.join(units)})"
    if reference is not None:
        yield f"premium: tokens divided by the tokens of {printable(reference)} as it is"


def _heading(name: str) -> str:
    return _HEADINGS.get(name, name)


def _set(cell: str, size: int, name: str) -> str:
    gap = " " * (size - width(cell))
    return cell + gap if name in _TEXTS else gap + cell


def _cells(row: Row) -> tuple[str, ...]:
    return tuple(_cell(getattr(row, name)) for name in COLUMNS)


def _cell(value: str | float | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.2f}" if value >= 0.01 else f"{value:.1g}"


FORMATS: Mapping[str, Callable[[Sequence[Row], str | None], Iterable[str]]] = {
    "table": as_table,
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
}
"The formats by name: rows and the reference become lines."
