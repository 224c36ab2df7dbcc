"""What counts as a word, script by script.

A *word* is a run of letters, marks and digits; an apostrophe between letters and a joiner belong
to it. Punctuation, symbols and emoji are no words. Chinese, Japanese, Thai, Lao, Khmer, Burmese
and Tibetan do not separate words, so text that is mostly in them is measured in *graphemes*:
the user-perceived characters that hold a letter or a digit. Text is compared in NFC, so the same
text in NFC and in NFD has the same number of words.

Other measures can be asked for by name: `whitespace` (what stands between white space, as most
papers count, punctuation of its own included), `unicode` (the segments of UAX #29 that hold a
letter or a digit), and `grapheme`, whatever the script.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args

from tokenlint.tokens.quick_words import WORTH_IT, ascii_words, class_of, is_far, parts

if TYPE_CHECKING:
    import regex

Unit = Literal["word", "whitespace", "grapheme", "segment"]
Method = Literal["word", "whitespace", "unicode", "grapheme"]

METHODS: tuple[Method, ...] = get_args(Method)
"The ways to count words, by name; the first is the default."

_UNSPACED = "|".join(
    rf"\p{{Script={script}}}"
    for script in ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan")
)


@dataclass(frozen=True)
class Words:
    """How many words a text has, and of what kind."""

    count: int
    unit: Unit


def count_words(text: str, method: Method = "word") -> Words:
    """The words of a text; of `word`, graphemes where most of it is in a script without spaces."""
    if method == "word" and text.isascii():
        return Words(ascii_words(text), "word")
    text = _composed(text)
    if method == "whitespace":
        return Words(_count(r"\P{White_Space}+", text), "whitespace")
    if method == "unicode":
        return Words(_segments(text), "segment")
    if method == "grapheme" or _is_unspaced(text):
        return Words(_sum(_graphemes, text), "grapheme")
    return Words(_sum(_words, text), "word")


def _composed(text: str) -> str:
    """The text in NFC, of very long runs of marks a part: sorting them takes quadratic time."""
    if unicodedata.is_normalized("NFC", text):
        return text
    return unicodedata.normalize("NFC", _compile(r"(\p{M}{100})\p{M}+").sub(r"\1", text))


def _is_unspaced(text: str) -> bool:
    unspaced = 0 if text.isascii() else _characters(_UNSPACED_LETTER, text)
    return bool(unspaced) and 2 * unspaced > _characters(r"\p{L}", text)


_UNSPACED_LETTER = rf"(?=\p{{L}})(?:{_UNSPACED})"
_START = rf"(?:{_UNSPACED_LETTER}|[\p{{L}}\p{{N}}])"
_INNER = rf"(?:(?!{_UNSPACED})[\p{{L}}\p{{M}}\p{{N}}\u200c\u200d])"
_WORD = "{start}{inner}*(?:['\u2019\u00b7](?={letter}){inner}+)*"
_SLOW_WORD = _WORD.format(start=_START, inner=_INNER, letter=r"\p{L}")
_GRAPHEME = r"(?=[\p{L}\p{N}])\X"

_BREAKS = ("Other", "LV", "LVT", "CR", "LF", "Control", "Extend")

# Letters and digits of these scripts are graphemes of their own, whatever stands beside them, if
# nothing in the text joins to what is before or behind it.
_ALONE = "|".join(rf"\p{{GCB={value}}}" for value in _BREAKS)
_KNOWN = "|".join(
    rf"\p{{Script={script}}}"
    for script in (
        *("Common", "Inherited", "Latin", "Greek", "Cyrillic", "Hangul"),
        *("Han", "Hiragana", "Katakana", "Bopomofo", "Thai", "Lao"),
    )
)
_MAY_JOIN = rf"(?!(?={_ALONE})(?:{_KNOWN}))(?s:.)"


Way = Callable[[str, bool], int]
"Counts in a part; the flag says whether the classes for `re` know all of it."


def _sum(count: Way, text: str) -> int:
    """What the parts of a text come to; a long one is worth the classes that `re` can use."""
    quick = len(text) >= WORTH_IT
    return sum(count(part, quick and not is_far(part)) for part in parts(text))


def _characters(pattern: str, text: str) -> int:
    def count(part: str, quick: bool) -> int:
        if quick:
            return _letters(class_of(pattern), part)
        return _count(pattern, part)

    return _sum(count, text)


def _words(part: str, quick: bool) -> int:
    if not quick:
        return _count(_SLOW_WORD, part)
    classes = {"start": _START, "inner": _INNER, "letter": r"\p{L}"}
    found = _WORD.format(**{name: class_of(pattern) for name, pattern in classes.items()})
    return len(_quick(found).findall(part))


def _graphemes(part: str, quick: bool) -> int:
    if not quick or _quick(class_of(_MAY_JOIN)).search(part):
        return _count(_GRAPHEME, part)
    return _letters(class_of(r"[\p{L}\p{N}]"), part)


def _letters(one: str, part: str) -> int:
    return sum(map(len, _quick(f"{one}+").findall(part)))


@cache
def _quick(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _segments(text: str) -> int:
    """Segments between the word boundaries of UAX #29 (`\\b` under the flag WORD), without
    those of nothing but white space, punctuation, symbols or emoji.
    """
    holds_one = _compile(r"[\p{L}\p{N}]").search
    segments = _compile(r"(?sw).+?\b").finditer(text)
    return sum(holds_one(segment.group()) is not None for segment in segments)


def _count(pattern: str, text: str) -> int:
    return sum(1 for _ in _compile(pattern).finditer(text))


@cache
def _compile(pattern: str) -> regex.Pattern[str]:
    import regex

    return regex.compile(pattern, flags=regex.VERSION1)
