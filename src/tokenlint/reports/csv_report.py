"""`--output-format csv`: a finding a row, for spreadsheets and data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.reports.escaping import csv_path
from tokenlint.reports.printable import printable
from tokenlint.reports.rule_pages import url_of
from tokenlint.reports.tables import csv_lines

if TYPE_CHECKING:
    from tokenlint.diagnostic import Diagnostic
    from tokenlint.reports.checked import Checked
    from tokenlint.reports.style import Style

COLUMNS = (
    "path",
    "row",
    "column",
    "end_row",
    "end_column",
    "code",
    "name",
    "level",
    "message",
    "fix",
    "url",
)


def lines(checked: Checked, _style: Style) -> list[str]:
    """The findings under their headings."""
    return csv_lines([COLUMNS, *map(_row, checked.diagnostics)])


def _row(diagnostic: Diagnostic) -> tuple[str | int, ...]:
    return (
        csv_path(diagnostic.path),
        *diagnostic.location,
        *diagnostic.end_location,
        diagnostic.code,
        diagnostic.name,
        diagnostic.level,
        printable(diagnostic.message),
        "" if diagnostic.fix is None else diagnostic.fix.applicability,
        url_of(diagnostic.code) or "",
    )
