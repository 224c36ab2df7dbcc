"""`tokenlint compare` as a table, JSON, CSV and Markdown; no meaning is `-`, null or empty."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import TYPE_CHECKING

from tokenlint.reports.escaping import csv_path, markdown_cell, markdown_code
from tokenlint.reports.printable import printable, width
from tokenlint.reports.tables import csv_lines, markdown_lines
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


def as_jsonl(rows: Sequence[Row], reference: str | None = None) -> Iterator[str]:
    """A row a line, each with the reference."""
    return (json.dumps({"reference": reference, **asdict(row)}) for row in rows)


def as_csv(rows: Sequence[Row], _reference: str | None = None) -> list[str]:
    """The figures unrounded, under the names that they have in JSON."""
    facts = (
        asdict(row) | {"path": csv_path(row.path), "tokenizer": printable(row.tokenizer)}
        for row in rows
    )
    return csv_lines([COLUMNS, *([cells[name] for name in COLUMNS] for cells in facts)])


def as_markdown(rows: Sequence[Row], _reference: str | None = None) -> Iterator[str]:
    """A table for a comment or a report."""
    cells = ([markdown_code(row.path), *map(markdown_cell, _cells(row)[1:])] for row in rows)
    return markdown_lines([tuple(map(_heading, COLUMNS)), *cells], tuple(map(_heading, _TEXTS)))


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
    "jsonl": as_jsonl,
    "csv": as_csv,
    "markdown": as_markdown,
}
"The formats by name: rows and the reference become lines."
