"""A finding with its place in rows and columns: all that a report needs of the document."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tokenlint.frozen import frozen
from tokenlint.tokens import Document, Location, Unreadable

if TYPE_CHECKING:
    from tokenlint.rules import Finding
    from tokenlint.rules.base import Applicability, Fix, Level
    from tokenlint.tokens import ColumnUnit

_CONTEXT = 100  # characters kept before and behind a finding: a line can have millions


class PlacedEdit(NamedTuple):
    """An edit by rows and columns; `end_location` is the place behind the last character."""

    content: str
    location: Location
    end_location: Location


class PlacedFix(NamedTuple):
    """A fix by rows and columns."""

    applicability: Applicability
    message: str
    edits: tuple[PlacedEdit, ...]


@frozen
class Diagnostic:
    """What reports print. `line` is the part of the source line around the finding, and
    `line_column` the column that it begins at; both are empty for a file without text. `help` says
    what to do, where that can be said.
    """

    path: str
    location: Location
    end_location: Location
    code: str
    name: str
    level: Level
    message: str
    fix: PlacedFix | None = None
    line: str = ""
    line_column: int = 1
    help: str = ""

    @property
    def is_error(self) -> bool:
        """Whether it makes the run fail."""
        return self.level == "error"


def place(
    finding: Finding, document: Document | Unreadable | None, unit: ColumnUnit = "code-point"
) -> Diagnostic:
    """A finding as reports see it. Excerpts are for people, who read columns in code points."""
    start = end = Location(1, 1)
    fix, line, column = None, "", 1
    if isinstance(document, Document):
        span = finding.start, finding.end
        start, end = _locations(document, span)
        if finding.end > finding.start:
            line, column = _excerpt(document, start, end)
        if unit == "utf-16":
            start, end = _locations(document, span, unit)
        if finding.fix is not None:
            fix = _placed_fix(finding.fix, document, unit, {span: (start, end)})
    return Diagnostic(
        finding.path,
        start,
        end,
        finding.code,
        finding.name,
        finding.level,
        finding.message,
        fix,
        line,
        column,
        finding.help,
    )


def _locations(
    document: Document, span: tuple[int, int], unit: ColumnUnit = "code-point"
) -> tuple[Location, Location]:
    return document.location(span[0], unit), document.location(span[1], unit)


def _placed_fix(
    fix: Fix,
    document: Document,
    unit: ColumnUnit,
    known: dict[tuple[int, int], tuple[Location, Location]],
) -> PlacedFix:
    """A fix by rows and columns; most edits have the place of their finding, which is known."""
    edits = []
    for edit in fix.edits:
        span = edit.start, edit.end
        places = known.get(span) or _locations(document, span, unit)
        edits.append(PlacedEdit(edit.content, *places))
    return PlacedFix(fix.applicability, fix.message, tuple(edits))


def _excerpt(document: Document, start: Location, end: Location) -> tuple[str, int]:
    line_start = document.line_starts[start.row - 1]
    left = max(0, start.column - 1 - _CONTEXT)
    right = (end.column if end.row == start.row else start.column) + _CONTEXT
    part = document.text[line_start + left : line_start + right]
    return part.partition("\n")[0].partition("\r")[0], left + 1
