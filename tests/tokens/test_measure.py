"""Limits, fertility, and the paragraphs that weigh most."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.tokens import load_tokenizer
from tokenlint.tokens.measure import Fertility, Limit, Share, fertility, heaviest

if TYPE_CHECKING:
    from tokenlint.tokens.tokenizer import Tokenizer


class Letters:
    """Counts one token a character."""

    def count(self, text: str) -> int:
        return len(text)


LETTERS = cast("Tokenizer", Letters())


# --- limits


@pytest.mark.parametrize(
    ("value", "over", "near"),
    [
        (0, False, False),
        (899, False, False),
        (900, False, True),
        (999, False, True),
        (1000, False, True),
        (1001, True, False),
    ],
)
def test_a_limit(value: float, *, over: bool, near: bool) -> None:
    limit = Limit("tokens", 1000, "pyproject.toml", "o200k_base")
    assert (limit.is_over(value), limit.is_near(value)) == (over, near)


@pytest.mark.parametrize(
    ("warn_at", "value", "near"),
    [(0.5, 1.24, False), (0.5, 1.25, True), (0.5, 2.5, True), (1.0, 2.49, False), (1.0, 2.5, True)],
)
def test_the_share_that_warns_is_a_setting(warn_at: float, value: float, *, near: bool) -> None:
    assert Limit("fertility", 2.5, "x", warn_at=warn_at).is_near(value) == near


# --- fertility


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), (" \n\t ", 2), ("--- *** ---", 3), ("👍 🎉", 3)]
)
def test_without_words_there_is_no_fertility_but_a_count(text: str, tokens: int) -> None:
    measured = fertility(text, load_tokenizer("o200k_base"))
    assert measured == Fertility(tokens, 0, "word")
    assert measured.value is None


VOCALISED = "أَنْتَ مُسَاعِدٌ مُفِيدٌ."


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("o200k_base", "You are a helper.", Fertility(5, 4, "word")),
        ("o200k_base", "Bạn là trợ lý hữu ích.", Fertility(7, 6, "word")),
        ("cl100k_base", "Bạn là trợ lý hữu ích.", Fertility(12, 6, "word")),
        ("o200k_base", "You're testing state-of-the-art models.", Fertility(8, 7, "word")),
        ("cl100k_base", "You're testing state-of-the-art models.", Fertility(9, 7, "word")),
        ("o200k_base", VOCALISED, Fertility(17, 3, "word")),
        ("cl100k_base", VOCALISED, Fertility(25, 3, "word")),
        ("o200k_base", "وسيكتبونها", Fertility(4, 1, "word")),
        ("cl100k_base", "وسيكتبونها", Fertility(10, 1, "word")),
        ("o200k_base", "你是一个乐于助人的助手。", Fertility(9, 11, "grapheme")),
        ("cl100k_base", "你是一个乐于助人的助手。", Fertility(14, 11, "grapheme")),
        ("o200k_base", "あなたは親切なアシスタントです。", Fertility(11, 15, "grapheme")),
        ("cl100k_base", "あなたは親切なアシスタントです。", Fertility(16, 15, "grapheme")),
        ("o200k_base", "คุณเป็นผู้ช่วยที่มีประโยชน์", Fertility(10, 18, "grapheme")),
        ("cl100k_base", "คุณเป็นผู้ช่วยที่มีประโยชน์", Fertility(27, 18, "grapheme")),
        ("o200k_base", "អ្នកជាជំនួយការដ៏មានប្រយោជន៍", Fertility(15, 15, "grapheme")),
        ("cl100k_base", "អ្នកជាជំនួយការដ៏មានប្រយោជន៍", Fertility(44, 15, "grapheme")),
        ("o200k_base", "당신은 유용한 어시스턴트입니다.", Fertility(13, 3, "word")),
        ("cl100k_base", "당신은 유용한 어시스턴트입니다.", Fertility(15, 3, "word")),
    ],
)
def test_fertility_is_of_the_whole_text(name: str, text: str, expected: Fertility) -> None:
    measured = fertility(text, load_tokenizer(name))
    assert measured == expected
    assert measured.value == expected.tokens / expected.words


# --- paragraphs


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n  ", "\n\n\n"])
def test_nothing_weighs_nothing(text: str) -> None:
    assert heaviest(text, LETTERS) == []


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("one", [Share(1, 1, 3, "one")]),
        ("one\n", [Share(1, 1, 3, "one")]),
        ("\none\n", [Share(2, 2, 3, "one")]),
        ("one\ntwo\n", [Share(1, 2, 7, "one\ntwo")]),
        (" X \nX\n", [Share(1, 2, 5, " X \nX")]),
        ("one\n\nthree", [Share(3, 3, 5, "three"), Share(1, 1, 3, "one")]),
        (
            "\n\none\n \t\n\nthree\nfour\n\n",
            [Share(6, 7, 10, "three\nfour"), Share(3, 3, 3, "one")],
        ),
        ("  one  \n\n\ntwo", [Share(1, 1, 7, "  one  "), Share(4, 4, 3, "two")]),
        ("bbb\n\naaa", [Share(1, 1, 3, "bbb"), Share(3, 3, 3, "aaa")]),
    ],
)
def test_paragraphs_by_weight(text: str, shares: list[Share]) -> None:
    assert heaviest(text, LETTERS) == shares


@pytest.mark.parametrize(("most", "rows"), [(0, []), (1, [7]), (2, [7, 5]), (9, [7, 5, 3, 1])])
def test_only_the_heaviest_are_told(most: int, rows: list[int]) -> None:
    text = "a\n\naa\n\naaa\n\naaaa\n"
    assert [share.row for share in heaviest(text, LETTERS, most)] == rows


def test_five_are_told_by_default() -> None:
    assert len(heaviest("a\n\n" * 9, LETTERS)) == 5


@given(st.text(st.sampled_from("ab \t\n\n")))
def test_a_paragraph_stands_where_it_is_said_to(text: str) -> None:
    lines = text.split("\n")
    for share in heaviest(text, LETTERS, most=99):
        assert "\n".join(lines[share.row - 1 : share.end_row]) == share.text
        assert share.text.strip()
