"""Text from files and file names, made harmless for a terminal."""

from __future__ import annotations

import re
import unicodedata

_HARMFUL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """The text with control, direction and tag characters as escapes: they could forge output."""
    if text.isascii() and text.isprintable():
        return text
    return _HARMFUL.sub(lambda match: escape(match.group()), text)


def escape(text: str) -> str:
    r"""Each character as `\x1b`, `\u202e` or `\U000e0041`."""
    return text.encode("ascii", "backslashreplace").decode() if text > "\x7f" else _low(text)


def _low(text: str) -> str:
    return "".join(f"\\x{ord(char):02x}" for char in text)


def encodable(text: str, encoding: str | None) -> str:
    """The text as a stream of this encoding will show it, escapes where it cannot."""
    return text.encode(encoding or "utf-8", "backslashreplace").decode(encoding or "utf-8")


def width(text: str) -> int:
    """Columns of a terminal that a text takes: marks none, wide East Asian characters two."""
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf") or "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
