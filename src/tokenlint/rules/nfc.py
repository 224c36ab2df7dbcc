"""Where NFC would change a text, and in which of its ways: what TL101 and TL102 share."""

from __future__ import annotations

import itertools
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from tokenlint.rules.quick import LONGEST, can_compose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenlint.tokens import Document

Kind = Literal["decomposed", "singleton", "excluded", "mark-order"]


class Change(NamedTuple):
    """A stretch of text that NFC changes as one, and what it becomes.

    A run of marks can be too long to be normalised (no real text has one): then `nfc` is the text
    as it was found.
    """

    start: int
    end: int
    found: str
    nfc: str
    kind: Kind

    @property
    def is_too_long(self) -> bool:
        """Whether what NFC makes of it was left open."""
        return self.nfc == self.found


def changes(document: Document) -> Iterator[Change]:
    """Every stretch of a document that NFC changes, in order.

    Only lines that are not in NFC are looked at character by character: `is_normalized` runs at
    about 1 GB/s, the loop below at a few MB/s.
    """
    text = document.text
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return
    starts = [*document.line_starts, len(text)]
    for start, end in itertools.pairwise(starts):
        line = text[start:end]
        if not line.isascii() and not unicodedata.is_normalized("NFC", line):
            yield from _in_line(line, start)


def _in_line(line: str, offset: int) -> Iterator[Change]:
    bounds = [at for at, char in enumerate(line) if at == 0 or not _continues(char)]
    bounds.append(len(line))
    for start, end in itertools.pairwise(bounds):
        found = line[start:end]
        if len(found) > LONGEST:
            yield from _long(found, offset + start)
            continue
        nfc, kind = _composed(found)
        if nfc != found:
            yield Change(offset + start, offset + end, found, nfc, kind)


@lru_cache(maxsize=2048)  # a text has the same few sequences again and again
def _composed(found: str) -> tuple[str, Kind]:
    """What NFC makes of a stretch of text, and in which way; the way means nothing if none."""
    nfc = unicodedata.normalize("NFC", found)
    return nfc, "decomposed" if nfc == found else kind_of(found, nfc)


def _long(found: str, offset: int) -> Iterator[Change]:
    if not unicodedata.is_normalized("NFC", found):  # sees marks out of order without sorting them
        yield Change(offset, offset + len(found), found, found, "decomposed")


def kind_of(found: str, nfc: str) -> Kind:
    """In which way NFC changes a stretch of text that it does change."""
    alone = [unicodedata.normalize("NFC", char) for char in found]
    if sorted("".join(alone)) != sorted(nfc):
        return "decomposed"  # more happened than to each character alone: something composed
    if any(len(became) > 1 for became in alone):
        return "excluded"
    return "singleton" if "".join(alone) != found else "mark-order"


def may_compose(text: str, chars: Iterable[str]) -> bool:
    """Whether any of these characters composes with the one before it, or surely changes.

    A mark in between makes it unsure, which counts as yes.
    """
    for char in chars:
        at = text.find(char)
        while at >= 0:
            if composes(text[max(0, at - 1) : at], char):
                return True
            at = text.find(char, at + 1)
    return False


@cache
def composes(before: str, char: str) -> bool:
    """Whether NFC may join a character to the one before it, or change it by itself."""
    if before and (unicodedata.combining(before) or can_compose(before)):
        return True
    return not unicodedata.is_normalized("NFC", before + char)


def _continues(char: str) -> bool:
    """Whether a character can change together with the one before it."""
    return char >= "\u0300" and (unicodedata.combining(char) != 0 or char in _joining_starters())


@cache
def _joining_starters() -> frozenset[str]:
    """Characters of combining class 0 that NFC joins to the one before: jamo, Indic vowel halves.

    Found from the Unicode data of the running Python; all of them lie below U+20000.
    """
    jamo = [*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)]
    found = {chr(code) for code in jamo}
    for code in range(0xC0, 0x20000):
        mapping = unicodedata.decomposition(chr(code))
        if not mapping or mapping[0] == "<":
            continue
        parts = [chr(int(part, 16)) for part in mapping.split()]
        if unicodedata.combining(parts[0]) and not unicodedata.combining(chr(code)):
            found.add(chr(code))  # starts with a mark once decomposed, such as U+0F73
        found.update(part for part in parts[1:] if not unicodedata.combining(part))
    return frozenset(found)


def code_points(text: str) -> str:
    """`U+0061 U+0323`: the code points of a text, as the Unicode standard writes them."""
    return " ".join(f"U+{ord(char):04X}" for char in text)
