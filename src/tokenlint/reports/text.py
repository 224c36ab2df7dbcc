"""`--output-format full` and `concise`: findings for people, then what the run came to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenlint.reports.printable import encodable, printable, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenlint.diagnostic import Diagnostic
    from tokenlint.reports.style import Style

MOST_ALIKE = 10
"Findings of one rule in one file that `full` shows with their line; the rest is counted."


@dataclass(frozen=True)
class Cost:
    """What decomposed text costs with one tokenizer: tokens as it is, and once composed."""

    tokenizer: str
    as_is: int
    composed: int


@dataclass(frozen=True)
class Summary:
    """What a run did besides finding things."""

    checked: int
    skipped: Counter[str] = field(default_factory=Counter)
    fixed: int = 0
    problems: int = 0
    costs: Sequence[Cost] = ()


def full(diagnostics: Sequence[Diagnostic], style: Style) -> Iterator[str]:
    """Each finding with its line and a caret; many alike in one file are cut short, and counted."""
    shown: Counter[tuple[str, str]] = Counter()
    for diagnostic in diagnostics:
        key = (diagnostic.path, diagnostic.code)
        shown[key] += 1
        if shown[key] <= MOST_ALIKE:
            yield from _one_full(diagnostic, style)
    for (path, code), number in shown.items():
        if number > MOST_ALIKE:
            yield (
                f"{printable(path)}: {number - MOST_ALIKE:,} more {code} findings, "
                "shown by --output-format concise"
            )
            yield ""


def concise(diagnostics: Iterable[Diagnostic], style: Style) -> Iterator[str]:
    """A line a finding: `path:row:column: CODE message`."""
    for diagnostic in diagnostics:
        row, column = diagnostic.location
        place = style.paint(printable(diagnostic.path), "bold") + f":{row}:{column}:"
        yield f"{place} {_code(diagnostic, style)} {printable(diagnostic.message)}"


def _one_full(diagnostic: Diagnostic, style: Style) -> Iterator[str]:
    row, column = diagnostic.location
    yield f"{_code(diagnostic, style)} {printable(diagnostic.message)}"
    yield f"  {style.paint('-->', 'blue')} {printable(diagnostic.path)}:{row}:{column}"
    if diagnostic.line:
        yield from _source(diagnostic, style)
    yield ""


def _code(diagnostic: Diagnostic, style: Style) -> str:
    code = style.paint(diagnostic.code, "red" if diagnostic.is_error else "yellow")
    mark = f" [{style.paint('*', 'cyan')}]" if diagnostic.fix is not None else ""
    return f"{code}{mark}" + ("" if diagnostic.is_error else " warning:")


def _source(diagnostic: Diagnostic, style: Style) -> Iterator[str]:
    row, column = diagnostic.location
    before = diagnostic.line[: column - diagnostic.line_column]
    stop = diagnostic.end_location.column if diagnostic.end_location.row == row else None
    covered = diagnostic.line[len(before) : None if stop is None else stop - diagnostic.line_column]
    rest = diagnostic.line[len(before) + len(covered) :]
    cut = "..." if diagnostic.line_column > 1 else ""
    shown = [encodable(printable(part), style.encoding) for part in (before, covered, rest)]
    bar, number = style.paint("|", "blue"), str(row)
    indent = " " * len(number)
    carets = "^" * max(1, width(shown[1]))
    yield f"{indent} {bar}"
    yield f"{style.paint(number, 'blue')} {bar} {cut}{''.join(shown)}"
    yield f"{indent} {bar} {' ' * (len(cut) + width(shown[0]))}{style.paint(carets, 'red')}"


def statistics(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """How often each rule found something, the most frequent first."""
    found = list(diagnostics)
    counts = Counter((diagnostic.code, diagnostic.name) for diagnostic in found)
    fixable = {diagnostic.code for diagnostic in found if diagnostic.fix is not None}
    for (code, name), number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{number}\t{code}\t[{'*' if code in fixable else ' '}] {name}"


def closing(diagnostics: Sequence[Diagnostic], summary: Summary) -> Iterator[str]:
    """The last lines: findings, fixes, what decomposed text costs, and every file's whereabouts."""
    yield from map(_cost, summary.costs)
    yield from _found(diagnostics, summary)
    skipped = ", ".join(f"{number} {reason}" for reason, number in sorted(summary.skipped.items()))
    total = sum(summary.skipped.values())
    files = f"{summary.checked:,} file" + "s" * (summary.checked != 1)
    yield f"Checked {files}" + (f", skipped {total:,} ({skipped})." if total else ".")


def _found(diagnostics: Sequence[Diagnostic], summary: Summary) -> Iterator[str]:
    warnings = sum(not diagnostic.is_error for diagnostic in diagnostics)
    fixable = sum(_is_safe(diagnostic) for diagnostic in diagnostics)
    unsafe = sum(d.fix is not None for d in diagnostics) - fixable
    total = len(diagnostics) + summary.fixed
    if not total:
        if summary.checked and not summary.problems:
            yield "All checks passed!"
        return
    what = f"Found {total:,} finding" + "s" * (total != 1)
    if summary.fixed:
        what += f" ({summary.fixed:,} fixed, {len(diagnostics):,} remaining)"
    if warnings:
        what += f", {warnings:,} of them warning" + "s" * (warnings != 1)
    yield what + "."
    if fixable:
        yield f"[*] {fixable:,} fixable with --fix."
    if unsafe:
        yield f"{unsafe:,} more fixable with --fix --unsafe-fixes."


def _is_safe(diagnostic: Diagnostic) -> bool:
    return diagnostic.fix is not None and diagnostic.fix.applicability == "safe"


def _cost(cost: Cost) -> str:
    change = cost.composed - cost.as_is
    what = f"Decomposed text, {cost.tokenizer}: {cost.as_is:,} tokens as it is, "
    if change == 0:
        return what + "as many in NFC."
    share = f", {100 * change / cost.as_is:+.1f} %" if cost.as_is else ""
    return what + f"{cost.composed:,} in NFC ({change:+,}{share})."
