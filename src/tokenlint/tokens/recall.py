"""Whole files that were counted before, known by their bytes: nothing of them is decoded."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

from tokenlint.frozen import frozen
from tokenlint.tokens.counts import identity_of, key_of, unicode_tables
from tokenlint.tokens.document import BOM, looks_like_text
from tokenlint.tokens.words import UNITS, Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokenlint.tokens.counts import Counts
    from tokenlint.tokens.tokenizer import Tokenizer

_HALF = re.compile(rb"\xed[\xa0-\xbf]")  # of a surrogate: a prompt may hold one, UTF-8 may not
_WORDS, _CHARACTERS = 1 << 31, 1 << 30


@frozen
class Figures:
    """What a text came to before: its characters, its words, and its tokens by tokenizer."""

    characters: int
    words: Words
    tokens: tuple[int, ...]


@frozen
class Recall:
    """Looks texts up that were counted with some tokenizers before."""

    counts: Counts
    identities: tuple[str, ...]

    @classmethod
    def with_(cls, counts: Counts, tokenizers: Iterable[Tokenizer]) -> Recall | None:
        """Nothing where a tokenizer has to be asked each time."""
        found = tuple(map(identity_of, tokenizers))
        identities = tuple(identity for identity in found if identity is not None)
        return cls(counts, identities) if len(identities) == len(found) else None

    def look(self, digests: Sequence[bytes | None]) -> list[Figures | None]:
        """What is known of each text; None also stands for those without a digest."""
        names = (_facts(), *self.identities)
        keys = [[] if one is None else [key_of(one, name) for name in names] for one in digests]
        known = self.counts.get_all([key for some in keys for key in some])
        return [_figures(some, known) for some in keys]

    def note(self, digest: bytes, characters: int, words: Words) -> None:
        """Keep what is known of a text beside its tokens."""
        if characters < _CHARACTERS:  # words are never more
            packed = (characters * _WORDS + words.count) * len(UNITS) + UNITS.index(words.unit)
            self.counts.note(key_of(digest, _facts()), packed)


def _facts() -> str:
    return f"characters and words {unicode_tables()}"


def _figures(keys: Sequence[bytes], known: Mapping[bytes, int]) -> Figures | None:
    if not keys or not all(key in known for key in keys):
        return None
    packed, *tokens = map(known.__getitem__, keys)
    rest, unit = divmod(packed, len(UNITS))
    characters, words = divmod(rest, _WORDS)
    return Figures(characters, Words(words, UNITS[unit]), tuple(tokens))


def digest_of(raw: bytes, *, newlines: Literal["lf", "as-is"], count_bom: bool) -> bytes | None:
    """The sha256 of what is counted of a file; None where it must be decoded to know whether it is
    text. Other bytes than text have no count under any digest.
    """
    if not looks_like_text(raw) or _HALF.search(raw):
        return None
    if not count_bom and raw.startswith(BOM):
        raw = raw[3:]
    if newlines == "lf" and b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return sha256(raw).digest()
