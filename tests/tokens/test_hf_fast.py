"""A tokenizer.json on tiktoken's engine: only where proven, only once it pays, and the same ids."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from tokenlint.tokens import load_tokenizer
from tokenlint.tokens.equivalence import BYTE_OF
from tokenlint.tokens.hf_fast import FastWay

if TYPE_CHECKING:
    from pathlib import Path

LEARNED = "Xin ch\u00e0o, t\u00f4i l\u00e0 tr\u1ee3 l\u00fd. The thing is in the thinking. " * 20
SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def trained(normalizer: dict[str, Any] | None = None, pattern: str = SPLIT) -> bytes:
    """A byte-level BPE that learned a few words."""
    import tokenizers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    trainer = trainers.BpeTrainer(vocab_size=330, initial_alphabet=list(BYTE_OF))
    made.train_from_iterator([LEARNED], trainer)
    parsed = json.loads(made.to_str())
    parsed["normalizer"] = normalizer
    parsed["added_tokens"] = [
        {"id": 900, "content": "<|im_end|>", "special": True, "normalized": False,
         "single_word": False, "lstrip": False, "rstrip": False}
    ]  # fmt: skip
    return json.dumps(parsed).encode()


def way(raw: bytes, worth_it: int = 0) -> FastWay:
    return FastWay("x", hashlib.sha256(raw).hexdigest(), "x.json", raw, worth_it)


@pytest.mark.parametrize(
    "raw",
    [trained({"type": "NFKC", }), trained(pattern=r"\s+"), b"", b"{}", b"[", b"\xff"],
    ids=["another normaliser", "another split", "empty", "no model", "no JSON", "no text"],
)  # fmt: skip
def test_no_proof_no_fast_way(raw: bytes) -> None:
    assert way(raw).encode(LEARNED) is None


def test_the_proof_waits_until_it_pays() -> None:
    one = way(trained(), worth_it=10)
    assert one.encode("12345") is None
    assert one.engine is None
    assert one.encode("67890") is not None
    assert one.raw == b""
    assert one.encode("1") is not None


NFC = trained({"type": "NFC"})
FAST = way(NFC)
JUDGE = Tokenizer.from_buffer(trained({"type": "NFC"}).replace(b"<|im_end|>", b"<|no such|>"))


@given(
    st.text() | st.text("aeot\u0301\u0323 \n'<|>_im0") | st.sampled_from([LEARNED, "<|im_end|>"])
)
def test_the_ids_are_those_of_tokenizers(text: str) -> None:
    assert FAST.encode(text) == JUDGE.encode(text, add_special_tokens=False).ids


def test_a_run_that_is_too_long_for_the_split_is_still_counted(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_bytes(NFC)
    text = " " * 1_000_000
    found = load_tokenizer(str(tmp_path / "tokenizer.json")).count(text)
    assert found == len(JUDGE.encode(text).ids)


def test_a_file_counts_the_same_before_and_after(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_bytes(NFC)
    tokenizer = load_tokenizer(str(tmp_path / "tokenizer.json"))
    text = LEARNED + "<|im_end|>" + "e\u0301"
    before = tokenizer.count(text)
    assert tokenizer.count(text * 1000) == len(JUDGE.encode(text * 1000).ids)
    assert tokenizer.count(text) == before == len(JUDGE.encode(text).ids)
