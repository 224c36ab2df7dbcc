"""Whether SentencePiece's table of characters in a tokenizer.json is sound.

`precompiled_charsmap` is a trie of byte sequences, whose values are places in the texts behind it,
each ended by a NUL. The engine trusts it, and panics over a damaged one: that can be caught, but
only after it has written to stderr.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from typing import Final

_CHARSMAP: Final = re.compile(rb'"precompiled_charsmap"\s*+:\s*+(?:"([^"]*+)"|null)')
LARGEST: Final = 10_000_000
"Characters of all tables in base64; those of SentencePiece have a third of a million."

_BLOCK: Final = 256  # units of a trie; where one node has children there are places for all bytes
_IS_VALUE, _HAS_VALUE, _IS_FAR = 1 << 31, 1 << 8, 1 << 9


def require_sound_charsmap(raw: bytes) -> None:
    """Raise ValueError where a table in the bytes of a tokenizer.json is damaged, or too large."""
    if b'"precompiled_charsmap"' not in raw:
        return
    found = _CHARSMAP.findall(raw)
    if sum(map(len, found)) > LARGEST:
        raise ValueError(f"its precompiled_charsmap has more than {LARGEST:,} characters")
    if not all(map(_is_sound, found)):
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
        if at and unit & _IS_VALUE:  # the root is taken for a node whatever it says
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
