"""Nodes as plain values: what a template or a chat frame is given, and nothing that could run."""

from __future__ import annotations

import os.path
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenlint.errors import ExtractError
from tokenlint.tokens.extract.nodes import (
    MAX_CHARACTERS,
    MAX_VALUES,
    Mapping,
    Node,
    Scalar,
    nodes_of,
)
from tokenlint.tokens.extract.path import shown

if TYPE_CHECKING:
    from tokenlint.tokens.document import Document

MAX_DEPTH = 200
_SUFFIXES = (".json", ".yaml", ".yml", ".toml")


def variables_of(document: Document) -> dict[str, Any]:
    """The variables that a file holds: JSON, YAML or TOML with a mapping at the top.

    Raises ExtractError, with the line where there is one.
    """
    suffix = os.path.splitext(document.path)[1].lower()  # noqa: PTH122
    if suffix not in _SUFFIXES:
        raise ExtractError(f"variables are read from {', '.join(_SUFFIXES)} files")
    root = nodes_of(document)
    if not isinstance(root, Mapping):
        raise ExtractError("variables need a mapping at the top: their names and their values")
    found: dict[str, Any] = plain(document, root)
    return found


def plain(document: Document, node: Node) -> Any:
    """A node as dicts, lists, strings, numbers, booleans and None; keys are strings, dates too.

    Raises ExtractError for a value that only a program of its own could read, and for one that
    aliases make too large.
    """
    return _Plain(document).value(node, 0)


@dataclass
class _Plain:
    """How much was made into values so far: aliases can make a short file endless."""

    document: Document
    values: int = 0
    characters: int = 0

    def value(self, node: Node, depth: int) -> Any:
        """A node and all that it holds."""
        self._charge(node, depth)
        if isinstance(node, Scalar):
            return node.text if node.kind in ("string", "date") else self._other(node)
        if node.tag:
            raise self._unknown(node)
        if isinstance(node, Mapping):
            return {entry.key: self.value(entry.value, depth + 1) for entry in node.entries}
        return [self.value(item, depth + 1) for item in node.items]

    def _charge(self, node: Node, depth: int) -> None:
        self.values += 1
        self.characters += len(node.text) if isinstance(node, Scalar) else 0
        if depth > MAX_DEPTH:
            raise self._error(node, f"values that are nested more than {MAX_DEPTH} deep")
        if self.values > MAX_VALUES + len(self.document.text):
            raise self._error(node, f"aliases that make more than {MAX_VALUES:,} values")
        if self.characters > MAX_CHARACTERS + len(self.document.text):
            raise self._error(node, f"aliases that make more than {MAX_CHARACTERS:,} characters")

    def _other(self, node: Scalar) -> Any:
        if node.value is None:
            raise self._unknown(node)
        try:
            return node.value()
        except ValueError:
            what = f"{shown(node.text)}, which is no {node.kind} that can be read,"
            raise self._error(node, what) from None

    def _unknown(self, node: Node) -> ExtractError:
        return self._error(node, f"a value with the YAML tag {shown(node.tag)}")

    def _error(self, node: Node, what: str) -> ExtractError:
        row = self.document.location(node.start).row
        return ExtractError(f"line {row}: {what} cannot be used here")
