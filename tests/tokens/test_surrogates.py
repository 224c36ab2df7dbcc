"""Lone surrogates become U+FFFD, and nothing else changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.tokens.surrogates import replace_surrogates


@pytest.mark.parametrize("text", ["", "plain", "Tiếng Việt", "\U0001f600", "\ufffd", "\uffff"])
def test_text_without_surrogates_is_the_same_object(text: str) -> None:
    assert replace_surrogates(text) is text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\ud83d\ude00", "\U0001f600"),
        ("a\ud83d", "a\ufffd"),
        ("\ude00b", "\ufffdb"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
        ("ệ\udc80ệ", "ệ\ufffdệ"),
        ("\U0001f600\ud800x", "\U0001f600\ufffdx"),
    ],
)
def test_pairs_are_combined_and_lone_ones_replaced(text: str, expected: str) -> None:
    assert replace_surrogates(text) == expected


@given(st.text(st.characters()))
def test_the_result_is_utf_8_and_stable(text: str) -> None:
    once = replace_surrogates(text)
    once.encode()
    assert replace_surrogates(once) is once
