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
import json
import re
import unicodedata
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, final

from tokenlint.errors import TokenizerError, UncountableTextError
from tokenlint.tokens.equivalence import MARK, is_spelled, spelled_bytes
from tokenlint.tokens.hf_bounds import require_bounded
from tokenlint.tokens.hf_control import control_strings
from tokenlint.tokens.hf_fast import FastWay
from tokenlint.tokens.hf_literal import bare_engine, literal_engine, state_of
from tokenlint.tokens.surrogates import replace_surrogates
from tokenlint.tokens.versions import version_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizers import Encoding
    from tokenizers import Tokenizer as Engine
    from tokenizers.normalizers import Normalizer

    from tokenlint.tokens.control import ControlSpan

_BYTE_TOKEN: Final = re.compile(r"<0x([0-9A-F]{2})>")

# One letter from each way of composing: two marks, Hangul, kana, Arabic, Cyrillic, Greek.
_COMPOSED: Final = ("é", "ệ", "각", "が", "أ", "й", "ά")


def from_json(raw: bytes, *, name: str, source: str) -> HfTokenizer:
    """The tokenizer in the bytes of a tokenizer.json; `source` is where they came from.

    Raises TokenizerError.
    """
    from tokenizers import Tokenizer as Engine

    digest = hashlib.sha256(raw).hexdigest()
    with _refused(source, "not a usable tokenizer.json", "get the file again", TokenizerError):
        real = Engine.from_buffer(raw)
        require_bounded(real)
        real.no_truncation()
        real.no_padding()
        if getattr(real.model, "dropout", None):
            real.model.dropout = None  # a count is the same each time
        literal = literal_engine(real, raw, digest)
        return HfTokenizer(name, source, digest, real, literal, FastWay(name, digest, source, raw))


@final
class HfTokenizer:
    """A tokenizer.json: counts with the literal engine, reads control tokens with the real one."""

    def __init__(
        self,
        name: str,
        source: str,
        fingerprint: str,
        real: Engine,
        literal: Engine,
        fast: FastWay,
    ) -> None:
        """The fingerprint is the sha256 of the whole file, which holds all that ids depend on."""
        self.name = name
        self.source = source
        self.fingerprint = fingerprint
        self.special_tokens: Mapping[str, int] = {
            token.content: id_ for id_, token in real.get_added_tokens_decoder().items()
        }
        self._real = real
        self._literal = literal
        self._fast = fast
        steps = _steps(state_of(literal.normalizer))
        cut = _first_spelling_step(steps)
        self._normalizer = _normalizer(steps[:cut])
        self._spelling = steps[cut:]
        self._control = control_strings(real, steps)

    def named(self, name: str) -> HfTokenizer:
        """The same tokenizer, and the same engines, under another name."""
        other = copy.copy(self)
        other.name = name
        return other

    @property
    def identity(self) -> str:
        """All that a count depends on beside the text: the file, and who counts with it."""
        engines = (f"{name} {version_of(name)}" for name in ("tokenizers", "tiktoken"))
        return " ".join((self.fingerprint, *engines))

    @property
    def engine(self) -> Engine:
        """The engine as its file describes it, for those who tell what it does."""
        return self._real

    @property
    def literal(self) -> Engine:
        """The engine that counts: no text is a control token to it."""
        return self._literal

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
        if control:
            return self._cut(self._real, text).ids
        ids = self._fast.encode(text)
        return self._cut(self._literal, text).ids if ids is None else ids

    def control_spans(self, text: str) -> Iterator[ControlSpan]:
        """Where control strings stand; see `ControlSource`."""
        return self._control.spans(text)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of token ids; see `Tokenizer`.

        Raises TokenizerError for an id that the tokenizer does not have.
        """
        for id_ in ids:
            if not 0 <= id_ < 1 << 32 or self._real.id_to_token(id_) is None:
                raise TokenizerError(f"{self.name} has no token with the id {id_}")
        return self._real.decode(list(ids), skip_special_tokens=False)

    def normalize(self, text: str) -> str:
        """The text before it is cut, with real spaces for the marks of SentencePiece."""
        text = replace_surrogates(text)
        if self._normalizer is None:
            return text
        with self._counting():
            return self._normalizer.normalize_str(text)

    def pieces(self, text: str) -> list[bytes]:
        """The bytes of each token; see `Tokenizer`. Where there is no token there is no piece.

        White space that the tokenizer drops belongs to the piece after it, at the end of the
        text to the last one.
        """
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
        if self._normalizer is None:
            return self._literal
        return _with_normalizer(self._literal, self._spelling)

    def _cut(self, engine: Engine, text: str) -> Encoding:
        with self._counting():
            return engine.encode(replace_surrogates(text), add_special_tokens=False)

    def _counting(self) -> Any:
        return _refused(
            self.name, "cannot cut this text", "leave the file out", UncountableTextError
        )


@contextmanager
def _refused(
    subject: str, verdict: str, advice: str, error: type[TokenizerError | UncountableTextError]
) -> Iterator[None]:
    """Whatever the engine raises, as one sentence; its panics are no `Exception`."""
    try:
        yield
    except BaseException as problem:
        if not isinstance(problem, Exception) and type(problem).__name__ != "PanicException":
            raise
        why = str(problem).removeprefix("Cannot instantiate Tokenizer from buffer: ")
        why = (why.splitlines() or [type(problem).__name__])[0][:200]
        message = f"{subject}: {verdict} ({why}); {advice}, or use another tokenizer"
        raise error(message) from None


def _steps(normalizer: dict[str, Any] | None) -> list[dict[str, Any]]:
    if normalizer is None:
        return []
    if normalizer["type"] != "Sequence":
        return [normalizer]
    return [step for part in normalizer["normalizers"] for step in _steps(part)]


def _first_spelling_step(steps: list[dict[str, Any]]) -> int:
    """Where the steps begin, at the end, that do not change the text but how it is written."""
    cut = len(steps)
    while cut and _is_spelling(steps[cut - 1]):
        cut -= 1
    return cut


def _is_spelling(step: dict[str, Any]) -> bool:
    spaces_to_marks = step.get("pattern") == {"String": " "} and step.get("content") == MARK
    return step["type"] == "ByteLevel" or step.get("prepend") == MARK or spaces_to_marks


def _normalizer(steps: list[dict[str, Any]]) -> Normalizer | None:
    from tokenizers import Tokenizer as Engine

    if not steps:
        return None
    spec = {"normalizer": {"type": "Sequence", "normalizers": steps}, "added_tokens": []}
    model = {"type": "WordLevel", "vocab": {}, "unk_token": ""}
    normalizer: Normalizer = Engine.from_str(
        json.dumps({**spec, "version": "1.0", "model": model})
    ).normalizer
    return normalizer


def _with_normalizer(engine: Engine, steps: list[dict[str, Any]]) -> Engine:
    if not engine.get_added_tokens_decoder():
        return bare_engine(engine, _normalizer(steps))
    spec = json.loads(engine.to_str())
    spec["normalizer"] = {"type": "Sequence", "normalizers": steps}
    return type(engine).from_str(json.dumps(spec))


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
