"""Tokens with their bytes, and the characters that each of them touches."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_hf_backend import KINDS, byte_fallback, small, word_piece

from tokenlint.errors import TokenizerError
from tokenlint.tokens import load_tokenizer
from tokenlint.tokens.cutting import Special, SplitCharacter, Token, cut, split_characters

if TYPE_CHECKING:
    from collections.abc import Callable

    import tiktoken

    from tokenlint.tokens.cutting import Cut
    from tokenlint.tokens.tokenizer import Tokenizer

pytest_plugins = ["reference_engines"]

NAMES = ["o200k_base", "cl100k_base", "qwen2.5", "deepseek-v3"]
SMALL = [f"small {make.__name__}" for make in KINDS]

ODD = ("\u0323", "\u1ec5", "\u1ebd", "e\u0302\u0323", "\ud83d", "\U0001f9d1", "\r\n", "")
MARKERS = ("<|im_start|>", "<|turn|>", "<stop>", "<|endoftext|>", "[UNK]", "<s>")
ANY_TEXT = st.lists(
    st.one_of(st.text(max_size=6), st.sampled_from(ODD), st.sampled_from(MARKERS))
).map("".join)


def tokenizer(name: str) -> Tokenizer:
    if name in SMALL:
        return small(KINDS[SMALL.index(name)])
    try:
        return load_tokenizer(name)
    except TokenizerError as error:
        pytest.skip(str(error))


def pieces(found: Cut) -> list[str | bytes]:
    return [token.raw if token.text is None else token.text for token in found.tokens]


# --- one text, all of it

SPLIT = "Nguy\u1ec5n s\u1ebd"


def test_a_name_whose_letters_are_cut() -> None:
    found = cut(load_tokenizer("cl100k_base"), SPLIT)
    assert found.tokens == (
        Token(21567, b"Ng", 0, 2, "Ng"),
        Token(4168, b"uy", 2, 4, "uy"),
        Token(5080, b"\xe1\xbb", 4, 5, "\u00e1\u00bb"),
        Token(227, b"\x85", 4, 5, "\u0127"),
        Token(77, b"n", 5, 6, "n"),
        Token(274, b" s", 6, 8, "\u0120s"),
        Token(6655, b"\xe1\xba", 8, 9, "\u00e1\u00ba"),
        Token(121, b"\xbd", 8, 9, "\u00bd"),
    )
    assert (found.text, found.total, found.left_out, found.specials) == (SPLIT, 8, 0, ())
    assert split_characters(found) == [
        SplitCharacter("\u1ec5", 4, (b"\xe1\xbb", b"\x85")),
        SplitCharacter("\u1ebd", 8, (b"\xe1\xba", b"\xbd")),
    ]


@pytest.mark.parametrize("text", ["", "one two", " \n\n  x", "\u1ec5n <|endoftext"])
def test_a_text_of_whole_characters_shares_none(text: str) -> None:
    found = cut(load_tokenizer("o200k_base"), text)
    assert split_characters(found) == []
    assert [token.special for token in found.tokens] == [None] * found.total


def test_only_the_first_tokens_are_told_and_all_are_counted() -> None:
    found = cut(load_tokenizer("cl100k_base"), SPLIT, most=3)
    assert (found.total, found.left_out) == (8, 5)
    assert pieces(found) == ["Ng", "uy", b"\xe1\xbb"]
    assert split_characters(found) == []  # the rest of the character is not told


# --- special tokens are text, and are marked

QWEN = "a<|im_start|>b <tool_call>"


def test_a_special_token_string_is_text_and_is_marked() -> None:
    found = cut(tokenizer("qwen2.5"), QWEN)
    start, call = Special("<|im_start|>", 151644, 1, 13), Special("<tool_call>", 151657, 15, 26)
    assert found.specials == (start, call)
    assert [(key, len(list(group))) for key, group in groupby(t.special for t in found.tokens)] == [
        (None, 1), (start, 6), (None, 1), (call, 4)
    ]  # fmt: skip
    assert not {151644, 151657} & {token.id for token in found.tokens}


def test_it_is_marked_where_it_stands_once_the_text_is_composed() -> None:
    (special,) = cut(tokenizer("qwen2.5"), "e\u0302\u0323e\u0302\u0323<|im_end|>").specials
    assert special == Special("<|im_end|>", 151645, 2, 12)


def test_it_is_found_in_what_the_normaliser_of_a_tokenizer_makes_of_it() -> None:
    found = cut(small(word_piece), "The <|TURN|> <STOP>")
    assert found.text == "the <|turn|> <stop>"
    assert [(one.string, one.start, one.end) for one in found.specials] == [("<stop>", 13, 19)]


# --- what vocabularies call their pieces


@pytest.mark.parametrize("name", ["cl100k_base", "qwen2.5", "small byte_level"])
def test_byte_level_names(name: str) -> None:
    found = cut(tokenizer(name), " ch\u00e0o\n")
    assert "".join(token.printed for token in found.tokens) == "\u0120ch\u00c3\u0142o\u010a"


def test_names_of_sentencepiece() -> None:
    found = cut(small(byte_fallback), "the \u1ebd")
    assert [(token.printed, token.raw) for token in found.tokens] == [
        ("\u2581the", b"the"),
        ("\u2581", b" "),
        ("<0xE1>", b"\xe1"),
        ("<0xBA>", b"\xba"),
        ("<0xBD>", b"\xbd"),
    ]


@pytest.mark.parametrize("name", SMALL)
def test_a_vocabulary_of_its_own_names_its_pieces(name: str) -> None:
    some = small(KINDS[SMALL.index(name)])
    for token in cut(some, "the quick <stop> \u1ebd").tokens:
        assert token.printed == some.engine.id_to_token(token.id)


# --- what holds for every text


@pytest.mark.parametrize("name", [*NAMES, *SMALL])
@settings(max_examples=30)
@given(text=ANY_TEXT)
def test_the_pieces_are_the_text(name: str, text: str) -> None:
    some = tokenizer(name)
    found = cut(some, text)
    assert found.text == some.normalize(text)
    assert [token.id for token in found.tokens] == some.encode(text)
    assert b"".join(token.raw for token in found.tokens) == (
        found.text.encode() if found.tokens else b""
    )
    for token in found.tokens:
        assert token.raw in found.text[token.start : token.end].encode()
        if token.text is not None:
            assert token.text == found.text[token.start : token.end]
    for character, at, parts in split_characters(found):
        assert found.text[at] == character == b"".join(parts).decode()
        assert len(parts) > 1


@settings(max_examples=50)
@given(text=st.text())
def test_tokens_begin_where_tiktoken_says(
    reference: Callable[[str], tiktoken.Encoding], text: str
) -> None:
    judge = reference("cl100k_base")
    seen, offsets = judge.decode_with_offsets(judge.encode(text, disallowed_special=()))
    found = cut(load_tokenizer("cl100k_base"), text)
    assert (found.text, [token.start for token in found.tokens]) == (seen, offsets)


class Liar:
    """A tokenizer of somebody who forgot a piece."""

    name, special_tokens = "liar", {"<s>": 1}

    def encode(self, text: str, *, control: bool = False) -> list[int]:
        return [1, 2]

    def pieces(self, text: str) -> list[bytes]:
        return [text.encode()]

    def normalize(self, text: str) -> str:
        return text


def test_a_tokenizer_that_breaks_its_promise_is_told_so() -> None:
    with pytest.raises(TokenizerError) as caught:
        cut(Liar(), "one")  # type: ignore[arg-type]
    assert str(caught.value) == (
        "liar: its pieces are not those of the text, so how it cuts cannot be shown; use another "
        "tokenizer"
    )
