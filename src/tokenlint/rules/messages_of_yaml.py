"""Who says what in a YAML file of messages; aliases stand for what they name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.errors import ExtractError
from tokenlint.rules.messages import LISTS, OF_MESSAGES, Content, role_of
from tokenlint.tokens.extract.nodes import Mapping, Node, Scalar, Sequence, nodes_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping as Map

    from tokenlint.tokens import Document

    _Means = Map[str, str]
    _Stack = list[tuple[Node, _Means | None]]

_TOP = dict(OF_MESSAGES)  # of a whole file: its lists may be documents, each a conversation


def contents(document: Document) -> list[Content]:
    """The content of every message, in order; a stretch that two roles share is nobody's."""
    try:
        root = nodes_of(document)
    except ExtractError:  # such a file has no messages
        return []
    found: dict[tuple[int, int], set[str]] = {}
    for content in _contents(root):
        found.setdefault((content.start, content.end), set()).add(content.role)
    return [Content(*span, *roles) for span, roles in sorted(found.items()) if len(roles) == 1]


def _contents(root: Node) -> Iterator[Content]:
    """One way through the tree with a stack of its own; what was seen is not read again."""
    stack: _Stack = [(root, _TOP)]
    seen: set[tuple[int, int]] = set()
    while stack:
        node, holds = stack.pop()
        key = (id(node), id(holds))
        if isinstance(node, Scalar) or key in seen:
            continue
        seen.add(key)
        if isinstance(node, Sequence):
            yield from _of_list(node, holds, stack)
        else:
            stack += [(entry.value, LISTS.get(entry.key)) for entry in node.entries]


def _of_list(node: Sequence, holds: _Means | None, stack: _Stack) -> Iterator[Content]:
    """The contents of the messages of a list; what is no message is looked into."""
    for item in node.items:
        roles = _roles(item, holds) if isinstance(item, Mapping) and holds else set()
        if not roles:
            is_document = holds is _TOP and isinstance(item, Sequence)
            stack.append((item, OF_MESSAGES if is_document else None))
        elif isinstance(item, Mapping) and len(roles) == 1:
            (role,) = roles
            for entry in item.entries:
                if (holds or {}).get(entry.key) == "content":
                    yield Content(entry.value.start, entry.value.end, role)


def _roles(message: Mapping, means: _Means) -> set[str]:
    said = (entry for entry in message.entries if means.get(entry.key) == "role")
    return {role_of(entry.key, _text(entry.value)) for entry in said}


def _text(node: Node) -> str:
    return node.text if isinstance(node, Scalar) and node.kind == "string" else ""
