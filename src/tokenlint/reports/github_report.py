"""`--output-format github`: annotations of GitHub Actions, errors first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.reports.escaping import workflow_log, workflow_property, workflow_value
from tokenlint.reports.text import closing, counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.diagnostic import Diagnostic
    from tokenlint.reports.checked import Checked, Place
    from tokenlint.reports.style import Style

MOST_SHOWN = 10
"Annotations of a level that GitHub shows for a step; the others stand in its log."


def lines(checked: Checked, _style: Style) -> Iterator[str]:
    """An annotation for each problem and finding, and a notice where GitHub shows only some."""
    for problem in checked.problems:
        yield f"::error title=tokenlint::{workflow_value(problem)}"
    for diagnostic in (*checked.errors, *checked.warnings):
        yield _annotation(diagnostic, checked.place)
    yield from _left_off(len(checked.problems) + len(checked.errors), len(checked.warnings))
    if not checked.quiet:
        yield from map(workflow_log, closing(checked.diagnostics, checked.summary))


def _annotation(diagnostic: Diagnostic, place: Place) -> str:
    properties = {
        "file": place.from_root(diagnostic.path),
        **_range(diagnostic),
        "title": f"{diagnostic.code} {diagnostic.name}",
    }
    said = ",".join(f"{name}={workflow_property(text)}" for name, text in properties.items())
    return f"::{diagnostic.level} {said}::{workflow_value(_message(diagnostic))}"


def _range(diagnostic: Diagnostic) -> dict[str, str]:
    """Rows, and columns where there is a range of them: GitHub takes none across lines."""
    (row, column), (end_row, end_column) = diagnostic.location, diagnostic.end_location
    rows = {"line": str(row), "endLine": str(end_row)}
    if row != end_row or column == end_column:
        return rows
    return rows | {"col": str(column), "endColumn": str(end_column)}


def _message(diagnostic: Diagnostic) -> str:
    """The place is said again: in the log a message stands by itself."""
    row, column = diagnostic.location
    message = f"{diagnostic.path}:{row}:{column}: {diagnostic.code} {diagnostic.message}"
    return f"{message}\nhelp: {diagnostic.help}" if diagnostic.help else message


def _left_off(errors: int, warnings: int) -> Iterator[str]:
    more = {"error": errors - MOST_SHOWN, "warning": warnings - MOST_SHOWN}
    said = [counted(number, f"more {level}") for level, number in more.items() if number > 0]
    if said:
        yield (
            f"::notice title=tokenlint::GitHub shows {MOST_SHOWN} errors and {MOST_SHOWN} warnings "
            f"of a step; {' and '.join(said)} can be read in its log only."
        )
