"""Which texts are measured in graphemes: those with more than half of their letters unspaced."""

from __future__ import annotations

import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.tokens.words import count_words

PIECES = ["a", "bc", "Q", "\u0436", "\u00e9", "\u4e16", "\u754c", "\u3042", "\u0e01"]
PIECES += ["1", " ", "\n", ".", "x y\n"]
UNSPACED = regex.compile(
    r"(?=\p{L})(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai})"
)


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_the_majority_of_letters_decides(text: str) -> None:
    unspaced, letters = len(UNSPACED.findall(text)), len(regex.findall(r"\p{L}", text))
    unit = "grapheme" if 2 * unspaced > letters else "word"
    assert count_words(text).unit == unit


def test_letters_on_lines_of_ascii_and_on_others_are_added() -> None:
    for here, there in ((1, 1), (3, 3), (5, 7), (6, 2)):
        text = "a" * here + "\n" + "b" * there + "\u4e16" * (here + there)
        assert count_words(text).unit == "word"
        assert count_words(f"{text}\u4e16").unit == "grapheme"
