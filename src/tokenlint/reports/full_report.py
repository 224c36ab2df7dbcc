"""`--output-format full`: findings for people, with the line and carets."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenlint.reports.printable import encodable, printable, width
from tokenlint.reports.text import closing, code_of
from tokenlint.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenlint.diagnostic import Diagnostic
    from tokenlint.reports.checked import Checked
    from tokenlint.reports.style import Style

MOST_ALIKE = 5
"Lines of one file that `full` shows for one rule; the findings on further lines are counted."

_WIDEST = 400
"Characters that are shown of a line: what is around a finding is short, the finding can be long."


def lines(checked: Checked, style: Style) -> Iterator[str]:
    """The findings, then what the run came to."""
    yield from full(checked.diagnostics, style)
    if not checked.quiet:
        yield from closing(checked.diagnostics, checked.summary)


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
        more = counted(number, f"more {code} finding")
        yield f"{printable(path)}: {more} on other lines (--output-format concise shows all)"
    if left_out:
        yield ""


def _block(group: Sequence[Diagnostic], style: Style) -> Iterator[str]:
    first = group[0]
    row, column = first.location
    more = f" (and {len(group) - 1} more on this line)" if len(group) > 1 else ""
    yield f"{code_of(first, style)} {printable(first.message)}{more}"
    yield f"  {style.paint('-->', 'blue')} {printable(first.path)}:{row}:{column}"
    if first.line:
        yield from _source(group, style)
    if first.help:
        yield f"  {style.paint('=', 'blue')} help: {printable(first.help)}"
    yield ""


def _source(group: Sequence[Diagnostic], style: Style) -> Iterator[str]:
    """The source line, and carets under every finding of the group that is in sight."""
    first, bar = group[0], style.paint("|", "blue")
    number = str(first.location.row)
    indent = " " * len(number)
    cut = "..." if first.line_column > 1 else ""
    line = _visible(first.line[:_WIDEST], style) + "..." * (len(first.line) > _WIDEST)
    carets = _visible_carets(group, style)
    yield f"{indent} {bar}"
    yield f"{style.paint(number, 'blue')} {bar} {cut}{line}"
    yield f"{indent} {bar} {' ' * len(cut)}{style.paint(carets, 'red')}"


def _visible(text: str, style: Style) -> str:
    return encodable(printable(text), style.encoding)


def _visible_carets(group: Sequence[Diagnostic], style: Style) -> str:
    """Spaces and carets as wide as a terminal shows the text above them."""
    first, carets = group[0], ""
    line = first.line[:_WIDEST]
    for diagnostic in group:
        row, column = diagnostic.location
        ends = diagnostic.end_location.column if diagnostic.end_location.row == row else None
        start = column - first.line_column
        covered = line[start : None if ends is None else ends - first.line_column]
        if covered or diagnostic is first:
            before = width(_visible(line[:start], style))
            carets = carets.ljust(before) + "^" * max(1, width(_visible(covered, style)))
    return carets
