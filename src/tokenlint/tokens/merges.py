"""The merges by which a byte pair encoding makes the tokens of a word, one after the other.

Two kinds of tables are known. A rank file ranks what a merge makes, and the rank is the id; the
list of a tokenizer.json ranks the pairs themselves, from 0 on. Either way the pair of the lowest
rank is joined, at its leftmost place, until no pair has one. What comes out is held to the ids of
the engine: merges that it did not make are not shown.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from tokenlint.errors import TokenizerError
from tokenlint.frozen import frozen
from tokenlint.tokens.bpe import single_bytes
from tokenlint.tokens.cutting import spelled
from tokenlint.tokens.equivalence import MARK, merge_parts, spelled_bytes
from tokenlint.tokens.hf_literal import state_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizers import Tokenizer as Engine

    from tokenlint.tokens.hf_backend import HfTokenizer
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer
    from tokenlint.tokens.tokenizer import Tokenizer

MOST_CHARACTERS: Final = 200
"How long a text may be whose merges are shown: a word, or a few."


class Piece(NamedTuple):
    """A part of a word: its bytes, and what Hugging Face's vocabularies call it."""

    raw: bytes
    printed: str


class Step(NamedTuple):
    """One merge: its rank, the two pieces that it joins, and the word after it."""

    rank: int
    left: Piece
    right: Piece
    pieces: tuple[Piece, ...]


@frozen
class WordMerges:
    """How a word of a text becomes tokens; `whole` says that the vocabulary has it as it is.

    A whole word is taken at once; its steps show how merges would come to it, where they would.
    """

    letters: tuple[Piece, ...]
    steps: tuple[Step, ...]
    ids: tuple[int, ...]
    whole: bool = False

    @property
    def raw(self) -> bytes:
        """The bytes of the word."""
        return b"".join(letter.raw for letter in self.letters)


class Table(Protocol):
    """What a model knows of pieces and pairs."""

    def words(self, text: str) -> Iterator[tuple[Piece, ...]]:
        """The words of a text, across whose borders nothing is merged, letter by letter."""

    def rank(self, left: Piece, right: Piece) -> int | None:
        """The rank of a pair, or None where it is not joined."""

    def join(self, left: Piece, right: Piece) -> Piece:
        """What a pair becomes."""

    def id_of(self, piece: Piece) -> int | None:
        """The id of a piece."""

    def whole(self, letters: tuple[Piece, ...]) -> Piece | None:
        """The piece that a word is before any merge, where the engine takes words whole."""


def merges_of(tokenizer: Tokenizer, text: str) -> tuple[WordMerges, ...]:
    """The merges of each word of a short text.

    Raises TokenizerError where the model has none, or the text is long.
    """
    if len(text) > MOST_CHARACTERS:
        raise TokenizerError(
            f"merges are shown for a word or a few, up to {MOST_CHARACTERS} characters; this text "
            f"has {len(text):,}"
        )
    table = _table(tokenizer)
    words = tuple(_traced(table, letters) for letters in table.words(tokenizer.normalize(text)))
    if [id_ for word in words for id_ in word.ids] != tokenizer.encode(text):
        raise TokenizerError(
            f"{tokenizer.name}: the merges of this text cannot be followed; leave out white space "
            "around the word, or use another tokenizer"
        )
    return words


def _traced(table: Table, letters: tuple[Piece, ...]) -> WordMerges:
    steps = tuple(_steps(table, list(letters)))
    whole = table.whole(letters)
    pieces = steps[-1].pieces if steps else letters
    if whole is not None and [whole.raw] != [piece.raw for piece in pieces]:
        steps, pieces = (), (whole,)  # no merges lead there
    ids = [table.id_of(piece) for piece in pieces]
    return WordMerges(letters, steps, tuple(i for i in ids if i is not None), whole is not None)


def _steps(table: Table, pieces: list[Piece]) -> Iterator[Step]:
    while present := list(_ranked(table, pieces)):
        rank, at = min(present)
        left, right = pieces[at : at + 2]
        pieces[at : at + 2] = [table.join(left, right)]
        yield Step(rank, left, right, tuple(pieces))


def _ranked(table: Table, pieces: list[Piece]) -> Iterator[tuple[int, int]]:
    for at, pair in enumerate(pairwise(pieces)):
        if (rank := table.rank(*pair)) is not None:
            yield rank, at


def _table(tokenizer: Tokenizer) -> Table:
    from tokenlint.tokens.hf_backend import HfTokenizer
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

    if isinstance(tokenizer, TiktokenTokenizer):
        return RankedBytes(tokenizer)
    if not isinstance(tokenizer, HfTokenizer):
        raise TokenizerError(f"{tokenizer.name}: its merges are not known here")
    kind = type(tokenizer.literal.model).__name__
    if kind != "BPE":
        how = _HOW.get(kind, "cuts in another way")
        raise TokenizerError(f"{tokenizer.name} has no merges: its model, {kind}, {how}")
    return ListedPairs.of(tokenizer)


_HOW: Final = {
    "Unigram": "chooses the pieces of a word all at once, by the score of each",
    "WordPiece": "takes the longest piece that it knows, from the left",
    "WordLevel": "knows whole words only",
}


@frozen
class RankedBytes:
    """The ranks of a rank file."""

    tokenizer: TiktokenTokenizer

    @cached_property
    def _control(self) -> set[int]:
        return set(self.tokenizer.special_tokens.values())

    def words(self, text: str) -> Iterator[tuple[Piece, ...]]:
        """See `Table`."""
        from tokenlint.tokens import long_runs

        for word in long_runs.split(self.tokenizer.pattern, text):
            if word:
                yield tuple(Piece(byte, spelled(byte)) for byte in single_bytes(word.encode()))

    def rank(self, left: Piece, right: Piece) -> int | None:
        """See `Table`."""
        return self._id(left.raw + right.raw)

    def join(self, left: Piece, right: Piece) -> Piece:
        """See `Table`."""
        return Piece(left.raw + right.raw, left.printed + right.printed)

    def id_of(self, piece: Piece) -> int | None:
        """See `Table`."""
        return self._id(piece.raw)

    def whole(self, letters: tuple[Piece, ...]) -> Piece | None:
        """See `Table`."""
        raw = b"".join(letter.raw for letter in letters)
        return None if self._id(raw) is None else Piece(raw, spelled(raw))

    def _id(self, raw: bytes) -> int | None:
        try:
            id_ = self.tokenizer.engine.encode_single_token(raw)
        except KeyError:
            return None
        return None if id_ in self._control else id_


@frozen
class ListedPairs:
    """The vocabulary and the list of merges of a tokenizer.json."""

    engine: Engine
    model: Mapping[str, Any]
    in_bytes: bool

    @classmethod
    def of(cls, tokenizer: HfTokenizer) -> ListedPairs:
        """The table of a tokenizer whose model is a BPE."""
        engine = tokenizer.literal
        model = state_of(engine.model) or {}
        steps = [state_of(engine.pre_tokenizer), state_of(engine.normalizer)]
        return cls(engine, model, "ByteLevel" in str(steps))

    @cached_property
    def _ranks(self) -> dict[tuple[str, str], int]:
        return {merge_parts(merge): rank for rank, merge in enumerate(self.model["merges"])}

    @cached_property
    def _prefix(self) -> str:
        return self.model.get("continuing_subword_prefix") or ""

    def words(self, text: str) -> Iterator[tuple[Piece, ...]]:
        """See `Table`."""
        normalizer, splits = self.engine.normalizer, self.engine.pre_tokenizer
        if normalizer is not None:
            text = normalizer.normalize_str(text)
        words = [text] if splits is None else [word for word, _ in splits.pre_tokenize_str(text)]
        for word in filter(None, words):
            yield tuple(self._letters(word))

    def _letters(self, word: str) -> Iterator[Piece]:
        suffix = self.model.get("end_of_word_suffix") or ""
        unknown = b""
        for at, letter in enumerate(word):
            raw = spelled_bytes(letter) if self.in_bytes else letter.replace(MARK, " ").encode()
            name = self._prefix * (at > 0) + letter + suffix * (at == len(word) - 1)
            found = list(self._known(name, raw))
            if unknown and (found or not self.model.get("fuse_unk")):
                yield from self._unknown(unknown)
                unknown = b""
            unknown += b"" if found else raw
            yield from found
        yield from self._unknown(unknown)

    def _known(self, name: str, raw: bytes) -> Iterator[Piece]:
        """The piece of a letter, or where bytes stand for what is unknown, its bytes."""
        vocabulary = self.model["vocab"]
        if name in vocabulary:
            yield Piece(raw, name)
        elif self.model.get("byte_fallback"):
            names = [f"<0x{byte:02X}>" for byte in name.encode()]
            if all(name in vocabulary for name in names):
                yield from (Piece(bytes.fromhex(name[3:5]), name) for name in names)

    def _unknown(self, raw: bytes) -> Iterator[Piece]:
        """What stands for letters that are not known: nothing, where the model has no token."""
        if raw and self.model.get("unk_token"):
            yield Piece(raw, self.model["unk_token"])

    def rank(self, left: Piece, right: Piece) -> int | None:
        """See `Table`."""
        return self._ranks.get((left.printed, right.printed))

    def join(self, left: Piece, right: Piece) -> Piece:
        """See `Table`."""
        return Piece(left.raw + right.raw, left.printed + right.printed[len(self._prefix) :])

    def id_of(self, piece: Piece) -> int | None:
        """See `Table`."""
        found: int | None = self.model["vocab"].get(piece.printed)
        return found

    def whole(self, letters: tuple[Piece, ...]) -> Piece | None:
        """See `Table`."""
        if not self.model.get("ignore_merges"):
            return None
        piece = Piece(
            b"".join(letter.raw for letter in letters),
            "".join(letter.printed for letter in letters),
        )
        return None if self.id_of(piece) is None else piece
