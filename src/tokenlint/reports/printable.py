"""Text from files and file names, made harmless for a terminal."""

from __future__ import annotations

import re
import unicodedata

from tokenlint.printable import escape, printable

__all__ = ["encodable", "escape", "printable", "printable_diff", "width"]

_CONTROLS = re.compile("\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def printable_diff(diff: str) -> str:
    """A diff with control characters as escapes; its lines and all other text stay what they are.

    A CR that ends a line with LF is part of the line: without it, no patch would apply.
    """
    return _CONTROLS.sub(lambda match: escape(match.group()), diff)


def encodable(text: str, encoding: str | None) -> str:
    """The text as a stream of this encoding will show it, escapes where it cannot."""
    return text.encode(encoding or "utf-8", "backslashreplace").decode(encoding or "utf-8")


def width(text: str) -> int:
    """Columns of a terminal that a text takes: marks none, wide East Asian characters two."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(map(_width, text))


def _width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf") or "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
