"""Where the keys and strings of a TOML file stand: a look at a file that tomllib has accepted.

It need not ask what is valid and does not say what a value is: its places are checked against the
values that tomllib gives. What it cannot follow ends it, and the rest has no places.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from tokenlint.tokens.extract.pieces import toml_pieces

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(
    r"""(?x)[ \t]*(?:
    (?P<bare>[A-Za-z0-9_-]+) | "(?P<basic>(?:[^"\\]|\\.)*)" | '(?P<literal>[^']*)'
    )[ \t]*(?P<more>\.)?"""
)
_STRING = re.compile(
    r'''(?x)
    """\r?\n?(?P<lines>(?:[^"\\]++|\\[\s\S]|"{1,2}(?!"))*+"{0,2})"""
    | \'\'\'\r?\n?(?P<raw_lines>(?:[^']++|'{1,2}(?!'))*+'{0,2})\'\'\'
    | "(?P<line>(?:[^"\\]++|\\.)*+)"
    | '(?P<raw_line>[^']*+)'
    '''
)
_OTHER = re.compile(r"[^,\[\]{}#\r\n\"']+")


class Quoted(NamedTuple):
    """What stands between the quotes of a string, and whether a backslash is a character there."""

    start: int
    stop: int
    is_literal: bool


@dataclass(slots=True)
class Place:
    """Where a key or an element stands, where its string does, and the same of what it holds.

    `rows` is how many elements a list has so far: a later table belongs to the last one.
    """

    at: int
    string: Quoted | None = None
    rows: int = 0
    children: dict[str | int, Place] = field(default_factory=dict)

    def child(self, key: str | int, at: int) -> Place:
        """The place of a key, noted where it is first met."""
        return self.children.setdefault(key, Place(at))

    def row(self, at: int) -> Place:
        """The place of a new element at the end of a list."""
        self.rows += 1
        return self.child(self.rows - 1, at)


def places(text: str) -> Place:
    """The places of everything in a text that is valid TOML."""
    look = _Look(text)
    with suppress(_LostError):
        look.go()
    return look.root


class _LostError(Exception):
    """Something stands there that this look knows nothing of, such as what a later TOML allows."""


@dataclass
class _Look:
    """One way through a file, with a stack of its own."""

    text: str
    root: Place = field(default_factory=lambda: Place(0))

    def go(self) -> None:
        """Note the place of everything, table by table."""
        table, at = self.root, self._skip(0)
        while at < len(self.text):
            if self.text[at] == "[":
                table, at = self._table(at)
            else:
                table_key, at = self._keys(table, at)
                at = self._value(table_key, at)
            at = self._skip(at)

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def _table(self, at: int) -> tuple[Place, int]:
        """The table that a header opens, and where the header ends."""
        is_row = self.text.startswith("[[", at)
        place, end = self._keys(self.root, at + 1 + is_row)
        return (place.row(at) if is_row else place), end + is_row

    def _keys(self, place: Place, at: int) -> tuple[Place, int]:
        """The place of a dotted key, and where what follows the key and the next sign begins."""
        more = True
        while more:
            found = _KEY.match(self.text, at)
            if found is None:
                raise _LostError
            if place.rows:
                place = place.children[place.rows - 1]
            place = place.child(*_key(self.text, found))
            at, more = found.end(), bool(found["more"])
        return place, at + 1

    def _value(self, place: Place, at: int) -> int:
        """Note the place of a value and of all that it holds; where it ends."""
        stack: list[tuple[Place, str]] = []
        at = self._begin(place, self._skip(at), stack)
        while stack:
            inner, bracket = stack[-1]
            at = self._skip(at)
            sign = self.text[at : at + 1]
            if sign in ("]", "}"):
                stack.pop()
                at += 1
            elif sign == ",":
                at += 1
            elif bracket == "[":
                at = self._begin(inner.row(at), at, stack)
            else:
                child, at = self._keys(inner, at)
                at = self._begin(child, self._skip(at), stack)
        return at

    def _begin(self, place: Place, at: int, stack: list[tuple[Place, str]]) -> int:
        """Note a value that begins here, and where it ends or what it holds begins."""
        sign = self.text[at : at + 1]
        if sign in ("[", "{"):
            stack.append((place, sign))
            return at + 1
        if sign in ('"', "'"):
            found = _STRING.match(self.text, at)
            if found is None or found.lastgroup is None:
                raise _LostError
            span = found.span(found.lastgroup)
            place.string = Quoted(*span, is_literal=found.lastgroup.startswith("raw"))
            return found.end()
        found = _OTHER.match(self.text, at)
        if found is None:
            raise _LostError
        return found.end()


def _key(text: str, found: re.Match[str]) -> tuple[str, int]:
    """What a key is once its escapes are read, and where it stands."""
    if found["basic"] is None:
        return found["bare"] or found["literal"] or "", found.start()
    read = toml_pieces(text, *found.span("basic"), is_literal=False)
    return "".join(piece.became for piece in read), found.start()
