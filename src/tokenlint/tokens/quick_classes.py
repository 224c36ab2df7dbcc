"""Texts that `re` and `regex` surely split as tiktoken does, and the split itself.

Each brings the Unicode tables of its own version, so a character may be a letter to one and
unknown to the other. A character is sure here if it had the category that it has today in Unicode
3.2 (2002) already, so that every table since then agrees about it, or if it is an emoji of Unicode
14 (2021), which the oldest versions know that this package allows. Only common scripts are listed.
Left out are the two letters that a contraction may match without regard to case (U+017F) or that
fold to ASCII (U+212A), and control characters, except for tabs and line ends. The tests hold every
character of the list to the classes of all engines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SURE = (
    "9-a d 20-7e a0-a6 a8-a9 ab-ac ae-b5 b7-b9 bb-17e 180-220 222-233 300-34f 360-36f 375 37a "
    "37e 384-38a 38c 38e-3a1 3a3-3ce 3d0-3f6 400-486 488-4ce 4d0-4f5 4f8-4f9 591-5a1 5a3-5b9 "
    "5bb-5bd 5bf-5c4 5d0-5ea 5f0-5f4 60c 61b 61f 621-63a 640-655 660-6dc 6df-6ed 6f0-6fe "
    "901-903 905-939 93c-94d 950-954 958-970 e01-e3a e3f-e5b 1e00-1e9b 1ea0-1ef9 2000-200a "
    "200c-200d 2010-2029 202f-2052 2057 205f 20a0-20b1 2100-2117 2119-2129 212b-2131 2133-213a "
    "213d-214b 2153-2182 2190-2307 230c-23b3 23b7-23ce 2500-27bf 2b05-2b07 2b1b-2b1c 2b50 2b55 "
    "3000-302d 3030-303f 3041-3096 3099-30fa 30fc-30ff 3400-4db5 4e00-9fa5 ac00-d7a3 fe0f "
    "ff01-ff5e fffd 1f300-1f64f 1f680-1f6c5 1f900-1f9ff"
)
"Code points, and from which to which: in hexadecimal, in order."


def is_sure(text: str) -> bool:
    """Whether every engine knows the characters of a text alike."""
    bounds = _bounds()
    # Between two neighbours of the list an odd place is inside of a range.
    return all(bisect_right(bounds, ord(char)) & 1 for char in set(text))


@cache
def _bounds() -> list[int]:
    """Where ranges start, and where each is over, in turn."""
    ends = (part.split("-") for part in SURE.split())
    return [bound for end in ends for bound in (int(end[0], 16), int(end[-1], 16) + 1)]


@cache
def splitter(pattern: str, *, ascii_only: bool) -> Callable[[str], list[str]]:
    """Cuts a text into pieces by a split pattern; ASCII needs no `regex`, which imports slowly."""
    if ascii_only:
        return re.compile("".join(_for_ascii(pattern)), re.ASCII).findall
    import regex

    return regex.compile(pattern, flags=regex.VERSION1).findall


_ASCII = {"L": "A-Za-z", "Lu": "A-Z", "Ll": "a-z", "N": "0-9"}
_PART = re.compile(r"\\p\{(\w+)\}|\\?.", re.DOTALL)


def _for_ascii(pattern: str) -> Iterator[str]:
    """A pattern for `re`: properties become the ASCII characters that have them."""
    in_class = False
    for part in _PART.finditer(pattern):
        if part[0] in "[]":
            in_class = part[0] == "["
        if part[1] is None:
            yield part[0]
        else:
            known = _ASCII.get(part[1], "")
            yield known if in_class else f"[{known}]"
