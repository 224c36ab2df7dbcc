"""Text that every version of Unicode agrees is NFC, seen quickly.

Engines bring normalisation tables of other versions than Python's. How a character normalises
never changes once it is assigned (the stability policy, from Unicode 4.1 on), so tables can only
differ about characters that the older one does not know. Text without such characters needs no
look into anybody else's tables.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import groupby

_SCRIPTS_END = 0x3400
"Before it, characters are looked up one by one; behind it come large blocks."

_WHOLE_BLOCKS = (
    (0x3400, 0x4DB5),  # Han, extension A
    (0x4E00, 0x9FA5),  # Han
    (0xA000, 0xA48C),  # Yi
    (0xAC00, 0xD7A3),  # Hangul syllables
    (0xE000, 0xF8FF),  # private use
    (0xFB50, 0xFBB1),  # Arabic presentation forms
    (0xFF01, 0xFFBE),  # full and half width
    (0xFFFD, 0xFFFD),
    (0x1F300, 0x1F9FF),  # emoji: symbols, which no version normalises
)


def is_surely_nfc(text: str) -> bool:
    """Whether a text is NFC by any table; False says nothing."""
    return unicodedata.is_normalized("NFC", text) and _unsure().search(text) is None


@cache
def _unsure() -> re.Pattern[str]:
    """A character that Unicode 3.2 did not know yet: later tables may differ about it."""
    known = unicodedata.ucd_3_2_0.category
    runs = groupby(range(_SCRIPTS_END), lambda number: known(chr(number)) != "Cn")
    spans = [(min(run), max(run)) for is_known, run in ((k, list(r)) for k, r in runs) if is_known]
    sure = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in (*spans, *_WHOLE_BLOCKS))
    return re.compile(f"[^{sure}]")
