"""Bytes become a lock file of the plugin; what is read is written and read again as the same."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp

from pytest_tokenbudget import lock
from pytest_tokenbudget.errors import Mistake

FILE = Path(mkdtemp(prefix="tokenlint-fuzz-")) / "tokenbudget.lock"


def target(raw: bytes) -> None:
    """One lock file."""
    FILE.write_bytes(raw)
    try:
        entries = lock.read(FILE) or {}
    except Mistake:
        return
    FILE.write_bytes(lock.written(entries).encode())
    assert lock.read(FILE) == entries
