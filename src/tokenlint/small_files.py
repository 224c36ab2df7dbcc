"""Small files that are read whole: only regular ones, and only so many bytes of them."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TEXT = 10_000_000
"Bytes that a configuration or a .gitignore may have."

BASELINE = 100_000_000
"Bytes that a baseline or a lock file may have: half a million entries."

TOKENIZER = 1_000_000_000
"Bytes that a tokenizer may have: the largest that are published have a few hundredths of it."


def read_small(path: Path, most: int = TEXT) -> bytes:
    """The bytes of a file that must be a regular one: a device never ends, a pipe may never begin.

    Raises OSError, whose `strerror` says what is wrong.
    """
    status = os.stat(path)  # noqa: PTH116  (Path.stat is the same, and some of these are hot)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "Is a directory", os.fspath(path))
    if not stat.S_ISREG(status.st_mode):
        if os.path.samestat(status, os.stat(os.devnull)):  # noqa: PTH116
            return b""  # what people name where they want no file
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    if status.st_size > most:
        why = f"{status.st_size:,} bytes, and at most {most:,} are read"
        raise OSError(errno.EFBIG, why, os.fspath(path))
    return path.read_bytes()
