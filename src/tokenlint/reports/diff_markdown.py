"""`tokenlint diff` as a comment of a pull request."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tokenlint.reports import diff_words as words
from tokenlint.reports.comment import MOST, fitted, folded, marker, shortened, size
from tokenlint.reports.escaping import markdown_cell, markdown_code
from tokenlint.reports.tables import bar
from tokenlint.reports.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenlint.reports.diff_values import Difference, File, Report

_TEXTS = ("file", "status", "tokenizer")
_MOST, _LONGEST = 20, 200
_FOR_A_LIST = 8_000
_FOR_ROWS = 20_000
"Characters that stay free for the table, whatever there is to be said around it."


def lines(report: Report) -> Iterator[str]:
    """A headline, what is over a limit, the files that differ, and the rest folded."""
    head = [marker("diff"), f"### {words.headline(report, _place)}", ""]
    head += _some(f"- **{d.code}** {_place(d.path)}: {_cell(d.message)}" for d in report.findings)
    head += [""] * bool(report.findings)
    names = _names(report)
    rows = [bar(row[name] for name in names) for row in _rows(report)]
    if rows:
        head += [bar(names), bar("---" if name in _TEXTS else "--:" for name in names)]
    yield from fitted(head, rows, list(_tail(report, MOST - size(head) - _FOR_ROWS)), _more)


def _more(number: int) -> list[str]:
    what = counted(number, "more row")
    return ["", f"{what} left out: a comment holds 65,536 characters. `tokenlint diff` shows all."]


def _tail(report: Report, room: int) -> Iterator[str]:
    """Each section that there is room for."""
    for title, section in _sections(report):
        block = ["", *folded(title, section)]
        if size(block) > room:
            block = ["", f"{title}: left out, a comment holds 65,536 characters."]
        room -= size(block)
        yield from block


def _sections(report: Report) -> Iterator[tuple[str, list[str]]]:
    if report.cost is not None:
        yield "Cost", list(report.cost.markdown())
    details = [f"- {_cell(words.compared(report))}", f"- {words.closing(report)}"]
    details += (f"- {_cell(sentence)}" for sentence in words.noise(report))
    details += _some(f"- {words.group(group, _place)}" for group in report.groups)
    if report.unchanged is None and report.files:
        details.append(
            "- The total is that of the files that differ; `--all` counts the others too."
        )
    details += _some(f"- {_place(f.path)}: {_cell(f.note)}" for f in report.files if f.note)
    details += _some(f"- {_place(one.path)} left out: {one.reason}" for one in report.skipped)
    yield "Details", details


def _some(said: Iterable[str]) -> list[str]:
    """The first of many lines, and how many more there are."""
    all_ = list(said)
    kept = list(fitted([], all_[:_MOST], [], lambda _number: [], most=_FOR_A_LIST))
    more = len(all_) - len(kept)
    return kept + [f"- and {more:,} more"] * (more > 0)


def _place(path: str) -> str:
    return markdown_code(shortened(path, _LONGEST))


def _cell(text: str) -> str:
    return markdown_cell(shortened(text, _LONGEST))


def _names(report: Report) -> list[str]:
    """The columns that have something to say."""
    several = ["tokenizer"] if len(report.tokenizers) > 1 else []
    noise = ["text", "noise"] if report.has_noise else []
    budget = ["budget"] if any(file.shares for file in report.shown) else []
    return ["file", "status", *several, "before", "after", "change", "%", *noise, *budget]


def _rows(report: Report) -> Iterator[dict[str, str]]:
    for file in report.shown:
        for name in report.tokenizers:
            figures = words.cells_of(file, name)
            yield _row(_named(file), file.status, name, figures, words.share(file, name))
    folded_ = len(report.files) - len(report.shown)
    if report.shown and folded_:
        yield from islice(_same(folded_, report), 1)
    if report.shown and (len(report.files) != 1 or report.unchanged is not None):
        for one in report.totals:
            yield {key: f"**{cell}**" if cell else "" for key, cell in _total(one).items()}


def _same(number: int, report: Report) -> Iterator[dict[str, str]]:
    what = f"{counted(number, 'file')} with as many tokens as before"
    yield dict.fromkeys(("status", *_names(report)), "") | {"file": what}


def _total(one: Difference) -> dict[str, str]:
    return _row("total", "", one.tokenizer, words.cells(one), "")


def _named(file: File) -> str:
    new = _place(file.path)
    return new if file.old_path is None else f"{_place(file.old_path)} → {new}"


def _row(
    name: str, status: str, tokenizer: str, figures: dict[str, str], budget: str
) -> dict[str, str]:
    said = {"file": name, "status": status, "tokenizer": markdown_cell(tokenizer)}
    return {**said, **figures, "budget": budget}
