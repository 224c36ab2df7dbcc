"""The literal engine of a tokenizer.json: no text that it reads is a control token.

What is ordinary text, for an added token:

- White space that is not marked special (the runs of spaces of GPT-NeoX and Phi, the newlines of
  Gemma) opens no turn and is how these models read every text: it stays as it is.
- Anything else that stands only among the added tokens is never matched: its text is spelled.
- What the vocabulary of the model holds too is a piece that its algorithm may find by itself
  (Unigram does so with `<s>`). If it is marked special or holds punctuation, that piece gets a
  name that no text can hold, with the same id; a plain word stays the piece that it is, and so
  does a single character: it is what other text is spelled with, and would be lost without it.
"""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING, Any

from tokenlint.tokens.equivalence import is_blank, is_spelled, merge_parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizers import AddedToken
    from tokenizers import Tokenizer as Engine
    from tokenizers.normalizers import Normalizer


def literal_engine(real: Engine, raw: bytes, digest: str) -> Engine:
    """The engine in which no text is a control token; ids are those of the real one."""
    from tokenizers import Tokenizer as Engine

    if any(_is_met_by_text(real, token) for token in real.get_added_tokens_decoder().values()):
        return Engine.from_str(json.dumps(_without_control(json.loads(raw), digest)))
    # The model is shared, not copied; added tokens and the post-processor stay behind.
    return bare_engine(real, real.normalizer)


def bare_engine(engine: Engine, normalizer: Normalizer | None) -> Engine:
    """An engine with the same model and splits, and nothing else of the other."""
    bare = type(engine)(engine.model)
    if normalizer is not None:
        bare.normalizer = normalizer
    if engine.pre_tokenizer is not None:
        bare.pre_tokenizer = engine.pre_tokenizer
    return bare


def _is_met_by_text(real: Engine, token: AddedToken) -> bool:
    """Whether leaving out the added tokens would be wrong, or not enough, for this one."""
    if is_blank(token.content, special=token.special):
        return True
    if real.model.token_to_id(token.content) is None:
        return False
    # A byte-level model sees text only in its alphabet of bytes and cannot spell other pieces.
    splits = json.dumps(state_of(real.pre_tokenizer))
    can_be_spelled = "ByteLevel" not in splits or is_spelled(token.content)
    return can_be_spelled and _is_control(token.content, special=token.special)


def _is_control(content: str, *, special: bool) -> bool:
    if len(content) == 1:
        return False
    return special or any(unicodedata.category(character)[0] in "PS" for character in content)


def _without_control(spec: dict[str, Any], digest: str) -> dict[str, Any]:
    """The tokenizer.json of the literal engine.

    Added tokens get their ids by counting, so those that are never to match keep their place
    under a name that no text can hold: only a text that quotes the hash of this very file could.
    """
    vocabulary = spec["model"]["vocab"]
    pieces = set(vocabulary if isinstance(vocabulary, dict) else (piece for piece, _ in vocabulary))
    renamed: dict[str, str] = {}
    added = []
    for token in spec["added_tokens"]:
        content, name = token["content"], f"\uffff{digest}:{token['id']}"
        if is_blank(content, special=token["special"]):
            added.append(token)
        elif content not in pieces:
            flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
            added.append({**token, **flags, "content": name})
        elif _is_control(content, special=token["special"]):
            renamed[content] = name
    off: dict[str, None] = dict.fromkeys(("truncation", "padding", "post_processor"))
    return {**spec, **off, "added_tokens": added, "model": _renamed(spec["model"], renamed)}


def _renamed(model: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The model with pieces renamed: ids, scores and the part of the unknown token unchanged."""
    model = dict(model)
    vocabulary = model["vocab"]
    if isinstance(vocabulary, dict):
        model["vocab"] = {names.get(piece, piece): id_ for piece, id_ in vocabulary.items()}
    else:
        model["vocab"] = [[names.get(piece, piece), score] for piece, score in vocabulary]
    if model.get("unk_token") in names:
        model["unk_token"] = names[model["unk_token"]]
    if "merges" in model:
        model["merges"] = [m for m in model["merges"] if not _touches(merge_parts(m), names)]
    if "dropout" in model:
        model["dropout"] = None
    return model


def _touches(parts: tuple[str, str], names: Mapping[str, str]) -> bool:
    left, right = parts
    return left in names or right in names or left + right in names


def state_of(component: Any) -> dict[str, Any] | None:
    """The JSON of a normaliser or pre-tokenizer, through the pickle protocol of `tokenizers`."""
    if component is None:
        return None
    state: dict[str, Any] = json.loads(component.__getstate__())
    return state
