"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from tokenlint.places import require_no_way_out


def replace_file(path: Path, raw: bytes) -> None:
    """Write a file beside its place, then rename it: a reader sees the old bytes or the new ones.

    A link stays a link, and a file that was there keeps its owner and mode. Raises OSError, with
    nothing left behind.
    """
    require_no_way_out(path)
    target = Path(os.path.realpath(path))
    # The target's own name is no part of this one: with it, a long name gets too long.
    unfinished = target.with_name(f".tokenlint-{os.getpid()}-{id(raw):x}.tmp")
    try:
        with unfinished.open("xb") as stream:
            stream.write(raw)
        with suppress(FileNotFoundError):
            keep_owner_and_mode(target, unfinished)
        unfinished.replace(target)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def keep_owner_and_mode(target: Path, other: Path) -> None:
    """Give a file that is about to replace another one its owner and mode."""
    status = target.stat()
    if hasattr(os, "chown"):
        with suppress(OSError):  # only root may give a file away; ours it is already
            os.chown(other, status.st_uid, status.st_gid)
    import shutil

    shutil.copymode(target, other)  # last, because a change of owner takes bits away
