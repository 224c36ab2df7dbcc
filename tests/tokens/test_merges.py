"""Merges, in the order in which an engine makes them."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_cutting import tokenizer
from test_hf_backend import (
    byte_fallback,
    byte_level,
    byte_level_in_the_normalizer,
    byte_level_with_prefix_space,
    small,
    unigram,
    word_level,
    word_piece,
)
from tokenizers import Tokenizer as Engine
from tokenizers import models, pre_tokenizers

from tokenlint.errors import TokenizerError
from tokenlint.tokens import load_tokenizer
from tokenlint.tokens.hf_backend import from_json
from tokenlint.tokens.merges import WordMerges, merges_of
from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

if TYPE_CHECKING:
    from collections.abc import Callable

    import tiktoken

    from tokenlint.tokens.tokenizer import Tokenizer

pytest_plugins = ["reference_engines"]

Steps = list[tuple[int, str, str, str]]


def steps(word: WordMerges) -> Steps:
    """Each merge: its rank, left, right, and the pieces after it."""
    return [
        (step.rank, step.left.printed, step.right.printed, " ".join(p.printed for p in step.pieces))
        for step in word.steps
    ]


# --- rank files


def test_a_word_from_bytes_to_tokens() -> None:
    (word,) = merges_of(load_tokenizer("cl100k_base"), "\u0111\u1ebfn")
    assert word.raw == b"\xc4\x91\xe1\xba\xbfn"
    assert [letter.printed for letter in word.letters] == list("\u00c4\u0133\u00e1\u00ba\u00bfn")
    assert steps(word) == [
        (6655, "\u00e1", "\u00ba", "\u00c4 \u0133 \u00e1\u00ba \u00bf n"),
        (27160, "\u00e1\u00ba", "\u00bf", "\u00c4 \u0133 \u00e1\u00ba\u00bf n"),
        (52096, "\u00c4", "\u0133", "\u00c4\u0133 \u00e1\u00ba\u00bf n"),
        (71348, "\u00e1\u00ba\u00bf", "n", "\u00c4\u0133 \u00e1\u00ba\u00bfn"),
    ]
    assert (word.ids, word.whole) == ((52096, 71348), False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("a", [(b"a", (64,), True)]),
        ("\u1ebd", [(b"\xe1\xba\xbd", (6655, 121), False)]),
        (" hello world", [(b" hello", (24748,), True), (b" world", (1917,), True)]),
        ("don't", [(b"don", (15357,), True), (b"'t", (956,), True)]),
    ],
)
def test_each_word_by_itself(text: str, words: list[object]) -> None:
    found = merges_of(load_tokenizer("cl100k_base"), text)
    assert [(word.raw, word.ids, word.whole) for word in found] == words


@settings(max_examples=40)
@given(text=st.text(max_size=40))
def test_each_merge_is_the_lowest_of_the_official_ranks(
    reference: Callable[[str], tiktoken.Encoding], text: str
) -> None:
    judge = reference("cl100k_base")
    ranks = judge._mergeable_ranks
    words = merges_of(load_tokenizer("cl100k_base"), text)
    assert [id_ for word in words for id_ in word.ids] == judge.encode(text, disallowed_special=())
    for word in words:
        before = [letter.raw for letter in word.letters]
        for step in word.steps:
            joined = [ranks.get(left + right) for left, right in pairwise(before)]
            assert step.rank == min(rank for rank in joined if rank is not None)
            at = joined.index(step.rank)
            before[at : at + 2] = [before[at] + before[at + 1]]
            assert [piece.raw for piece in step.pieces] == before
            assert (step.left.raw + step.right.raw) == before[at]


def test_a_word_that_no_merge_leads_to_is_taken_whole() -> None:
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"abc": 256}
    some = TiktokenTokenizer("x", ranks, r"\S+|\s+", {}, digest="", source="x")
    whole, other = merges_of(some, "abc")[0], merges_of(some, "abcd")[0]
    assert (whole.steps, whole.ids, whole.whole) == ((), (256,), True)
    assert (other.steps, other.ids, other.whole) == ((), (97, 98, 99, 100), False)


def test_a_control_string_is_no_token_of_merges() -> None:
    words = merges_of(load_tokenizer("cl100k_base"), "<|endoftext|>")
    assert [id_ for word in words for id_ in word.ids] == [27, 91, 8862, 728, 428, 91, 29]


@pytest.mark.parametrize("name", ["o200k_base", "qwen2.5", "deepseek-v3"])
@pytest.mark.parametrize(
    "text", ["Nguy\u1ec5n", " ch\u00e0o", "\u65e5\u672c\u8a9e 12345", "e\u0302\u0323"]
)
def test_other_rank_tables(name: str, text: str) -> None:
    some = tokenizer(name)
    found = merges_of(some, text)
    assert [id_ for word in found for id_ in word.ids] == some.encode(text)
    assert b"".join(word.raw for word in found).decode() == some.normalize(text)


# --- tokenizer.json

LISTED = [byte_level, byte_level_with_prefix_space, byte_level_in_the_normalizer, byte_fallback]


def listed(**model: object) -> Tokenizer:
    """A BPE with three merges, not in the order of their ids."""
    pieces = ("a", "b", "c", "d", "bc", "ab", "abc", "<unk>")
    vocabulary = {piece: id_ for id_, piece in enumerate(pieces)}
    merges = [["b", "c"], ["a", "b"], ["a", "bc"]]
    spec = json.loads(Engine(models.BPE()).to_str())
    spec["model"] |= {"vocab": vocabulary, "merges": merges, **model}
    spec["pre_tokenizer"] = json.loads(pre_tokenizers.WhitespaceSplit().__getstate__())
    return from_json(json.dumps(spec).encode(), name="listed", source="x")


def test_pairs_are_ranked_by_their_place_in_the_list() -> None:
    (word,) = merges_of(listed(), "abc")
    assert steps(word) == [(0, "b", "c", "a bc"), (2, "a", "bc", "abc")]
    assert (word.ids, word.whole) == ((6,), False)


def test_a_word_is_whole_only_where_the_model_says_so() -> None:
    (word,) = merges_of(listed(ignore_merges=True), "ab")
    assert (word.ids, word.whole) == ((5,), True)
    (word,) = merges_of(listed(ignore_merges=True, merges=[]), "abc")
    assert (word.steps, word.ids, word.whole) == ((), (6,), True)


@pytest.mark.parametrize(
    ("model", "text", "ids"),
    [
        ({}, "axb", (5,)),  # what is unknown is dropped
        ({"unk_token": "<unk>"}, "axxb", (0, 7, 7, 1)),
        ({"unk_token": "<unk>", "fuse_unk": True}, "axxb", (0, 7, 1)),
        ({"unk_token": "<unk>", "fuse_unk": True}, "abxx", (5, 7)),
    ],
)
def test_letters_that_the_vocabulary_lacks(
    model: dict[str, object], text: str, ids: tuple[int, ...]
) -> None:
    some = listed(**model)
    assert some.encode(text) == list(ids)
    assert tuple(id_ for word in merges_of(some, text) for id_ in word.ids) == ids


def test_a_prefix_inside_words_and_a_suffix_at_their_end() -> None:
    vocabulary = {piece: id_ for id_, piece in enumerate(["a", "##b", "##c</w>", "ab", "abc</w>"])}
    affixes = {"continuing_subword_prefix": "##", "end_of_word_suffix": "</w>"}
    merges = [["a", "##b"], ["ab", "##c</w>"]]
    (word,) = merges_of(listed(vocab=vocabulary, merges=merges, **affixes), "abc")
    assert steps(word) == [
        (0, "a", "##b", "ab ##c</w>"),
        (1, "ab", "##c</w>", "abc</w>"),
    ]
    assert (word.raw, word.ids) == (b"abc", (4,))


@pytest.mark.parametrize("make", LISTED)
@settings(max_examples=40)
@given(text=st.text("theq uick\u1ec5\u00e9\u65e5\U0001f9d1'1\n", max_size=20))
def test_the_ids_are_those_of_the_engine(make: Callable[[], Engine], text: str) -> None:
    some = small(make)
    found = merges_of(some, text)
    expected = Engine.from_str(some.literal.to_str()).encode(text, add_special_tokens=False).ids
    assert [id_ for word in found for id_ in word.ids] == expected
    for word in found:
        assert b"".join(letter.raw for letter in word.letters) == word.raw


# --- what has no merges


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (unigram, "Unigram, chooses the pieces of a word all at once, by the score of each"),
        (word_piece, "WordPiece, takes the longest piece that it knows, from the left"),
        (word_level, "WordLevel, knows whole words only"),
    ],
)
def test_other_models_say_how_they_cut(make: Callable[[], Engine], sentence: str) -> None:
    with pytest.raises(TokenizerError) as caught:
        merges_of(small(make), "the")
    assert str(caught.value) == f"small has no merges: its model, {sentence}"


class Other:
    """A tokenizer that a plugin brings."""

    name = "other"


@pytest.mark.parametrize(
    ("some", "text", "sentence"),
    [
        (Other(), "a", "other: its merges are not known here"),
        (
            load_tokenizer("o200k_base"),
            "a" * 201,
            "merges are shown for a word or a few, up to 200 characters; this text has 201",
        ),
    ],
)
def test_what_cannot_be_shown(some: Tokenizer, text: str, sentence: str) -> None:
    with pytest.raises(TokenizerError) as caught:
        merges_of(some, text)
    assert str(caught.value) == sentence


def test_merges_that_the_engine_did_not_make_are_not_shown() -> None:
    """White space that is a token of its own is cut out before any merge."""
    spec = json.loads(small(byte_level).engine.to_str())
    blank = {"content": "  ", "special": False, "normalized": False}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip"), False)
    spec["added_tokens"].append({"id": 403, **blank, **flags})
    some = from_json(json.dumps(spec).encode(), name="spaces", source="x")
    assert 403 in some.encode("a  b")
    with pytest.raises(TokenizerError) as caught:
        merges_of(some, "a  b")
    assert str(caught.value) == (
        "spaces: the merges of this text cannot be followed; leave out white space around the "
        "word, or use another tokenizer"
    )
