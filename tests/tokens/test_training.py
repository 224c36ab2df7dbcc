"""Training: what is cut before merging, what the first merges alone cost, what is refused."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter

import pytest
import regex
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, Tokenizer
from tokenizers.pre_tokenizers import Split

from tokenlint.errors import ConfigError
from tokenlint.tokens.bpe import Merge
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.equivalence import spelled_bytes
from tokenlint.tokens.training import (
    LARGEST,
    SIMPLE,
    Recipe,
    Trained,
    as_oniguruma,
    chunks,
    pattern_of,
    train,
)

UNHURRIED = settings(deadline=None)
PATTERNS = {"simple": SIMPLE} | {name: known.pattern for name, known in ENCODINGS.items()}
TEXT = (
    "Die Katze sitzt auf der Matte, und der Hund liegt vor der T\u00fcr.\n"
    "H\u00f4m nay tr\u1eddi \u0111\u1eb9p; ng\u00e0y mai tr\u1eddi c\u0169ng \u0111\u1eb9p.\n\n"
    "def count(text):\n\treturn len(text)  # 12345 bytes\n"
) * 4

# Characters of Unicode 3.2, which every engine knows, and often those that patterns ask about.
# U+0295 changed from one kind of letter to another in later versions.
OLD = st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="\u0295").filter(
    lambda char: unicodedata.ucd_3_2_0.category(char) != "Cn"
)
ASKED_ABOUT = st.sampled_from(
    "aAsStTdDmMrRvVlLeE'\u2019_/.,!0123456789   \n\n\r\t\u00a0\u0085\u2028\u3000\u0301\u0302"
    "\u00e9\u1ec6\u00df\u017f\u0130\u212a\u00b2\u00bd\u2163\u4e2d\u3042\u0e01\u0e33\u0939\u093f"
    "\u0628\u064e\u0662\u200c\u200d\ufe0f\u180e\u200b\u01c5\x1c\x1f\x0b\U0001f642"
)
STRINGS = st.lists(st.one_of(ASKED_ABOUT, ASKED_ABOUT, OLD), max_size=12).map("".join)


def pieces_of_tiktoken(pattern: str, texts: list[str]) -> list[list[str]]:
    """What tiktoken's pattern engine cuts, made visible: every substring is one token."""
    spans = {
        text[i:j] for text in texts for i in range(len(text)) for j in range(i + 1, len(text) + 1)
    }
    tokens = dict.fromkeys([bytes([byte]) for byte in range(256)] + [s.encode() for s in spans])
    ranks = {token: rank for rank, token in enumerate(tokens)}
    engine = tiktoken.Encoding("t", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    return [
        [engine.decode([id_]) for id_ in engine.encode(text, disallowed_special=())]
        for text in texts
    ]


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
@given(texts=st.lists(STRINGS, min_size=20, max_size=20))
@settings(max_examples=10, deadline=None)
def test_all_engines_cut_alike(pattern: str, texts: list[str]) -> None:
    split = Split(Regex(as_oniguruma(pattern)), "isolated").pre_tokenize_str
    ours = [[piece for piece, _ in split(text)] for text in texts]
    assert ours == pieces_of_tiktoken(pattern, texts)
    judge = regex.compile(pattern, regex.VERSION1)
    assert ours == [[match.group() for match in judge.finditer(text)] for text in texts]


@pytest.mark.parametrize(
    ("pattern", "text", "pieces"),
    [
        (ENCODINGS["cl100k_base"].pattern, "12345", ["123", "45"]),  # {1,3}+ would take all five
        (SIMPLE, "n\u00e3o, n\u0061\u0303o", ["n\u00e3o", ",", " n\u0061\u0303o"]),
        (SIMPLE, "\u0645\u06cc\u200c\u0631\u0648\u0645", ["\u0645\u06cc\u200c\u0631\u0648\u0645"]),
        (SIMPLE, "5 m\u00b2 \n x", ["5", " m", "\u00b2", " \n ", "x"]),
    ],
)
def test_what_oniguruma_would_read_otherwise(pattern: str, text: str, pieces: list[str]) -> None:
    split = Split(Regex(as_oniguruma(pattern)), "isolated").pre_tokenize_str
    assert [piece for piece, _ in split(text)] == pieces


def test_no_possessive_interval_is_left() -> None:
    for pattern in PATTERNS.values():
        assert not regex.search(r"\{\d,\d\}\+|\\w", as_oniguruma(pattern))


@pytest.mark.parametrize("name", ["gpt-4o", "openai/gpt-4o", "o200k_base"])
def test_a_model_has_the_pattern_of_its_encoding(name: str) -> None:
    assert pattern_of(name) == ENCODINGS["o200k_base"].pattern


def test_the_pattern_of_an_unknown_name() -> None:
    with pytest.raises(ConfigError) as error:
        pattern_of("o200k_bse")
    assert str(error.value) == (
        "no split pattern is known by the name 'o200k_bse': use one of simple, o200k_base, "
        "o200k_harmony, cl100k_base, p50k_base, p50k_edit, r50k_base, gpt2, qwen2.5"
    )


LINES = st.sampled_from(
    [
        "a line\n",
        "\n",
        "  indented\n",
        "// comment\n",
        "e\u0301te\u0301\n",
        "\u0301x",
        " \n",
        "1\r\n",
        "'s\n",
    ]
)


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
@UNHURRIED
@given(text=st.lists(LINES, max_size=40).map("".join))
def test_parts_are_cut_as_the_whole(pattern: str, text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokenlint.tokens.training._CHUNK", 20)
        parts = list(chunks(text))
    assert "".join(parts) == text
    judge = regex.compile(pattern, regex.VERSION1)
    assert [p for part in parts for p in judge.findall(part)] == judge.findall(text)
    assert "".join(unicodedata.normalize("NFC", part) for part in parts) == unicodedata.normalize(
        "NFC", text
    )


def test_a_long_text_is_parted() -> None:
    text = "a line of text\n" * 20_000
    *parts, last = chunks(text)
    assert len(parts) == len(text) // (1 << 15)
    assert all(1 << 15 <= len(part) < (1 << 15) + 15 for part in parts)
    assert len(last) < 1 << 15
    assert len(list(chunks("a" * 300_000))) == 1


def test_a_long_run_is_broken_for_the_trainer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokenlint.tokens.training._LONGEST", 8)
    tokenizer = train(["a" * 64], Recipe(300))
    assert [left + right for left, right in tokenizer.merges] == ["aa", "aaaa", "aaaaaaaa"]
    assert tokenizer.words(["a" * 64]) == {"a" * 64: 1}


def test_the_same_text_gives_the_same_file() -> None:
    recipe = Recipe(400, special_tokens=("<|endoftext|>",))
    once = train([TEXT, "more text, more text"], recipe)
    assert once.raw == train(["more text, more text", TEXT], recipe).raw
    assert once.raw != train([TEXT], recipe).raw


def test_special_tokens_come_last() -> None:
    tokenizer = train([TEXT], Recipe(300, special_tokens=("<|end|>", "<|im_start|>")))
    assert tokenizer.special_tokens == {"<|end|>": 298, "<|im_start|>": 299}
    engine = Tokenizer.from_str(tokenizer.raw.decode())
    assert engine.get_vocab_size() == 300
    assert engine.encode("a<|end|>").ids[-1] == 298


@pytest.mark.parametrize("nfc", [True, False])
def test_normalization(nfc: bool) -> None:
    composed, decomposed = "\u1ec7", "e\u0323\u0302"
    tokenizer = train([TEXT], Recipe(300, nfc=nfc))
    alike = tokenizer.words([composed]) == tokenizer.words([decomposed])
    assert alike is nfc


def test_a_pair_that_is_seen_once_is_not_merged() -> None:
    assert train(["xy zw"], Recipe(1000)).merges == ()
    assert train(["xy\nxy"], Recipe(1000)).merges == (("x", "y"),)


@pytest.fixture(scope="module")
def tokenizer() -> Trained:
    return train([TEXT], Recipe(380, nfc=False))


@pytest.mark.parametrize("merges", [0, 1, 50, 124])
def test_the_first_merges_alone(tokenizer: Trained, merges: int) -> None:
    """Held to tiktoken with ranks of just these merges, and to a tokenizer.json of them."""
    text = "der Hund sitzt \u0111\u1eb9p vor 12345 T\u00fcren\n"
    counted = tokenizer.count(tokenizer.words([text]), merges)
    pairs = [spelled_bytes(left + right) for left, right in tokenizer.merges[:merges]]
    ranks = {token: id_ for id_, token in enumerate([*(bytes([b]) for b in range(256)), *pairs])}
    engine = tiktoken.Encoding("t", pat_str=SIMPLE, mergeable_ranks=ranks, special_tokens={})
    assert counted == len(engine.encode(text))
    spec = json.loads(tokenizer.raw)
    spec["model"]["merges"] = spec["model"]["merges"][:merges]
    assert counted == len(Tokenizer.from_str(json.dumps(spec)).encode(text).ids)


def test_fewer_merges_trained_are_the_first_of_more(tokenizer: Trained) -> None:
    assert train([TEXT], Recipe(300, nfc=False)).merges == tokenizer.merges[:44]


def test_without_merges_a_token_is_a_byte(tokenizer: Trained) -> None:
    assert tokenizer.count(tokenizer.words([TEXT]), 0) == len(TEXT.encode())


def test_the_first_merges_and_their_counts(tokenizer: Trained) -> None:
    words = tokenizer.words([TEXT])
    first, second = tokenizer.first_merges(words, 2)
    spelled = "".join(f"{word} " * times for word, times in words.items())
    assert [merge.count for merge in (first, second)] == [
        spelled.count("".join(tokenizer.merges[at])) for at in (0, 1)
    ]
    assert len(list(tokenizer.first_merges(words, 10_000))) == len(tokenizer.merges)
    assert isinstance(first, Merge)


def test_words_are_counted_by_first_appearance(tokenizer: Trained) -> None:
    words = tokenizer.words(["b a", "a a"])
    assert words == Counter({"b": 1, "\u0120a": 2, "a": 1})
    assert list(words) == ["b", "\u0120a", "a"]


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        (
            {"vocabulary_size": 255},
            "a vocabulary of 255 cannot be trained: it must hold the 256 bytes and every special "
            "token, so give 256 to 1,000,000",
        ),
        (
            {"vocabulary_size": 256, "special_tokens": ("<|a|>",)},
            "a vocabulary of 256 cannot be trained: it must hold the 256 bytes and every special "
            "token, so give 257 to 1,000,000",
        ),
        (
            {"vocabulary_size": LARGEST + 1},
            "a vocabulary of 1,000,001 cannot be trained: it must hold the 256 bytes and every "
            "special token, so give 256 to 1,000,000",
        ),
        (
            {"vocabulary_size": 300, "special_tokens": ("<|a|>", "<|a|>")},
            "a special token is named twice; name each once",
        ),
        (
            {"vocabulary_size": 300, "special_tokens": (" ",)},
            "' ' is no special token: it must be a visible string",
        ),
        (
            {"vocabulary_size": 300, "special_tokens": ("\udcff",)},
            "'\\udcff' is no special token: it must be a visible string",
        ),
    ],
)
def test_what_cannot_be_trained(recipe: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as error:
        Recipe(**recipe)  # type: ignore[arg-type]
    assert str(error.value) == message


@pytest.mark.parametrize("special", ["a", "at", "\u00c3"])
def test_a_special_token_that_is_a_piece(special: str) -> None:
    with pytest.raises(ConfigError) as error:
        train([TEXT], Recipe(400, special_tokens=(special,)))
    assert str(error.value) == f"{special!r} is an ordinary piece of text here, not a special token"


def test_an_error_while_texts_are_drawn_comes_through() -> None:
    def texts() -> object:
        yield TEXT
        raise ConfigError("gone")

    with pytest.raises(ConfigError, match="gone"):
        train(texts(), Recipe(300))  # type: ignore[arg-type]
