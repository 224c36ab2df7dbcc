"""Control strings that are looked for in normalised text: the engine itself has to say where.

An added token with `normalized` is found in what the normaliser makes of a text, so `[THINK]` can
be `[think]`. An engine with the same added tokens and the same normaliser, and a model that knows
no word, finds just what the real one would, and says where that stood.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokenlint.errors import UncountableTextError
from tokenlint.frozen import frozen
from tokenlint.tokens.control import Added, ControlSpan, ControlStrings, added_tokens
from tokenlint.tokens.equivalence import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizers import Tokenizer as Engine

_PART = 100_000  # characters at a time: the engine keeps some 60 bytes for each
_NO_WORD = "\uffff"
_SURROGATE = re.compile("[\ud800-\udfff]")  # one by one, so that offsets stay


@frozen
class NormalizedControlStrings:
    """The added tokens of a tokenizer whose normaliser decides what they match."""

    added: tuple[Added, ...]
    normalizer: dict[str, Any]

    @cached_property
    def _engine(self) -> Engine:
        from tokenizers import Tokenizer

        tokens = [
            {"id": number, "content": flags.pop("string"), **flags}
            for number, flags in enumerate(map(asdict, self.added), 1)
        ]
        model = {"type": "WordLevel", "vocab": {_NO_WORD: 0}, "unk_token": _NO_WORD}
        spec = {"version": "1.0", "added_tokens": tokens, "normalizer": self.normalizer}
        return Tokenizer.from_str(json.dumps({**spec, "model": model}))

    @cached_property
    def _by_id(self) -> dict[int, Added]:
        by_string = {one.string: one for one in self.added}
        found = self._engine.get_added_tokens_decoder().items()
        return {number: by_string[token.content] for number, token in found}

    @cached_property
    def _reach(self) -> int:
        """How far a part looks beyond its ends, so that no string is cut in two."""
        return 4 * max((len(one.string) for one in self.added), default=0) + 16

    def spans(self, text: str) -> Iterator[ControlSpan]:
        """Every control string in a text, in order."""
        text, last = _SURROGATE.sub("\ufffd", text), 0
        for start in range(0, len(text), _PART):
            for span in self._in_part(text, start):
                if span.start >= max(start, last):
                    yield span
                    last = span.end

    def _in_part(self, text: str, start: int) -> Iterator[ControlSpan]:
        from tokenlint.tokens.hf_opening import refused  # which knows this module

        first, stop = max(0, start - self._reach), start + _PART
        part = text[first : stop + self._reach]
        what = "the added tokens of a tokenizer", "cannot be looked for in this text"
        with refused(*what, "correct its file", UncountableTextError):
            encoding = self._engine.encode(part, add_special_tokens=False)
        for number, (begin, end) in zip(encoding.ids, encoding.offsets, strict=True):
            one = self._by_id.get(number)
            if one and not is_blank(one.string, special=one.special) and first + begin < stop:
                yield _without_space(text, one, first + begin, first + end)


def control_strings(
    engine: Engine, steps: list[dict[str, Any]]
) -> ControlStrings | NormalizedControlStrings:
    """What finds the control strings of an engine; `steps` are those of its normaliser."""
    added = added_tokens(token for _, token in sorted(engine.get_added_tokens_decoder().items()))
    # Where the others were cut out, a new word begins for those that are looked for after them.
    late = [one for one in added if one.normalized]
    if (steps and late) or (len(late) < len(added) and any(one.single_word for one in late)):
        return NormalizedControlStrings(added, {"type": "Sequence", "normalizers": steps})
    return ControlStrings(added)


def _without_space(text: str, one: Added, start: int, end: int) -> ControlSpan:
    """The span without the white space that the engine counts to it."""
    found = text[start:end]
    left = len(found) - len(found.lstrip()) if one.lstrip else 0
    right = len(found) - len(found.rstrip()) if one.rstrip else 0
    if left == len(found):
        left = right = 0
    return ControlSpan(start + left, end - right, one.string, one.special, bool(left or right))
