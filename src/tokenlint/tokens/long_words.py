"""Words and graphemes of long texts: what each character is to them, for `word_bits` to count with.

Properties are looked up once for each block that is met; the patterns of `words` are the judge.
"""

from __future__ import annotations

from tokenlint.tokens import word_bits as bits
from tokenlint.tokens.word_bits import Tally, tallies
from tokenlint.tokens.words import (
    GRAPHEME,
    UNSPACED,
    UNSPACED_LETTER,
    WORD,
    Words,
    compiled,
    composed,
    count_of,
)


def words(text: str) -> Words:
    """The words of a text, or its graphemes where most letters are of scripts without spaces."""
    count = letters = unspaced = 0
    for tally in tallies(text, kinds, slowly, in_nfc=kinds_in_nfc):
        count += tally.words
        letters += tally.letters
        unspaced += tally.unspaced
    return graphemes(text) if 2 * unspaced > letters else Words(count, "word")


def graphemes(text: str) -> Words:
    """The graphemes that hold a letter or a digit: one for each where nothing may join two."""
    found = tallies(text, kinds_in_graphemes, _graphemes_slowly)
    return Words(sum(tally.graphemes for tally in found), "grapheme")


# Letters and digits of these scripts are graphemes of their own, whatever stands beside them, if
# nothing in the text joins to what is before or behind it.
_BREAKS = ("Other", "LV", "LVT", "CR", "LF", "Control", "Extend")
_BREAKING = "|".join(rf"\p{{GCB={value}}}" for value in _BREAKS)
_KNOWN = "|".join(
    rf"\p{{Script={script}}}"
    for script in (
        *("Common", "Inherited", "Latin", "Greek", "Cyrillic", "Hangul"),
        *("Han", "Hiragana", "Katakana", "Bopomofo", "Thai", "Lao"),
    )
)
_MAY_JOIN = rf"(?!(?={_BREAKING})(?:{_KNOWN}))(?s:.)|(?=\p{{GCB=Extend}})[\p{{L}}\p{{N}}]"

_KINDS = {
    bits.WORD: rf"(?!{UNSPACED})[\p{{L}}\p{{N}}]",
    bits.ALONE: rf"(?={UNSPACED})[\p{{L}}\p{{N}}]",
    bits.LETTER: r"\p{L}",
    bits.MARK: rf"(?!{UNSPACED})[\p{{M}}\u200c\u200d]",
    bits.JOINER: r"['\u2019\u00b7]",
    # NFC makes one letter of two: vowels and finals of Hangul, and a vowel sign of Burmese.
    bits.ODD: r"[\u1161-\u1175\u11a8-\u11c2\u102e]",
}


def kinds(chars: str) -> dict[str, int]:
    """What each of some characters is."""
    found = dict.fromkeys(chars, 0)
    for kind, pattern in _KINDS.items():
        for char in set(compiled(pattern).findall("".join(found))):
            found[char] += kind
    return found


def kinds_in_nfc(chars: str) -> dict[str, int]:
    """The same in text in NFC, where nothing is left to be made one letter."""
    return {char: kind & ~bits.ODD for char, kind in kinds(chars).items()}


def slowly(part: str) -> Tally:
    """The figures of a part by the patterns themselves."""
    part = composed(part)
    return Tally(*(count_of(pattern, part) for pattern in (WORD, r"\p{L}", UNSPACED_LETTER)))


def kinds_in_graphemes(chars: str) -> dict[str, int]:
    """The same, where graphemes are counted: what may join to another is odd."""
    odd = set(compiled(_MAY_JOIN).findall(chars))
    counted = set(compiled(r"[\p{L}\p{N}]").findall(chars))
    return {c: bits.ODD if c in odd else bits.WORD * (c in counted) for c in chars}


def _graphemes_slowly(part: str) -> Tally:
    return Tally(graphemes=count_of(GRAPHEME, composed(part)))
