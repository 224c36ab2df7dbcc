r"""How the strings of JSON, YAML and TOML are read, piece by piece, with the place of each.

The parsers give the value of a string and say where it stands; what is read here a second time is
which characters of the source became which characters of the value. Nothing of this is needed to
count. Where a reading does not give the parser's value, all of the string stands for each of its
characters: a place is then vague, and never wrong.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokenlint.tokens.extract.part import Piece, Run, runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_HEX = "[0-9a-fA-F]"
_PAIR = rf"\\u[dD][89abAB]{_HEX}{{2}}\\u[dD][c-fC-F]{_HEX}{{2}}"
_NUMBER = rf"\\(?:x{_HEX}{{2}}|u{_HEX}{{4}}|U{_HEX}{{8}})"
_SIGN = r"\\(?P<sign>.)"
BREAKS = "\r\n\x85\u2028\u2029"
"The characters that end a line in YAML."

_BREAK = re.compile(f"\r\n|[{BREAKS}]")

# White space before a line break is no text; each way through a run of it is taken once.
_FOLD = rf"(?P<fold>[ \t]*+[{BREAKS}][ \t{BREAKS}]*+)"
_SPACE = rf"[ \t]++(?![{BREAKS}])"
_JSON = rf"(?P<text>[^\\]++)|(?P<pair>{_PAIR})|(?P<number>{_NUMBER})|{_SIGN}"
_DOUBLE = (
    rf"(?P<text>(?:[^\\ \t{BREAKS}]++|{_SPACE})++)|{_FOLD}"
    rf"|(?P<continued>\\[{BREAKS}][ \t{BREAKS}]*+)|(?P<number>{_NUMBER})|{_SIGN}"
)
_SINGLE = rf"(?P<text>(?:[^' \t{BREAKS}]++|{_SPACE})++)|{_FOLD}|'(?P<sign>')"
_PLAIN = rf"(?P<text>(?:[^ \t{BREAKS}]++|{_SPACE})++)|{_FOLD}"
_TOML = (
    r"(?P<text>[^\\\r]++)|\r(?P<sign2>\n)|(?P<gone>\\[ \t]*\r?\n[ \t\r\n]*+)"
    rf"|(?P<number>{_NUMBER})|{_SIGN}"
)
_TOML_LITERAL = r"(?P<text>[^\r]++)|\r(?P<sign2>\n)"

_LETTERS = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r",
    "e": "\x1b", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
"""What the letters after a backslash mean, in any of the three; other signs mean themselves.

No language has a letter that means something else in another, and a parser has refused by now
what its language does not have.
"""


def json_runs(source: str, start: int, stop: int, value: str) -> list[Run]:
    """The runs of a JSON string, from what stands between its quotes."""
    return checked(source, (start, stop), value, _read(source, (start, stop), _JSON))


def toml_pieces(source: str, start: int, stop: int, *, is_literal: bool) -> Iterator[Piece]:
    """The pieces of a TOML string of any kind, from what stands between its quotes."""
    return _read(source, (start, stop), _TOML_LITERAL if is_literal else _TOML)


def yaml_runs(source: str, start: int, stop: int, value: str, *, style: str) -> list[Run]:
    """The runs of a YAML scalar in one of the flow styles: `"`, `'` or, for a plain one, none."""
    pattern = {'"': _DOUBLE, "'": _SINGLE}.get(style, _PLAIN)
    return checked(source, (start, stop), value, _read(source, (start, stop), pattern))


def checked(source: str, span: tuple[int, int], value: str, pieces: Iterable[Piece]) -> list[Run]:
    """The runs of pieces that give a value; of others, one that stands for all of it."""
    found = list(pieces)
    if "".join(piece.became for piece in found) != value:
        return [Run(0, *span, even=False)]
    return runs(source, found)


def _read(source: str, span: tuple[int, int], pattern: str) -> Iterator[Piece]:
    """The pieces of a stretch, of which the pattern matches one after the other."""
    for match in re.compile(pattern, re.DOTALL).finditer(source, *span):
        start, stop = match.span()
        kind, written = match.lastgroup, match[0]
        if kind == "text":
            yield Piece(start, stop, written)
        elif kind == "fold":
            yield from _folded(source, start, stop)
        elif kind == "continued":
            yield from breaks(source, start, stop)[1:]
        elif kind != "gone":
            yield Piece(start, stop, _meaning(written, kind))


def _meaning(escape: str, kind: str | None) -> str:
    """The character that an escape stands for."""
    if kind == "pair":
        high, low = int(escape[2:6], 16), int(escape[8:], 16)
        return chr(0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF))
    if kind == "number":
        return chr(int(escape[2:], 16))
    return _LETTERS.get(escape[1], escape[1])


def breaks(source: str, start: int, stop: int) -> list[Piece]:
    """The line breaks in a stretch of YAML, as its parser reads them."""
    return [
        Piece(*found.span(), found[0] if found[0] in "\u2028\u2029" else "\n")
        for found in _BREAK.finditer(source, start, stop)
    ]


def _folded(source: str, start: int, stop: int) -> Iterator[Piece]:
    """Line breaks in a flow scalar: a single one is a space, of several the first is nothing."""
    first, *others = breaks(source, start, stop)
    if first.became != "\n":
        yield first
    elif not others:
        yield Piece(start, stop, " ")
    yield from others
