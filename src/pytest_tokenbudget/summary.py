"""The table of what was counted, nearest to its limit first: on the terminal and in files."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pytest_tokenbudget.verdicts import amount
from tokenlint.printable import markdown_cell, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from pytest_tokenbudget.records import Record

MOST_ROWS = 10
"Rows of `term`; `term:all` shows every one."

BAR = 20
"Characters of a bar: each stands for 5 % of the limit."

FORMS = "term, term:all, json:FILE or markdown:FILE"


@dataclass(frozen=True)
class Request:
    """One --tokenbudget-report: a form, and the file that it goes to."""

    form: Literal["term", "term:all", "json", "markdown"]
    path: str = ""


def request(text: str) -> Request:
    """What was asked for; argparse makes a usage error of what it cannot be."""
    form, _, path = text.partition(":")
    if text == "term":
        return Request("term")
    if text == "term:all":
        return Request("term:all")
    if form == "json" and path:
        return Request("json", path)
    if form == "markdown" and path:
        return Request("markdown", path)
    raise argparse.ArgumentTypeError(f"expected {FORMS}, found {text!r}")


def rows(records: Iterable[Record]) -> list[Record]:
    """The records without repetitions, nearest to the limit first.

    Of several values of one subject under one limit the largest stands for all.
    """
    largest: dict[tuple[object, ...], Record] = {}
    for record in records:
        key = (record.subject, record.kind, record.tokenizer, record.maximum)
        if key not in largest or record.value > largest[key].value:
            largest[key] = record
    return sorted(largest.values(), key=lambda row: (-row.share, row))


def report(asked: Request, found: Sequence[Record], folder: Path) -> list[str]:
    """The lines for the terminal; files are written below the folder.

    Raises OSError.
    """
    if asked.form in ("term", "term:all"):
        return list(_terminal(found, len(found) if asked.form == "term:all" else MOST_ROWS))
    text = as_json(found) if asked.form == "json" else as_markdown(found)
    path = folder / asked.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "backslashreplace"))
    return []


def as_json(found: Iterable[Record]) -> str:
    """A list of objects, the same keys in each."""
    return json.dumps({"limits": list(map(_object, found))}, indent=2, ensure_ascii=False) + "\n"


def as_markdown(found: Iterable[Record]) -> str:
    """A table of Markdown."""
    lines = ["| what | limit | value | share |", "| --- | ---: | ---: | --- |"]
    for row in found:
        cells = (
            markdown_cell(_what(row)),
            _limit(row),
            _value(row),
            f"`{bar(row)}` {row.percent} %",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _object(row: Record) -> dict[str, Any]:
    return {
        "subject": row.subject,
        "kind": row.kind,
        "tokenizer": row.tokenizer or None,
        "value": row.value,
        "unit": f"tokens per {row.unit}" if row.kind == "fertility_limit" else row.unit,
        "limit": row.maximum,
        "share": round(row.share, 4),
        "over": row.is_over,
        "near": row.is_near,
    }


def _terminal(found: Sequence[Record], most: int) -> Iterator[str]:
    yield ""
    if not found:
        yield "tokenbudget: no text was held to a limit"
        return
    table = [("what", "value", "limit", "share")]
    table += [
        (printable(_what(row)), _value(row), _limit(row), f"{row.percent} %")
        for row in found[:most]
    ]
    widths = [max(len(line[at]) for line in table) for at in range(4)]
    bars = ["", *map(bar, found)]
    for (what, value, limit, share), drawn in zip(table, bars, strict=False):
        numbers = f"{value:>{widths[1]}}  {limit:>{widths[2]}}  {share:>{widths[3]}}"
        yield f"{what:<{widths[0]}}  {numbers}  {drawn}".rstrip()
    if found[most:]:
        yield f"... and {len(found) - most} more (--tokenbudget-report=term:all)"


def bar(row: Record) -> str:
    """The share as a bar; what is over fills it and says so."""
    full = min(BAR, int(BAR * row.share))
    return f"[{'#' * full}{'.' * (BAR - full)}]{' over' if row.is_over else ''}"


def _what(row: Record) -> str:
    kind = {"token_budget_total": " total"}.get(row.kind, "")
    return f"{row.subject}{kind}{f' ({row.tokenizer})' if row.tokenizer else ''}"


def _value(row: Record) -> str:
    if row.kind == "fertility_limit":
        return f"{row.value:.2f} per {row.unit}"
    if row.kind == "premium_limit":
        return f"{row.value:.2f} times"
    return amount(row.value, row.unit)


def _limit(row: Record) -> str:
    is_ratio = row.kind in ("fertility_limit", "premium_limit")
    return f"{row.maximum:g}" if is_ratio else f"{row.maximum:,.0f}"
