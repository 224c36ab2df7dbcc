"""Counts of short texts without tiktoken, which takes longer to start than they take to count.

The split pattern is given to `re` or `regex`, and a loop in plain Python merges the pieces as
tiktoken does: of all neighbours that make a token, the first pair of the lowest rank is joined,
until there is none. Only tokens that can come to stand in the text are looked up, so no table of
all of them is made for a single text.

It is used where it surely gives the ids of tiktoken, and pays: for short texts, no long pieces, and
characters of which `regex` and tiktoken know the same (see `quick_classes`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tokenlint.tokens.quick_classes import is_sure, splitter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

LONGEST = 20_000
"Characters of a text that is still counted here."

MOST = 60_000
"Characters after which tiktoken is worth its start."

_HARDEST = 400_000  # of the squares of the lengths of pieces: about 50 ms
_NEVER = 1 << 32  # above every rank


class QuickEngine:
    """Counts short texts by a split pattern, and by tokens that come in order of their ranks."""

    def __init__(self, pattern: str, tokens: Callable[[], list[bytes]]) -> None:
        """Nothing is made or read before the first text."""
        self._pattern, self._tokens = pattern, tokens
        self._seen = 0
        self._ranks: dict[bytes, int] | None = None
        self._known: dict[bytes, int] = {}

    def count(self, text: str) -> int | None:
        """The number of tokens of a text, or None where tiktoken has to say it."""
        if len(text) > LONGEST or self._seen + len(text) > MOST or not is_sure(text):
            return None
        split = splitter(self._pattern, ascii_only=text.isascii())
        pieces = [piece.encode() for piece in split(text)]
        new = {piece for piece in pieces if piece not in self._known}
        if sum(len(piece) ** 2 for piece in new) > _HARDEST:
            return None
        ranks = self._ranks_of(new)
        self._known.update((piece, len(merged(piece, ranks))) for piece in new)
        self._seen += len(text)
        return sum(map(self._known.__getitem__, pieces))

    def _ranks_of(self, pieces: Iterable[bytes]) -> Mapping[bytes, int]:
        """The ranks that pieces need: a table of all of them is made at the second text."""
        if self._ranks is not None:
            return self._ranks
        tokens = self._tokens()
        if self._seen:
            self._ranks = dict(zip(tokens, range(len(tokens)), strict=True))
            return self._ranks
        parts = {part for piece in pieces for part in _parts(piece)}
        return {token: rank for rank, token in enumerate(tokens) if token in parts}


def _parts(piece: bytes) -> Iterable[bytes]:
    """Everything in a piece that could be a token: no published one is longer than 128 bytes."""
    size = len(piece)
    for start in range(size):
        for end in range(start + 1, min(start + 128, size) + 1):
            yield piece[start:end]


def merged(piece: bytes, ranks: Mapping[bytes, int]) -> list[bytes]:
    """The tokens of a piece."""
    if piece in ranks:
        return [piece]
    starts = list(range(len(piece) + 1))
    rank = ranks.get

    def joined(at: int) -> int:
        """The rank of the part at a place joined to the next one."""
        if at + 2 >= len(starts):
            return _NEVER
        return rank(piece[starts[at] : starts[at + 2]], _NEVER)

    pairs = list(map(joined, range(len(starts) - 2)))
    while pairs and (lowest := min(pairs)) != _NEVER:
        at = pairs.index(lowest)
        del starts[at + 1], pairs[at]
        if at:
            pairs[at - 1] = joined(at - 1)
        if at < len(pairs):
            pairs[at] = joined(at)
    return [piece[start:end] for start, end in pairwise(starts)]
