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

MOST_ALIKE = 5
"Lines of one file that `full` shows for one rule; the findings on further lines are counted."


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
    """The findings of a rule on one line together, with the line and carets.

    Many alike in one file are cut short, and what is left out is counted.
    """
    groups: dict[tuple[str, str, int, str], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        row, what = diagnostic.location.row, (diagnostic.path, diagnostic.code)
        key = (*what, row, diagnostic.level)  # a warning must not stand for an error
        groups.setdefault(key, []).append(diagnostic)
    shown: Counter[tuple[str, str]] = Counter()
    left_out: Counter[tuple[str, str]] = Counter()
    for (path, code, _, _), group in groups.items():
        shown[path, code] += 1
        if shown[path, code] <= MOST_ALIKE:
            yield from _block(group, style)
        else:
            left_out[path, code] += len(group)
    yield from _left_out(left_out)


def _left_out(left_out: Counter[tuple[str, str]]) -> Iterator[str]:
    for (path, code), number in left_out.items():
        more = f"{number:,} more {code} finding" + "s" * (number != 1)
        yield f"{printable(path)}: {more} on other lines (--output-format concise shows all)"
    if left_out:
        yield ""


def concise(diagnostics: Iterable[Diagnostic], style: Style) -> Iterator[str]:
    """A line a finding: `path:row:column: CODE message`."""
    for diagnostic in diagnostics:
        row, column = diagnostic.location
        place = style.paint(printable(diagnostic.path), "bold") + f":{row}:{column}:"
        yield f"{place} {_code(diagnostic, style)} {printable(diagnostic.message)}"


def _block(group: Sequence[Diagnostic], style: Style) -> Iterator[str]:
    first = group[0]
    row, column = first.location
    more = f" (and {len(group) - 1} more on this line)" if len(group) > 1 else ""
    yield f"{_code(first, style)} {printable(first.message)}{more}"
    yield f"  {style.paint('-->', 'blue')} {printable(first.path)}:{row}:{column}"
    if first.line:
        yield from _source(group, style)
    if first.help:
        yield f"  {style.paint('=', 'blue')} help: {printable(first.help)}"
    yield ""


def _code(diagnostic: Diagnostic, style: Style) -> str:
    code = style.paint(diagnostic.code, "red" if diagnostic.is_error else "yellow")
    mark = f" [{style.paint('*', 'cyan')}]" if _is_safe(diagnostic) else ""
    return f"{code}{mark}" + ("" if diagnostic.is_error else " warning:")


def _source(group: Sequence[Diagnostic], style: Style) -> Iterator[str]:
    """The source line, and carets under every finding of the group that is in sight."""
    first, bar = group[0], style.paint("|", "blue")
    number = str(first.location.row)
    indent = " " * len(number)
    cut = "..." if first.line_column > 1 else ""
    line = _visible(first.line, style)
    carets = _visible_carets(group, style)
    yield f"{indent} {bar}"
    yield f"{style.paint(number, 'blue')} {bar} {cut}{line}"
    yield f"{indent} {bar} {' ' * len(cut)}{style.paint(carets, 'red')}"


def _visible(text: str, style: Style) -> str:
    return encodable(printable(text), style.encoding)


def _visible_carets(group: Sequence[Diagnostic], style: Style) -> str:
    """Spaces and carets as wide as a terminal shows the text above them."""
    first, carets = group[0], ""
    for diagnostic in group:
        row, column = diagnostic.location
        ends = diagnostic.end_location.column if diagnostic.end_location.row == row else None
        start = column - first.line_column
        covered = first.line[start : None if ends is None else ends - first.line_column]
        if covered or diagnostic is first:
            before = width(_visible(first.line[:start], style))
            carets = carets.ljust(before) + "^" * max(1, width(_visible(covered, style)))
    return carets


def statistics(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """How often each rule found something, the most frequent first."""
    found = list(diagnostics)
    counts = Counter((diagnostic.code, diagnostic.name) for diagnostic in found)
    fixable = {diagnostic.code for diagnostic in found if _is_safe(diagnostic)}
    for (code, name), number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{number}\t{code}\t[{'*' if code in fixable else ' '}] {name}"


def closing(diagnostics: Sequence[Diagnostic], summary: Summary) -> Iterator[str]:
    """The last lines: findings, fixes, what decomposed text costs, and every file's whereabouts."""
    yield from map(_cost, summary.costs)
    yield from _found(diagnostics, summary)
    files = f"{summary.checked:,} file" + "s" * (summary.checked != 1)
    yield f"Checked {files}" + (f", {left_out(summary.skipped)}." if summary.skipped else ".")


def left_out(skipped: Counter[str]) -> str:
    """`skipped 3 (2 binary, 1 over the size limit)`: how many files, and why."""
    why = ", ".join(f"{number} {reason}" for reason, number in sorted(skipped.items()))
    return f"skipped {skipped.total():,} ({why})"


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
        yield f"{unsafe:,} fixable with --fix --unsafe-fixes."


def _is_safe(diagnostic: Diagnostic) -> bool:
    return diagnostic.fix is not None and diagnostic.fix.applicability == "safe"


def _cost(cost: Cost) -> str:
    change = cost.composed - cost.as_is
    what = f"Decomposed text, {cost.tokenizer}: {cost.as_is:,} tokens as it is, "
    if change == 0:
        return what + "as many in NFC."
    share = f", {100 * change / cost.as_is:+.1f} %" if cost.as_is else ""
    return what + f"{cost.composed:,} in NFC ({change:+,}{share})."
