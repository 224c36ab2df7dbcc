"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.places import require_no_way_out

if TYPE_CHECKING:
    from collections.abc import Callable

_UNFINISHED = re.compile(r"\.tokenlint-\d+-[0-9a-f]{16}\.tmp")
_LONG_AGO = 3600.0  # seconds: whoever wrote a file for so long is not there any more
_cleared: set[Path] = set()


def is_unfinished(path: str) -> bool:
    """Whether a path is that of a file which a write begins with, and leaves when it is killed."""
    return _UNFINISHED.fullmatch(os.path.basename(path)) is not None  # noqa: PTH119


def replace_file(
    path: Path,
    raw: bytes,
    *,
    require: Callable[[Path], None] | None = None,
    lasting: bool = True,
) -> None:
    """Write a file beside its place, then rename it: a reader sees the old bytes or the new ones.

    A link stays a link, and a file that was there keeps its owner and mode. What is `lasting` is
    on the disk before it gets its name, so that a power cut leaves one of the two as well.
    `require` raises OSError where the target is not to be replaced; it is asked right before
    that. Raises OSError, with nothing left behind.
    """
    require_no_way_out(path)
    target = Path(os.path.realpath(path))
    _clear(target.parent)
    # The target's own name is no part of this one: with it, a long name gets too long.
    unfinished = target.with_name(f".tokenlint-{os.getpid()}-{os.urandom(8).hex()}.tmp")
    try:
        _write(unfinished, raw, is_new=not target.exists(), lasting=lasting)
        with suppress(FileNotFoundError):
            _keep_owner_and_mode(target, unfinished)
        if require is not None:
            require(target)
        unfinished.replace(target)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def make_folder_for(path: Path) -> None:
    """Make the folders of a file that is to be written and was named, where they are missing.

    Raises OSError.
    """
    if not path.parent.is_dir():
        require_no_way_out(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except FileExistsError:  # of all words, mkdir finds these for a file in its way
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None


def _write(path: Path, raw: bytes, *, is_new: bool, lasting: bool) -> None:
    """Write a file that is not there yet; one that will replace another nobody else may read."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, 0o666 if is_new else 0o600), "wb") as stream:
        stream.write(raw)
        if lasting:
            stream.flush()
            getattr(os, "fdatasync", os.fsync)(stream.fileno())


def _keep_owner_and_mode(target: Path, other: Path) -> None:
    """Give a file that is about to replace another one its owner and mode."""
    status = target.stat()
    if hasattr(os, "chown"):
        with suppress(OSError):  # only root may give a file away; ours it is already
            os.chown(other, status.st_uid, status.st_gid)
    import shutil

    shutil.copymode(target, other)  # last, because a change of owner takes bits away


def _clear(folder: Path) -> None:
    """Remove what runs that were killed long ago left in a folder; once is enough."""
    if folder in _cleared:
        return
    _cleared.add(folder)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if is_unfinished(entry.name):
                _remove_if_old(entry)


def _remove_if_old(entry: os.DirEntry[str]) -> None:
    with suppress(OSError):
        if entry.stat(follow_symlinks=False).st_mtime < time.time() - _LONG_AGO:
            os.unlink(entry.path)  # noqa: PTH108  (a folder of that name is no file of ours)
