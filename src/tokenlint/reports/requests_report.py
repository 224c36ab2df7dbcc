"""Requests role by role: content, frame and total, in each format of a table."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from tokenlint.frozen import frozen
from tokenlint.reports.escaping import csv_path, markdown_cell
from tokenlint.reports.printable import printable
from tokenlint.reports.tables import columns, csv_lines, markdown_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokenlint.tokens.chat import Request
    from tokenlint.tokens.chat.counted import CountedRequest

MOST = 10
"Requests of one file and tokenizer that a table shows, unless asked; the rest is in the total."

_FIGURES = ("messages", "content", "frame", "total")
_TEXTS = ("path", "number", "row", "tokenizer", "format", "role")
_HEAD = (*_TEXTS, *_FIGURES)


@frozen
class RequestTable:
    """The requests that are shown, and all that were counted; `most` is what a table cuts at."""

    shown: Sequence[CountedRequest]
    counted: Sequence[CountedRequest]
    most: int | None = MOST


def as_table(table: RequestTable) -> Iterator[str]:
    """A block for each request, and a total for each tokenizer where there are several."""
    lines = list(_blocks(table))
    yield from lines if lines[-1:] != [""] else lines[:-1]


def _blocks(table: RequestTable) -> Iterator[str]:
    seen: Counter[tuple[str, str]] = Counter()
    for one in table.shown:
        seen[one.path, one.tokenizer] += 1
        if table.most is None or seen[one.path, one.tokenizer] <= table.most:
            yield from _block(one)
    for (path, tokenizer), number in seen.items():
        if table.most is not None and number > table.most:
            more = f"{number - table.most:,} more in the total (--top shows as many as it says)"
            yield f"{printable(path)}, {printable(tokenizer)}: {more}"
            yield ""
    if any(total["requests"] > 1 for total in totals(table.counted).values()):
        head = ("total", "requests", "content", "frame", "total")
        yield from columns([head, *_totals(table.counted)])


def _block(one: CountedRequest) -> Iterator[str]:
    place = f"{printable(one.path)}:{one.row}"
    yield f"{place} request {one.number}, {printable(one.tokenizer)} ({printable(one.label)})"
    roles = [(printable(role), *map(_figure, figures)) for role, *figures in _roles(one)]
    yield from columns([("role", *_FIGURES), *roles])
    yield ""


def _roles(one: CountedRequest) -> Iterator[tuple[Any, ...]]:
    """The figures of each role, and those of the request."""
    request, roles = one.request, one.roles
    for role in roles:
        yield role.role, role.messages, role.content, role.frame, role.total
    messages = sum(role.messages for role in roles)
    yield "total", messages, request.content, request.frame, request.total


def _figure(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"


def _totals(counted: Sequence[CountedRequest]) -> Iterator[tuple[str, ...]]:
    for name, total in totals(counted).items():
        yield (printable(name), *map(_figure, total.values()))


def totals(counted: Iterable[CountedRequest]) -> dict[str, dict[str, int]]:
    """The sums of all requests, tokenizer by tokenizer."""
    groups: dict[str, list[Request]] = {}
    for one in counted:
        groups.setdefault(one.tokenizer, []).append(one.request)
    return {
        name: {
            "requests": len(requests),
            "content": sum(request.content for request in requests),
            "frame": sum(request.frame for request in requests),
            "total": sum(request.total for request in requests),
        }
        for name, requests in groups.items()
    }


def as_json(table: RequestTable) -> list[str]:
    """The requests shown with their roles and turns, and the totals of all by tokenizer."""
    requests = [one.as_json() for one in table.shown]
    return json.dumps({"requests": requests, "total": totals(table.counted)}, indent=2).splitlines()


def as_jsonl(table: RequestTable) -> Iterator[str]:
    """A request a line."""
    for one in table.shown:
        yield json.dumps(one.as_json())


def as_csv(table: RequestTable) -> list[str]:
    """A row for each role of each request; the sums are left to who reads it."""
    rows = [
        (*map(csv_path, _names(one, role)), *figures)
        for one in table.shown
        for role, *figures in list(_roles(one))[:-1]
    ]
    return csv_lines([_HEAD, *rows])


def as_markdown(table: RequestTable) -> Iterator[str]:
    """The rows of the CSV, with a row for the sums of each request."""
    rows = [
        (*map(markdown_cell, _names(one, role)), *map(_figure, figures))
        for one in table.shown
        for role, *figures in _roles(one)
    ]
    yield from markdown_lines([_HEAD, *rows], _TEXTS)


def _names(one: CountedRequest, role: str) -> tuple[str, ...]:
    return one.path, str(one.number), str(one.row), one.tokenizer, one.label, role


FORMATS: Mapping[str, Callable[[RequestTable], Iterable[str]]] = {
    "table": as_table,
    "json": as_json,
    "jsonl": as_jsonl,
    "csv": as_csv,
    "markdown": as_markdown,
}
