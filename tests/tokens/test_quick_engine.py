"""Short texts, counted without tiktoken and exactly alike; the judge is tiktoken itself."""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokenlint.tokens import load_tokenizer, long_runs, quick_engine
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.quick_classes import SURE, is_sure, splitter
from tokenlint.tokens.quick_engine import QuickEngine, merged
from tokenlint.tokens.rank_files import Packed
from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer
from tokenlint.tokens.vocabularies import find_ranks

if TYPE_CHECKING:
    import tiktoken

NAMES = ("o200k_base", "cl100k_base")


@cache
def tokens(name: str) -> list[bytes]:
    found = find_ranks(name)
    assert isinstance(found, Packed)
    return found.tokens


@cache
def ranks(name: str) -> dict[bytes, int]:
    return find_ranks(name).ranks


@cache
def judge(name: str) -> tiktoken.Encoding:
    tokenizer = load_tokenizer(name)
    assert isinstance(tokenizer, TiktokenTokenizer)
    return tokenizer.engine


def quick(name: str, *, seen: int = 0) -> QuickEngine:
    engine = QuickEngine(ENCODINGS[name].pattern, lambda: tokens(name))
    if seen:
        engine._seen, engine._ranks = seen, ranks(name)
    return engine


def ids_of(name: str, text: str) -> list[int]:
    split = splitter(ENCODINGS[name].pattern, ascii_only=text.isascii())
    return [
        ranks(name)[token] for piece in split(text) for token in merged(piece.encode(), ranks(name))
    ]


# --- characters

CHARACTERS = "".join(char for char in map(chr, range(0x110000)) if is_sure(char))
EMOJI = {*range(0x2600, 0x27C0), *range(0x2B00, 0x2B56), *range(0x1F300, 0x1FA00)}


def test_the_list_is_in_order_and_is_what_it_says() -> None:
    bounds = [int(end, 16) for part in SURE.split() for end in part.split("-")]
    assert bounds == sorted(bounds)
    assert len(CHARACTERS) == 43_344
    assert all(map(is_sure, ("plain text\r\n\t", "Tiếng Việt", "\u4f60\u597d", "")))


@pytest.mark.parametrize(
    "char", ["\u017f", "\u212a", "\x00", "\x1b", "\ud800", "\u0221", "\U0001d400"]
)
def test_what_is_not_sure(char: str) -> None:
    assert not is_sure(char)
    assert not is_sure(f"plain {char} text")
    assert quick("o200k_base").count(f"plain {char} text") is None


def test_no_category_changed_since_unicode_3() -> None:
    old = unicodedata.ucd_3_2_0.category
    for char in CHARACTERS:
        now = unicodedata.category(char)
        assert old(char) == now != "Cn" or (ord(char) in EMOJI and now in ("So", "Sk"))


@pytest.mark.parametrize("kind", long_runs._CLASSES)
def test_all_engines_class_every_character_alike(kind: str) -> None:
    by_regex = "".join(regex.findall(kind, CHARACTERS, regex.VERSION1))
    assert by_regex == long_runs._found_by_tiktoken(kind, CHARACTERS)


# --- counts

PARTS = (
    *(" ", "  ", "\n", "\r\n", "\t", "a", "B", "'s", "'S", "'ll", "'", "1234", "/", "!", "\u00a0"),
    *("word", "Word", "WORD", "tokenization", "Vi\u1ec7t", "e\u0323\u0302", "\u041f\u0440\u0438"),
    *("\u4f60\u597d", "\u0645\u0631", "\u0e44\u0e17\u0e22", "\U0001f44d"),
)
TEXTS = st.lists(
    st.sampled_from(PARTS)
    | st.text(CHARACTERS, max_size=6)
    | st.text(st.characters(max_codepoint=126, min_codepoint=32), max_size=9)
).map("".join)


@settings(max_examples=150)
@given(TEXTS)
@example("\n")
@example("a" * 200)
@example(" " * 100 + "\n \n  x")
@pytest.mark.parametrize("name", NAMES)
def test_ids_and_counts_are_those_of_tiktoken(name: str, text: str) -> None:
    expected = judge(name).encode(text, disallowed_special=())
    assert ids_of(name, text) == expected
    assert quick(name, seen=1).count(text) == len(expected)


@pytest.mark.parametrize("name", NAMES)
def test_all_short_texts_of_ascii(name: str) -> None:
    """One character of each kind that the patterns tell apart, in every order of five."""
    for kinds in product("aZs1 \n'/!", repeat=5):
        text = "".join(kinds)
        pieces = splitter(ENCODINGS[name].pattern, ascii_only=True)(text)
        assert pieces == splitter(ENCODINGS[name].pattern, ascii_only=False)(text)


@pytest.mark.parametrize("name", NAMES)
def test_every_character_of_ascii_between_letters(name: str) -> None:
    characters = [chr(number) for number in (9, 10, 13, *range(32, 127))]
    text = "".join(f"a{one}B{one}{one}c'{one}" for one in characters)
    assert ids_of(name, text) == judge(name).encode(text, disallowed_special=())


@pytest.mark.parametrize("name", NAMES)
def test_the_first_text_needs_no_table(name: str) -> None:
    engine, text = quick(name), "The quick brown fox, \u0111\u1ed9 nhi\u00ean li\u1ec7u m\u1edbi."
    expected = len(judge(name).encode(text))
    assert engine.count(text) == expected
    assert engine._ranks is None
    again = f"{text} Another one."
    assert engine.count(again) == len(judge(name).encode(again))
    assert engine._ranks is not None


# --- what is left to tiktoken


def test_long_texts_and_what_comes_after_many_texts() -> None:
    assert quick("o200k_base").count("x " * (quick_engine.LONGEST // 2 + 1)) is None
    engine = quick("o200k_base", seen=quick_engine.MOST - 10)
    assert engine.count("ten chars.") == 3
    assert engine.count("x") is None


def test_pieces_that_take_long() -> None:
    assert quick("o200k_base", seen=1).count("a" * 600) == len(
        judge("o200k_base").encode("a" * 600)
    )
    assert quick("o200k_base").count("a" * 700) is None


def test_the_tokenizer_uses_it_until_its_engine_is_there() -> None:
    found = find_ranks("cl100k_base")
    asked: list[str] = []

    class Spy(QuickEngine):
        def count(self, text: str) -> int | None:
            asked.append(text)
            return super().count(text)

    pattern = ENCODINGS["cl100k_base"].pattern
    tokenizer = TiktokenTokenizer(
        "mine",
        lambda: found.ranks,
        pattern,
        {},
        digest="",
        source="a test",
        quick=Spy(pattern, lambda: tokens("cl100k_base")),
    )
    assert (tokenizer.count("one"), tokenizer.named("other").count("two")) == (1, 1)
    assert tokenizer._engine.made is None
    assert tokenizer.count("\x00") == 1
    assert tokenizer.count("three") == 1
    assert asked == ["one", "two", "\x00"]
