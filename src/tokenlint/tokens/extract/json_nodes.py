"""JSON and JSON Lines with the place of each value: as strict as json.loads, without recursion."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

from tokenlint.tokens.extract.nodes import Entry, Mapping, Node, Scalar, Sequence
from tokenlint.tokens.extract.pieces import json_runs
from tokenlint.tokens.extract.stretch import Stretch

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenlint.errors import ExtractError

_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD = re.compile(r"true|false|null|NaN|-?Infinity")
_CLOSES = {"[": "]", "{": "}"}


def read_json(stretch: Stretch) -> Node:
    """The tree of a stretch that is one JSON value; raises ExtractError where it is none."""
    return _Reader(stretch, stretch.text).read()


def read_json_lines(stretch: Stretch) -> Sequence:
    """The values of JSON Lines, one a line; lines of white space alone are none."""
    lines = (line for line in re.finditer(r"[^\n]+", stretch.text) if line[0].strip(" \t\r"))
    start = stretch.start
    found = (
        Stretch(stretch.document, start + a, start + b) for a, b in (line.span() for line in lines)
    )
    return Sequence(stretch.start, stretch.end, [read_json(line) for line in found])


@dataclass(slots=True)
class _Open:
    """A list or an object that is being read, and the key whose value comes next."""

    bracket: str
    start: int
    items: list[Node] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)
    key: str = ""

    def add(self, node: Node) -> None:
        """Put a value where it belongs."""
        if self.bracket == "[":
            self.items.append(node)
        else:
            self.entries.append(Entry(self.key, self.seen[self.key], node))

    def closed(self, end: int) -> Node:
        """The node, once its bracket is closed."""
        if self.bracket == "[":
            return Sequence(self.start, end, self.items)
        return Mapping(self.start, end, self.entries)


@dataclass(slots=True)
class _Reader:
    """One way through a JSON value, with a stack of its own: nesting may be as deep as it likes."""

    stretch: Stretch
    text: str
    stack: list[_Open] = field(default_factory=list)

    def read(self) -> Node:
        """The value that the whole text is."""
        at = 0
        while True:
            node, at = self._begin(self._skip(at))
            while node is not None and self.stack:
                self.stack[-1].add(node)
                node, at = self._after(self._skip(at))
            if node is not None:
                if (at := self._skip(at)) < len(self.text):
                    raise self._error(at, "the value ended before")
                return node

    def _skip(self, at: int) -> int:
        if self.text[at : at + 1] not in " \t\r\n":  # the empty text is in every other
            return at
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def _begin(self, at: int) -> tuple[Node | None, int]:
        """The value that begins here, or None where its bracket was opened."""
        sign = self.text[at : at + 1]
        if sign == '"':
            return self._string(at)
        if sign not in _CLOSES:
            return self._other(at)
        self.stack.append(_Open(sign, self.stretch.start + at))
        at = self._skip(at + 1)
        if self.text[at : at + 1] == _CLOSES[sign]:
            return self.stack.pop().closed(self.stretch.start + at + 1), at + 1
        return None, self._key(at) if sign == "{" else at

    def _after(self, at: int) -> tuple[Node | None, int]:
        """What follows a value in a list or an object: its end, or a comma and the next key."""
        inner, sign = self.stack[-1], self.text[at : at + 1]
        if sign == _CLOSES[inner.bracket]:
            return self.stack.pop().closed(self.stretch.start + at + 1), at + 1
        if sign != ",":
            raise self._error(at, f"',' or '{_CLOSES[inner.bracket]}' was expected")
        at = self._skip(at + 1)
        return None, self._key(at) if inner.bracket == "{" else at

    def _key(self, at: int) -> int:
        """Read a key and its colon; where the value begins."""
        if self.text[at : at + 1] != '"':
            raise self._error(at, "a key in double quotes was expected")
        key, end = self._scan(at)
        inner, place = self.stack[-1], self.stretch.start + at
        if key in inner.seen:
            first = inner.seen[key] - self.stretch.start
            raise self.stretch.twice(key, at, first)
        inner.seen[key] = place
        inner.key = key
        end = self._skip(end)
        if self.text[end : end + 1] != ":":
            raise self._error(end, "':' was expected")
        return end + 1

    def _scan(self, at: int) -> tuple[str, int]:
        try:
            found: tuple[str, int] = scanstring(self.text, at + 1, True)
        except JSONDecodeError as error:
            what = error.msg.removesuffix(" at").removesuffix(" starting")
            raise self._error(error.pos, what[0].lower() + what[1:], shows=False) from None
        return found

    def _string(self, at: int) -> tuple[Node, int]:
        text, end = self._scan(at)
        begin = self.stretch.start + at + 1
        stop = self.stretch.start + end - 1
        if stop - begin == len(text):  # every escape is longer than what it stands for
            return Scalar("string", text, begin, stop), end
        origin = partial(json_runs, self.stretch.document.text, begin, stop, text)
        return Scalar("string", text, begin, stop, origin), end

    def _other(self, at: int) -> tuple[Node, int]:
        found = _NUMBER.match(self.text, at)
        if found and self.text[at : at + 2] != "-I":
            convert: Callable[[str], Any] = float if found[1] or found[2] else int
            return self._scalar("number", found, convert)
        if (found := _WORD.match(self.text, at)) is None:
            raise self._error(at, "a value was expected")
        if found[0] in _CONSTANTS:
            return self._scalar("null" if found[0] == "null" else "boolean", found, _CONSTANTS.get)
        return self._scalar("number", found, float)

    def _scalar(
        self, kind: Any, found: re.Match[str], convert: Callable[[str], Any]
    ) -> tuple[Node, int]:
        start, end = self.stretch.start + found.start(), self.stretch.start + found.end()
        return Scalar(kind, found[0], start, end, value=partial(convert, found[0])), found.end()

    def _error(self, at: int, sentence: str, *, shows: bool = True) -> ExtractError:
        if shows:
            sign = self.text[at : at + 1]
            here = f"and here is {sign!r}" if sign else "and here the text ends"
            sentence = f"{sentence}, {here}"
        column = self.stretch.document.location(self.stretch.start + at).column
        return self.stretch.error(at, f"invalid JSON at column {column}: {sentence}")


_CONSTANTS = {"true": True, "false": False, "null": None}
