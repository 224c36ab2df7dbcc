"""Normal forms: to the letter those of Python, whatever the text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.tokens.canonical import _LONG, normalized

MARKS = [chr(code) for code in range(0x20000) if unicodedata.category(chr(code))[0] == "M"]
LETTERS = [
    "a",
    "\u1ea1",
    "\uac00",
    "\u1100\u1161",
    "\u09c7",
    "\u1e69",
    "\u0958",
    "\u0f71",
    "\u212b",
]
RUNS = st.lists(st.sampled_from([*MARKS, "\u0344", "\u0f73"]), max_size=12)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@settings(max_examples=60)
@given(parts=st.lists(st.tuples(st.sampled_from(LETTERS), RUNS, st.integers(1, 60)), max_size=3))
def test_it_is_what_python_gives(form: str, parts: list[tuple[str, list[str], int]]) -> None:
    text = "".join(letter + "".join(run) * times for letter, run, times in parts)
    assert normalized(form, text) == unicodedata.normalize(form, text)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("number", [_LONG - 1, _LONG, _LONG + 1])
@pytest.mark.parametrize(
    "marks", ["\u0301\u0323", "\u0301\u0338", "\u0323\u0f73\u0301", "\u0344\u0323\u0301"]
)
def test_where_a_run_begins_to_be_long(form: str, number: int, marks: str) -> None:
    text = f"x\u1ea5{(marks * number)[:number]}y"
    assert normalized(form, text) == unicodedata.normalize(form, text)  # type: ignore[arg-type]


def test_a_hostile_run_ends() -> None:
    """Python itself would take half an hour."""
    run = normalized("NFD", "\u0301\u0323" * 100_000)
    assert run == "\u0323" * 100_000 + "\u0301" * 100_000
