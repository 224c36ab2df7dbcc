"""`tokenlint count` as a table, JSON, JSON Lines, CSV and Markdown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol

from tokenlint.frozen import frozen
from tokenlint.reports.escaping import csv_path, markdown_cell, markdown_code
from tokenlint.reports.printable import printable
from tokenlint.reports.tables import columns, csv_lines, markdown_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence


class Row(Protocol):
    """What one file, or all of them, came to. `words` is None where words mean nothing."""

    @property
    def path(self) -> str:
        """The file as reports show it."""
        ...

    @property
    def bytes(self) -> int:
        """Its size."""
        ...

    @property
    def characters(self) -> int:
        """Its code points."""
        ...

    @property
    def words(self) -> int | None:
        """Its words, where its script has them."""
        ...

    @property
    def tokens(self) -> Mapping[str, int]:
        """Its tokens by tokenizer."""
        ...


class Cost(Protocol):
    """What files cost as input, and all of them together."""

    def lines(self, shown: int) -> Iterable[str]:
        """Lines for a terminal, of the first files."""
        ...

    def markdown(self, shown: int) -> Iterable[str]:
        """Lines of Markdown, escaped."""
        ...

    def as_json(self, shown: int) -> Any:
        """What programs read."""
        ...


@frozen
class CountTable:
    """The files that are shown, the sum of all, and how many those are.

    `cost` is there where somebody asked what they cost.
    """

    shown: Sequence[Row]
    total: Row
    files: int
    cost: Cost | None = None

    @property
    def tokenizers(self) -> tuple[str, ...]:
        """The names of what was counted with."""
        return tuple(self.total.tokens)

    @property
    def heading(self) -> tuple[str, ...]:
        """The columns, the tokenizers among them."""
        return ("file", "bytes", "characters", "words", *map(printable, self.tokenizers))

    @property
    def rows(self) -> list[Row]:
        """The files, and the total where there is more than one."""
        return [*self.shown, *([self.total] if self.files != 1 else [])]


def as_table(table: CountTable) -> Iterator[str]:
    """The rows in columns."""
    yield from columns([table.heading, *map(_cells, table.rows)])
    if table.cost is not None:
        yield from ("", *table.cost.lines(len(table.shown)))


def as_json(table: CountTable) -> list[str]:
    """The files shown, and the total of all."""
    total = {"files": table.files, **_figures(table.total)}
    report = {"files": list(map(_facts, table.shown)), "total": total}
    if table.cost is not None:
        report["cost"] = table.cost.as_json(len(table.shown))
    return json.dumps(report, indent=2).splitlines()


def as_jsonl(table: CountTable) -> Iterator[str]:
    """A file a line; the total is left to who reads them."""
    return (json.dumps(_facts(row)) for row in table.shown)


def as_csv(table: CountTable) -> list[str]:
    """A file a row, the figures without separators; the total is left to the spreadsheet."""
    rows = (
        (csv_path(row.path), row.bytes, row.characters, row.words, *row.tokens.values())
        for row in table.shown
    )
    return csv_lines([("path", *table.heading[1:]), *rows])


def as_markdown(table: CountTable) -> Iterator[str]:
    """A table for a comment or a report."""
    head = [markdown_cell(name) for name in table.heading]
    files = [[markdown_code(row.path), *_cells(row)[1:]] for row in table.shown]
    sums = [[f"**{cell}**" for cell in _cells(row)] for row in table.rows[len(files) :]]
    yield from markdown_lines([head, *files, *sums], ("file",))
    if table.cost is not None:
        yield from ("", *table.cost.markdown(len(table.shown)))


def _cells(row: Row) -> tuple[str, ...]:
    words = "-" if row.words is None else f"{row.words:,}"
    tokens = (f"{count:,}" for count in row.tokens.values())
    return (printable(row.path), f"{row.bytes:,}", f"{row.characters:,}", words, *tokens)


def _facts(row: Row) -> dict[str, Any]:
    return {"path": row.path, **_figures(row)}


def _figures(row: Row) -> dict[str, Any]:
    return {
        "bytes": row.bytes,
        "characters": row.characters,
        "words": row.words,
        "tokens": dict(row.tokens),
    }


FORMATS: Mapping[str, Callable[[CountTable], Iterable[str]]] = {
    "table": as_table,
    "json": as_json,
    "jsonl": as_jsonl,
    "csv": as_csv,
    "markdown": as_markdown,
}
"The formats by name."
