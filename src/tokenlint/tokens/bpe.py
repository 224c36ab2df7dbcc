"""A byte pair encoding small enough to be read in one sitting, and the judge of the fast ones.

Training joins, inside *words*, the pair of neighbours seen most often, again and again. A pair is
seen at every place where it stands: `aaa` holds `a` + `a` twice. Of pairs seen equally often the
first to appear is joined: distinct words stand in the order in which the text has them, each as
it is cut at that moment, and the pair that begins furthest to the left wins.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Generic, TypeVar

from tokenlint.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

P = TypeVar("P", bytes, str)  # a piece of text


@frozen
class Alphabet(Generic[P]):
    """How a text becomes words of letters, and how pieces become text again."""

    words: Callable[[str], Iterable[tuple[P, ...]]]
    text: Callable[[Iterable[P]], str]
    letters: tuple[P, ...] = ()


def byte_alphabet(pattern: str) -> Alphabet[bytes]:
    """The 256 bytes; words are what the pattern matches, which must leave nothing out."""
    import regex

    split = regex.compile(pattern, regex.VERSION1).finditer
    return Alphabet(
        words=lambda text: (single_bytes(match.group().encode()) for match in split(text)),
        text=lambda pieces: b"".join(pieces).decode(errors="replace"),
        letters=single_bytes(bytes(range(256))),
    )


def single_bytes(raw: bytes) -> tuple[bytes, ...]:
    """Bytes as a word of letters."""
    return tuple(memoryview(raw).cast("c"))


def character_alphabet(end: str = "</w>") -> Alphabet[str]:
    """Characters, and a marker after the last of each word; white space is not kept."""

    def words(text: str) -> Iterator[tuple[str, ...]]:
        for word in text.split():
            if (word + end).index(end) < len(word):
                raise ValueError(f"{word!r} holds the end marker {end!r}: choose another one")
            yield (*word, end)

    return Alphabet(words, lambda pieces: "".join(pieces).replace(end, " ").removesuffix(" "))


@frozen
class Merge(Generic[P]):
    """Two neighbours that became one piece, and how often they were seen side by side."""

    left: P
    right: P
    count: int


@frozen
class Bpe(Generic[P]):
    """Pieces by id (letters, then what merges made), and merges in the order of learning."""

    alphabet: Alphabet[P]
    pieces: tuple[P, ...]
    merges: tuple[Merge[P], ...]

    @property
    def ids(self) -> dict[P, int]:
        return {piece: id_ for id_, piece in enumerate(self.pieces)}

    def encode(self, text: str) -> list[P]:
        """The pieces of a text; a character that was never met is a piece without an id."""
        ranks = {(m.left, m.right): rank for rank, m in enumerate(self.merges)}
        return [piece for word in self.alphabet.words(text) for piece in _cut(list(word), ranks)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids."""
        return self.alphabet.text(self.pieces[id_] for id_ in ids)


def _cut(pieces: list[P], ranks: Mapping[tuple[P, P], int]) -> list[P]:
    """Make the earliest-learned merge that is present, at its leftmost place, until none is."""
    while present := [(ranks[p], at) for at, p in enumerate(pairwise(pieces)) if p in ranks]:
        _, at = min(present)
        pieces[at : at + 2] = [pieces[at] + pieces[at + 1]]
    return pieces


def train(text: str, alphabet: Alphabet[P], most: int, at_least: int = 2) -> Bpe[P]:
    """Learn up to `most` merges, each of a pair that was seen `at_least` so often."""
    pairs, merges = Pairs(Counter(alphabet.words(text))), list[Merge[P]]()
    pieces = dict.fromkeys(chain(alphabet.letters, *pairs.words))
    while len(merges) < most and pairs.counts and (best := pairs.best()).count >= at_least:
        merges.append(best)
        pieces[best.left + best.right] = None
        pairs.join(best.left, best.right)
    return Bpe(alphabet, tuple(pieces), tuple(merges))


class Pairs(Generic[P]):
    """Distinct words as they are cut now, and the pairs in them, with counts kept up to date."""

    def __init__(self, words: Mapping[tuple[P, ...], int]) -> None:
        self.words: list[Sequence[P]] = list(words)
        self.times = list(words.values())
        self.counts: Counter[tuple[P, P]] = Counter()
        self.where: defaultdict[tuple[P, P], set[int]] = defaultdict(set)
        for at in range(len(self.words)):
            self._add(at, self.times[at])

    def best(self) -> Merge[P]:
        """The pair seen most often; of several, the one that appears first."""
        most = max(self.counts.values())
        tied = {pair for pair, count in self.counts.items() if count == most}
        word = self.words[min(min(self.where[pair]) for pair in tied)]
        return Merge(*next(pair for pair in pairwise(word) if pair in tied), most)

    def join(self, left: P, right: P) -> None:
        """Make the pair one piece wherever it stands; no other word is looked at."""
        for at in tuple(self.where.get((left, right), ())):
            self._add(at, -self.times[at])
            self.words[at] = _joined(self.words[at], left, right)
            self._add(at, self.times[at])

    def _add(self, at: int, times: int) -> None:
        for pair in pairwise(self.words[at]):
            self.counts[pair] += times
            (self.where[pair].add if times > 0 else self.where[pair].discard)(at)
            if not self.counts[pair]:
                del self.counts[pair], self.where[pair]


def _joined(word: Sequence[P], left: P, right: P) -> list[P]:
    joined: list[P] = []
    for piece in word:
        if piece == right and joined[-1:] == [left]:
            joined[-1] = left + right
        else:
            joined.append(piece)
    return joined
