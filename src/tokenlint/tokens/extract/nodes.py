"""The tree of a parsed file, with the place of each value: scalars, mappings and sequences."""

from __future__ import annotations

import os.path
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tokenlint.errors import ExtractError
from tokenlint.tokens.extract.front_matter import front_matter
from tokenlint.tokens.extract.stretch import Stretch

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenlint.tokens.document import Document
    from tokenlint.tokens.extract.part import Run

READABLE = (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".toml")
"The suffixes of files that a path is read in."

FRONTED = (".md", ".mdx", ".markdown", ".txt", ".prompt", ".prompty")
"The suffixes of files in whose front matter a path is read."

MAX_VALUES = 250_000
"Values that may be read beyond the characters of a file: only aliases lead to so many."

MAX_CHARACTERS = 10_000_000
"Characters that texts may have, all together, beyond those of their file."


@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    """A value that holds no others: `text` is what a string means, or how anything else is written.

    `start` and `end` are where it stands: what a quoted string or a block holds, without what
    encloses it. `origin` gives the runs of a string that reads otherwise than it is written (None:
    it is literal), `value` what a parser makes of anything but a string; `tag` is a YAML tag that
    says more than the kind does.
    """

    kind: Literal["string", "number", "boolean", "null", "date", "other"]
    text: str
    start: int
    end: int
    origin: Callable[[], list[Run]] | None = None
    value: Callable[[], Any] | None = None
    tag: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """A list, the lines of JSON Lines, or the documents of a YAML file: its values in order."""

    start: int
    end: int
    items: list[Node] = field(default_factory=list)
    tag: str = ""


class Entry(NamedTuple):
    """One key of a mapping as text, where the key stands, and its value."""

    key: str
    at: int
    value: Node


@dataclass(frozen=True, slots=True, eq=False)
class Mapping:
    """Keys and their values, in the order in which a parser gives them; no key stands twice."""

    start: int
    end: int
    entries: list[Entry] = field(default_factory=list)
    tag: str = ""

    def get(self, key: str) -> Node | None:
        """The value of a key, or None where there is no such key."""
        return next((entry.value for entry in self.entries if entry.key == key), None)


Node = Scalar | Sequence | Mapping


@lru_cache(maxsize=2)  # several budgets and rules ask for the same document, one after the other
def nodes_of(document: Document) -> Node:
    """The tree of a document, read as its suffix says; raises ExtractError, with the line."""
    text, suffix = document.text, os.path.splitext(document.path)[1].lower()  # noqa: PTH122
    if suffix in FRONTED:
        return _fronted(document)
    if suffix not in READABLE:
        raise ExtractError(
            f"a path is read in {', '.join(READABLE)} files and in the front matter of "
            f"{', '.join(FRONTED)} files, and not in {suffix or 'a file without a suffix'}"
        )
    whole = Stretch(document, 0, len(text))
    if suffix in (".jsonl", ".ndjson"):
        from tokenlint.tokens.extract.json_nodes import read_json_lines

        return read_json_lines(whole)
    return _read("YAML" if suffix in (".yaml", ".yml") else suffix[1:].upper(), whole)


def _fronted(document: Document) -> Node:
    found = front_matter(document.text)
    if found is None:
        raise ExtractError(
            "there is no front matter to read a path in: it stands at the very top, between two "
            "lines --- (YAML) or +++ (TOML)"
        )
    return _read(found.language, Stretch(document, found.start, found.end))


def _read(language: str, stretch: Stretch) -> Node:
    """Read a stretch of a document; a parser is imported for the first file that needs it."""
    if language == "JSON":
        from tokenlint.tokens.extract.json_nodes import read_json

        return read_json(stretch)
    if language == "TOML":
        from tokenlint.tokens.extract.toml_nodes import read_toml

        return read_toml(stretch)
    from tokenlint.tokens.extract.yaml_nodes import read_yaml

    return read_yaml(stretch)
