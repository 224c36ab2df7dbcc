"""Bytes become a baseline; what is read is written and read again as the same."""

from __future__ import annotations

from tokenlint.baseline import parse, written
from tokenlint.errors import TokenlintError


def target(raw: bytes) -> None:
    """One baseline."""
    try:
        entries = parse(raw)
    except TokenlintError as error:
        assert "\n" not in str(error), str(error)
        return
    assert sorted(parse(written(entries).encode())) == sorted(entries)
