"""TL101: what NFC composes, where it stands, and what the fix leaves alone."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint import fix
from tokenlint.linter import lint
from tokenlint.rules import Context, Finding, decomposed, nfc, not_nfc
from tokenlint.tokens import Document


def found(text: str) -> list[Finding]:
    """The findings of TL101 in a text."""
    assert decomposed.RULE.check is not None
    document = Document("a.md", text)
    findings = list(decomposed.RULE.check(document, Context()))
    assert list(lint(document, [decomposed.RULE], Context()).findings) == findings
    return findings


def places(text: str) -> list[tuple[int, int, str, str | None]]:
    """Row, column, the text that was found, and the text that the fix writes."""
    document = Document("a.md", text)
    return [
        (
            *document.location(f.start),
            text[f.start : f.end],
            f.fix.edits[0].content if f.fix else None,
        )
        for f in found(text)
    ]


CLEAN = {
    "empty": "",
    "ascii": "plain text, and an escape: cafe\\u0301",
    "vietnamese nfc": "B\u1ea1n l\u00e0 tr\u1ee3 l\u00fd h\u1eefu \u00edch.",
    "korean nfc": "\ud55c\uad6d\uc5b4 \ubb38\uc7a5\uc744 \uc694\uc57d",
    "yoruba": "\u1ecd\u0300r\u1ecd\u0300",
    "igbo": "\u1ecb\u0300 b\u1ee5\u0300",
    "ipa": "t\u0361\u0283 \u025b\u0303 x\u0304",
    "marks that nothing takes": "h\u0310\u0315e\u0322y",
    "devanagari nukta, which NFC writes in two": "\u0915\u093c\u093e",
    "bengali nukta": "\u09a1\u09bc",
    "tamil": "\u0ba4\u0bae\u0bbf\u0bb4\u0bcd \u0bae\u0bca\u0bb4\u0bbf",
    "family emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f \U0001f44d\U0001f3fd",
    "persian zwnj": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "arabic with vowel signs": "\u0645\u064f\u0633\u064e\u0627\u0639\u0650\u062f\u064c",
    "hebrew points": "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd",
    "singletons, which are TL102": "\u212b \u2126 \u212a \uf967 \ufa46",
    "excluded letters, which are TL102": "\u0958\u093e \u09dc",
    "mark order, which is TL102": "x\u0315\u0323",
    "full-width forms": "\uff1c\uff5cim_start\uff5c\uff1e",
    "a mark at the start of the text": "\u0301a",
    "a mark at the start of a line": "a\n\u0301b",
}


@pytest.mark.parametrize("text", CLEAN.values(), ids=CLEAN)
def test_clean(text: str) -> None:
    assert found(text) == []


DECOMPOSED = {
    "latin": ("cafe\u0301", [(1, 4, "e\u0301", "\u00e9")]),
    "the second of three": ("x\u0301 e\u0301 x\u0301", [(1, 4, "e\u0301", "\u00e9")]),
    "turkish": (
        "bag\u0306l\u0131 ac\u0327\u0131k\n",
        [(1, 3, "g\u0306", "\u011f"), (1, 9, "c\u0327", "\u00e7")],
    ),
    "two marks are one finding": ("tro\u031b\u0323", [(1, 3, "o\u031b\u0323", "\u1ee3")]),
    "a composed letter and a mark": ("\u01a1\u0323", [(1, 1, "\u01a1\u0323", "\u1ee3")]),
    "marks in another order": ("o\u0323\u031b", [(1, 1, "o\u0323\u031b", "\u1ee3")]),
    "a mark stays behind": ("o\u031e\u0303", [(1, 1, "o\u031e\u0303", "\u00f5\u031e")]),
    "recomposed": ("\u1e03\u0323", [(1, 1, "\u1e03\u0323", "\u1e05\u0307")]),
    "a singleton that then composes": ("\u212b\u0301", [(1, 1, "\u212b\u0301", "\u01fa")]),
    "hangul": (
        "\u1112\u1161\u11ab \u1100\u116e",
        [(1, 1, "\u1112\u1161\u11ab", "\ud55c"), (1, 5, "\u1100\u116e", "\uad6c")],
    ),
    "a syllable and a final": ("\uad6c\u11a8", [(1, 1, "\uad6c\u11a8", "\uad6d")]),
    "an indic vowel of two parts": ("\u0b95\u0bc6\u0bbe", [(1, 2, "\u0bc6\u0bbe", "\u0bca")]),
    "both forms in one line": (
        "caf\u00e9 cafe\u0301\n  re\u0301",
        [(1, 9, "e\u0301", "\u00e9"), (2, 4, "e\u0301", "\u00e9")],
    ),
    "after CRLF and CR": (
        "a\r\ne\u0301\re\u0301",
        [(2, 1, "e\u0301", "\u00e9"), (3, 1, "e\u0301", "\u00e9")],
    ),
    "in a string of source code": (
        'A = "caf\u00e9"\nB = "cafe\u0301"\nC = "cafe\\u0301"\n',
        [(2, 9, "e\u0301", "\u00e9")],
    ),
    "the letter of an escape is reported and not fixed": (
        'say("\\n\u0303 \\u003e\u0301 e\u0301")',
        [
            (1, 7, "n\u0303", None),
            (1, 15, "e\u0301", None),
            (1, 18, "e\u0301", "\u00e9"),
        ],
    ),
    "so is that of an escape at the start of the text": ("\\n\u0303", [(1, 2, "n\u0303", None)]),
    "ascii punctuation is reported and not fixed": ("a>\u0338", [(1, 2, ">\u0338", None)]),
}


@pytest.mark.parametrize(("text", "expected"), DECOMPOSED.values(), ids=DECOMPOSED)
def test_decomposed(text: str, expected: list[tuple[int, int, str, str | None]]) -> None:
    assert places(text) == expected


def test_vietnamese_has_a_finding_for_each_letter() -> None:
    text = "Ba\u0323n la\u0300 tro\u031b\u0323 ly\u0301 hu\u031b\u0303u i\u0301ch."
    assert [column for _, column, _, _ in places(text)] == [2, 7, 12, 17, 21, 26]


def test_korean_has_a_finding_for_each_syllable() -> None:
    sentence = "\ud55c\uad6d\uc5b4 \ubb38\uc7a5\uc744 \uc694\uc57d\ud558\uc138\uc694."
    assert len(found(unicodedata.normalize("NFD", sentence))) == 11


def test_the_message_gives_code_points_and_name() -> None:
    (finding,) = found("tro\u031b\u0323")
    assert finding.message == (
        "decomposed text: U+006F U+031B U+0323 is "
        "U+1EE3 LATIN SMALL LETTER O WITH HORN AND DOT BELOW in NFC"
    )
    assert finding.code == "TL101"
    assert finding.level == "error"
    assert finding.fix is not None
    assert finding.fix.message == "Write U+1EE3"
    assert finding.fix.applicability == "safe"


def test_a_message_of_several_characters_gives_no_name() -> None:
    (finding,) = found("o\u031e\u0303")
    assert finding.message == "decomposed text: U+006F U+031E U+0303 is U+00F5 U+031E in NFC"


def changed_by_nfc() -> list[str]:
    """Every character that NFC changes, in the Unicode data of this Python."""
    every = map(chr, [*range(0xD800), *range(0xE000, sys.maxunicode + 1)])
    return [char for char in every if unicodedata.normalize("NFC", char) != char]


def test_every_character_that_nfc_changes_is_tl102_alone() -> None:
    characters = changed_by_nfc()
    assert len(characters) > 1_000
    for char in characters:
        kinds = [change.kind for change in nfc.changes(Document("a.md", char))]
        assert len(kinds) == 1, f"U+{ord(char):04X}"
        assert kinds[0] in ("singleton", "excluded"), f"U+{ord(char):04X}"


def test_every_composed_character_is_found_in_its_nfd() -> None:
    composed = [
        char
        for char in map(chr, [*range(0xC0, 0xAC00), *range(0xF900, 0x20000)])
        if unicodedata.normalize("NFD", char) != char == unicodedata.normalize("NFC", char)
    ]
    assert len(composed) > 900
    for char in composed:
        text = f"x {unicodedata.normalize('NFD', char)} y"
        assert [place[3] for place in places(text)] in ([char], [None]), f"U+{ord(char):04X}"


def test_every_hangul_syllable_is_found_in_its_nfd() -> None:
    syllables = [chr(code) for code in range(0xAC00, 0xD7A4)]
    text = unicodedata.normalize("NFD", "".join(syllables))
    assert [place[3] for place in places(text)] == syllables


# Marks of several classes, letters that take them, jamo, Indic halves, excluded letters, twins.
TANGLE = st.text(
    "aeo<>= \n\r\u0301\u0302\u0303\u0323\u031b\u0327\u0338\u0344\u0315\u1112\u1161\u11ab\uad6c"
    "\u0bc6\u0bbe\u0958\u093c\u0915\u0f71\u0f72\u0f73\u0f81\u212b\u212a\u00e9\u1ee3\u05e9\u05c1",
    max_size=30,
)


def mended(text: str) -> str:
    """The text with the safe fixes of TL101 and TL102 made."""
    document = Document("a.md", text)
    findings = [*decomposed.check(document, Context()), *not_nfc.check(document, Context())]
    return fix.apply(text, fix.fixable(findings))


@given(TANGLE | st.text(max_size=20))
def test_the_two_rules_find_something_exactly_where_the_text_is_not_nfc(text: str) -> None:
    assert bool(list(nfc.changes(Document("a.md", text)))) != unicodedata.is_normalized("NFC", text)


@given(TANGLE)
def test_the_fixes_give_nfc_but_for_ascii_punctuation(text: str) -> None:
    text = text.replace("\u0338", "")
    assert mended(text) == unicodedata.normalize("NFC", text)


@given(TANGLE)
def test_fixing_twice_equals_fixing_once(text: str) -> None:
    assert mended(mended(text)) == mended(text)


@given(TANGLE)
def test_the_fix_touches_only_what_was_reported(text: str) -> None:
    findings = [finding for finding in found(text) if finding.fix]
    after, at = fix.apply(text, findings), 0
    for finding in findings:
        kept = text[at : finding.start]
        assert after.startswith(kept)
        assert finding.fix is not None
        after = after[len(kept) :].removeprefix(finding.fix.edits[0].content)
        at = finding.end
    assert after == text[at:]


def test_a_run_of_marks_too_long_to_sort_is_one_finding_without_a_fix() -> None:
    (finding,) = found("a" + "\u0301\u0323" * 50_000)
    assert finding.message == ("decomposed text: 100,001 characters in a run that is not NFC")
    assert finding.fix is None


def test_a_long_run_of_marks_in_order_is_clean() -> None:
    assert found("x" + "\u0301" * 50_000) == []
