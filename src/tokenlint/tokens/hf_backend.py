"""Hugging Face's `tokenizers` engine behind the `Tokenizer` protocol.

Two engines are made of one tokenizer.json. The *real* one is the file as it is and reads
special-token strings as control tokens; the *literal* one has no control token that text could
spell (see `hf_literal`). The engine's own switch, `encode_special_tokens`, is not enough: it
leaves added tokens with `special: false` alive, Qwen's `<tool_call>` and DeepSeek's `<｜User｜>`
among them.
"""

from __future__ import annotations

import copy
import hashlib
import re
import unicodedata
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, final

from tokenlint.errors import TokenizerError, UncountableTextError
from tokenlint.tokens.equivalence import MARK, is_spelled, spelled_bytes
from tokenlint.tokens.expected import not_ids, not_text
from tokenlint.tokens.surrogates import replace_surrogates
from tokenlint.tokens.versions import version_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenizers import Encoding
    from tokenizers import Tokenizer as Engine

    from tokenlint.tokens.control import ControlSpan
    from tokenlint.tokens.hf_opening import Opened
    from tokenlint.tokens.watched import Watched

_BYTE_TOKEN: Final = re.compile(r"<0x([0-9A-F]{2})>")

# One letter from each way of composing: two marks, Hangul, kana, Arabic, Cyrillic, Greek.
_COMPOSED: Final = ("é", "ệ", "각", "が", "أ", "й", "ά")


def from_json(
    raw: bytes, *, name: str, source: str, watch: bool = True, later: bool = False
) -> HfTokenizer:
    """The tokenizer in the bytes of a tokenizer.json; `source` is where they came from.

    With `watch`, one whose patterns may take for ever cuts in a process that is ended then. With
    `later`, for a file that was opened before, it is opened once somebody asks for more than a
    count that is known. Raises TokenizerError.
    """
    digest = hashlib.sha256(raw).hexdigest()

    def opened() -> Opened:
        from tokenlint.tokens import hf_opening

        return hf_opening.opened(raw, name=name, source=source, digest=digest, watch=watch)

    tokenizer = HfTokenizer(name, source, digest, _Once(opened))
    if not later:
        _ = tokenizer.engine
    return tokenizer


@dataclass(eq=False, repr=False)
class _Once:
    """What a file is opened as, once somebody needs it, for all names of a tokenizer."""

    opened: Callable[[], Opened] | None
    made: Opened | None = None
    lock: Lock = field(default_factory=Lock)

    def get(self) -> Opened:
        """The engines; who made them is let go of, and with it the bytes of the file."""
        with self.lock:
            if self.made is None:
                assert self.opened is not None  # noqa: S101  (for the type)
                self.made, self.opened = self.opened(), None
            return self.made


@final
class HfTokenizer:
    """A tokenizer.json: counts with the literal engine, reads control tokens with the real one."""

    def __init__(self, name: str, source: str, fingerprint: str, once: _Once) -> None:
        """The fingerprint is the sha256 of the whole file, which holds all that ids depend on."""
        self.name = name
        self.source = source
        self.fingerprint = fingerprint
        self._once = once

    @property
    def _opened(self) -> Opened:
        return self._once.get()

    @property
    def _watched(self) -> Watched | None:
        return self._opened.watched

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """The added tokens of the file; see `Tokenizer`."""
        return self._opened.special_tokens

    def named(self, name: str) -> HfTokenizer:
        """The same tokenizer, and the same engines, under another name."""
        other = copy.copy(self)
        other.name = name
        return other

    @property
    def identity(self) -> str:
        """All that a count depends on beside the text: the file, and who counts with it."""
        engines = (f"{name} {version_of(name)}" for name in ("tokenizers", "tiktoken"))
        return " ".join((self.fingerprint, *engines, unicodedata.unidata_version))

    @property
    def engine(self) -> Engine:
        """The engine as its file describes it, for those who tell what it does.

        Raises TokenizerError where the file is not usable, and was not opened before.
        """
        return self._opened.real

    @property
    def literal(self) -> Engine:
        """The engine that counts: no text is a control token to it."""
        return self._opened.literal

    @cached_property
    def normalizes_nfc(self) -> bool:
        """Whether decomposed letters come out composed; see `Tokenizer`."""
        return all(
            letter in self.normalize(unicodedata.normalize("NFD", letter)) for letter in _COMPOSED
        )

    def count(self, text: str) -> int:
        """The number of tokens; see `Tokenizer`."""
        return len(self.encode(text))

    def encode(self, text: str, *, control: bool = False) -> list[int]:
        """The token ids; see `Tokenizer`."""
        if not isinstance(text, str):
            raise not_text(text)
        if self._watched is not None:
            return self._watched.encode(text, control=control)
        if control:
            return self._cut(self._opened.real, text).ids
        ids = self._opened.fast.encode(text)
        return self._cut(self._opened.literal, text).ids if ids is None else ids

    def control_spans(self, text: str) -> Iterator[ControlSpan]:
        """Where control strings stand; see `ControlSource`."""
        if self._watched is not None:
            self._watched.normalize(text)  # they normalise it too, and could not be ended
        return self._opened.control.spans(text)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of token ids; see `Tokenizer`.

        Raises TokenizerError for an id that the tokenizer does not have.
        """
        try:
            for id_ in ids:
                if not 0 <= id_ < 1 << 32 or self._opened.real.id_to_token(id_) is None:
                    raise TokenizerError(f"{self.name} has no token with the id {id_}")
            return self._opened.real.decode(list(ids), skip_special_tokens=False)
        except TypeError:
            raise not_ids(ids) from None

    def normalize(self, text: str) -> str:
        """The text before it is cut, with real spaces for the marks of SentencePiece."""
        if not isinstance(text, str):
            raise not_text(text)
        text = replace_surrogates(text)
        if self._opened.normalizer is None:
            return text
        if self._watched is not None:
            return self._watched.normalize(text)
        with self._counting():
            return self._opened.normalizer.normalize_str(text)

    def pieces(self, text: str) -> list[bytes]:
        """The bytes of each token; see `Tokenizer`. Where there is no token there is no piece.

        White space that the tokenizer drops belongs to the piece after it, at the end of the
        text to the last one.
        """
        if self._watched is not None:
            return self._watched.pieces(text)
        text = self.normalize(text)
        encoding = self._cut(self._cutter, text)
        if not encoding.ids:
            return []
        pieces = _spelled_in_bytes(text, encoding.tokens)
        for byte_tokens in (True, False):
            if b"".join(pieces) == text.encode():
                break
            pieces = _by_offsets(text, encoding, byte_tokens=byte_tokens)
        return pieces

    @cached_property
    def _cutter(self) -> Engine:
        """The literal engine for text that is normalised already, so that offsets fit it."""
        if self._opened.normalizer is None:
            return self._opened.literal
        from tokenlint.tokens.hf_opening import with_normalizer

        return with_normalizer(self._opened.literal, self._opened.spelling)

    def _cut(self, engine: Engine, text: str) -> Encoding:
        with self._counting():
            return engine.encode(replace_surrogates(text), add_special_tokens=False)

    def _counting(self) -> Any:
        from tokenlint.tokens.hf_opening import refused

        return refused(
            self.name, "cannot cut this text", "leave the file out", UncountableTextError
        )


def _spelled_in_bytes(text: str, tokens: list[str]) -> list[bytes]:
    """Pieces of a byte-level model, without the space that some put before the text."""
    pieces = [spelled_bytes(token) if is_spelled(token) else token.encode() for token in tokens]
    if not text.startswith(" "):
        pieces[0] = pieces[0].removeprefix(b" ")
    return pieces


def _by_offsets(text: str, encoding: Encoding, *, byte_tokens: bool) -> list[bytes]:
    """Pieces cut out of the text; with `byte_tokens`, a `<0xE1>` is that byte of its character."""
    pieces, done = [], 0
    for token, (start, stop) in zip(encoding.tokens, encoding.offsets, strict=True):
        if token == MARK and text[start:stop].strip(f" {MARK}"):
            stop = start  # a mark that was put before a word and stands for nothing in the text
        byte = _BYTE_TOKEN.fullmatch(token) if byte_tokens else None
        if byte:
            pieces.append(text[done:start].encode() + bytes.fromhex(byte[1]))
        else:
            pieces.append(text[done:stop].encode())
        done = max(done, stop)
    pieces[-1] += text[done:].encode()
    return pieces
