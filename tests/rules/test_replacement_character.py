"""TL404: text that was damaged before it came here."""

from __future__ import annotations

import pytest

from tokenlint.linter import lint
from tokenlint.rules import Context, replacement_character
from tokenlint.tokens import Document

ONE = "U+FFFD REPLACEMENT CHARACTER: text was lost here; restore it from its source"


@pytest.mark.parametrize("text", ["", "caf\u00e9", "\\ufffd", "\ufffc"])
def test_clean(text: str) -> None:
    assert list(replacement_character.check(Document("a.md", text), Context())) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("caf\ufffd", [(3, 4, ONE)]),
        ("\ufffd\ufffd\ufffd \ufffd", [(0, 3, f"3 x {ONE}"), (4, 5, ONE)]),
        (b"na\xefve".decode(errors="replace"), [(2, 3, ONE)]),
    ],
)
def test_found(text: str, expected: list[tuple[int, int, str]]) -> None:
    document = Document("a.md", text)
    findings = list(replacement_character.check(document, Context()))
    assert list(lint(document, [replacement_character.RULE], Context()).findings) == findings
    assert [(f.start, f.end, f.message) for f in findings] == expected
    assert all(f.fix is None for f in findings)
