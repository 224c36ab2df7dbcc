"""A bound that no count exceeds, so that small files need no count."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.rules.base import Context
from tokenlint.tokens import Limit, Loader, load_tokenizer, vocabularies
from tokenlint.tokens.prompts import Prompt
from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

NAMES = ("o200k_base", "cl100k_base", "o200k_harmony", "gpt-4o", "qwen2.5", "deepseek-v3")
TEXTS = st.text(st.characters(), max_size=40) | st.lists(
    st.sampled_from(
        ("e\u0323\u0302", "\u1ec7", "\U0001d15e", "\u0344", "\u2126", "ẃ", "ab", "\ud800")
    )
).map("".join)


def loaded(name: str) -> TiktokenTokenizer:
    vocabulary = {"qwen2.5": "qwen", "deepseek-v3": "deepseek"}.get(name)
    if vocabulary is not None and vocabularies.locate(vocabulary) is None:
        pytest.skip(f"the vocabulary of {name} is not installed")
    tokenizer = load_tokenizer(name)
    assert isinstance(tokenizer, TiktokenTokenizer)
    return tokenizer


@settings(max_examples=100)
@given(TEXTS)
@pytest.mark.parametrize("name", NAMES)
def test_no_count_exceeds_the_bound(name: str, text: str) -> None:
    tokenizer = loaded(name)
    most = tokenizer.most_tokens(text)
    if most is None:
        assert tokenizer.normalizes_nfc
    else:
        assert len(tokenizer.encode(text)) <= most


@pytest.mark.parametrize(
    ("name", "text", "most"),
    [
        ("o200k_base", "", 0),
        ("o200k_base", "plain", 5),
        ("o200k_base", "\u1ec7\ud800", 6),
        ("o200k_base", "\U0001d15e", 4),
        ("qwen2.5", "plain", 5),
        ("qwen2.5", "\u1ec7", 3),
        ("qwen2.5", "e\u0323\u0302", None),
        ("qwen2.5", "\U0001d15e", None),  # 4 bytes, of which NFC makes 8
    ],
)
def test_the_bound(name: str, text: str, most: int | None) -> None:
    assert loaded(name).most_tokens(text) == most


@pytest.mark.parametrize(
    ("size", "maximum", "fits"),
    [(0, 0, False), (0, 1, True), (89, 100, True), (90, 100, False), (101, 100, False)],
)
def test_what_surely_fits_is_below_every_warning(size: int, maximum: int, fits: bool) -> None:
    limit = Limit("tokens", maximum, "*.md", "o200k_base")
    prompts = [Prompt("x" * (size // 2)), Prompt("x" * (size - size // 2))]
    assert Context(loader=Loader()).surely_fits(prompts, limit) == fits


def test_a_tokenizer_that_is_missing_fits_nothing() -> None:
    loader = Loader()
    limit = Limit("tokens", 1000, "*.md", "gpt-6")
    assert not Context(loader=loader).surely_fits([Prompt("x")], limit)
    assert len(loader.failures) == 1
