"""The values that a path selects in a parsed file: each must be text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tokenlint.errors import ExtractError
from tokenlint.tokens.extract.how import WORDS
from tokenlint.tokens.extract.nodes import (
    MAX_CHARACTERS,
    MAX_VALUES,
    Mapping,
    Node,
    Scalar,
    Sequence,
    nodes_of,
)
from tokenlint.tokens.extract.part import Part
from tokenlint.tokens.extract.path import EVERY, Step, below, shown, steps

if TYPE_CHECKING:
    from tokenlint.tokens.document import Document

_KINDS = {
    "string": "text",
    "number": "a number",
    "boolean": "a boolean",
    "date": "a date",
    "null": "null",
    "other": "a value with a YAML tag",
}
_KEYS_SHOWN = 5


class Found(NamedTuple):
    """A node, and the path by which it was reached."""

    name: str
    node: Node


def select(document: Document, path: str) -> tuple[Part, ...]:
    """The texts that a path selects, in the order of the file; what aliases lead to, each time.

    Raises ExtractError where it selects nothing, or anything but text.
    """
    found = [Found("$", nodes_of(document))]
    for step in steps(path):
        if not (inner := _inner(document, path, found, step)):
            raise _nothing(document, path, found[0], step)
        found = inner
    _check(document, path, found)
    return tuple(_part(one) for one in found)


def _inner(document: Document, path: str, found: list[Found], step: Step) -> list[Found]:
    inner: list[Found] = []
    for one in found:
        inner += _children(one, step)
        if len(inner) > MAX_VALUES + len(document.text):
            raise ExtractError(f"{shown(path)} leads through more than {MAX_VALUES:,} values")
    return inner


def _children(found: Found, step: Step) -> list[Found]:
    """What a step leads to from one node; nothing where it has no such key or index."""
    name, node = found
    if isinstance(node, Mapping):
        wanted = (entry for entry in node.entries if step == EVERY or entry.key == step.key)
        return [Found(name + below(entry.key), entry.value) for entry in wanted]
    if not isinstance(node, Sequence):
        return []
    size = len(node.items)
    if step == EVERY:
        return [Found(f"{name}[{at}]", item) for at, item in enumerate(node.items)]
    if step.index is None or not -size <= step.index < size:
        return []
    at = step.index % size
    return [Found(f"{name}[{at}]", node.items[at])]


def _check(document: Document, path: str, found: list[Found]) -> None:
    """Raise ExtractError unless everything that was found is text, and not too much of it."""
    size, most = 0, MAX_CHARACTERS + len(document.text)
    for one in found:
        if not isinstance(one.node, Scalar) or one.node.kind != "string":
            raise _error(document, one.node, f"{_called(one.name)} {_no_text(one.node)}")
        size += len(one.node.text)
        if size > most:
            raise ExtractError(f"{shown(path)} selects more than {MAX_CHARACTERS:,} characters")


def _part(found: Found) -> Part:
    node = found.node
    assert isinstance(node, Scalar)  # noqa: S101  # _check has seen to that
    return Part(node.text, node.start, node.end, _called(found.name, at_top="$"), node.origin)


def _called(name: str, at_top: str = "the file") -> str:
    """The path of a node as a user would write it."""
    short = name[1:].removeprefix(".")
    return name if short in WORDS else short or at_top


def _error(document: Document, node: Node, sentence: str) -> ExtractError:
    return ExtractError(f"line {document.location(node.start).row}: {sentence}")


def _nothing(document: Document, path: str, found: Found, step: Step) -> ExtractError:
    """A path that leads nowhere: the first node from which it could not go on says why."""
    name = _called(found.name)
    why = f"{name} {_dead_end(found.node, step)}"
    from difflib import get_close_matches

    near = get_close_matches(path.lower().rstrip("0123456789"), WORDS, n=1, cutoff=0.6)
    hint = f"; did you mean {near[0]}?" if near and len(steps(path)) == 1 else ""
    return _error(document, found.node, f"{shown(path)} selects nothing: {why}{hint}")


def _dead_end(node: Node, step: Step) -> str:
    if isinstance(node, Scalar):
        return f"is {_KINDS[node.kind]} and holds no other values"
    if isinstance(node, Mapping):
        keys = [shown(entry.key) for entry in node.entries]
        if not keys:
            return "is an empty mapping"
        more = ", ..." if len(keys) > _KEYS_SHOWN else ""
        return f"has no key {shown(step.key or '')}, but {', '.join(keys[:_KEYS_SHOWN])}{more}"
    if not node.items:
        return "is an empty list"
    if step.index is None:
        return f"is a list and has no key {shown(step.key or '')}; write [*] or an index"
    return f"is a list of {len(node.items):,} and has no index {step.index}"


def _no_text(node: Node) -> str:
    """What a selected value is, if it is no text."""
    if isinstance(node, Mapping):
        return "is a mapping, and a prompt is text; go on to its texts, such as with .*"
    if isinstance(node, Sequence):
        return "is a list, and a prompt is text; go on to its texts, such as with [*]"
    if node.kind == "other":
        return f"has the YAML tag {shown(node.tag)}, whose meaning is not known here"
    if node.kind == "null":
        return "is null, and a prompt is text"
    kind, written = _KINDS[node.kind], shown(node.text)[1:-1]
    return f"is {kind} ({written}), and a prompt is text; put it in quotes if it is meant as text"
