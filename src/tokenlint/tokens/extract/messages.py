"""The contents of a file of messages as parts, each with the place of every character."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from tokenlint.tokens.chat import conversations
from tokenlint.tokens.extract.nodes import Mapping, Node, Scalar, Sequence, nodes_of
from tokenlint.tokens.extract.part import Part, Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.tokens.chat import Message
    from tokenlint.tokens.document import Document


def message_parts(document: Document) -> tuple[Part, ...]:
    """One part for the content of each message, in order; raises ChatError, with the line."""
    found = conversations(document)
    return tuple(
        _part(document, message, f"message {at} ({message.role}){f' of {row}' * (len(found) > 1)}")
        for row, conversation in enumerate(found, 1)
        for at, message in enumerate(conversation.messages, 1)
    )


def _part(document: Document, message: Message, name: str) -> Part:
    text, start, end = message.content, message.start, message.end
    if document.text[start:end] == text:
        return Part(text, start, end, name)
    return Part(text, start, end, name, partial(_runs, document, start, end, text))


def _runs(document: Document, start: int, end: int, text: str) -> list[Run]:
    """The runs of a content, whose strings are found by where it stands."""
    found: list[Run] = []
    size = 0
    for scalar in _strings(_placed(document).get((start, end))):
        even = [Run(0, scalar.start, scalar.end, even=True)] if scalar.text else []
        runs = scalar.origin() if scalar.origin else even
        found += (run._replace(at=run.at + size) for run in runs)
        size += len(scalar.text)
    return found if size == len(text) else [Run(0, start, end, even=False)]


def _strings(node: Node | None) -> Iterator[Scalar]:
    """The strings of a content: itself, or the text of each part in a list."""
    if isinstance(node, Scalar):
        yield node
    items = node.items if isinstance(node, Sequence) else ()
    texts = (item.get("text") for item in items if isinstance(item, Mapping))
    yield from (text for text in texts if isinstance(text, Scalar))


@lru_cache(maxsize=1)
def _placed(document: Document) -> dict[tuple[int, int], Node]:
    """The strings and lists of a document by where they stand."""
    found: dict[tuple[int, int], Node] = {}
    todo, seen = [nodes_of(document)], set[int]()
    while todo:
        node = todo.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Mapping):
            todo += (entry.value for entry in node.entries)
        else:
            found[node.start, node.end] = node
            todo += node.items if isinstance(node, Sequence) else ()
    return found
