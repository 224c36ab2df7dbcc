"""Whether an invisible character is needed: what stands around it decides, and not where."""

from __future__ import annotations

import pytest

from tokenlint.rules.needed import is_needed

# The character in question is the one between the others; each is needed there.
NEEDED = [
    ("\u1780", "\u17b4", ""),
    ("\u1780", "\u17b5", "x"),
    ("", "\u200d", "\u20dd\u0628"),
    ("\u0646\u0645\u06cc", "\u200c", "\u062e\u0648\u0627\u0647\u0645"),
    ("\u0915\u094d", "\u200d", "\u0937"),
    ("\U0001f468", "\u200d", "\U0001f469"),
    ("\u2764", "\ufe0f", ""),
    ("\u1820", "\u180b", ""),
    ("\u3131", "\u3164", ""),
    ("\uffa1", "\uffa0", ""),
    ("", "\u115f", "\u1161"),
    ("\u1100", "\u1160", ""),
    ("x", "\u1160", "\u11a8"),
    ("\U0001bc00", "\U0001bca0", ""),
    ("\U0001d15f", "\U0001d173", ""),
    ("\u05d0", "\u200f", ""),
    ("\u4e00", "\U000e0100", ""),
]
BESIDE = ["", ".", ". ", "; . ", "(...) ", "1.2.3.4 "]


@pytest.mark.parametrize(("before", "char", "behind"), NEEDED, ids=ascii)
def test_wherever_it_stands_it_is_needed(before: str, char: str, behind: str) -> None:
    verdicts = {
        is_needed(first + before + char + behind + last, len(first + before))
        for first in BESIDE
        for last in BESIDE
    }
    assert verdicts == {True}


@pytest.mark.parametrize("mark", ["\u064e", "\u0650"])
def test_what_stands_behind_a_mark_decides_each_time(mark: str) -> None:
    beside_arabic, beside_latin = f"\u0647{mark}\u200d ", f"e{mark}\u200d "
    texts = [beside_arabic, beside_latin, beside_arabic][mark == "\u0650" :]
    assert [is_needed(text, 2) for text in texts] == [text == beside_arabic for text in texts]


@pytest.mark.parametrize("char", dict.fromkeys(char for _, char, _ in NEEDED), ids=ascii)
def test_alone_it_is_needed_nowhere(char: str) -> None:
    texts = [(first + char + last, len(first)) for first in BESIDE for last in BESIDE]
    assert {is_needed(text, at) for text, at in texts} == {False}
