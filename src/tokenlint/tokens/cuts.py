"""Where a long text can be cut so that its parts have as many tokens as the whole.

A place will do where every split pattern that is known ends a piece, whatever stands further off:

- between an ASCII letter and a space that an ASCII letter follows. No piece has a letter before a
  space, and the space begins the piece of the word behind it.
- behind a line feed that no white space follows, and no slash. No piece goes on behind a line feed,
  but for more white space, or slashes after punctuation (o200k). White space that ends with a line
  feed is one piece up to there, whether a text ends or goes on behind it; only the patterns of r50k
  cut it otherwise in the middle of a text, so with them no white space may come before.

NFC changes nothing across such a place: neither a space nor a line feed composes with anything.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokenlint.tokens.encodings import ENCODINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

_PART = 1 << 18  # characters: some ten milliseconds of work
_LETTERS = r"(?<=[A-Za-z])(?= [A-Za-z])"
_ANYWHERE = re.compile(rf"{_LETTERS}|(?<=\n)(?=[^\s/])")
_R50K = re.compile(rf"{_LETTERS}|(?<=\S\n)(?=[^\s/])")


def spans(text: str, pattern: str, size: int = _PART) -> Iterator[slice]:
    """Parts of about a size, or the whole where the split pattern is not a known one."""
    place = _place(pattern) if len(text) > size else None
    start = 0
    while place is not None and (found := place.search(text, start + size)):
        yield slice(start, found.start())
        start = found.start()
    yield slice(start, len(text))


def _place(pattern: str) -> re.Pattern[str] | None:
    from tokenlint.tokens.long_runs import COMPARED

    if pattern == ENCODINGS["r50k_base"].pattern:
        return _R50K
    return _ANYWHERE if pattern in COMPARED else None
