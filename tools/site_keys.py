"""The page of the configuration, from the schema that reads it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from site_markdown import code, table, text

from tokenlint.commands.config_schema import build
from tokenlint.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TOP = """\
# Configuration keys

Every key of `[tool.tokenlint]` in pyproject.toml, which are also the keys at the top level of a
`tokenlint.toml`. The [README](../../README.md#configuration) shows all of them in one example,
[Configuration in a team](../config.md) tells which file holds, and `tokenlint config` what holds.
An unknown key is an error that names the nearest right one.
"""
MOST = 5
"Entries of a default that a cell has room for."

_HEAD = ["key", "type", "default", "what it says"]
_TYPES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
}


def page() -> str:
    """All keys: first those of the table itself, then those of the tables inside it."""
    schema = build(RULES)
    parts = [_TOP, _keys(schema)]
    for path, about, inner in _tables("", schema):
        written = f"[tool.tokenlint.{path.removesuffix('[]')}]"
        written = f"[{written}]" if path.endswith("[]") else written
        parts += [f"## {path.removesuffix('[]')}\n", f"`{written}`: {text(about)}\n", _keys(inner)]
    return "\n".join(parts)


def _keys(schema: Mapping[str, Any]) -> str:
    required = schema.get("required", ())
    rows = (
        [code(key), _type(known), _default(known, needed=key in required), text(_about(known))]
        for key, known in schema["properties"].items()
    )
    return table(_HEAD, rows)


def _about(known: Mapping[str, Any]) -> str:
    return str(known.get("description", ""))


def _tables(path: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """The tables inside a table, each with how it is written and the sentence about it."""
    for key, known in schema["properties"].items():
        for written, inner in _inside(key, known):
            where = f"{path}.{written}" if path else written
            yield where, _about(known), inner
            yield from _tables(where, inner)


def _inside(key: str, known: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if "properties" in known:
        yield key, known
    named, items = known.get("additionalProperties"), known.get("items")
    for written, inner in ((f"{key}.NAME", named), (f"{key}[]", items)):
        for one in _choices(inner) if isinstance(inner, dict) else ():
            if "properties" in one:
                yield written, one


def _choices(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [schema] if "properties" in schema else schema.get("anyOf", [schema])


def _type(known: Mapping[str, Any]) -> str:
    if "enum" in known:
        return "one of " + ", ".join(code(json.dumps(word)) for word in known["enum"])
    if "const" in known:
        return code(json.dumps(known["const"]))
    if "anyOf" in known and "type" not in known:
        return ", or ".join(_type(one) for one in known["anyOf"])
    if "$ref" in known:
        return "a " + str(known["$ref"]).rpartition("/")[2]
    return _container(known) or _TYPES[known["type"]]


def _container(known: Mapping[str, Any]) -> str:
    if known.get("type") == "array":
        return f"list of {_type(known['items'])}"
    if known.get("type") != "object":
        return ""
    values = known.get("additionalProperties")
    return f"table of {_type(values)}" if isinstance(values, dict) else "table"


def _default(known: Mapping[str, Any], *, needed: bool) -> str:
    if needed:
        return "required"
    said = known.get("default")
    if said in (None, [], {}) or isinstance(said, dict):
        return ""
    if isinstance(said, list) and len(said) > MOST:
        return f"{len(said)} entries, which `tokenlint config` shows"
    return code(json.dumps(said))
