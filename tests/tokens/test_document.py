"""Bytes to text and back: what is read, what is refused, and where things stand."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.tokens.document import (
    MAX_FILE_SIZE,
    Document,
    Location,
    Unreadable,
    decode,
    read_document,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BOM = b"\xef\xbb\xbf"
NFD = "Ba\u0323n"

# Text of which most is what this module looks at.
TEXT = st.text(st.sampled_from("ab\u0323\u1ea1\U0001f600\ufeff\x00\x0b\x0c\x85\u2028 \r\n\r\n"))


# --- bytes to text


@pytest.mark.parametrize(
    ("raw", "text", "bom"),
    [
        (b"", "", False),
        (b"plain\n", "plain\n", False),
        (b"no last newline", "no last newline", False),
        (b"a\r\nb\rc\n", "a\r\nb\rc\n", False),
        (NFD.encode(), NFD, False),
        (BOM, "", True),
        (BOM + b"text", "text", True),
        (BOM + BOM + b"text", "\ufefftext", True),
        (b"a" + BOM, "a\ufeff", False),
        (b"a" * 8192 + b"\0", "a" * 8192 + "\0", False),
        ("\U0001f600".encode(), "\U0001f600", False),
    ],
)
def test_utf_8_is_read_as_it_is(raw: bytes, text: str, *, bom: bool) -> None:
    document = decode("p.md", raw)
    assert document == Document("p.md", text, bom=bom, size=len(raw))
    assert document.encode(document.text) == raw


UTF_16 = "not UTF-8: the byte order mark says UTF-16 {}; convert the file to UTF-8"
UTF_32 = "not UTF-8: the byte order mark says UTF-32 {}; convert the file to UTF-8"
BINARY = "binary file (it holds NUL bytes), not checked"
NOT_UTF_8 = "not UTF-8: byte 0x{} at offset {} (line {}); convert the file to UTF-8"


@pytest.mark.parametrize(
    ("raw", "reason", "detail", "offset"),
    [
        ("a".encode("utf-16-le"), "binary", BINARY, None),
        (b"\0", "binary", BINARY, None),
        (b"a" * 8191 + b"\0", "binary", BINARY, None),
        (BOM + b"a\0", "binary", BINARY, None),
        (b"\xff\xfea\0", "UTF-16", UTF_16.format("LE"), 0),
        (b"\xfe\xff\0a", "UTF-16", UTF_16.format("BE"), 0),
        (b"\xff\xfe\0\0a\0\0\0", "UTF-32", UTF_32.format("LE"), 0),
        (b"\0\0\xfe\xff\0\0\0a", "UTF-32", UTF_32.format("BE"), 0),
        (b"\xff", "not UTF-8", NOT_UTF_8.format("ff", 0, 1), 0),
        ("caf\xe9\n".encode("latin-1"), "not UTF-8", NOT_UTF_8.format("e9", 3, 1), 3),
        (b"a\nb\n\xe9c", "not UTF-8", NOT_UTF_8.format("e9", 4, 3), 4),
        (b"a\r\nb\rc\xe9", "not UTF-8", NOT_UTF_8.format("e9", 6, 3), 6),
        (BOM + b"a\n\xe9", "not UTF-8", NOT_UTF_8.format("e9", 5, 2), 5),
        (b"cut short \xe1\xba", "not UTF-8", NOT_UTF_8.format("e1", 10, 1), 10),
        (b"surrogate \xed\xa0\x80", "not UTF-8", NOT_UTF_8.format("ed", 10, 1), 10),
        (b"overlong \xc0\x80", "not UTF-8", NOT_UTF_8.format("c0", 9, 1), 9),
    ],
)
def test_other_bytes_are_refused(
    raw: bytes, reason: str, detail: str, offset: int | None, tmp_path: Path
) -> None:
    refused = decode("p.md", raw)
    assert isinstance(refused, Unreadable)
    assert (refused.reason, refused.detail, refused.offset) == (reason, detail, offset)
    assert refused.message == f"p.md: {detail}"
    (tmp_path / "p.md").write_bytes(raw)
    assert read_document(tmp_path / "p.md", "p.md") == refused


@given(TEXT)
def test_text_comes_back_byte_for_byte(text: str) -> None:
    raw = text.encode()
    document = decode("p.md", raw)
    if isinstance(document, Document):
        assert document.encode(document.text) == raw
    else:
        assert b"\0" in raw


# --- files


@pytest.mark.parametrize(
    "raw", [b"", b"text\r\n", BOM + b"text", b"a" * 8192, b"a" * 8191 + "ệ".encode() * 9000]
)
def test_a_file_is_its_bytes(raw: bytes, tmp_path: Path) -> None:
    file = tmp_path / "tệp -x 'y'.md"
    file.write_bytes(raw)
    assert read_document(file, "shown.md") == decode("shown.md", raw)
    assert read_document(file) == decode(str(file), raw)


def test_a_link_to_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    (tmp_path / "link").symlink_to("file")
    assert read_document(tmp_path / "link", "link") == Document("link", "text", size=4)


def test_the_size_limit(tmp_path: Path) -> None:
    file = tmp_path / "p.md"
    file.write_bytes(b"a" * 1000)
    assert isinstance(read_document(file, "p.md", max_size=1001), Document)
    assert isinstance(read_document(file, "p.md", max_size=1000), Document)
    assert read_document(file, "p.md", max_size=999) == Unreadable(
        "p.md", "over the size limit", "1,000 bytes, over the size limit of 999 (max-file-size)"
    )


def test_a_huge_file_is_not_opened(tmp_path: Path) -> None:
    file = tmp_path / "p.md"
    with file.open("wb") as stream:
        stream.truncate(MAX_FILE_SIZE + 1)  # sparse: it takes no room on the disk
    refused = read_document(file, "p.md")
    assert isinstance(refused, Unreadable)
    assert refused.detail == ("50,000,001 bytes, over the size limit of 50,000,000 (max-file-size)")


def missing(path: Path) -> None:
    pass


def a_folder(path: Path) -> None:
    path.mkdir()


def a_broken_link(path: Path) -> None:
    path.symlink_to("nowhere")


def a_circle_of_links(path: Path) -> None:
    path.symlink_to(path.name)


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_link_to_a_folder(path: Path) -> None:
    path.symlink_to(".")


NOT_REGULAR = "not a regular file; use - to read standard input"


@pytest.mark.parametrize(
    ("make", "reason", "detail"),
    [
        (missing, "missing", "no such file or directory"),
        (a_folder, "a directory", "a directory where a file was expected"),
        (a_link_to_a_folder, "a directory", "a directory where a file was expected"),
        (a_broken_link, "broken link", "a symbolic link to a file that does not exist"),
        (a_circle_of_links, "unreadable", "Too many levels of symbolic links"),
        pytest.param(
            a_pipe,
            "not a regular file",
            NOT_REGULAR,
            marks=pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here"),
        ),
    ],
)
def test_what_is_no_file(
    make: Callable[[Path], None], reason: str, detail: str, tmp_path: Path
) -> None:
    make(tmp_path / "p.md")
    refused = read_document(tmp_path / "p.md", "p.md")
    assert isinstance(refused, Unreadable)
    assert (refused.reason, refused.detail, refused.offset) == (reason, detail, None)


def test_a_file_where_a_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused = read_document(tmp_path / "file/p.md", "file/p.md")
    assert refused == Unreadable("file/p.md", "unreadable", "Not a directory")


@pytest.mark.parametrize("step", ["stat", "open"])
@pytest.mark.parametrize(
    ("error", "reason", "detail"),
    [
        (PermissionError(13, "Permission denied"), "no permission", "no permission to read it"),
        (FileNotFoundError(2, "gone"), "missing", "no such file or directory"),
        (OSError(5, "Input/output error"), "unreadable", "Input/output error"),
        (TimeoutError(), "unreadable", "TimeoutError"),
    ],
)
def test_what_the_system_refuses(
    step: str,
    error: OSError,
    reason: str,
    detail: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "p.md"
    file.write_bytes(b"text")

    def refuse(*_: object, **__: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, step, refuse)
        refused = read_document(file, "p.md")
    assert isinstance(refused, Unreadable)
    assert (refused.reason, refused.detail) == (reason, detail)


# --- places


@pytest.mark.parametrize(
    ("text", "offset", "location"),
    [
        ("", 0, (1, 1)),
        ("abc", 2, (1, 3)),
        ("a\nb", 1, (1, 2)),
        ("a\nb", 2, (2, 1)),
        ("a\n", 2, (2, 1)),
        ("a\r\nb", 2, (1, 3)),
        ("a\r\nb", 3, (2, 1)),
        ("a\rb", 2, (2, 1)),
        ("a\r\rb", 3, (3, 1)),
        ("a\n\rb", 3, (3, 1)),
        ("a\r\n\nb\rc", 6, (4, 1)),
        ("a\r", 2, (2, 1)),
        # Only these three end a line; `str.splitlines` knows eight more.
        ("a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g", 12, (1, 13)),
        # A column is a code point: a mark counts, a letter outside the BMP counts once.
        (NFD, 3, (1, 4)),
        ("\U0001f600x", 1, (1, 2)),
    ],
)
def test_location(text: str, offset: int, location: tuple[int, int]) -> None:
    assert Document("p", text).location(offset) == Location(*location)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a", ""]),
        ("a\nb", ["a", "b"]),
        ("a\r\n\r\nb\rc\n", ["a", "", "b", "c", ""]),
        ("\n\r\r\n", ["", "", "", ""]),
        ("a \x0b\u2028\nb", ["a \x0b\u2028", "b"]),
    ],
)
def test_lines(text: str, lines: list[str]) -> None:
    document = Document("p", text)
    assert [document.line(row + 1) for row in range(len(document.line_starts))] == lines


@given(TEXT)
def test_columns_in_utf_16(text: str) -> None:
    document = Document("p", text)
    for offset in range(len(text) + 1):
        row, column = document.location(offset, "utf-16")
        before = text[document.line_starts[row - 1] : offset]
        assert column == len(before.encode("utf-16-le", "surrogatepass")) // 2 + 1


@given(st.text())
def test_lines_and_locations_agree(text: str) -> None:
    document = Document("p", text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert [document.line(row + 1) for row in range(len(document.line_starts))] == lines
    for offset in range(len(text) + 1):
        row, column = document.location(offset)
        assert document.line_starts[row - 1] + column - 1 == offset
        assert column <= len(lines[row - 1]) + len("\r\n")


# --- what is counted

LF = "# Role\n\nYou help.\n"


@pytest.mark.parametrize(
    "text", [LF, LF.replace("\n", "\r\n"), LF.replace("\n", "\r"), "# Role\r\n\rYou help.\n"]
)
@pytest.mark.parametrize("bom", [False, True])
def test_line_endings_and_bom_cost_nothing(text: str, *, bom: bool) -> None:
    assert Document("p", text, bom=bom).countable() == LF


@pytest.mark.parametrize(
    ("newlines", "count_bom", "bom", "expected"),
    [
        ("lf", False, True, "a\nb\nc\n"),
        ("lf", True, True, "\ufeffa\nb\nc\n"),
        ("lf", True, False, "a\nb\nc\n"),
        ("as-is", False, True, "a\r\nb\rc\n"),
        ("as-is", True, True, "\ufeffa\r\nb\rc\n"),
        ("as-is", True, False, "a\r\nb\rc\n"),
    ],
)
def test_what_is_counted_is_a_setting(
    newlines: Literal["lf", "as-is"], expected: str, *, count_bom: bool, bom: bool
) -> None:
    document = Document("p", "a\r\nb\rc\n", bom=bom)
    assert document.countable(newlines=newlines, count_bom=count_bom) == expected


def test_only_the_first_bom_is_no_text() -> None:
    document = decode("p", BOM + BOM + b"a")
    assert isinstance(document, Document)
    assert document.countable() == "\ufeffa"
