"""A finding in rows and columns: its own place, and that of each of its edits."""

from __future__ import annotations

import pytest

from tokenlint.diagnostic import PlacedEdit, PlacedFix, place
from tokenlint.rules.base import Edit, Finding, Fix
from tokenlint.tokens import Document, Location

TEXT = "one\n\U0001f600\U0001f600 two\r\nthree"
EDITS = {
    "none": ((), ()),
    "at the finding": ((Edit(7, 10, "x"),), (PlacedEdit("x", Location(2, 4), Location(2, 7)),)),
    "elsewhere": ((Edit(0, 1, "O"),), (PlacedEdit("O", Location(1, 1), Location(1, 2)),)),
    "both, and an insertion on the next line": (
        (Edit(0, 1, ""), Edit(7, 10, "x"), Edit(12, 12, "y")),
        (
            PlacedEdit("", Location(1, 1), Location(1, 2)),
            PlacedEdit("x", Location(2, 4), Location(2, 7)),
            PlacedEdit("y", Location(3, 1), Location(3, 1)),
        ),
    ),
}


def finding(*edits: Edit) -> Finding:
    """A finding about `two`."""
    fix = Fix("Write x", edits, "unsafe")
    return Finding("a.md", 7, 10, "MC001", "mine", "m", fix=fix)


@pytest.mark.parametrize(("edits", "placed"), EDITS.values(), ids=EDITS)
def test_edits(edits: tuple[Edit, ...], placed: tuple[PlacedEdit, ...]) -> None:
    diagnostic = place(finding(*edits), Document("a.md", TEXT))
    assert diagnostic.fix == PlacedFix("unsafe", "Write x", placed)
    assert (diagnostic.location, diagnostic.end_location) == (Location(2, 4), Location(2, 7))
    assert (diagnostic.line, diagnostic.line_column) == ("\U0001f600\U0001f600 two", 1)


def test_edits_in_units_of_utf_16() -> None:
    diagnostic = place(finding(Edit(7, 10, "x"), Edit(6, 7, "")), Document("a.md", TEXT), "utf-16")
    at, end = Location(2, 6), Location(2, 9)
    edits = PlacedEdit("x", at, end), PlacedEdit("", Location(2, 5), at)
    assert diagnostic.fix == PlacedFix("unsafe", "Write x", edits)
    assert (diagnostic.location, diagnostic.end_location) == (at, end)
    assert diagnostic.line == "\U0001f600\U0001f600 two"


def test_what_has_no_text_stands_at_the_beginning() -> None:
    diagnostic = place(Finding("a.md", 0, 0, "MC001", "mine", "m"), None)
    assert (diagnostic.location, diagnostic.fix, diagnostic.line) == (Location(1, 1), None, "")
