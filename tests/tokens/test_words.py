"""Words, script by script."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.tokens.words import Words, count_words

UNHURRIED = settings(deadline=None)
"The first example compiles patterns."


@pytest.mark.parametrize(
    "text", ["", " \n\t ", "--- *** ---", "\U0001f44d \U0001f389", "\u0301", "'"]
)
def test_texts_without_words(text: str) -> None:
    assert count_words(text) == Words(0, "word")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("You help.", 2),
        ("state-of-the-art", 4),
        ("You're testing state-of-the-art models.", 7),
        ("rock'n'roll", 1),
        ("rock\u2019n\u2019roll", 1),
        ("'quoted' words'", 2),
        ("col\u00b7legi", 1),
        ("it's 5'6", 3),
        ("gpt-4o costs 3.50 in 2026", 7),
        ("snake_case", 2),
        ("<|im_start|>user", 3),
        ("Bạn là trợ lý hữu ích.", 6),
        ("Ba\u0323n la\u0300", 2),
        # Vocalised Arabic and Hindi: marks belong to the word.
        ("أَنْتَ مُسَاعِدٌ مُفِيدٌ.", 3),
        ("وسيكتبونها", 1),
        ("आप एक सहायक हैं", 4),
        # Korean separates its words.
        ("당신은 유용한 어시스턴트입니다.", 3),
        # A joiner inside a word: Persian, and an Indic conjunct.
        ("می\u200cخواهم", 1),
        ("क\u094d\u200dष", 1),
        # A little Chinese in an English text: a letter is a word.
        ("The word 你好 means hello to you", 8),
        ("U+1F44D \U0001f44d thumbs", 3),
    ],
)
def test_words(text: str, count: int) -> None:
    assert count_words(text) == Words(count, "word")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("你是一个乐于助人的助手。", 11),
        ("あなたは親切なアシスタントです。", 15),
        ("คุณเป็นผู้ช่วยที่มีประโยชน์", 18),
        ("អ្នកជាជំនួយការដ៏មានប្រយោជន៍", 15),
        ("ຂ້ອຍ", 3),
        ("བོད་ཡིག", 4),
        ("你好吗 AI", 5),
        ("第3章", 3),
    ],
)
def test_scripts_without_spaces_are_measured_in_graphemes(text: str, count: int) -> None:
    assert count_words(text) == Words(count, "grapheme")


@pytest.mark.parametrize(
    ("text", "unit"),
    [("你好 ab", "word"), ("你好吗 ab", "grapheme"), ("你好 ab 1234567", "word")],
)
def test_half_of_the_letters_decide(text: str, unit: str) -> None:
    assert count_words(text).unit == unit


@pytest.mark.parametrize("text", ["\ud83d", "a\ud83db", "\udc80你"])
def test_lone_surrogates_are_no_words(text: str) -> None:
    letters = sum(char.isalpha() for char in text)
    assert count_words(text).count == letters


@UNHURRIED
@given(st.text())
def test_nfc_and_nfd_have_the_same_words(text: str) -> None:
    assert count_words(unicodedata.normalize("NFD", text)) == count_words(text)
    assert count_words(unicodedata.normalize("NFC", text)) == count_words(text)


@UNHURRIED
@given(st.lists(st.sampled_from(["the", "Việt", "trợ", "مرحبا", "한국", "naïve", "x1"])))
def test_words_between_spaces_are_counted_each(words: list[str]) -> None:
    assert count_words(" ".join(words)) == Words(len(words), "word")


def test_a_hostile_run_of_marks_takes_no_time() -> None:
    assert count_words("a" + "\u0301\u0323" * 200_000 + " b") == Words(2, "word")
