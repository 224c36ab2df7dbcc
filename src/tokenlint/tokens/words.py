"""What counts as a word, script by script.

A *word* is a run of letters, marks and digits; an apostrophe between letters and a joiner belong
to it. Punctuation, symbols and emoji are no words. Chinese, Japanese, Thai, Lao, Khmer, Burmese
and Tibetan do not separate words, so text that is mostly in them is measured in *graphemes*:
the user-perceived characters that hold a letter or a digit. Text is compared in NFC, so the same
text in NFC and in NFD has the same number of words.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import regex

Unit = Literal["word", "whitespace", "grapheme", "segment"]

_UNSPACED = "|".join(
    rf"\p{{Script={script}}}"
    for script in ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan")
)


@dataclass(frozen=True)
class Words:
    """How many words a text has, and of what kind."""

    count: int
    unit: Unit


def count_words(text: str) -> Words:
    """The words of a text, or its graphemes where most of it is in a script without spaces."""
    text = unicodedata.normalize("NFC", text)
    unspaced = 0 if text.isascii() else _count(_UNSPACED_LETTER, text)
    if unspaced and 2 * unspaced > _count(r"\p{L}", text):
        return Words(_count(r"(?=[\p{L}\p{N}])\X", text), "grapheme")
    return Words(_count(_WORD, text), "word")


_UNSPACED_LETTER = rf"(?=\p{{L}})(?:{_UNSPACED})"
_INNER = rf"(?:(?!{_UNSPACED})[\p{{L}}\p{{M}}\p{{N}}\u200c\u200d])"
_WORD = rf"(?:{_UNSPACED_LETTER}|[\p{{L}}\p{{N}}]){_INNER}*(?:['\u2019\u00b7](?=\p{{L}}){_INNER}+)*"


def _count(pattern: str, text: str) -> int:
    return sum(1 for _ in _compile(pattern).finditer(text))


@cache
def _compile(pattern: str) -> regex.Pattern[str]:
    import regex

    return regex.compile(pattern, flags=regex.VERSION1)
