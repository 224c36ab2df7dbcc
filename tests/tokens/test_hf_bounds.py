"""What a tokenizer.json may ask for at most: at each bound it is accepted, and past it refused."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any

import pytest
from tokenizers import Tokenizer

from tokenlint.tokens.hf_bounds import require_bounded


def engine(**parts: Any) -> Tokenizer:
    """An engine of one word, with parts of its own."""
    model = {
        "type": "WordPiece",
        "unk_token": "a",
        "continuing_subword_prefix": "",
        "max_input_chars_per_word": 100,
        "vocab": {"a": 0},
    } | parts.pop("model", {})
    return Tokenizer.from_str(json.dumps({"added_tokens": [], "model": model} | parts))


def charsmap(*texts: str) -> dict[str, str]:
    """A step that writes what stands in a table of SentencePiece, behind an empty trie."""
    trie = struct.pack("<256I", *[0] * 256)
    table = struct.pack("<I", len(trie)) + trie + "\0".join(texts).encode() + b"\0"
    return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(table).decode()}


def replaced(content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {"String": "x"}, "content": content}


def metaspace(replacement: str) -> dict[str, Any]:
    return {
        "type": "Metaspace",
        "replacement": replacement,
        "prepend_scheme": "never",
        "split": True,
    }


def steps(*found: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "normalizers": list(found)}


def splits(*found: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "pretokenizers": list(found)}


SPLIT = {"type": "Split", "pattern": {"String": "x"}, "behavior": "Isolated", "invert": False}
BPE = {"type": "BPE", "merges": []}
WIDE = "\u1ec7"  # one character of three bytes


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"normalizer": {"type": "NFC"}, "pre_tokenizer": {"type": "Whitespace"}},
        {"normalizer": replaced("y" * 100)},
        {"normalizer": replaced(WIDE * 100)},
        {"normalizer": {"type": "Prepend", "prepend": "y" * 100}},
        {"normalizer": steps(replaced("y" * 100), replaced("y" * 100))},
        {"normalizer": charsmap("", "y" * 100, "z")},
        {"normalizer": charsmap("")},
        {"normalizer": replaced("y" * 100), "pre_tokenizer": metaspace("_")},
        {"normalizer": replaced("y" * 100), "pre_tokenizer": splits(metaspace("_"), SPLIT)},
        {"model": {"continuing_subword_prefix": "#" * 100}},
        {"model": {**BPE, "end_of_word_suffix": "#" * 100}},
        {"model": {"max_input_chars_per_word": 10_000}},
    ],
)
def test_up_to_a_bound_it_is_accepted(parts: dict[str, Any]) -> None:
    require_bounded(engine(**parts))


GROWS = "its {} makes texts grow beyond all bounds"


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"normalizer": replaced("y" * 101)}, GROWS.format("Replace")),
        ({"normalizer": {"type": "Prepend", "prepend": "y" * 101}}, GROWS.format("Prepend")),
        ({"normalizer": steps(replaced("y" * 99), replaced("z" * 102))}, GROWS.format("Replace")),
        (
            {"normalizer": steps(steps(replaced("y" * 100)), {"type": "Prepend", "prepend": "yy"},
                                 replaced("z" * 51))},
            GROWS.format("Replace"),
        ),
        ({"normalizer": charsmap("y" * 101)}, GROWS.format("Precompiled")),
        ({"normalizer": charsmap("a", "y" * 101, "z")}, GROWS.format("Precompiled")),
        (
            {"model": {"continuing_subword_prefix": "#" * 101}},
            "its continuing_subword_prefix is longer than 100 characters",
        ),
        (
            {"model": {**BPE, "end_of_word_suffix": "#" * 101}},
            "its end_of_word_suffix is longer than 100 characters",
        ),
        (
            {"model": {"max_input_chars_per_word": 10_001}},
            "its max_input_chars_per_word is above 10,000",
        ),
    ],
)  # fmt: skip
def test_past_a_bound_it_is_refused(parts: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        require_bounded(engine(**parts))
