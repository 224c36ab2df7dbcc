"""The streams of the process: by the names that they have as files, and where they are closed."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from tokenlint.errors import TokenlintError

if TYPE_CHECKING:
    from pathlib import Path

STDOUT = 1
"The descriptor of standard output."

_NAMES = {"-": STDOUT, "/dev/stdout": STDOUT, "/dev/stderr": 2}


def stream_of(file: Path) -> int | None:
    """The descriptor of an open stream that a name means; `./-` is a file of that name."""
    name = os.fspath(file)
    numbered = re.fullmatch(r"/(?:dev|proc/self)/fd/([0-9]{1,9})", name)
    return _NAMES.get(name) if numbered is None else int(numbered[1])


def read_stdin() -> bytes:
    """All of standard input.

    Raises TokenlintError.
    """
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise TokenlintError(f"standard input cannot be read: {error.strerror or error}") from None
