"""What a tokenizer.json may ask of its engine: no text may grow without bounds, or take for ever.

The engine has no limits of its own: three steps that each write a thousand letters for one make a
gigabyte of a single letter. No published tokenizer comes near the limits here.
"""

from __future__ import annotations

import base64
import struct
from typing import TYPE_CHECKING, Any, Final

from tokenlint.tokens.hf_literal import state_of
from tokenlint.tokens.linear import are_linear, expressions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizers import Tokenizer as Engine

MOST_WRITTEN: Final = 100
"Characters that one step may write for one, or put before a word."

MOST_GROWTH: Final = 10_000
"How many times longer all steps together may make a text."

LONGEST_WORD: Final = 10_000
"Characters of a word that WordPiece looks at: it takes quadratic time for them."


MOST_STEPS: Final = 200
"Steps of a normaliser and a pre-tokenizer together: each looks at the whole text."


def require_bounded(engine: Engine) -> None:
    """Raise ValueError, with the reason, for an engine that could fill memory or time."""
    growth, steps = 1, [*_steps(state_of(engine.normalizer))]
    steps += _steps(state_of(engine.pre_tokenizer))
    if len(steps) > MOST_STEPS:
        raise ValueError(f"it takes more than {MOST_STEPS} steps to normalise and split a text")
    for step in steps:
        written = max([1, *map(len, _written(step))])
        growth *= written
        if written > MOST_WRITTEN or growth > MOST_GROWTH:
            raise ValueError(f"its {step.get('type')} makes texts grow beyond all bounds")
    for name in ("continuing_subword_prefix", "end_of_word_suffix"):
        if len(getattr(engine.model, name, None) or "") > MOST_WRITTEN:
            raise ValueError(f"its {name} is longer than {MOST_WRITTEN} characters")
    if (getattr(engine.model, "max_input_chars_per_word", None) or 0) > LONGEST_WORD:
        raise ValueError(f"its max_input_chars_per_word is above {LONGEST_WORD:,}")


def has_linear_patterns(engine: Engine) -> bool:
    """Whether the regular expressions of an engine surely take linear time."""
    states = [state_of(engine.normalizer), state_of(engine.pre_tokenizer)]
    return are_linear(expressions(states))


def _steps(state: dict[str, Any] | None) -> Iterator[dict[str, Any]]:
    waiting = [state] if state else []
    while waiting:
        step = waiting.pop(0)
        waiting += [*step.get("normalizers", ()), *step.get("pretokenizers", ())]
        yield step


def _written(step: dict[str, Any]) -> Iterator[str]:
    """What a step may write for one character."""
    for key in ("content", "prepend", "replacement"):
        if isinstance(said := step.get(key), str):
            yield said
    if charsmap := step.get("precompiled_charsmap"):
        yield max(_replacements(base64.b64decode(charsmap)), key=len, default="")


def _replacements(charsmap: bytes) -> list[str]:
    """The texts in SentencePiece's table: they stand behind a trie, each ended by a NUL."""
    (size,) = struct.unpack_from("<I", charsmap)
    return charsmap[4 + size :].decode(errors="replace").split("\0")
