"""Scalars of YAML: what kind each is, and where its text stands."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import yaml

from tokenlint.tokens.extract.block_pieces import block_runs, block_span
from tokenlint.tokens.extract.nodes import Scalar
from tokenlint.tokens.extract.pieces import BREAKS, yaml_runs

if TYPE_CHECKING:
    from tokenlint.tokens.extract.stretch import Stretch

_STANDARD = "tag:yaml.org,2002:"
_KINDS: dict[str, Literal["string", "number", "boolean", "null", "date"]] = {
    "str": "string",
    "int": "number",
    "float": "number",
    "bool": "boolean",
    "null": "null",
    "timestamp": "date",
}
# An event begins with its anchor and its tag, which lines and comments can follow.
_PROPERTIES = re.compile(
    rf"(?:(?:!<[^>\s]*>|[!&][^\s,\[\]{{}}]*)(?:[ \t{BREAKS}]+(?:#[^{BREAKS}]*)?)*)+"
)


def scalar_of(stretch: Stretch, event: Any, tag: str) -> Scalar:
    """The scalar of an event whose tag is known."""
    kind = _KINDS.get(tag.removeprefix(_STANDARD)) if tag.startswith(_STANDARD) else None
    start, end = stretch.start + event.start_mark.index, stretch.start + event.end_mark.index
    if kind == "string":
        return _string(stretch.document.text, start, end, event)
    if kind is None:
        return Scalar("other", event.value, start, end, tag=tag)
    value = None if kind == "date" else partial(_construct, tag, event.value)
    return Scalar(kind, event.value, start, end, value=value)


def _construct(tag: str, text: str) -> Any:
    """What a number, a boolean or a null is; ValueError where it is none."""
    try:
        return yaml.constructor.SafeConstructor().construct_object(yaml.ScalarNode(tag, text))
    except LookupError:  # so it answers to `!!bool perhaps` and to `!!int ""`
        raise ValueError(text) from None


def _string(source: str, start: int, end: int, event: Any) -> Scalar:
    if source[start : start + 1] in ("!", "&") and (
        before := _PROPERTIES.match(source, start, end)
    ):
        start = before.end()
    if event.style in ("|", ">"):
        return _block(source, start, end, event.value)
    if event.style in ("'", '"'):
        start, end = start + 1, end - 1
    if source[start:end] == event.value:
        return Scalar("string", event.value, start, end)
    origin = partial(yaml_runs, source, start, end, event.value, style=event.style or "")
    return Scalar("string", event.value, start, end, origin)


def _block(source: str, start: int, end: int, value: str) -> Scalar:
    first, stop = block_span(source, start, end, value)
    if source[first:stop] == value:
        return Scalar("string", value, first, stop)
    return Scalar("string", value, first, stop, partial(block_runs, source, start, end, value))
