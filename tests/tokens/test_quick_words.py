"""The quick ways to count words give what the properties of `regex` give."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.tokens import quick_words, words
from tokenlint.tokens.words import Words, count_words

ODD = st.sampled_from(
    [
        "'", "\u2019", "\u00b7", "\u200c", "\u200d", "\u0301", "\u0e33", "\u0e34", "\u0ec8",
        "\ufe0f",
        "\u3099", "\u1100", "\u1161", "\u11a8", "\uac00", "\uac01", "\u0915\u094d\u0937", "\u0bcd",
        "\u4f60", "\u30d2", "\u30fc", "\u0e20", "\u0e51", "\u1004", "\u0f40", "\u0600", "\u0661",
        "\U0001f44d", "\U0001f468\u200d\U0001f4bb", "\U00020000", "\U0001d400", "\r\n", " ",
        "\x1c", "_",
    ]
)  # fmt: skip
TEXTS = st.lists(st.characters(codec="utf-8") | ODD | st.sampled_from("ab1' \n")).map("".join)


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii(text: str) -> None:
    slow = len(regex.findall(words._SLOW_WORD, text, regex.VERSION1))
    assert count_words(text) == Words(slow, "word")


@pytest.mark.parametrize("way", [words._words, words._graphemes])
@given(text=TEXTS)
def test_parts(way: words.Way, text: str) -> None:
    assert quick_words.is_far(text) or way(text, True) == way(text, False)


@pytest.mark.parametrize("pattern", [r"\p{L}", words._UNSPACED_LETTER])
@given(text=TEXTS)
def test_single_characters(pattern: str, text: str) -> None:
    if not quick_words.is_far(text):
        one = quick_words.class_of(pattern)
        assert words._letters(one, text) == len(regex.findall(pattern, text, regex.VERSION1))


@pytest.mark.parametrize("end", ["", " ", "\n", "a b"])
@pytest.mark.parametrize(
    "word", ["Nguy\u1ec5n ", "\u4f60\u597d\u3002 ", "na\u00efve' 'x ", "a\u00e9"]
)
def test_long_texts_count_like_short_ones(word: str, end: str) -> None:
    long = word * (quick_words.WORTH_IT // len(word) + 1) + end
    slow = words._SLOW_WORD if count_words(long).unit == "word" else words._GRAPHEME
    assert count_words(long).count == len(regex.findall(slow, long, regex.VERSION1))


@given(TEXTS)
def test_parts_are_the_text(text: str) -> None:
    assert "".join(quick_words.parts(text)) == text


def test_no_part_ends_inside_of_a_word() -> None:
    text = "x" * 300_000 + " " + "y" * 300_000 + "\n" + "z"
    assert [len(part) for part in quick_words.parts(text)] == [300_001, 300_001, 1]


def test_emoji_do_not_make_a_text_slow_but_far_letters_do() -> None:
    assert not quick_words.is_far("\U0001f44d fine \U0001f1eb\U0001f1f7")
    assert quick_words.is_far("\U00020000")
    assert quick_words.is_far("\U0001d400")
