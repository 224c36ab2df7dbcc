"""Inline directives: `tokenlint: ignore[TL201]`, in whatever a file's comments look like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from tokenlint.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.tokens import Document

_DIRECTIVE = re.compile(
    r"\btokenlint:[ \t]*(?P<kind>ignore-next-line|ignore-file|ignore)"
    r"(?:[ \t]*\[(?P<words>[^\[\]\r\n]{0,500})\]|(?![\w\[-]))"
)
_WORD = re.compile(r"[^\s,]+")

Kind = Literal["ignore", "ignore-next-line", "ignore-file"]


@frozen
class Directive:
    """One directive: what it covers, the row it stands on, its words and their ranges."""

    kind: str
    row: int
    span: tuple[int, int]
    words: tuple[tuple[str, tuple[int, int]], ...]


def directives(document: Document) -> Iterator[Directive]:
    """Every directive in a document, those without any rule included, in order."""
    if "tokenlint:" not in document.text:
        return
    for match in _DIRECTIVE.finditer(document.text):
        row = document.location(match.start()).row
        yield Directive(match["kind"], row, match.span(), tuple(_words(match)))


def _words(match: re.Match[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    offset = match.start("words")
    for word in _WORD.finditer(match["words"] or ""):
        yield word.group(), (offset + word.start(), offset + word.end())
