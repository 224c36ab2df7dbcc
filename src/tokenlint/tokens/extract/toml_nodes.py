"""TOML with the place of each value: tomllib says what the values are, a look where they stand."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from tokenlint.frozen import frozen
from tokenlint.tokens.extract.nodes import Entry, Mapping, Node, Scalar, Sequence
from tokenlint.tokens.extract.part import Run, runs
from tokenlint.tokens.extract.pieces import toml_pieces
from tokenlint.tokens.extract.toml_places import Place, places
from tokenlint.tokens.toml_text import loads

if TYPE_CHECKING:
    from tokenlint.errors import ExtractError
    from tokenlint.tokens.extract.stretch import Stretch

_WHERE = re.compile(r"(.*) \(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)", re.DOTALL)
_NOWHERE = Place(0)


def read_toml(stretch: Stretch) -> Mapping:
    """The tree of a stretch of TOML; raises ExtractError where it is none."""
    text = stretch.text
    try:
        values = loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _refused(stretch, str(error)) from None
    except RecursionError:
        raise stretch.error(0, "TOML with values that are nested this deep is not read") from None
    except ValueError as error:  # a number of too many digits, a key of too many parts
        raise stretch.error(0, f"invalid TOML: {error}") from None
    return _tree(stretch, values, places(text))


def _refused(stretch: Stretch, sentence: str) -> ExtractError:
    """What tomllib says of broken TOML; before Python 3.14 only its text has the place."""
    found = _WHERE.fullmatch(sentence)
    if found is None or found[2] is None:
        what = found[1] if found else sentence
        return stretch.error(len(stretch.text), f"invalid TOML: {what} at its end")
    line, column = int(found[2]), int(found[3])
    starts = stretch.document.line_starts
    at = starts[stretch.line(0) + line - 2] + column - 1 - stretch.start
    return stretch.error(at, f"invalid TOML at column {column}: {found[1]}")


def _tree(stretch: Stretch, values: dict[str, Any], root: Place) -> Mapping:
    """The nodes of all values, without recursion: dotted keys can nest as deep as they like."""
    top = Mapping(stretch.start, stretch.end)
    todo: list[tuple[Any, Place, Mapping | Sequence]] = [(values, root, top)]
    while todo:
        holder, place, node = todo.pop()
        for key, value in holder.items() if isinstance(node, Mapping) else enumerate(holder):
            where = place.children.get(key, Place(place.at))
            made = _node(stretch, value, where)
            if isinstance(node, Mapping):
                node.entries.append(Entry(str(key), stretch.start + where.at, made))
            else:
                node.items.append(made)
            if not isinstance(made, Scalar):
                todo.append((value, where, made))
    return top


def _node(stretch: Stretch, value: Any, where: Place) -> Node:
    """One value; a list or a table is still empty."""
    at = stretch.start + where.at
    if isinstance(value, dict):
        return Mapping(at, at)
    if isinstance(value, list):
        return Sequence(at, at)
    if isinstance(value, str):
        return _string(stretch, value, where)
    if isinstance(value, bool):
        return Scalar("boolean", str(value).lower(), at, at, value=lambda: value)
    if isinstance(value, int | float):
        return Scalar("number", str(value), at, at, value=lambda: value)
    return Scalar("date", str(value), at, at)


@frozen
class _Origin:
    """The runs of a string that is written otherwise than it reads."""

    source: str
    start: int
    stop: int
    is_literal: bool

    def __call__(self) -> list[Run]:
        """The runs, from what stands between the quotes."""
        return runs(
            self.source, toml_pieces(self.source, self.start, self.stop, is_literal=self.is_literal)
        )


def _string(stretch: Stretch, value: str, where: Place) -> Scalar:
    source = stretch.document.text
    if where.string is None:
        return _on_its_line(stretch, value, where)
    start, stop = (stretch.start + at for at in where.string[:2])
    if source[start:stop] == value:
        return Scalar("string", value, start, stop)
    pieces = toml_pieces(source, start, stop, is_literal=where.string.is_literal)
    if "".join(piece.became for piece in pieces) != value:
        return _on_its_line(stretch, value, where)
    origin = _Origin(source, start, stop, where.string.is_literal)
    return Scalar("string", value, start, stop, origin)


def _on_its_line(stretch: Stretch, value: str, where: Place) -> Scalar:
    """A string that was not found where it was looked for: the line of its key stands for it."""
    document, at = stretch.document, stretch.start + where.at
    row = document.location(at).row
    start = document.line_starts[row - 1]
    end = start + len(document.line(row))
    return Scalar("string", value, start, end, lambda: [Run(0, start, end, even=False)])
