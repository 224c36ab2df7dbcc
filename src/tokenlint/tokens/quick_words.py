"""Words of long texts, counted five to a hundred times as fast as by properties, and exactly alike.

`regex` looks the properties of each character up again and again. Here they are looked up once, for
every character of the basic plane, and written into classes for `re`. A part of a text with letters
outside of that plane is left to the slow way.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

WORTH_IT = 100_000
"Characters, in one text or in many, from which the look at the whole plane (60 ms) pays."

_PART = 1 << 18  # characters: what is found in one part is in memory at once
_END = re.compile(r"\s")

# Outside of the plane only emoji and other symbols are sure to be no letters.
_FAR = re.compile("[\U00010000-\U0001efff\U0001fb00-\U0010ffff]")


def _kind(char: str) -> str:
    if char.isalpha():
        return "l"
    return "n" if char.isdigit() else "a" if char == "'" else "o"


_KINDS = "".join(_kind(chr(byte)) for byte in range(128)).ljust(256, "o").encode()


def ascii_words(text: str) -> int:
    """The words of ASCII text: runs of letters and digits, which an apostrophe may join."""
    # One letter for the kind of each character, behind two others, so that every start is seen.
    kinds = b"oo" + text.encode("ascii").translate(_KINDS)
    return sum(map(kinds.count, (b"ol", b"on", b"an", b"oal", b"aal")))


def ascii_letters(text: str) -> int:
    """The ASCII letters of a text."""
    return len(text.encode("ascii", "ignore").translate(None, _NO_LETTERS))


_NO_LETTERS = bytes(byte for byte in range(128) if not chr(byte).isalpha())

_met = 0  # characters so far


def is_worth_it(text: str) -> bool:
    """Whether enough characters were met, in a text or before it."""
    global _met
    _met += len(text)
    return _met >= WORTH_IT


def parts(text: str) -> Iterator[str]:
    """A text in parts that no word crosses; one that is longer than a part keeps its part whole."""
    start = 0
    while start < len(text):
        found = _END.search(text, start + _PART)
        end = found.end() if found else len(text)
        yield text[start:end]
        start = end


def is_far(part: str) -> bool:
    """Whether a part has characters that the classes do not know."""
    units = len(part.encode("utf-16-le", "surrogatepass")) // 2
    return units > len(part) and _FAR.search(part) is not None


@cache
def class_of(pattern: str) -> str:
    """The characters of the basic plane that a pattern of `regex` matches, as a class for `re`."""
    import regex

    spans: list[tuple[int, int]] = []
    for number in map(ord, regex.compile(pattern, regex.VERSION1).findall(_plane())):
        if spans and spans[-1][1] == number - 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return "".join(("[", *(f"\\u{first:04x}-\\u{last:04x}" for first, last in spans), "]"))


@cache
def _plane() -> str:
    return "".join(map(chr, (*range(0xD800), *range(0xE000, 0x10000))))
