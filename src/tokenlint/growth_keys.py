"""The keys that say how much may be added."""

from __future__ import annotations

from typing import Any

from tokenlint import schema
from tokenlint.errors import ConfigError
from tokenlint.growth import EXPECTED, PERCENT, DiffSettings, MaxIncrease, parse
from tokenlint.schema import Kind, fail, kind


def _read(key: str, value: Any) -> MaxIncrease:
    if isinstance(value, bool) or not isinstance(value, int | str):
        fail(key, EXPECTED)
    if isinstance(value, str) and not value.strip().endswith("%"):
        fail(key, f"{EXPECTED}, found {value!r}")
    try:
        return parse(str(value))
    except ConfigError as error:
        fail(key, str(error))


increase: Kind[MaxIncrease] = Kind(
    _read, {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": PERCENT}]}
)
"What `max-increase` may hold in a configuration."

_DIFF = schema.table({"max-increase": increase.about("The most that may be added in all.")})


@kind(_DIFF.schema)
def DIFF(key: str, value: object) -> DiffSettings:  # noqa: N802  (a kind, as those of prices)
    """The table `diff`."""
    return DiffSettings(**_DIFF(key, value))
