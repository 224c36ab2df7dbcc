"""What of a text is noise: the rules say so, and the rest is left alone."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.commands.diff_noise import cleaned, in_nfc
from tokenlint.rules import Context

CONTEXT = Context()

CLEAN = [
    "",
    "Plain text.\n",
    "Tất nhiên, tôi sẽ giúp bạn.\n",
    "\u0915\u093c \u09a1\u09bc",  # nukta letters, as NFC writes them
    "\u025b\u0329\u0301 \u0254\u0301",  # marks that no composed letter takes
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family is joined by joiners
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian needs its non-joiner
]

NOISY = [
    ("cafe\u0301", "caf\u00e9", "caf\u00e9"),
    ("A\u030a \u212b", "\u00c5 \u212b", "\u00c5 \u00c5"),
    ("a\r\nb\rc", "a\r\nb\rc", "a\nb\nc"),
    ("\ufeffa", "\ufeffa", "a"),
    ("a\u200bb", "a\u200bb", "ab"),
    ("e\u0301\u200b", "\u00e9\u200b", "\u00e9"),
    ("x\U000e0041\U000e0042y", "x\U000e0041\U000e0042y", "xy"),
]


@pytest.mark.parametrize("text", CLEAN)
def test_what_is_no_noise(text: str) -> None:
    assert cleaned(text, CONTEXT) == (text, text)


@pytest.mark.parametrize(("text", "composed", "clean"), NOISY)
def test_noise(text: str, composed: str, clean: str) -> None:
    assert cleaned(text, CONTEXT) == (composed, clean)


def test_soft_hyphens_are_noise_unless_they_are_allowed() -> None:
    assert cleaned("hy\u00adphen", CONTEXT).clean == "hyphen"
    assert cleaned("hy\u00adphen", Context(soft_hyphens="allow")).clean == "hy\u00adphen"


@given(st.text(st.sampled_from("ae\u0301\u0302\u0323\u212b \u1100\u1161\n\u09c7\u09be\u0338=")))
def test_composing_all_is_nfc(text: str) -> None:
    assert in_nfc(text) == unicodedata.normalize("NFC", text)


@given(st.text())
def test_a_clean_text_stays_clean(text: str) -> None:
    clean = cleaned(text, CONTEXT).clean
    assert unicodedata.is_normalized("NFC", clean)
    assert "\r" not in clean


def test_a_run_of_marks_without_end_is_left_alone() -> None:
    """Python would sort it in quadratic time."""
    text = "a" + "\u0301\u0323" * 50_000
    assert in_nfc(text) == text
