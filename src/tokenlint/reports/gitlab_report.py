"""`--output-format gitlab`: a code quality report of GitLab."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokenlint.reports.fingerprints import fingerprints
from tokenlint.reports.printable import encodable, printable

if TYPE_CHECKING:
    from tokenlint.diagnostic import Diagnostic
    from tokenlint.reports.checked import Checked, Place
    from tokenlint.reports.style import Style

_SEVERITIES = {"error": "major", "warning": "minor"}


def lines(checked: Checked, _style: Style) -> list[str]:
    """A list of issues; GitLab has no place for what could not be checked."""
    marks = fingerprints(checked.diagnostics, checked.place)
    pairs = zip(checked.diagnostics, marks, strict=True)
    issues = [_issue(diagnostic, mark, checked.place) for diagnostic, mark in pairs]
    return json.dumps(issues, indent=2).splitlines()


def _issue(diagnostic: Diagnostic, mark: str, place: Place) -> dict[str, Any]:
    return {
        "description": printable(f"{diagnostic.code} {diagnostic.message}"),
        "check_name": diagnostic.code,
        "fingerprint": mark,
        "severity": _SEVERITIES[diagnostic.level],
        "location": {
            # half a surrogate pair, from a name that is no text, is no JSON to GitLab
            "path": encodable(place.from_root(diagnostic.path), "utf-8"),
            "lines": {"begin": diagnostic.location.row, "end": diagnostic.end_location.row},
        },
    }
