"""How block scalars of YAML are read, line by line, with the place of each character."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen
from tokenlint.tokens.extract.part import Piece, Run
from tokenlint.tokens.extract.pieces import BREAKS, breaks, checked

if TYPE_CHECKING:
    from collections.abc import Iterator

_BREAK = re.compile(f"\r\n|[{BREAKS}]")
_SPACE = " \t" + BREAKS
_HEADER = re.compile(rf"[|>][^{BREAKS}]*(?:\r\n|[{BREAKS}]|\Z)")
_LINE = re.compile(rf"( *)([^{BREAKS}]*)(?:\r\n|[{BREAKS}]|\Z)")


def block_runs(source: str, start: int, stop: int, value: str) -> list[Run]:
    """The runs of a block scalar, from its header on."""
    return checked(source, (start, stop), value, block_pieces(source, start, stop, value))


def block_span(source: str, start: int, stop: int, value: str) -> tuple[int, int]:
    """Where the value of a block scalar begins and ends."""
    if span := _ends(source, start, stop, value):
        return span
    pieces = block_pieces(source, start, stop, value)
    return (pieces[0].start, pieces[-1].stop) if pieces else (stop, stop)


def _ends(source: str, start: int, stop: int, value: str) -> tuple[int, int] | None:
    """The ends of a value that begins with text and ends with text and one line break at most.

    That is nearly every one, and of a file full of prompts all blocks are asked for their ends.
    """
    text = value.rstrip(_SPACE)
    header = _HEADER.match(source, start, stop)
    if not text or value[0] in BREAKS or header is None:
        return None
    first = _LINE.match(source, header.end(), stop)
    indent = len(first[1]) if first else 0
    begin = header.end() + indent - (len(value) - len(value.lstrip(" ")))
    end = start + len(source[start:stop].rstrip(_SPACE))
    if value == text:
        return begin, end
    after = _BREAK.match(source, end, stop)
    return (begin, after.end()) if after and value[len(text) :] == "\n" else None


def block_pieces(source: str, start: int, stop: int, value: str) -> list[Piece]:
    """The pieces of a block scalar, up to the end of its value: chomping takes off the rest."""
    header = _HEADER.match(source, start, stop)
    if header is None:
        return []
    lines = list(_LINE.finditer(source, header.end(), stop))
    block = _Block(source, _indent(lines, value), folded=source[start] == ">")
    found, left = [], len(value)
    for piece in block.pieces(lines):
        if left <= 0:
            break
        found.append(piece)
        left -= len(piece.became)
    return found


def _indent(lines: list[re.Match[str]], value: str) -> int:
    """The indentation: what the first line with text has more of it than that line in the value.

    Line breaks that begin a value are those of blank lines, so their number leads to that line.
    """
    text = value.lstrip("\n\u2028\u2029")
    number = len(value) - len(text)
    if not text or number >= len(lines):
        return max((len(line[1]) for line in lines), default=0)
    return len(lines[number][1]) - (len(text) - len(text.lstrip(" ")))


@frozen
class _Block:
    """A block scalar that is read: its indentation, and whether its lines are folded."""

    source: str
    indent: int
    folded: bool

    def pieces(self, lines: list[re.Match[str]]) -> Iterator[Piece]:
        """Every piece of the lines, as if no line break at their end were dropped."""
        last: Piece | None = None
        pending: list[Piece] = []
        for line in lines:
            start = line.start() + min(self.indent, len(line[1]))
            if start >= line.end(2):
                pending += breaks(self.source, line.end(2), line.end())
                continue
            text = Piece(start, line.end(2), self.source[start : line.end(2)])
            yield from self._between(last, pending, text)
            yield text
            last, pending = text, breaks(self.source, line.end(2), line.end())
        yield from pending

    def _between(self, last: Piece | None, pending: list[Piece], text: Piece) -> list[Piece]:
        """The line breaks between two lines with text, folded where both are indented alike."""
        is_folded = (
            self.folded
            and last is not None
            and pending[0].became == "\n"
            and last.became[0] not in " \t"
            and text.became[0] not in " \t"
        )
        if not is_folded:
            return pending
        return pending[1:] or [Piece(pending[0].start, text.start, " ")]
