"""Counts and comparisons in every format, read back by a parser of its own."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict, dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hostile import PATHS, TEXTS, harmful, paired
from markup import page
from tokenlint.reports import compare_report, count_report
from tokenlint.reports.count_report import CountTable
from tokenlint.reports.formats import TABLES
from tokenlint.reports.printable import printable
from tokenlint.tokens.comparison import Row as Compared


@dataclass(frozen=True)
class Counts:
    path: str
    bytes: int
    characters: int
    words: int | None
    tokens: dict[str, int]


NUMBERS = st.integers(0, 10**7)
FIGURES = st.none() | st.floats(0, 1e6, allow_nan=False)
NAMES = st.lists(TEXTS.filter(bool), min_size=1, max_size=2, unique_by=paired)


@st.composite
def count_tables(draw: st.DrawFn) -> CountTable:
    names = draw(NAMES)
    words = st.none() | NUMBERS
    tokens = st.fixed_dictionaries(dict.fromkeys(names, NUMBERS))
    rows = st.builds(Counts, PATHS, NUMBERS, NUMBERS, words, tokens)
    shown, total = draw(st.lists(rows, max_size=3)), draw(rows)
    return CountTable(shown, Counts("total", *list(vars(total).values())[1:]), len(shown))


COMPARED = st.lists(
    st.builds(
        Compared,
        PATHS,
        st.sampled_from(["as-is", "nfc"]),
        TEXTS,
        NUMBERS,
        st.none() | NUMBERS,
        st.sampled_from(["word", "grapheme", None]),
        NUMBERS,
        NUMBERS,
        *[FIGURES] * 4,
    ),
    max_size=3,
)


def text(lines: Any) -> str:
    return "".join(f"{line}\n" for line in lines)


def rows_of_csv(lines: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text(lines)), strict=True))


def test_both_have_every_format() -> None:
    assert tuple(count_report.FORMATS) == tuple(compare_report.FORMATS) == TABLES


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=25)
@given(table=count_tables(), rows=COMPARED, reference=st.none() | PATHS)
def test_no_table_holds_what_acts_on_a_terminal(
    name: str, table: CountTable, rows: list[Compared], reference: str | None
) -> None:
    assert harmful(text(count_report.FORMATS[name](table))) <= {"\n"}
    assert harmful(text(compare_report.FORMATS[name](rows, reference))) <= {"\n"}


def in_json(row: Any) -> dict[str, Any]:
    return {
        "path": paired(row.path),
        "bytes": row.bytes,
        "characters": row.characters,
        "words": row.words,
        "tokens": {paired(name): number for name, number in row.tokens.items()},
    }


@settings(max_examples=40)
@given(count_tables())
def test_counts_as_json(table: CountTable) -> None:
    read = json.loads(text(count_report.as_json(table)))
    assert read["files"] == list(map(in_json, table.shown))
    total = in_json(table.total)
    del total["path"]
    assert read["total"] == {"files": table.files, **total}
    by_line = [json.loads(line) for line in count_report.as_jsonl(table)]
    assert by_line == read["files"]


@settings(max_examples=40)
@given(count_tables())
def test_counts_as_csv(table: CountTable) -> None:
    head, *rows = rows_of_csv(count_report.as_csv(table))
    names = map(printable, table.tokenizers)
    assert head == ["path", "bytes", "characters", "words", *names]
    assert [row[0].removeprefix("./") for row in rows] == [
        printable(row.path).removeprefix("./") for row in table.shown
    ]
    assert [row[1:] for row in rows] == [
        ["" if n is None else str(n) for n in (r.bytes, r.characters, r.words, *r.tokens.values())]
        for r in table.shown
    ]


@settings(max_examples=40)
@given(count_tables())
def test_counts_as_markdown(table: CountTable) -> None:
    read = page(text(count_report.as_markdown(table)))
    assert (read.comments, read.references) == ([], [])
    [[head, *rows]] = read.tables
    assert head == ["file", "bytes", "characters", "words", *map(printable, table.tokenizers)]
    assert rows == [
        [
            printable(row.path),
            f"{row.bytes:,}",
            f"{row.characters:,}",
            "-" if row.words is None else f"{row.words:,}",
            *(f"{number:,}" for number in row.tokens.values()),
        ]
        for row in table.rows
    ]


@settings(max_examples=40)
@given(COMPARED, st.none() | PATHS)
def test_comparisons_as_json(rows: list[Compared], reference: str | None) -> None:
    wanted = [
        asdict(row) | {"path": paired(row.path), "tokenizer": paired(row.tokenizer)} for row in rows
    ]
    named = None if reference is None else paired(reference)
    read = json.loads(text(compare_report.as_json(rows, reference)))
    assert read == {"reference": named, "rows": wanted}
    by_line = [json.loads(line) for line in compare_report.as_jsonl(rows, reference)]
    assert by_line == [{"reference": named, **row} for row in wanted]


@settings(max_examples=40)
@given(COMPARED)
def test_comparisons_as_csv(rows: list[Compared]) -> None:
    head, *read = rows_of_csv(compare_report.as_csv(rows))
    assert head == list(compare_report.COLUMNS)
    wanted = [[str("" if v is None else v) for v in asdict(row).values()] for row in rows]
    for cells, row in zip(wanted, rows, strict=True):
        cells[0], cells[2] = printable(row.path).removeprefix("./"), printable(row.tokenizer)
    assert [[cells[0].removeprefix("./"), *cells[1:]] for cells in read] == wanted


@settings(max_examples=40)
@given(COMPARED)
def test_comparisons_as_markdown(rows: list[Compared]) -> None:
    read = page(text(compare_report.as_markdown(rows)))
    assert (read.comments, read.references) == ([], [])
    [[_, *cells]] = read.tables
    assert [(one[0], one[1], one[2], one[3]) for one in cells] == [
        (printable(row.path), row.form, printable(row.tokenizer), f"{row.tokens:,}") for row in rows
    ]
