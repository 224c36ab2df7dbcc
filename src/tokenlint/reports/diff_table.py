"""`tokenlint diff` as a table, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.reports import diff_words as words
from tokenlint.reports.printable import printable, width
from tokenlint.reports.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenlint.reports.diff_values import File, Report

_TEXTS = ("file", "status", "tokenizer")
_MOST_NOTES = 20


def lines(report: Report) -> Iterator[str]:
    """What was compared, the files that differ, and what is to be said of them together."""
    yield f"{printable(words.compared(report))}:"
    yield ""
    yield f"{words.headline(report, printable)}."
    if report.shown:
        yield ""
        yield from _table(report)
    for block in (_said(report), _costs(report)):
        if block:
            yield ""
            yield from block


def _said(report: Report) -> list[str]:
    """Sentences under the table."""
    folded = len(report.files) - len(report.shown)
    said = [*map(printable, words.noise(report))]
    said += [f"{words.group(group, printable)}." for group in report.groups]
    if folded and report.shown:
        differ = "differ and have" if folded != 1 else "differs and has"
        said.append(f"{counted(folded, 'more file')} {differ} as many tokens as before.")
    said += _notes(report)
    return said + [printable(f"{d.path}:1:1: {d.code} {d.message}") for d in report.findings]


def _notes(report: Report) -> list[str]:
    noted = [printable(f"{file.path}: {file.note}") for file in report.files if file.note]
    more = len(noted) - _MOST_NOTES
    return noted[:_MOST_NOTES] + [f"and {counted(more, 'more note')}"] * (more > 0)


def _costs(report: Report) -> list[str]:
    return [] if report.cost is None else list(report.cost.lines())


def _table(report: Report) -> Iterator[str]:
    """The rows in columns, without the columns that have nothing to say."""
    cells = [dict(row) for row in _rows(report)]
    names = [name for name in cells[0] if _is_worth_it(name, cells, report)]
    rows = [names, *([row[name] for name in names] for row in cells)]
    sizes = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        set_ = (_set(*cell) for cell in zip(row, sizes, names, strict=True))
        yield "  ".join(set_).rstrip()


def _is_worth_it(name: str, rows: Sequence[dict[str, str]], report: Report) -> bool:
    if name == "tokenizer":
        return len(report.tokenizers) > 1
    if name in ("text", "noise"):
        return report.has_noise
    return name != "budget" or any(row[name] not in ("-", "") for row in rows)


def _set(cell: str, size: int, name: str) -> str:
    gap = " " * (size - width(cell))
    return cell + gap if name in _TEXTS else gap + cell


def _rows(report: Report) -> Iterator[dict[str, str]]:
    """A row for each file and tokenizer, then the total."""
    for file in report.shown:
        for name in report.tokenizers:
            yield {
                "file": printable(named(file)),
                "status": file.status,
                "tokenizer": name,
                **words.cells_of(file, name),
                "budget": words.share(file, name),
            }
    if len(report.files) != 1 or report.unchanged is not None:
        for one in report.totals:
            total = {"file": "total", "status": "", "tokenizer": one.tokenizer}
            yield {**total, **words.cells(one), "budget": ""}


def named(file: File) -> str:
    """The path, with the old one before it."""
    return file.path if file.old_path is None else f"{file.old_path} -> {file.path}"
