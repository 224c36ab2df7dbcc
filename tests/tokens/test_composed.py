"""Text that is surely NFC: Python's tables and those of `tokenizers` agree about it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import normalizers

from tokenlint.tokens.composed import is_surely_nfc

NFC = normalizers.NFC().normalize_str
NFD = normalizers.NFD().normalize_str

SURE = [chr(n) for n in range(0x110000) if not 0xD800 <= n < 0xE000 and is_surely_nfc(chr(n))]


@pytest.mark.parametrize(
    "text",
    ["", "plain", "Nguy\u1ec5n V\u0103n A s\u1ebd \u0111\u1ebfn", "\u0645\u064e\u0631\u0652\u062d",
     "\u0928\u092e\u0938\u094d\u0924\u0947", "\uc548\ub155\ud558\uc138\uc694", "\u4f60\u597d",
     "\u3053\u3093\u306b\u3061\u306f", "\U0001f44d\U0001f3fd"],
)  # fmt: skip
def test_what_people_write_is_sure(text: str) -> None:
    assert is_surely_nfc(text)
    assert NFC(text) == text


@pytest.mark.parametrize(
    "text",
    ["e\u0301", "\u1112\u1161\u11ab", "\u212b", "a\u0323\u0302", "\u1ac1", "a\u1df6\u0323",
     "\U00011347\U0001133e"],
)  # fmt: skip
def test_decomposed_text_and_late_marks_are_not(text: str) -> None:
    assert not is_surely_nfc(text)


def test_most_of_the_common_scripts_are_sure() -> None:
    assert len(SURE) > 45_000


def test_the_tables_agree_about_every_sure_character() -> None:
    wrong = [c for c in SURE if NFC(c) != c or NFD(c) != unicodedata.normalize("NFD", c)]
    assert wrong == []


MARKS = [c for c in SURE if unicodedata.combining(c)]


@given(st.text(st.sampled_from(SURE) | st.sampled_from(MARKS) | st.sampled_from("aeo\u0915\u0627")))
def test_the_tables_agree_about_sure_text(text: str) -> None:
    if is_surely_nfc(text):
        assert NFC(text) == text
