"""What a tokenizer.json is opened as: engines, a normaliser, control strings.

That takes half a second for 150,000 merges, so nobody does it who knows the counts already.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tokenlint.errors import TokenizerError, UncountableTextError
from tokenlint.frozen import frozen
from tokenlint.tokens.equivalence import MARK
from tokenlint.tokens.hf_bounds import has_linear_patterns, require_bounded
from tokenlint.tokens.hf_charsmap import require_sound_charsmap
from tokenlint.tokens.hf_control import control_strings
from tokenlint.tokens.hf_fast import FastWay
from tokenlint.tokens.hf_literal import bare_engine, literal_engine, state_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizers import Tokenizer as Engine
    from tokenizers.normalizers import Normalizer

    from tokenlint.tokens.control import ControlStrings
    from tokenlint.tokens.hf_control import NormalizedControlStrings
    from tokenlint.tokens.watched import Watched


@frozen
class Opened:
    """The engines of one file, and what was made of them."""

    real: Engine
    literal: Engine
    fast: FastWay
    watched: Watched | None
    special_tokens: Mapping[str, int]
    normalizer: Normalizer | None
    spelling: list[dict[str, Any]]
    control: ControlStrings | NormalizedControlStrings


def opened(raw: bytes, *, name: str, source: str, digest: str, watch: bool) -> Opened:
    """What is in the bytes of a tokenizer.json; see `hf_backend.from_json`.

    Raises TokenizerError.
    """
    with refused(source, "not a usable tokenizer.json", "get the file again", TokenizerError):
        real = _real_engine(raw)
        literal = literal_engine(real, raw, digest)
        watched = None if not watch or has_linear_patterns(real) else _watched(raw, name, source)
        added = real.get_added_tokens_decoder().items()
        steps = _steps(state_of(literal.normalizer))
        cut = _first_spelling_step(steps)
        return Opened(
            real,
            literal,
            FastWay(name, digest, source, raw),
            watched,
            {token.content: id_ for id_, token in added},
            _normalizer(steps[:cut]),
            steps[cut:],
            control_strings(real, steps),
        )


def _real_engine(raw: bytes) -> Engine:
    """The engine as the file describes it, but for what would make a count depend on luck."""
    from tokenizers import Tokenizer as Engine

    require_sound_charsmap(raw)
    real = Engine.from_buffer(raw)
    require_bounded(real)
    if not real.get_vocab_size(with_added_tokens=False):
        raise ValueError("its vocabulary is empty")
    real.no_truncation()
    real.no_padding()
    if getattr(real.model, "dropout", None):
        real.model.dropout = None
    return real


def _watched(raw: bytes, name: str, source: str) -> Watched:
    from tokenlint.tokens.watched import Watched

    return Watched(raw, {"name": name, "source": source})


@contextmanager
def refused(
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


def with_normalizer(engine: Engine, steps: list[dict[str, Any]]) -> Engine:
    if not engine.get_added_tokens_decoder():
        return bare_engine(engine, _normalizer(steps))
    spec = json.loads(engine.to_str())
    spec["normalizer"] = {"type": "Sequence", "normalizers": steps}
    return type(engine).from_str(json.dumps(spec))
