"""`tokenlint explain --output-format json`: everything, for other programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokenlint.reports.explain_words import per_word
from tokenlint.tokens.cutting import split_characters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenlint.tokens.chat import Request
    from tokenlint.tokens.cutting import Cut, Special, Token
    from tokenlint.tokens.explanation import Explained, Explanation, Forms
    from tokenlint.tokens.merges import Piece, Step, WordMerges
    from tokenlint.tokens.words import Words


def render(explanations: Sequence[Explanation]) -> str:
    """Every text with every tokenizer, to the last token."""
    return json.dumps({"texts": list(map(_text, explanations))}, indent=2)


def _text(explanation: Explanation) -> dict[str, Any]:
    return {
        "name": explanation.label,
        "characters": len(explanation.text),
        "bytes": explanation.bytes,
        "words": explanation.words.count,
        "word_unit": explanation.words.unit,
        "tokenizers": [_tokenizer(one, explanation.words) for one in explanation.by_tokenizer],
    }


def _tokenizer(explained: Explained, words: Words) -> dict[str, Any]:
    cut = explained.cut
    return {
        "tokenizer": cut.tokenizer,
        "total": cut.total,
        "tokens_per_word": per_word(cut.total, words),
        "normalized": explained.changed,
        "forms": None if explained.forms is None else _forms(explained.forms),
        "request": explained.request and _request(explained, explained.request),
        **_tokens(cut),
    }


def _request(explained: Explained, request: Request) -> dict[str, Any]:
    return {
        "frame_of": explained.frame,
        "content": request.content,
        "frame": request.frame,
        "turns": [
            {"role": turn.role, "content": turn.content, "frame": turn.frame}
            for turn in request.turns
        ],
    }


def _tokens(cut: Cut) -> dict[str, Any]:
    """A text as it is cut, its tokens, and the characters that several of them share."""
    return {
        "text": cut.text,
        "tokens": list(map(_token, cut.tokens)),
        "split_characters": [
            {"character": split.character, "at": split.at, "bytes": [p.hex() for p in split.parts]}
            for split in split_characters(cut)
        ],
    }


def _token(token: Token) -> dict[str, Any]:
    return {
        "id": token.id,
        "bytes": token.raw.hex(),
        "text": token.text,
        "start": token.start,
        "end": token.end,
        "special": None if token.special is None else _special(token.special),
        "content": token.content,
        "printed": token.printed,
    }


def _special(special: Special) -> dict[str, Any]:
    return {"string": special.string, "id": special.id, "control": special.control}


def _forms(forms: Forms) -> dict[str, Any]:
    return {"nfc": forms.nfc, "nfd": forms.nfd}


def merges(by_tokenizer: Sequence[tuple[str, Sequence[WordMerges]]]) -> str:
    """The merges of words, with every tokenizer."""
    found = [{"tokenizer": name, "words": list(map(_word, words))} for name, words in by_tokenizer]
    return json.dumps({"merges": found}, indent=2)


def _word(word: WordMerges) -> dict[str, Any]:
    return {
        "bytes": word.raw.hex(),
        "whole": word.whole,
        "letters": list(map(_piece, word.letters)),
        "steps": list(map(_step, word.steps)),
        "ids": list(word.ids),
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "rank": step.rank,
        "left": _piece(step.left),
        "right": _piece(step.right),
        "pieces": list(map(_piece, step.pieces)),
    }


def _piece(piece: Piece) -> dict[str, str]:
    return {"bytes": piece.raw.hex(), "printed": piece.printed}
