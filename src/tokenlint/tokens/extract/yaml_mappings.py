"""Mappings of YAML: keys that stand once, and what `<<` merges into them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenlint.tokens.extract.nodes import Entry, Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Hashable

    from tokenlint.tokens.extract.stretch import Stretch

MAX_MERGED = 1_000_000
"Keys that `<<` may bring into the mappings of a file, all together."

_MERGE = "tag:yaml.org,2002:merge"


@dataclass
class Merges:
    """How many keys were merged in a file so far: a short one can merge without end."""

    count: int = 0


def mapping_of(stretch: Stretch, nodes: list[Node], merges: Merges) -> list[Entry]:
    """The entries of a mapping from its keys and values in turn, with `<<` replaced."""
    own: list[Entry] = []
    merged: list[Entry] = []
    seen: dict[Hashable, int] = {}
    for key, value in zip(nodes[::2], nodes[1::2], strict=True):
        identity = _identity(key)
        if identity in seen:
            first = seen[identity] - stretch.start
            raise stretch.twice(_name(stretch, key), key.start - stretch.start, first)
        seen[identity] = key.start
        if isinstance(key, Scalar) and key.tag == _MERGE:
            merged = _merged(stretch, key.start - stretch.start, value, merges)
        else:
            own.append(Entry(_name(stretch, key), key.start, value))
    if not merged:
        return own
    return list({entry.key: entry for entry in (*merged, *own)}.values())


def _merged(stretch: Stretch, at: int, value: Node, merges: Merges) -> list[Entry]:
    """What a `<<` brings in: of keys that several mappings have, those of the first.

    So says the definition of `<<`. PyYAML 6.0.4 takes the last one's, as no version before it.
    """
    found: dict[str, Entry] = {}
    for mapping in value.items if isinstance(value, Sequence) else [value]:
        if not isinstance(mapping, Mapping):
            raise stretch.error(at, "'<<' merges a mapping or a list of mappings, and here is none")
        merges.count += len(mapping.entries)
        if merges.count > MAX_MERGED:
            raise stretch.error(at, f"'<<' merges more than {MAX_MERGED:,} keys in this file")
        for entry in mapping.entries:
            found.setdefault(entry.key, entry)
    return list(found.values())


def _identity(key: Node) -> Hashable:
    """What makes two keys the same one; lists and mappings as keys are told apart by place."""
    if not isinstance(key, Scalar):
        return ("", key.start)
    if key.value is None:
        return (key.kind, key.text)
    try:
        return (key.kind, key.value())
    except ValueError:
        return (key.kind, key.text)


def _name(stretch: Stretch, key: Node) -> str:
    """A key as text: what a string means, and anything else as it is written."""
    if isinstance(key, Scalar):
        return key.text
    return stretch.document.text[key.start : key.end]
