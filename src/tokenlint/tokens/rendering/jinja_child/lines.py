"""A message as one line of JSON in UTF-8, which keeps even halves of a surrogate pair apart."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_LOSSLESS = ("utf-8", "surrogatepass")


def to_line(message: Mapping[str, Any]) -> bytes:
    """The message as bytes that end with the only newline in them."""
    return json.dumps(message, ensure_ascii=False).encode(*_LOSSLESS) + b"\n"


def from_line(line: bytes) -> Any:
    """What a line says. Raises ValueError."""
    return json.loads(line.decode(*_LOSSLESS))
