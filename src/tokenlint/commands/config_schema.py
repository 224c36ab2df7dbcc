"""`tokenlint config --schema`: the table of keys as a JSON Schema, for editors.

Draft 7 is what SchemaStore asks for and what the language servers for TOML read.
"""

from __future__ import annotations

from string import digits
from typing import TYPE_CHECKING, Any

from tokenlint.commands.config import plain
from tokenlint.config import Config
from tokenlint.keys import table_with
from tokenlint.rules._catalogue import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokenlint.rules import Rule

_DRAFT = "http://json-schema.org/draft-07/schema#"


def build(rules: Sequence[Rule], *, pyproject: bool = False) -> dict[str, Any]:
    """The schema of a tokenlint.toml, or of a whole pyproject.toml."""
    table = {
        "title": "tokenlint",
        "description": "What tokenlint checks, and what holds for which files.",
        **table_with(rules).schema,
    }
    table["properties"] = dict(_with_defaults(table["properties"]))
    if pyproject:
        table = _object({"tool": _object({"tokenlint": table})})
    return {"$schema": _DRAFT, **table, "definitions": _definitions(rules)}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def _with_defaults(properties: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    for key, known in properties.items():
        default = plain(getattr(Config.DEFAULT, key.replace("-", "_")), known)
        yield key, known if default is None else {**known, "default": default}


def _definitions(rules: Sequence[Rule]) -> dict[str, Any]:
    return {"rule": {"anyOf": [*_words(rules)]}, "family": _choice(_families())}


def _words(rules: Sequence[Rule]) -> Iterable[dict[str, Any]]:
    """Codes and names with what they find, for completion; then what else means rules."""
    found = [rule.summary for rule in rules]
    yield _choice([rule.code for rule in rules], found)
    yield _choice([rule.name for rule in rules], found)
    yield {"const": "ALL", "description": "Every rule."}
    prefixes = {
        rule.code[:size]
        for rule in rules
        for size in range(len(rule.code.rstrip(digits)), len(rule.code))
    }
    yield {"type": "string", "pattern": f"^({'|'.join(sorted(prefixes))})$"}


def _choice(words: Sequence[str], described: Sequence[str] = ()) -> dict[str, Any]:
    chosen = {"type": "string", "enum": list(words)}
    return {**chosen, "x-taplo": {"docs": {"enumValues": described}}} if described else chosen


def _families() -> list[str]:
    return sorted({*FAMILIES, *(group for groups in FAMILIES.values() for group in groups)})
