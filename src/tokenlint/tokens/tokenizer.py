"""What every tokenizer can do, whichever engine does it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Tokenizer(Protocol):
    """Text to token ids and back. Counting is literal: no text is ever a control token.

    Lone surrogates, which UTF-8 cannot hold, are read as U+FFFD by every method.

    Those of this package may have more: `identity`, a string of all that a count depends on, for
    the cache; `most_tokens(text)`, a bound that is known without counting; and `pattern`, where
    the engine splits by one and counts without Python's lock, with `expect(characters)`, which
    tells it of a text that it will be given in parts.
    """

    @property
    def name(self) -> str:
        """The name that the tokenizer was asked for, such as `o200k_base`."""

    @property
    def fingerprint(self) -> str:
        """Hex sha256 over all that ids depend on: vocabulary, pattern, normaliser, specials."""

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """The strings that this tokenizer can map to one control id, and the ids."""

    @property
    def normalizes_nfc(self) -> bool:
        """Whether the tokenizer itself applies NFC, so that NFD costs nothing more."""

    @property
    def source(self) -> str:
        """Where the vocabulary came from, for people."""

    def count(self, text: str) -> int:
        """The number of tokens of a text.

        Raises UncountableTextError where the engine refuses the text.
        """

    def encode(self, text: str, *, control: bool = False) -> list[int]:
        """The token ids; with `control`, special-token strings become their control ids."""

    def decode(self, ids: Sequence[int]) -> str:
        """The text of token ids; bytes that are not UTF-8 become U+FFFD."""

    def normalize(self, text: str) -> str:
        """The text as the tokenizer sees it before it cuts."""

    def pieces(self, text: str) -> list[bytes]:
        """The bytes of each token; joined, they are the normalised text in UTF-8."""

    def named(self, name: str) -> Tokenizer:
        """The same tokenizer, and the same engine, under another name."""
