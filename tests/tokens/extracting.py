"""What the tests of extraction share: parts of a text, and the way back to its source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenlint.errors import ExtractError
from tokenlint.tokens.document import Document, Unreadable
from tokenlint.tokens.extract import Extract, Extractor, Part
from tokenlint.tokens.extract.nodes import Mapping, Node, Scalar, Sequence
from tokenlint.tokens.rendering import Renderer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def no_file(path: Path) -> Document | Unreadable:
    """What reads a file where none is to be read."""
    raise AssertionError(path)


def parts(path: str, text: str, how: str) -> tuple[Part, ...]:
    """The parts of a text that stands in a file of this name."""
    return Extractor(no_file, Renderer()).parts(Document(path, text), Extract.parse(how))


def texts(path: str, text: str, how: str) -> dict[str, str]:
    """The texts of the parts by their names."""
    return {part.name: part.text for part in parts(path, text, how)}


def refusal(path: str, text: str, how: str) -> str:
    """The sentence that says why there are no parts; it is one line."""
    with pytest.raises(ExtractError) as caught:
        parts(path, text, how)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def assert_placed(source: str, part: Part, reads_as: Callable[[str, str], bool]) -> None:
    """Every character has a place of its own, in order, from which it can be read again.

    What lies between two places is white space, or a backslash that ends a line.
    """
    after = part.start
    for at, char in enumerate(part.text):
        start, end = part.span(at, at + 1)
        assert after <= start < end <= part.end
        assert not source[after:start].strip(" \t\r\n\x85\\"), (source, part.text, at)
        assert source[start:end] == char or reads_as(source[start:end], char), (source, at)
        after = end
    assert part.span(0, len(part.text)) == (
        (part.span(0, 1)[0], after) if part.text else (part.end, part.end)
    )
    assert part.is_literal == (source[part.start : part.end] == part.text)


def strings(node: Node) -> Iterator[Part]:
    """Each string in a tree, as a part."""
    if isinstance(node, Scalar):
        if node.kind == "string":
            yield Part(node.text, node.start, node.end, "", node.origin)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from strings(item)
    else:
        for entry in node.entries:
            yield from strings(entry.value)


def written(node: Node) -> object:
    """A tree as lists and dicts of what its scalars are written as."""
    if isinstance(node, Mapping):
        return {entry.key: written(entry.value) for entry in node.entries}
    return [written(item) for item in node.items] if isinstance(node, Sequence) else node.text
