"""Ways to count words that are asked for by name."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.tokens.words import METHODS, Method, Words, count_words

LETTERS = st.text(
    st.sampled_from("ab Ωệư가\u1100\u1161한क\u094d\u093cがกำ\u0301\u0323'\u2019.,-1३ \n👍")
)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("text", ["", " \n\t ", "\u2003\u3000"])
def test_blank_texts_have_no_words(text: str, method: Method) -> None:
    assert count_words(text, method).count == 0


@pytest.mark.parametrize("method", ["word", "unicode", "grapheme"])
@pytest.mark.parametrize("text", ["--- *** ---", "\U0001f44d \U0001f389", "\u0301", "\u201c\u201d"])
def test_punctuation_and_emoji_are_no_words(text: str, method: Method) -> None:
    assert count_words(text, method).count == 0


@pytest.mark.parametrize(
    ("text", "word", "whitespace", "unicode", "grapheme"),
    [
        # The example of UAX #29 (table of word boundaries), and what it says of each piece.
        ("The quick (\u201cbrown\u201d) fox can\u2019t jump 32.3 feet, right?", 10, 9, 9, 36),
        ("snake_case state-of-the-art", 6, 2, 5, 22),
        ("Bạn là trợ lý hữu ích.", 6, 6, 6, 16),
        ("أَنْتَ مُسَاعِدٌ مُفِيدٌ.", 3, 3, 3, 12),
        ("आप एक सहायक हैं", 4, 4, 4, 9),
        ("당신은 유용한 어시스턴트입니다.", 3, 3, 3, 14),
        ("--- a ---", 1, 3, 1, 1),
        ("don''t ''tis", 3, 2, 3, 7),
        ("one\u00a0two\u3000three", 3, 3, 3, 11),
        ("one\x1ctwo", 2, 1, 2, 6),
    ],
)
def test_each_method(text: str, word: int, whitespace: int, unicode: int, grapheme: int) -> None:
    assert count_words(text) == Words(word, "word")
    assert count_words(text, "whitespace") == Words(whitespace, "whitespace")
    assert count_words(text, "unicode") == Words(unicode, "segment")
    assert count_words(text, "grapheme") == Words(grapheme, "grapheme")


def test_segments_of_scripts_without_spaces_are_those_of_uax_29() -> None:
    # Han and Hiragana: each character; Katakana: a run; Thai: each grapheme.
    assert count_words("你是助手", "unicode") == Words(4, "segment")
    assert count_words("あなたはアシスタント", "unicode") == Words(5, "segment")
    assert count_words("ผู้ช่วย", "unicode") == Words(4, "segment")


@pytest.mark.parametrize("method", METHODS)
@given(text=st.text() | LETTERS)
def test_nfc_and_nfd_have_the_same_number(method: Method, text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert count_words(composed, method) == count_words(decomposed, method)


@given(LETTERS)
def test_whitespace_is_what_a_split_gives(text: str) -> None:
    assert count_words(text, "whitespace").count == len(text.split())


@given(st.text(st.sampled_from("abcé한 .")))
def test_graphemes_of_composed_letters_are_characters(text: str) -> None:
    letters = sum(char.isalpha() for char in text)
    assert count_words(text, "grapheme") == Words(letters, "grapheme")


@pytest.mark.parametrize("flags", [1, 2, 3, 40])
def test_flags_are_no_segments(flags: int) -> None:
    text = "\U0001f1fb\U0001f1f3" * flags
    assert count_words(f"a {text} b", "unicode") == Words(2, "segment")
