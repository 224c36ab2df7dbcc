"""Chunks of bytes, decoded alone and one after the other."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.tokens.streaming import incremental, naive

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = [
    ([], [], []),
    ([b"one", b" two"], ["one", " two"], ["one", " two"]),
    ([b"", b"a"], ["", "a"], ["", "a"]),
    ([b"\xe1\xbb", b"\x85n"], ["\ufffd", "\ufffdn"], ["", "\u1ec5n"]),
    ([b"\xf0", b"\x9f", b"\x92", b"\xb0"], ["\ufffd"] * 4, ["", "", "", "\U0001f4b0"]),
    ([b"a", b"\xf0\x9f"], ["a", "\ufffd"], ["a", "", "\ufffd"]),
]


@pytest.mark.parametrize(("chunks", "alone", "together"), CASES)
def test_a_chunk_alone_and_in_its_place(
    chunks: list[bytes], alone: list[str], together: list[str]
) -> None:
    assert list(naive(chunks)) == alone
    assert list(incremental(chunks)) == together


@given(text=st.text(), sizes=st.lists(st.integers(min_value=1, max_value=5)))
def test_a_text_comes_back_from_whatever_parts(text: str, sizes: list[int]) -> None:
    stream = io.BytesIO(text.encode())
    chunks = [*filter(None, (stream.read(size) for size in sizes)), stream.read()]
    assert "".join(incremental(chunks)) == text
    assert len(list(incremental(chunks))) == len(chunks)


@given(chunks=st.lists(st.binary(max_size=6)))
def test_bytes_mean_what_they_mean_together(chunks: list[bytes]) -> None:
    assert "".join(incremental(chunks)) == b"".join(chunks).decode(errors="replace")


@pytest.mark.parametrize("read", [naive, incremental])
def test_nothing_is_waited_for(read: object) -> None:
    def sent() -> Iterator[bytes]:
        yield b"a"
        raise ConnectionError

    stream = read(sent())  # type: ignore[operator]
    assert next(stream) == "a"
    with pytest.raises(ConnectionError):
        next(stream)
