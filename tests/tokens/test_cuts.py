"""Parts of a text have as many tokens as the whole, with every split pattern that is known."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokenlint.tokens import load_tokenizer, long_runs, vocabularies
from tokenlint.tokens.cuts import spans
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer


def parts(text: str, pattern: str, *size: int) -> list[str]:
    return [text[part] for part in spans(text, pattern, *size)]


# Every pair of bytes that stands in a test may become a token, so a wrong cut changes a count.
BYTES = {bytes([byte]): byte for byte in range(256)}
PAIRS = {bytes([one, two]): 256 + 256 * one + two for one in range(128) for two in range(128)}


@cache
def tokenizers() -> dict[str, TiktokenTokenizer]:
    """A tokenizer for each known pattern, in which any two ASCII characters of a piece are one."""
    patterns = sorted(long_runs.COMPARED)
    return {
        f"{at}{'-nfc' * nfc}": TiktokenTokenizer(
            "mine", BYTES | PAIRS, pattern, {}, digest="", source="a test", nfc=nfc
        )
        for at, pattern in enumerate(patterns)
        for nfc in (False, True)
    }


PIECES = (
    *("a", "B", "word", "'s", "'", "1", "123", "!", "...", "/", "//", "<|x|>", "\u00e9", "\u1ec7"),
    *(" ", "  ", "\t", "\n", "\n\n", "\r\n", "\r", " \n", "\n ", "\u00a0", "\u3000", "\u2028"),
    *("\x0b", "e\u0323", "\u0301", "\u0344", "\u6f22\u5b57", "\u304b\u306a", "\u309b", "\u30fc"),
    *("\ud55c", "\u0e44\u0e17\u0e22", "\u0627\u0644\u0639\u064e\u0631", "\U0001f44d"),
    *("\x1c", "\x85", "\u200d", "\ufeff"),
)
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=40).map("".join)


@settings(max_examples=150)
@given(text=TEXTS, size=st.integers(1, 20))
@example(text="word\n\nword\n\n\nword", size=1)
@example(text="!\n/x\n!/\nx", size=1)
@example(text="a\n\u0301b\n\u0344", size=1)
@example(text="a b's 's a 1 b", size=1)
@pytest.mark.parametrize("name", list(tokenizers()))
def test_parts_have_as_many_tokens_as_the_whole(name: str, text: str, size: int) -> None:
    tokenizer = tokenizers()[name]
    cut = parts(text, tokenizer.pattern, size)
    assert "".join(cut) == text
    joined = [piece for part in cut for piece in tokenizer.pieces(part)]
    assert joined == tokenizer.pieces(text)


@settings(max_examples=50)
@given(text=TEXTS, size=st.integers(1, 20))
@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base", "qwen2.5", "deepseek-v3"])
def test_published_tokenizers(name: str, text: str, size: int) -> None:
    vocabulary = {"qwen2.5": "qwen", "deepseek-v3": "deepseek"}.get(name, name)
    if vocabularies.locate(vocabulary) is None:
        pytest.skip(f"the vocabulary of {name} is not installed")
    tokenizer = load_tokenizer(name)
    assert isinstance(tokenizer, TiktokenTokenizer)
    cut = parts(text, tokenizer.pattern, size)
    assert [one for part in cut for one in tokenizer.encode(part)] == tokenizer.encode(text)


O200K, R50K = (ENCODINGS[name].pattern for name in ("o200k_base", "r50k_base"))


@pytest.mark.parametrize(
    ("text", "pattern", "expected"),
    [
        ("", O200K, [""]),
        ("one", O200K, ["one"]),
        ("one two", O200K, ["one", " two"]),
        ("one  two", O200K, ["one  two"]),
        ("one 2", O200K, ["one 2"]),
        ("\u00e9t\u00e9 \u00e9t\u00e9", O200K, ["\u00e9t\u00e9 \u00e9t\u00e9"]),
        ("one\ntwo\n\nthree", O200K, ["one\n", "two\n\n", "three"]),
        ("one\ntwo\n\nthree", R50K, ["one\n", "two\n\nthree"]),
        ("!\n/one\n two\n", O200K, ["!\n/one\n two\n"]),
        ("漢字\n漢字", O200K, ["漢字\n", "漢字"]),
        ("one two\nthree", r"\S+|\s+", ["one two\nthree"]),
    ],
)
def test_where_a_text_is_cut(text: str, pattern: str, expected: list[str]) -> None:
    assert parts(text, pattern, 1) == expected


def test_a_text_that_is_short_or_has_no_place_stays_whole() -> None:
    for text in ("one two " * 20_000, "漢字" * 400_000):
        assert parts(text, O200K) == [text]
    sizes = [len(part) for part in parts("one two " * 100_000, O200K)]
    assert sizes == [262_147, 262_144, 262_144, 13_565]


def test_each_pattern_was_looked_at() -> None:
    """A new pattern needs a look at what `cuts` says of the known ones."""
    known = {encoding.pattern for encoding in ENCODINGS.values()}
    assert known <= long_runs.COMPARED
    assert len(long_runs.COMPARED) == 6
