"""`--output-format concise`: a line a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.reports.printable import printable
from tokenlint.reports.text import closing, code_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenlint.diagnostic import Diagnostic
    from tokenlint.reports.checked import Checked
    from tokenlint.reports.style import Style


def lines(checked: Checked, style: Style) -> Iterator[str]:
    """The findings, then what the run came to."""
    yield from concise(checked.diagnostics, style)
    if not checked.quiet:
        yield from closing(checked.diagnostics, checked.summary)


def concise(diagnostics: Iterable[Diagnostic], style: Style) -> Iterator[str]:
    """A line a finding: `path:row:column: CODE message`."""
    for diagnostic in diagnostics:
        row, column = diagnostic.location
        place = style.paint(printable(diagnostic.path), "bold") + f":{row}:{column}:"
        yield f"{place} {code_of(diagnostic, style)} {printable(diagnostic.message)}"
