"""TL102: what else NFC changes, and of which kind it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenlint.commands.session import Scope
from tokenlint.config import read_config
from tokenlint.errors import ConfigError
from tokenlint.rules import RULES, Context, not_nfc
from tokenlint.tokens import Document

if TYPE_CHECKING:
    from pathlib import Path


def found(text: str) -> list[tuple[int, str, str]]:
    """Column, message and what the fix writes, for each finding of TL102."""
    document = Document("a.md", text)
    return [
        (document.location(f.start).column, f.message, f.fix.edits[0].content if f.fix else "")
        for f in not_nfc.check(document, Context())
    ]


@pytest.mark.parametrize(
    "text",
    ["", "ascii", "\u00c5\u03a9K", "cafe\u0301", "\u0915\u093c", "\u1ecd\u0300", "\u1112\u1161"],
)
def test_clean(text: str) -> None:
    assert found(text) == []


KINDS = {
    "angstrom": (
        "5 \u212b",
        [
            (
                3,
                "not NFC (singleton): U+212B is a twin of another character; NFC writes U+00C5",
                "\u00c5",
            )
        ],
    ),
    "kelvin, which is ASCII in NFC": (
        "\u212a",
        [(1, "not NFC (singleton): U+212A is a twin of another character; NFC writes U+004B", "K")],
    ),
    "a compatibility ideograph": (
        "\uf967",
        [
            (
                1,
                "not NFC (singleton): U+F967 is a twin of another character; NFC writes U+4E0D",
                "\u4e0d",
            )
        ],
    ),
    "devanagari qa": (
        "\u0958\u093e",
        [
            (
                1,
                "not NFC (excluded): U+0958 is a composed character that NFC writes in parts; "
                "NFC writes U+0915 U+093C",
                "\u0915\u093c",
            )
        ],
    ),
    "a sign that is two marks, behind a third": (
        "\u0f40\u0f74\u0f73",
        [
            (
                1,
                "not NFC (excluded): U+0F40 U+0F74 U+0F73 is a composed character that NFC writes "
                "in parts; NFC writes U+0F40 U+0F71 U+0F72 U+0F74",
                "\u0f40\u0f71\u0f72\u0f74",
            )
        ],
    ),
    "mark order": (
        "x\u0315\u0323",
        [
            (
                1,
                "not NFC (mark-order): U+0078 U+0315 U+0323 is marks that are not in canonical "
                "order; NFC writes U+0078 U+0323 U+0315",
                "x\u0323\u0315",
            )
        ],
    ),
}


@pytest.mark.parametrize(("text", "expected"), KINDS.values(), ids=KINDS)
def test_kinds(text: str, expected: list[tuple[int, str, str]]) -> None:
    assert found(text) == expected


def test_it_is_off_by_default() -> None:
    assert [rule.code for rule in RULES if not rule.default] == ["TL102"]


ONE_OF_EACH = "\u212b \u0958 x\u0315\u0323"


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("", ["singleton", "excluded", "mark-order"]),
        ('not-nfc = ["singleton"]', ["singleton"]),
        ('not-nfc = ["excluded"]', ["excluded"]),
        ('not-nfc = ["mark-order", "singleton"]', ["singleton", "mark-order"]),
    ],
)
def test_kinds_can_be_chosen(setting: str, expected: list[str], tmp_path: Path) -> None:
    path = tmp_path / "tokenlint.toml"
    path.write_text(setting)
    config = read_config(path)
    assert config is not None
    findings = not_nfc.check(Document("a.md", ONE_OF_EACH), Scope(config).context)
    assert [f.message.partition(")")[0].partition("(")[2] for f in findings] == expected


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ('["twin"]', "not-nfc[0]: expected one of singleton, excluded, mark-order, found 'twin'"),
        ('"excluded"', "not-nfc: expected a list, found a string"),
        ("[]", "not-nfc: is an empty list; name at least one"),
    ],
)
def test_a_kind_that_does_not_exist(setting: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "tokenlint.toml"
    path.write_text(f"not-nfc = {setting}\n")
    with pytest.raises(ConfigError) as raised:
        read_config(path)
    assert str(raised.value) == f"{path}: {message}"
