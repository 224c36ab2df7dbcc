"""`--output-format json`: a list of findings that other programs may rely on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokenlint.reports.rule_pages import url_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenlint.diagnostic import Diagnostic, PlacedFix
    from tokenlint.reports.checked import Checked
    from tokenlint.reports.style import Style
    from tokenlint.tokens import Location


def lines(checked: Checked, _style: Style) -> list[str]:
    """The report line by line."""
    return render(checked.diagnostics).splitlines()


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """The findings as JSON, in ASCII, with a final newline."""
    return json.dumps([as_json(diagnostic) for diagnostic in diagnostics], indent=2) + "\n"


def as_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """One finding; rows and columns start at 1, columns count code points."""
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "level": diagnostic.level,
        "message": diagnostic.message,
        "filename": diagnostic.path,
        "location": _place(diagnostic.location),
        "end_location": _place(diagnostic.end_location),
        "fix": None if diagnostic.fix is None else _fix(diagnostic.fix),
        "url": url_of(diagnostic.code),
    }


def _place(location: Location) -> dict[str, int]:
    return {"row": location.row, "column": location.column}


def _fix(fix: PlacedFix) -> dict[str, Any]:
    edits = [
        {
            "content": edit.content,
            "location": _place(edit.location),
            "end_location": _place(edit.end_location),
        }
        for edit in fix.edits
    ]
    return {"applicability": fix.applicability, "message": fix.message, "edits": edits}
