"""TOML in bounded time: tomllib takes quadratic time for the parts of a dotted key."""

from __future__ import annotations

import re
from typing import Any

_MOST = 200
"Parts of a key; no file that people write has so many."

_LONG_KEY = re.compile(
    rf"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{_MOST}}}", re.ASCII
)


def loads(text: str) -> dict[str, Any]:
    """What `tomllib.loads` gives. Raises ValueError and RecursionError."""
    import tomllib  # a run without TOML needs none

    if _LONG_KEY.search(text):
        raise ValueError(f"a key of more than {_MOST} parts is not read")
    return tomllib.loads(text)
