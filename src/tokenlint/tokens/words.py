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
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args

from tokenlint.frozen import frozen
from tokenlint.tokens.quick_words import (
    ascii_letters,
    ascii_words,
    class_of,
    is_far,
    is_worth_it,
    parts,
)

if TYPE_CHECKING:
    import regex

Unit = Literal["word", "whitespace", "grapheme", "segment"]
Method = Literal["word", "whitespace", "unicode", "grapheme"]

METHODS: tuple[Method, ...] = get_args(Method)
"The ways to count words, by name; the first is the default."

UNITS: tuple[Unit, ...] = get_args(Unit)
"What is counted, whichever way."

_UNSPACED = "|".join(
    rf"\p{{Script={script}}}"
    for script in ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan")
)


@frozen
class Words:
    """How many words a text has, and of what kind."""

    count: int
    unit: Unit


def count_words(text: str, method: Method = "word") -> Words:
    """The words of a text; of `word`, graphemes where most of it is in a script without spaces."""
    if method == "word":
        return _words_or_graphemes(text)
    text = _composed(text)
    if method == "whitespace":
        return Words(_count(r"\P{White_Space}+", text), "whitespace")
    if method == "unicode":
        return Words(_segments(text), "segment")
    return Words(_sum(_graphemes, text), "grapheme")


def _words_or_graphemes(text: str) -> Words:
    """Lines of ASCII are counted by themselves: no word, and no composing, goes over a line."""
    if text.isascii():
        return Words(ascii_words(text), "word")
    lines = text.splitlines(keepends=True)
    plain = "".join(line for line in lines if line.isascii())
    rest = "".join(_composed(line) for line in lines if not line.isascii())
    if _is_unspaced(rest, plain):
        return Words(_sum(_graphemes, _composed(text)), "grapheme")
    return Words(ascii_words(plain) + _sum(_words, rest), "word")


def _composed(text: str) -> str:
    """The text in NFC, of very long runs of marks a part: sorting them takes quadratic time."""
    if len(text) > 100:
        if unicodedata.is_normalized("NFC", text):
            return text
        text = _compile(r"(\p{M}{100})\p{M}+").sub(r"\1", text)
    return unicodedata.normalize("NFC", text)


def _is_unspaced(text: str, plain: str) -> bool:
    """Whether most letters of two texts are of scripts without spaces; `plain` is ASCII."""
    others = len(text) - len(text.encode("ascii", "ignore"))
    in_ascii = ascii_letters(text) + ascii_letters(plain)
    if 2 * others <= in_ascii:
        return False
    unspaced = _characters(_UNSPACED_LETTER, text)
    if 2 * unspaced <= in_ascii:
        return False
    return 2 * unspaced > _characters(r"\p{L}", text) + ascii_letters(plain)


_UNSPACED_LETTER = rf"(?=\p{{L}})(?:{_UNSPACED})"
_START = rf"(?:{_UNSPACED_LETTER}|[\p{{L}}\p{{N}}])"
_INNER = rf"(?:(?!{_UNSPACED})[\p{{L}}\p{{M}}\p{{N}}\u200c\u200d])"
_WORD = "{start}{inner}*+(?:['\u2019\u00b7](?={letter}){inner}++)*+"
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
    quick = is_worth_it(text)
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
    return _quick(found).subn("", part)[1]  # twice as fast as a list of what is found


def _graphemes(part: str, quick: bool) -> int:
    if not quick or _quick(class_of(_MAY_JOIN)).search(part):
        return _count(_GRAPHEME, part)
    return _letters(class_of(r"[\p{L}\p{N}]"), part)


def _letters(one: str, part: str) -> int:
    return len(part) - len(_quick(f"{one}++").sub("", part))


@cache
def _quick(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _segments(text: str) -> int:
    """Segments between the word boundaries of UAX #29 (`\\b` under the flag WORD), without
    those of nothing but white space, punctuation, symbols or emoji.
    """
    holds_one = _compile(r"[\p{L}\p{N}]").search
    # Flags hold neither; of a long run of their halves the engine counts all for each.
    text = _compile(r"(\p{Regional_Indicator}{2})\p{Regional_Indicator}+").sub(r"\1", text)
    segments = _compile(r"(?sw).+?\b").finditer(text)
    return sum(holds_one(segment.group()) is not None for segment in segments)


def _count(pattern: str, text: str) -> int:
    return sum(1 for _ in _compile(pattern).finditer(text))


@cache
def _compile(pattern: str) -> regex.Pattern[str]:
    import regex

    return regex.compile(pattern, flags=regex.VERSION1)
