"""Globs in the configuration."""

from __future__ import annotations

from tokenlint import schema
from tokenlint.patterns import is_pattern
from tokenlint.schema import kind


@kind(schema.strings.schema)
def globs(key: str, value: object) -> tuple[str, ...]:
    """A list of globs, each of which can match something."""
    found = schema.strings(key, value)
    for glob in found:
        if not is_pattern(glob):
            schema.fail(key, f"{glob!r} is not a pattern that any path matches")
    return found


@kind(schema.some_strings.schema)
def some_globs(key: str, value: object) -> tuple[str, ...]:
    """The same, with at least one in it."""
    return globs(key, list(schema.some_strings(key, value)))
