"""What the generated pages of the site share: tables, code and text in Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_CODE = re.compile(r"(`[^`]*`)")
_SAID_IN_CODE = re.compile(r"(?<![\w`-])(--?[a-z][\w-]*|[A-Z]+_[A-Z_]+(?:=\d)?)(?![\w`])")


def code(text: str) -> str:
    """Text as code in a cell of a table."""
    return f"`{text.replace('|', chr(92) + '|')}`" if text else ""


def text(sentence: str) -> str:
    """Prose whose options are code, and whose pointed brackets are no HTML."""
    parts = _CODE.split(" ".join(sentence.split()))
    return "".join(part if part.startswith("`") else _prose(part) for part in parts)


def _prose(part: str) -> str:
    pieces = _CODE.split(_SAID_IN_CODE.sub(r"`\1`", part))
    return "".join(
        piece.replace("|", r"\|")
        if piece.startswith("`")
        else re.sub(r"([<*|\[\]])", r"\\\1", piece)
        for piece in pieces
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, or nothing where it would have no rows."""
    lines = [f"| {' | '.join(row)} |\n".replace("|  |", "| |") for row in rows]
    if not lines:
        return ""
    return f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n{''.join(lines)}"


def fence(language: str, content: str) -> str:
    """A block of code."""
    return f"```{language}\n{content.rstrip()}\n```\n"
