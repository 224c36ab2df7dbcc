"""YAML with the place of each value: the events of PyYAML as a tree, and no object constructed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from tokenlint.errors import ExtractError
from tokenlint.tokens.extract.nodes import Mapping, Node, Scalar, Sequence
from tokenlint.tokens.extract.path import shown
from tokenlint.tokens.extract.yaml_mappings import Merges, mapping_of
from tokenlint.tokens.extract.yaml_scalars import scalar_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.tokens.extract.stretch import Stretch

MAX_DEPTH = 500
"Levels of nesting; libyaml itself ends at 1,000, and the pure parser takes ever longer for each."

# What libyaml refuses and the pure parser reads: U+FEFF inside of a text, and surrogate escapes.
_PURE_ONLY = re.compile(r"\ufeff|\\(?:u|U0000)[dD][89a-fA-F]")
_CONTROL = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_CHARACTER = re.compile(r"\\U(?!000|0010)[0-9a-fA-F]{8}")
_TRIED_TWICE = 1_000_000  # characters: a block that begins with a tab is too much for libyaml
_PLAIN_TAGS = (None, "!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


def read_yaml(stretch: Stretch) -> Node:
    """The tree of a stretch of YAML; of several documents a sequence, of none a null."""
    text = stretch.text
    loader = loader_for(text)
    try:
        found = _documents(stretch, text, loader)
    except ExtractError:
        if loader is yaml.SafeLoader or "\t" not in text or len(text) > _TRIED_TWICE:
            raise
        found = _documents(stretch, text, yaml.SafeLoader)
    if len(found) == 1:
        return found[0]
    if not found:
        return Scalar("null", "", stretch.start, stretch.start, value=lambda: None)
    return Sequence(stretch.start, stretch.end, found)


def _documents(stretch: Stretch, text: str, loader: Any) -> list[Node]:
    try:
        return list(_Composer(stretch, loader(text)).documents())
    except yaml.MarkedYAMLError as error:
        raise _refused(stretch, text, error) from None
    except (yaml.YAMLError, ValueError, OverflowError):
        raise _impossible(stretch, text) from None


def loader_for(text: str) -> Any:
    """The loader of libyaml where it exists and reads this text as PyYAML's own one does."""
    if _PURE_ONLY.search(text):
        return yaml.SafeLoader
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _refused(stretch: Stretch, text: str, error: yaml.MarkedYAMLError) -> ExtractError:
    """What a parser says of broken YAML, in one sentence."""
    mark = error.problem_mark or error.context_mark
    at = min(mark.index if mark else 0, len(text))
    if text[at : at + 1] == "\t":
        return stretch.error(at, "invalid YAML: a tab stands where YAML has spaces")
    sentence = f"invalid YAML: {error.problem}"
    if error.context and error.context_mark:
        line = stretch.line(min(error.context_mark.index, len(text)))
        sentence += f", {error.context} that begins on line {line}"
    return stretch.error(at, sentence)


def _impossible(stretch: Stretch, text: str) -> ExtractError:
    """What a parser refuses before it reads: characters that no YAML holds."""
    if found := _CONTROL.search(text):
        code = ord(found[0])
        return stretch.error(
            found.start(),
            f'invalid YAML: the character U+{code:04X} cannot stand in it; write "\\u{code:04x}" '
            "in double quotes",
        )
    found = _NO_CHARACTER.search(text)
    at = found.start() if found else 0
    return stretch.error(at, "invalid YAML: an escape here stands for no character")


class _Anchor(NamedTuple):
    """Where an anchor stands, and what it names once that was read to its end."""

    at: int
    node: Node | None = None


@dataclass(slots=True)
class _Open:
    """A list or a mapping that is being read; of a mapping, keys and values take turns."""

    event: Any
    nodes: list[Node] = field(default_factory=list)


@dataclass
class _Composer:
    """Events into nodes, with a stack of its own; an alias is the node that it names, once more."""

    stretch: Stretch
    loader: Any
    anchors: dict[str, _Anchor] = field(default_factory=dict)
    stack: list[_Open] = field(default_factory=list)
    merges: Merges = field(default_factory=Merges)

    def documents(self) -> Iterator[Node]:
        """The root of each document."""
        try:
            while self.loader.check_event():
                node = self._node(self.loader.get_event())
                if node is not None and self.stack:
                    self.stack[-1].nodes.append(node)
                elif node is not None:
                    yield node
        finally:
            self.loader.dispose()

    def _node(self, event: Any) -> Node | None:
        """The node that an event completes, if any."""
        if isinstance(event, yaml.ScalarEvent):
            return self._named(event, scalar_of(self.stretch, event, self._tag(event)))
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        if isinstance(event, yaml.CollectionStartEvent):
            self._open(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            return self._close(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self.anchors.clear()
        return None

    def _tag(self, event: Any) -> str:
        if event.tag in (None, "!"):
            return str(self.loader.resolve(yaml.ScalarNode, event.value, event.implicit))
        return str(event.tag)

    def _open(self, event: Any) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise self.stretch.error(
                event.start_mark.index,
                f"YAML that is nested more than {MAX_DEPTH} deep is not read",
            )
        self._named(event, None)
        self.stack.append(_Open(event))

    def _close(self, event: Any) -> Node:
        opened = self.stack.pop()
        begin, stop = opened.event.start_mark.index, event.end_mark.index
        tag = "" if opened.event.tag in _PLAIN_TAGS else str(opened.event.tag)
        start, end = self.stretch.start + begin, self.stretch.start + stop
        node: Node = Sequence(start, end, opened.nodes, tag)
        if isinstance(event, yaml.MappingEndEvent):
            entries = mapping_of(self.stretch, opened.nodes, self.merges)
            node = Mapping(start, end, entries, tag)
        if opened.event.anchor is not None:
            self.anchors[opened.event.anchor] = _Anchor(begin, node)
        return node

    def _named(self, event: Any, node: Node | None) -> Node | None:
        """The node of an event, noted under its anchor if it has one."""
        name, at = event.anchor, event.start_mark.index
        if name is None:
            return node
        if name in self.anchors:
            first = self.stretch.line(self.anchors[name].at)
            raise self.stretch.error(
                at,
                f"the anchor {shown('&' + name)} stands here a second time (first on line "
                f"{first}); rename one",
            )
        self.anchors[name] = _Anchor(at, node)
        return node

    def _alias(self, event: Any) -> Node:
        at, alias = event.start_mark.index, shown("*" + event.anchor)
        if event.anchor not in self.anchors:
            raise self.stretch.error(at, f"the alias {alias} names no anchor that stands before it")
        node = self.anchors[event.anchor].node
        if node is None:
            raise self.stretch.error(at, f"the alias {alias} stands inside of what it names")
        return node
