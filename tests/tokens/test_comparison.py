"""What texts and groups of texts come to: arithmetic on given counts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.tokens.comparison import Measure, Row, rows
from tokenlint.tokens.words import Words

VI = Measure("vi.md", "vi", "nfc", "t", 30, Words(10, "word"), 60, 90, reference=20)
JA = Measure("ja.md", "ja", "nfc", "t", 40, Words(50, "grapheme"), 50, 150, reference=20)
EMPTY = Measure("no.md", None, "nfc", "t", 0, Words(0, "word"), 0, 0, reference=20)
EMOJI = Measure("emoji.md", None, "nfc", "t", 3, Words(0, "word"), 3, 9, reference=20)
EN = Measure("en.md", "en", "nfc", "t", 20, Words(18, "word"), 99, 99, 20, is_reference=True)


def only(*measures: Measure) -> Row:
    """The one row of measures that are grouped together."""
    (row,) = rows(measures, lambda _: "all")
    return row


@pytest.mark.parametrize(
    ("measures", "row"),
    [
        ([VI], Row("all", "nfc", "t", 30, 10, "word", 60, 90, 3.0, 2.0, 3.0, 1.5)),
        ([EN], Row("all", "nfc", "t", 20, 18, "word", 99, 99, 20 / 18, 4.95, 4.95, 1.0)),
        ([EMPTY], Row("all", "nfc", "t", 0, None, "word", 0, 0, None, None, None, None)),
        ([EMOJI], Row("all", "nfc", "t", 3, None, "word", 3, 9, None, 1.0, 3.0, 0.15)),
        # Sums first: 80 tokens for 40 words, not the mean of two quotients.
        (
            [VI, replace(VI, tokens=50, words=Words(30, "word"), reference=30)],
            Row("all", "nfc", "t", 80, 40, "word", 120, 180, 2.0, 1.5, 2.25, 1.6),
        ),
        # A text without words adds tokens, and nothing to the fertility.
        ([VI, EMOJI], Row("all", "nfc", "t", 33, 10, "word", 63, 99, 3.0, 63 / 33, 3.0, 33 / 40)),
        ([VI, EMPTY], Row("all", "nfc", "t", 30, 10, "word", 60, 90, 3.0, 2.0, 3.0, 1.5)),
        # Words and graphemes have no sum.
        ([VI, JA], Row("all", "nfc", "t", 70, None, None, 110, 240, None, 11 / 7, 24 / 7, 1.75)),
        # The reference itself, and what has none, do not enter a premium beside translations.
        ([EN, VI], Row("all", "nfc", "t", 50, 28, "word", 159, 189, 50 / 28, 3.18, 3.78, 1.5)),
        (
            [replace(VI, reference=None), VI],
            Row("all", "nfc", "t", 60, 20, "word", 120, 180, 3.0, 2.0, 3.0, 1.5),
        ),
        (
            [replace(VI, reference=None)],
            Row("all", "nfc", "t", 30, 10, "word", 60, 90, 3.0, 2.0, 3.0, None),
        ),
        (
            [replace(VI, reference=0)],
            Row("all", "nfc", "t", 30, 10, "word", 60, 90, 3.0, 2.0, 3.0, None),
        ),
    ],
)
def test_a_row(measures: list[Measure], row: Row) -> None:
    assert only(*measures) == row


def test_a_row_for_each_name_form_and_tokenizer_in_order() -> None:
    measures = [VI, replace(VI, tokenizer="u"), replace(VI, form="nfd"), JA, VI]
    found = rows(measures, lambda measure: measure.path)
    assert [(row.path, row.form, row.tokenizer, row.tokens) for row in found] == [
        ("vi.md", "nfc", "t", 60),
        ("vi.md", "nfc", "u", 30),
        ("vi.md", "nfd", "t", 30),
        ("ja.md", "nfc", "t", 40),
    ]
    assert rows([], lambda measure: measure.path) == []


@given(st.lists(st.tuples(st.integers(1, 99), st.integers(1, 99)), min_size=1))
def test_a_group_lies_between_its_texts(texts: list[tuple[int, int]]) -> None:
    row = only(*(replace(VI, tokens=t, words=Words(w, "word")) for t, w in texts))
    quotients = [tokens / words for tokens, words in texts]
    assert row.fertility is not None
    assert min(quotients) - 1e-9 <= row.fertility <= max(quotients) + 1e-9
