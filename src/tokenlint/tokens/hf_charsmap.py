"""SentencePiece's table of characters in a tokenizer.json, `precompiled_charsmap`: is it sound?

A trie of byte sequences, whose values are places in the texts behind it, each ended by a NUL. The
engine trusts it and panics over a damaged one: that is caught, but it has written to stderr by then.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from typing import Final

_CHARSMAP: Final = re.compile(rb'"precompiled_charsmap"\s*+:\s*+"([^"]*+)"')
_BLOCK: Final = 256  # units of a trie; where one node has children there are places for all bytes
_IS_VALUE, _HAS_VALUE, _IS_FAR = 1 << 31, 1 << 8, 1 << 9


def require_sound_charsmap(raw: bytes) -> None:
    """Raise ValueError where a table in the bytes of a tokenizer.json is damaged."""
    if b'"precompiled_charsmap"' not in raw:
        return
    for found in _CHARSMAP.finditer(raw):
        if not _is_sound(found[1]):
            raise ValueError("its precompiled_charsmap is damaged")


def _is_sound(charsmap: bytes) -> bool:
    try:
        table = base64.b64decode(charsmap, validate=True)
        (size,) = struct.unpack_from("<I", table)
        units = struct.unpack_from(f"<{size // 4}I", table, 4)
        texts = table[4 + size // 4 * 4 :]
        texts.decode()
    except (binascii.Error, struct.error, UnicodeDecodeError):
        return False
    if base64.b64encode(table) != charsmap:  # the engine wants no spare bits either
        return False
    return len(units) >= _BLOCK and _stays_inside(units, texts)


def _stays_inside(units: tuple[int, ...], texts: bytes) -> bool:
    """Whether each step through a trie ends in it, and each value where a character begins."""
    for at, unit in enumerate(units):
        if unit & _IS_VALUE:
            continue
        child = at ^ (unit >> 10 << (8 if unit & _IS_FAR else 0))
        if child | _BLOCK - 1 >= len(units):
            return False
        if unit & _HAS_VALUE and not _begins(texts, units[child] & ~_IS_VALUE):
            return False
    return True


def _begins(texts: bytes, place: int) -> bool:
    """Whether a place in UTF-8 is the end of it, or no continuation of a character."""
    return place == len(texts) or (place < len(texts) and texts[place] & 0xC0 != 0x80)
