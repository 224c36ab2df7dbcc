"""A little ANSI, off unless a terminal wants it."""

from __future__ import annotations

from tokenlint.frozen import frozen

_CODES = {"bold": "1", "red": "1;31", "yellow": "1;33", "blue": "1;34", "cyan": "36", "green": "32"}


@frozen
class Style:
    """How text is set: in colours or not, and what the stream can encode."""

    color: bool = False
    encoding: str | None = "utf-8"

    def paint(self, text: str, name: str) -> str:
        """The text in a colour, or as it is."""
        return f"\x1b[{_CODES[name]}m{text}\x1b[0m" if self.color else text
