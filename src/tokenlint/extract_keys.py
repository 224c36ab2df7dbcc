"""The keys that say what of a file is the prompt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenlint import schema
from tokenlint.errors import TokenlintError
from tokenlint.patterns import is_pattern
from tokenlint.schema import Kind, kind

if TYPE_CHECKING:
    from tokenlint.tokens.extract import Extract

EXTRACT: dict[str, Kind[Any]] = {
    "extract": schema.string.about(
        'What of a file is the prompt: "all", "body" (without front matter), a path into YAML, '
        'JSON or TOML such as "prompts.*.system", "jinja" or "chat".'
    ),
    "variables": schema.string.about(
        "The file with the values of a Jinja template, from the folder of the configuration."
    ),
}
"What a budget, or a glob of the table `extract`, can say."

_TABLE = schema.table(EXTRACT, required=["extract"])


def extracted(key: str, said: dict[str, Any]) -> dict[str, Any]:
    """The values of a table with what `extract` and `variables` in it mean together."""
    rest = {name: value for name, value in said.items() if name not in EXTRACT}
    if len(rest) == len(said):
        return said
    if "extract" not in said:
        schema.fail(key, 'has variables and no extract; add extract = "jinja"')
    return {**rest, "extract": read(f"{key}.extract", said["extract"], said.get("variables"))}


def read(key: str, text: str, variables: str | None = None) -> Extract:
    """What a string says is the prompt.

    Raises ConfigError.
    """
    from tokenlint.tokens.extract import Extract

    try:
        return Extract.parse(text, None if variables is None else Path(variables))
    except TokenlintError as error:
        schema.fail(key, str(error))


@kind({"anyOf": [{"type": "string"}, _TABLE.schema]})
def _how(key: str, value: object) -> Extract:
    if isinstance(value, str):
        return read(key, value)
    if not isinstance(value, dict):
        schema.fail(key, 'expected a string such as "body", or a table with extract')
    found: Extract = extracted(key, _TABLE(key, value))["extract"]
    return found


_EXTRACTS = schema.mapping_of(_how)


@kind(_EXTRACTS.schema)
def extracts(key: str, value: object) -> dict[str, Extract]:
    """What of files is the prompt, by glob."""
    if isinstance(value, str):
        schema.fail(key, f'expected globs; for all files write "**" = "{value}"')
    found = _EXTRACTS(key, value)
    for glob in found:
        if not is_pattern(glob):
            schema.fail(key, f"{glob!r} is not a pattern that any path matches")
    return found
