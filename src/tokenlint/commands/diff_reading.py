"""The content of a file in one state, read as `check` reads files, or why there is none."""

from __future__ import annotations

import os
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import TYPE_CHECKING

from tokenlint import progress
from tokenlint.files import Found
from tokenlint.frozen import frozen
from tokenlint.git import TooLarge
from tokenlint.small_files import read_small
from tokenlint.tokens import Document, Unreadable, decode
from tokenlint.wording import counted

if TYPE_CHECKING:
    from tokenlint.commands.diff_sources import Item
    from tokenlint.commands.session import Session
    from tokenlint.git import Blobs

_POINTER, _LONGEST_POINTER = "version https://git-lfs.github.com/spec/v1\n", 1024
"How a file that Git LFS keeps elsewhere begins, and how long it may be by its specification."


@frozen
class LeftOut:
    """A file without a text to count, and why. A `problem` is what the user must put right.

    `real` is the hash of the file that Git LFS keeps elsewhere.
    """

    reason: str
    detail: str = ""
    problem: str = ""
    real: str = ""

    @property
    def is_no_file(self) -> bool:
        """Whether what stands there is no file, so that there is no text that one could miss."""
        return self.reason in ("symbolic link", "broken link", "submodule")

    @property
    def is_no_text(self) -> bool:
        """Whether there are bytes, which could be a text that somebody broke."""
        return self.reason in ("not UTF-8", "binary", "UTF-16", "UTF-32")

    @property
    def is_by_nature(self) -> bool:
        """Whether nobody would look for it among the counts, as for a picture."""
        return self.is_no_file or self.reason in ("binary", LFS)


def read(item: Item, session: Session, blobs: Blobs) -> Document | LeftOut:
    """The document of a file, under the size limit of its configuration."""
    if item.left_out:
        return LeftOut(item.left_out)
    scope = session.scope_for(item.file)
    scope.knows(item.file, item.shown)
    if item.id is not None:
        progress.step()
        return _judged(_from_object(item, item.id, blobs, scope.config.max_file_size))
    path = item.disk or item.file
    if path.is_symlink():
        return LeftOut("symbolic link" if os.path.exists(path) else "broken link")  # noqa: PTH110
    return _judged(session.read(Found(path, item.shown, named=False)))


def readings(item: Item, blobs: Blobs, most: int) -> tuple[str, ...]:
    """What a file that is no text may have been made from; nothing where it has more bytes.

    Only to find its old name: bytes that are wrong are left out, or read as Windows writes them.
    """
    raw = _raw(item, blobs, most)
    if raw is None:
        return ()
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return (raw.decode("utf-16", "ignore"),)
    plain = raw.replace(b"\0", b"")
    return plain.decode("utf-8", "ignore"), plain.decode("cp1252", "ignore")


def _raw(item: Item, blobs: Blobs, most: int) -> bytes | None:
    if item.id is not None:
        raw = blobs.read(item.id, most)
        return raw if isinstance(raw, bytes) else None
    try:
        return read_small(item.disk or item.file, most)
    except OSError:
        return None


def _from_object(item: Item, id_: str, blobs: Blobs, most: int) -> Document | Unreadable | LeftOut:
    raw = blobs.read(id_, most)
    if raw is None:
        return LeftOut(
            "not in this clone",
            problem=f"{item.shown}: git does not have its content ({id_}) here, as in a partial "
            "clone; fetch it, for example with `git fetch --refetch --no-filter`",
        )
    if isinstance(raw, TooLarge):
        detail = f"{counted(raw.size, 'byte')}, over the size limit of {most:,} (max-file-size)"
        return Unreadable(item.shown, "over the size limit", detail)
    return decode(item.shown, raw)


def _judged(read: Document | Unreadable | LeftOut) -> Document | LeftOut:
    if isinstance(read, Unreadable):
        return LeftOut(read.reason, read.message)
    if isinstance(read, Document) and _is_pointer(read):
        _, _, hash_ = read.text.partition("\noid sha256:")
        return LeftOut(LFS, real=hash_.partition("\n")[0])
    return read


LFS = "Git LFS pointer"
"Why a file is left out that only says where the real one is."


def _is_pointer(document: Document) -> bool:
    return document.size < _LONGEST_POINTER and document.text.startswith(_POINTER)
