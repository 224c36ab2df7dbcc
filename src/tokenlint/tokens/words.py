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

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args

from tokenlint.frozen import frozen
from tokenlint.tokens.quick_words import ascii_letters, ascii_words, is_worth_it

if TYPE_CHECKING:
    import regex

Unit = Literal["word", "whitespace", "grapheme", "segment"]
Method = Literal["word", "whitespace", "unicode", "grapheme"]

METHODS: tuple[Method, ...] = get_args(Method)
"The ways to count words, by name; the first is the default."

UNITS: tuple[Unit, ...] = get_args(Unit)
"What is counted, whichever way."

UNSPACED = "|".join(
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
    if method == "word" and not is_worth_it(text):
        return _of_a_short(text)
    if method in ("word", "grapheme"):
        from tokenlint.tokens import long_words

        return long_words.words(text) if method == "word" else long_words.graphemes(text)
    text = composed(text)
    if method == "whitespace":
        return Words(count_of(r"\P{White_Space}+", text), "whitespace")
    return Words(_segments(text), "segment")


def _of_a_short(text: str) -> Words:
    """Lines of ASCII are counted by themselves: no word, and no composing, goes over a line."""
    if text.isascii():
        return Words(ascii_words(text), "word")
    lines = text.splitlines(keepends=True)
    plain = "".join(line for line in lines if line.isascii())
    rest = composed("".join(line for line in lines if not line.isascii()))
    if _is_unspaced(rest, plain):
        return Words(count_of(GRAPHEME, composed(text)), "grapheme")
    return Words(ascii_words(plain) + count_of(WORD, rest), "word")


def composed(text: str) -> str:
    """The text in NFC, of very long runs of marks a part: sorting them takes quadratic time."""
    if len(text) > 100:
        if unicodedata.is_normalized("NFC", text):
            return text
        text = compiled(r"(\p{M}{100})\p{M}+").sub(r"\1", text)
    return unicodedata.normalize("NFC", text)


def _is_unspaced(text: str, plain: str) -> bool:
    """Whether most letters of two texts are of scripts without spaces; `plain` is ASCII."""
    others = len(text) - len(text.encode("ascii", "ignore"))
    in_ascii = ascii_letters(text) + ascii_letters(plain)
    if 2 * others <= in_ascii:
        return False
    unspaced = count_of(UNSPACED_LETTER, text)
    if 2 * unspaced <= in_ascii:
        return False
    return 2 * unspaced > count_of(r"\p{L}", text) + ascii_letters(plain)


UNSPACED_LETTER = rf"(?=\p{{L}})(?:{UNSPACED})"
_INNER = rf"(?:(?!{UNSPACED})[\p{{L}}\p{{M}}\p{{N}}\u200c\u200d])"
WORD = rf"[\p{{L}}\p{{N}}]{_INNER}*+(?:['\u2019\u00b7](?=\p{{L}}){_INNER}++)*+"
GRAPHEME = r"(?=[\p{L}\p{N}])\X"


def _segments(text: str) -> int:
    """Segments between the word boundaries of UAX #29 (`\\b` under the flag WORD), without
    those of nothing but white space, punctuation, symbols or emoji.
    """
    holds_one = compiled(r"[\p{L}\p{N}]").search
    # Flags hold neither; of a long run of their halves the engine counts all for each.
    text = compiled(r"(\p{Regional_Indicator}{2})\p{Regional_Indicator}+").sub(r"\1", text)
    segments = compiled(r"(?sw).+?\b").finditer(text)
    return sum(holds_one(segment.group()) is not None for segment in segments)


def count_of(pattern: str, text: str) -> int:
    """How often a pattern of `regex` is found."""
    return sum(1 for _ in compiled(pattern).finditer(text))


@cache
def compiled(pattern: str) -> regex.Pattern[str]:
    """A pattern of `regex`."""
    import regex

    return regex.compile(pattern, flags=regex.VERSION1)
