"""Bytes to text, decoded once, with the facts that the decoding would otherwise lose."""

from __future__ import annotations

import os
import stat
from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from tokenlint.frozen import frozen
from tokenlint.wording import counted

if TYPE_CHECKING:
    from pathlib import Path

MAX_FILE_SIZE = 50_000_000
"Bytes that a file may have before it is skipped, unless the configuration says otherwise."

BOM = b"\xef\xbb\xbf"
_OTHER_BOMS = (
    (b"\xff\xfe\x00\x00", "UTF-32 LE"),
    (b"\x00\x00\xfe\xff", "UTF-32 BE"),
    (b"\xff\xfe", "UTF-16 LE"),
    (b"\xfe\xff", "UTF-16 BE"),
)
_OTHER_BEGINNINGS = (b"\xff", b"\xfe", b"\0")
_BINARY_LOOK = 8192
_LARGE = 1_000_000  # bytes from which a file is looked at before it is read as a whole

Reason = Literal[
    "not UTF-8",
    "UTF-16",
    "UTF-32",
    "binary",
    "over the size limit",
    "missing",
    "broken link",
    "a directory",
    "not a regular file",
    "no permission",
    "unreadable",
]


ColumnUnit = Literal["code-point", "utf-16"]
"What columns count; editors that speak the Language Server Protocol count units of UTF-16."


class Location(NamedTuple):
    """A place in a file: both numbers start at 1, columns count code points unless asked."""

    row: int
    column: int


@frozen
class Document:
    """One file's text, and what its bytes said that the text does not."""

    path: str
    text: str
    bom: bool = False
    size: int = 0

    @cached_property
    def raw(self) -> bytes:
        """The text in UTF-8, as it was read."""
        return self.text.encode(errors="surrogatepass")

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset of each line's first character; LF, CRLF and CR end lines, nothing else."""
        starts, text = [0], self.text
        if "\r" not in text:
            find, at = text.find, text.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            return starts
        for at, char in enumerate(text):
            if char == "\n" or (char == "\r" and text[at + 1 : at + 2] != "\n"):
                starts.append(at + 1)
        return starts

    def location(self, offset: int, unit: ColumnUnit = "code-point") -> Location:
        """Where an offset into the text stands, as an editor would say it."""
        row = bisect_right(self.line_starts, offset)
        start = self.line_starts[row - 1]
        column = offset - start + 1
        if unit == "utf-16":
            column += bisect_left(self._astral, offset) - bisect_left(self._astral, start)
        return Location(row, column)

    @cached_property
    def _astral(self) -> list[int]:
        """The offsets of characters above U+FFFF, which are two units each in UTF-16."""
        return [at for at, char in enumerate(self.text) if char > "\uffff"]

    def line(self, row: int) -> str:
        """The text of a line, counted from 1, without its line ending."""
        starts = self.line_starts
        end = starts[row] if row < len(starts) else len(self.text)
        return self.text[starts[row - 1] : end].rstrip("\r\n")

    def countable(self, *, newlines: Literal["lf", "as-is"] = "lf", count_bom: bool = False) -> str:
        """The text that is counted: by default no leading BOM, and CRLF and CR as LF."""
        text = self.text
        if newlines == "lf" and "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return "\ufeff" + text if self.bom and count_bom else text

    def encode(self, text: str) -> bytes:
        """Bytes for a changed text of this document: its own BOM or none, endings untouched."""
        return (BOM if self.bom else b"") + text.encode()


@frozen
class Unreadable:
    """A file whose text could not be had: a value that travels with the results."""

    path: str
    reason: Reason
    detail: str
    offset: int | None = None

    @property
    def message(self) -> str:
        """One sentence for a person: the file, what was wrong, what to do."""
        return f"{self.path}: {self.detail}"


def decode(path: str, raw: bytes) -> Document | Unreadable:
    """Text from UTF-8 bytes, with or without a BOM; anything else comes back as `Unreadable`."""
    if (binary := _binary(path, raw)) is not None:
        return binary
    bom = raw.startswith(BOM)
    try:
        text = raw[3 * bom :].decode()
    except UnicodeDecodeError as error:
        at = error.start + 3 * bom
        good = Document(path, raw[:at].decode())
        row = good.location(len(good.text)).row
        detail = (
            f"not UTF-8: byte 0x{raw[at]:02x} at offset {at} (line {row}); "
            "convert the file to UTF-8"
        )
        return Unreadable(path, "not UTF-8", detail, offset=at)
    document = object.__new__(Document)  # a tree has many, and each way round takes time
    # Encoding the text again would take as long as decoding it did.
    vars(document).update(path=path, text=text, bom=bom, size=len(raw), raw=raw[3 * bom :])
    return document


def looks_like_text(raw: bytes) -> bool:
    """Whether bytes may be text; only decoding all of them tells whether they are."""
    return _binary("", raw) is None


def _binary(path: str, raw: bytes) -> Unreadable | None:
    for mark, name in _OTHER_BOMS if raw[:1] in _OTHER_BEGINNINGS else ():
        if raw.startswith(mark):
            reason: Reason = "UTF-16" if "16" in name else "UTF-32"
            detail = f"not UTF-8: the byte order mark says {name}; convert the file to UTF-8"
            return Unreadable(path, reason, detail, offset=0)
    if raw.find(b"\0", 0, _BINARY_LOOK) >= 0:
        return Unreadable(path, "binary", "binary file (it holds NUL bytes), not checked")
    return None


def read_document(
    file: Path | str, shown: str | None = None, *, max_size: int = MAX_FILE_SIZE
) -> Document | Unreadable:
    """The document in a file, or why there is none; `shown` is the path that reports print."""
    path = str(file) if shown is None else shown
    raw = read_bytes(file, path, max_size=max_size)
    return raw if isinstance(raw, Unreadable) else decode(path, raw)


def read_bytes(file: Path | str, path: str, *, max_size: int) -> bytes | Unreadable:
    """The bytes of a file, whether they are text or not, or why they cannot be had."""
    try:
        status = os.stat(file)  # noqa: PTH116  (a tree has many files, and each Path takes time)
        if stat.S_ISDIR(status.st_mode):
            return Unreadable(path, "a directory", "a directory where a file was expected")
        if not stat.S_ISREG(status.st_mode):  # opening a pipe could wait for ever
            detail = "not a regular file; use - to read standard input"
            return Unreadable(path, "not a regular file", detail)
        if status.st_size > max_size:
            detail = f"{counted(status.st_size, 'byte')}, over the size limit of {max_size:,}"
            return Unreadable(path, "over the size limit", f"{detail} (max-file-size)")
        handle = os.open(file, os.O_RDONLY | _BINARY)
        try:
            return _read(handle, path, status.st_size)
        finally:
            os.close(handle)
    except OSError as error:
        return _refused(file, path, error)


_BINARY = getattr(os, "O_BINARY", 0)  # Windows changes line ends without it


def _read(handle: int, path: str, size: int) -> bytes | Unreadable:
    """The bytes of an open file that should have so many; one that grew has more."""
    raw = os.read(handle, size + 1 if size < _LARGE else _BINARY_LOOK)
    if len(raw) != size:
        if (binary := _binary(path, raw)) is not None:  # most are large: read no further
            return binary
        os.lseek(handle, 0, os.SEEK_SET)  # to add what is missing would copy all of it
        with os.fdopen(os.dup(handle), "rb", buffering=0) as stream:
            raw = stream.readall()
    return raw


def _refused(file: Path | str, path: str, error: OSError) -> Unreadable:
    if isinstance(error, FileNotFoundError):
        if os.path.islink(file):  # noqa: PTH114
            return Unreadable(path, "broken link", "a symbolic link to a file that does not exist")
        return Unreadable(path, "missing", "no such file or directory")
    if isinstance(error, PermissionError):
        return Unreadable(path, "no permission", "no permission to read it")
    return Unreadable(path, "unreadable", error.strerror or type(error).__name__)
