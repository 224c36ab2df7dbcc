"""Words of long texts by arithmetic: a byte for each character, and a long number of all of them.

What a character is to a word is looked up once for each block of 256 that a text has. A part of the
text then becomes a number with eight bits for a character, and one shift shows each of them the one
before it. That is many times as fast as asking at each place what stands there, and gives the same.

NFC changes no number of words but where it meets something `ODD`: an accent is in the word of its
letter, composed with it or not. Parts with something odd are composed first, as far as that makes
them plain, and letters beyond the basic plane are replaced by others that are the same to a word.
What is odd even then is left to the slow way.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from tokenlint.tokens.words import composed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Kinds = Callable[[str], Mapping[str, int]]

PART, _LEAST = 1 << 11, 1 << 9  # characters: of a part, and of one with too many kinds of them

WORD, ALONE, LETTER, MARK, JOINER, ODD = _KINDS = tuple(1 << bit for bit in range(6))
"""What a character can be: a letter or digit of a script with spaces, or of one without; a letter;
what belongs to the word before it; what joins two parts of a word; what the slow way has to see.
"""


def _masks(width: int) -> dict[int, int]:
    """For each kind its bit in so many bytes."""
    ones = int.from_bytes(b"\1" * width, "little")
    return {kind: ones * kind for kind in _KINDS}


_WIDTH = 2 * PART
_MASKS = _masks(_WIDTH)


def _kind_of_ascii(char: str) -> int:
    if char == "'":
        return JOINER
    return WORD * char.isalnum() + LETTER * char.isalpha()


_ASCII_KINDS = bytes(map(_kind_of_ascii, map(chr, range(128)))).ljust(256, b"\0")

_ASCII = "[\\0-&(-\x7f]"  # without the apostrophe
_HAN = "[\u4e00-\u9fff]"
_PLACE = re.compile(rf"(?<={_ASCII})(?={_ASCII})|(?<={_HAN})(?={_HAN})|\s")

# Blocks that are alike throughout: Han of extension A, Han, and Hangul. A test looks at each.
_ALIKE = (range(0x34, 0x4D), range(0x4E, 0x9F), range(0xAC, 0xD7))
_FAMILY = {block: alike for alike in _ALIKE for block in alike}

# Beyond the basic plane only emoji and other symbols are sure to be nothing to a word.
_FAR = re.compile("[\U00010000-\U0001efff\U0001f100-\U0001f10c\U0001fb00-\U0010ffff]")
_HALVES = range(0xD8, 0xE0)

_STAND_INS = {
    0: "\u2014",
    WORD: "\u00b2",
    WORD + LETTER: "\u00e9",
    ALONE: "\u0e51",
    ALONE + LETTER: "\u4e00",
    MARK: "\u0301",
}
"For characters beyond the plane one of it that is the same to a word. A test looks at each."


class Tally(NamedTuple):
    """What a part comes to; of graphemes those that hold a letter or a digit."""

    words: int = 0
    letters: int = 0
    unspaced: int = 0
    graphemes: int = 0


_TORN = Tally(words=-1)
"Both ends of a word that was torn count it."


def tallies(
    text: str,
    kinds_of: Kinds,
    slow: Callable[[str], Tally],
    size: int = PART,
    *,
    in_nfc: Kinds | None = None,
) -> Iterator[Tally]:
    """The figures of a text, part by part; `slow` finds those of small parts with something odd.

    `kinds_of` says what each character of a string is, as a sum of kinds; `in_nfc` the same for
    text in NFC, where composing a part does not change its figures.
    """
    for part, is_torn in _parts(text, size):
        quick = _tally(part, kinds_of) or _tally_of_odd(part, kinds_of, in_nfc)
        if quick is not None:
            yield quick
        elif size > _LEAST:
            yield from tallies(part, kinds_of, slow, size // 4, in_nfc=in_nfc)
        else:
            yield slow(part)
        if is_torn:
            yield _TORN


def _tally_of_odd(part: str, kinds_of: Kinds, in_nfc: Kinds | None) -> Tally | None:
    """The figures of a part that is plain once it is composed, or has nothing from afar."""
    if in_nfc is not None:
        part, kinds_of = composed(part), in_nfc
    far = set(_FAR.findall(part))
    if not far and in_nfc is None:
        return None
    kinds = {ord(char): _row(ord(char) >> 8, kinds_of)[ord(char) & 0xFF] for char in far}
    if not _STAND_INS.keys() >= set(kinds.values()):
        return None
    near = part.translate({number: _STAND_INS[kind] for number, kind in kinds.items()})
    return _tally(near, kinds_of)


def _parts(text: str, size: int) -> Iterator[tuple[str, bool]]:
    """A text in parts, and whether the end of each tears a word."""
    start = 0
    while start < len(text):
        found = _PLACE.search(text, start + size)
        end = found.end() if found else len(text)
        yield text[start:end], _is_torn(text[end - 1 : end + 1])
        start = end


def _is_torn(pair: str) -> bool:
    return len(pair) == 2 and pair.isascii() and pair.isalnum()


def _tally(part: str, kinds_of: Kinds) -> Tally | None:
    kinds = _kinds(part, kinds_of)
    if len(kinds) > len(part) and _FAR.search(part):
        return None
    masks = _MASKS if len(kinds) <= _WIDTH else _masks(len(kinds))
    number = int.from_bytes(kinds, "little")
    if number & masks[ODD]:
        return None
    words, alone, letters = number & masks[WORD], number & masks[ALONE], number & masks[LETTER]
    single = alone.bit_count()
    begun = words.bit_count() + single
    inside = _inside(number, masks, words | alone >> 1)
    return Tally(
        begun - (words & inside << 8).bit_count(),
        letters.bit_count(),
        (alone << 1 & letters).bit_count(),
        begun,
    )


def _inside(number: int, masks: Mapping[int, int], inside: int) -> int:
    """What a letter or digit behind it goes on with: the lowest bit of a character."""
    if marks := number & masks[MARK]:
        marks >>= 3
        # A run of marks behind a letter is cleared by the carry of one addition.
        cleared = marks * 255 + (marks & inside << 8)
        inside |= marks & ~cleared
    if joiners := number & masks[JOINER]:
        spaced_letters = number & number >> 2 & masks[WORD]
        inside |= joiners >> 4 & inside << 8 & spaced_letters >> 8
    return inside


def _kinds(part: str, kinds_of: Kinds) -> bytes:
    """A byte for each character of a part, or for each half of one beyond the plane."""
    if part.isascii():
        return part.encode().translate(_ASCII_KINDS)
    units = part.encode("utf-16-le", "surrogatepass")
    low, high = units[::2], units[1::2]
    table = _table(_blocks(high), kinds_of)
    column = int.from_bytes(low.translate(table.columns), "little")
    row = int.from_bytes(high.translate(table.rows), "little")
    return (column + row).to_bytes(len(low), "little").translate(table.kinds)


def _blocks(high: bytes) -> bytes:
    """The blocks of a part, in order; of those that are alike the first."""
    found = []
    while high:
        family = _FAMILY.get(high[0], high[:1])
        found.append(family[0])
        high = high.translate(None, bytes(family))
    return bytes(sorted(found))


class _Table(NamedTuple):
    """Tables for the low and the high half of characters, and for the sum of what they give."""

    columns: bytes
    rows: bytes
    kinds: bytes


@cache
def _table(blocks: bytes, kinds_of: Kinds) -> _Table:
    """Blocks that are equal share a row, low halves that mean the same in each row a column."""
    row_of = {block: _row(block, kinds_of) for block in blocks}
    rows = list(dict.fromkeys(row_of.values()))
    by_low = list(zip(*rows, strict=True))
    columns = {column: at * len(rows) for at, column in enumerate(dict.fromkeys(by_low))}
    if len(rows) * len(columns) > 256:
        return _Table(bytes(256), bytes(256), bytes([ODD]) * 256)
    high = bytearray(256)
    for block, row in row_of.items():
        for alike in _FAMILY.get(block, (block,)):
            high[alike] = rows.index(row)
    kinds = bytes(kind for column in columns for kind in column)
    return _Table(bytes(map(columns.__getitem__, by_low)), bytes(high), kinds.ljust(256, b"\0"))


@cache
def _row(block: int, kinds_of: Kinds) -> bytes:
    """What the 256 characters of a block are."""
    numbers = range(block << 8, (block + 1) << 8)
    if block in _HALVES:
        return bytes(256)
    composed = [unicodedata.normalize("NFC", chr(number)) for number in numbers]
    kinds = kinds_of("".join(composed))
    return bytes(_together([kinds[char] for char in chars]) for chars in composed)


def _together(kinds: list[int]) -> int:
    """What NFC makes of a character: more than one only where all others are marks."""
    return kinds[0] if all(other & MARK for other in kinds[1:]) else ODD
