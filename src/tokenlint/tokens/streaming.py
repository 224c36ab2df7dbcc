"""What a server sends, piece by piece, and the two ways to read it."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def naive(chunks: Iterable[bytes]) -> Iterator[str]:
    """Each chunk decoded by itself: a character that two chunks share becomes U+FFFD in both."""
    return (chunk.decode(errors="replace") for chunk in chunks)


def incremental(chunks: Iterable[bytes]) -> Iterator[str]:
    """Each chunk decoded as far as its characters are complete: one string for each chunk.

    The rest of a character that never comes is one more string at the very end, U+FFFD.
    """
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    for chunk in chunks:
        yield decoder.decode(chunk)
    if rest := decoder.decode(b"", final=True):
        yield rest
