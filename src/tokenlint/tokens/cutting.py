"""How a text is cut: each token with its id, its bytes, and the characters that it touches."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from tokenlint.errors import TokenizerError
from tokenlint.frozen import frozen
from tokenlint.tokens.control import ControlSource
from tokenlint.tokens.equivalence import BYTE_OF

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenlint.tokens.tokenizer import Tokenizer

_LETTER_OF: Final = str.maketrans({chr(byte): letter for letter, byte in BYTE_OF.items()})
_CHARACTER: Final = re.compile(rb"[\x80-\xbf]+|[\x00-\x7f]|[\xc0-\xff][\x80-\xbf]*")


class Special(NamedTuple):
    """A special-token string in a text as it is cut, and whether it was read as its control id.

    `start` and `end` are offsets into the text as it is cut.
    """

    string: str
    id: int
    start: int
    end: int
    control: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its id, its bytes, and the characters of the text as it is cut that it touches.

    `printed` is what Hugging Face's vocabularies call it; `special` is the special-token string
    that it belongs to; `content` is False for what a chat template put there, and None where
    nobody can tell.
    """

    id: int
    raw: bytes
    start: int
    end: int
    printed: str
    special: Special | None = None
    content: bool | None = True

    @property
    def text(self) -> str | None:
        """The characters of the token, or None where it is not whole characters."""
        try:
            return self.raw.decode()
        except UnicodeDecodeError:
            return None


@frozen
class Cut:
    """A text and its tokens, or the first of them; `total` is how many there are in all.

    `text` is the text as the tokenizer cuts it, which is not always as it was written.
    """

    tokenizer: str
    text: str
    total: int
    tokens: tuple[Token, ...]
    specials: tuple[Special, ...] = ()

    @property
    def left_out(self) -> int:
        """How many tokens are counted but not told."""
        return self.total - len(self.tokens)


class SplitCharacter(NamedTuple):
    """A character that several tokens share: where it stands, and the bytes that each has."""

    character: str
    at: int
    parts: tuple[bytes, ...]


def cut(tokenizer: Tokenizer, text: str, most: int | None = None) -> Cut:
    """The tokens of a text, read literally; with `most`, no more than the first of them.

    Raises UncountableTextError, and TokenizerError where a tokenizer breaks its promises.
    """
    ids, pieces, seen = tokenizer.encode(text), tokenizer.pieces(text), tokenizer.normalize(text)
    if len(ids) != len(pieces) or b"".join(pieces) != (seen.encode() if ids else b""):
        raise TokenizerError(
            f"{tokenizer.name}: its pieces are not those of the text, so how it cuts cannot be "
            "shown; use another tokenizer"
        )
    specials = tuple(_literal(tokenizer, text))
    tokens = placed(tokenizer, ids[:most], pieces[:most], specials)
    return Cut(tokenizer.name, seen, len(ids), tuple(tokens), specials)


def _literal(tokenizer: Tokenizer, text: str) -> Iterator[Special]:
    """The special-token strings that are spelled in a text, where they stand once it is cut."""
    source = ControlSource(tokenizer)
    before = at = 0
    for span in source.spans(text):
        start = at + len(tokenizer.normalize(text[before : span.start]))
        before, at = span.end, start + len(tokenizer.normalize(text[span.start : span.end]))
        if (id_ := source.id_of(span.string)) is not None:
            yield Special(span.string, id_, start, at)


def placed(
    tokenizer: Tokenizer, ids: Sequence[int], pieces: Sequence[bytes], specials: Sequence[Special]
) -> Iterator[Token]:
    """Ids and their bytes as tokens, one behind the other."""
    names, begun, left = printed(tokenizer, ids, pieces), 0, list(reversed(specials))
    for id_, raw, name in zip(ids, pieces, names, strict=True):
        start = begun - _is_inside(raw)
        begun += sum(not 0x80 <= byte < 0xC0 for byte in raw)
        while left and left[-1].end <= start:
            left.pop()
        within = left[-1] if left and left[-1].start < begun else None
        yield Token(id_, raw, start, begun, name, within)


def _is_inside(raw: bytes) -> bool:
    """Whether bytes begin in the middle of a character."""
    return 0x80 <= raw[0] < 0xC0 if raw else False


def printed(tokenizer: Tokenizer, ids: Iterable[int], pieces: Iterable[bytes]) -> list[str]:
    """What Hugging Face's vocabularies call tokens: the pieces of others in the byte alphabet."""
    from tokenlint.tokens.hf_backend import HfTokenizer

    if isinstance(tokenizer, HfTokenizer):
        return [tokenizer.engine.id_to_token(id_) or "" for id_ in ids]
    return list(map(spelled, pieces))


def spelled(raw: bytes) -> str:
    """Bytes in the alphabet of byte-level vocabularies, in which a space is written U+0120."""
    return raw.decode("latin-1").translate(_LETTER_OF)


def split_characters(cut: Cut) -> list[SplitCharacter]:
    """The characters that no single token holds, in order."""
    parts: dict[int, list[bytes]] = {}
    for token in cut.tokens:
        if token.text is None:
            for at, part in enumerate(_CHARACTER.findall(token.raw), token.start):
                parts.setdefault(at, []).append(part)
    return [
        SplitCharacter(cut.text[at], at, tuple(found))
        for at, found in parts.items()
        if len(found) > 1
    ]
