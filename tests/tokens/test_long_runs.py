"""Runs on which the split pattern of tiktoken gives up, counted exactly all the same."""

from __future__ import annotations

from functools import cache

import pytest
import regex
import tiktoken
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokenlint.errors import UncountableTextError
from tokenlint.tokens import load_tokenizer, long_runs, vocabularies
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.equivalence import ranks_of_json
from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

pytest_plugins = ["reference_engines"]
pytestmark = pytest.mark.usefixtures("no_network")

MILLION = 1_000_000
O200K = ENCODINGS["o200k_base"].pattern
BYTES = {bytes([byte]): byte for byte in range(256)}

REFUSED = (
    "{} cannot cut this text: a run of the same kind of character is too long for its split "
    "pattern; break the run, or leave the file out"
)


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        # The engine copes with these.
        ("o200k_base", "a" * MILLION, 125_000),
        ("o200k_base", "\n" * MILLION, 62_500),
        ("o200k_base", "!" * MILLION, 62_500),
        ("cl100k_base", "a" * MILLION, 125_000),
        ("cl100k_base", " " * MILLION, 7_813),
        # With these it gives up.
        ("o200k_base", " " * MILLION, 7_813),
        ("o200k_base", "\t" * MILLION, 62_500),
        ("o200k_base", " " * MILLION + "x", 7_814),
        ("o200k_base", "ế" + " " * MILLION + "x", 7_815),
        ("cl100k_base", " " * MILLION + "x", 7_814),
    ],
)
def test_a_million_of_the_same(name: str, text: str, count: int) -> None:
    assert load_tokenizer(name).count(text) == count


def test_a_run_is_cut_by_the_pattern_and_not_somewhere() -> None:
    tokenizer = load_tokenizer("o200k_base")
    text = "x" + " " * MILLION + "y 12345"
    assert tokenizer.pieces(text)[-4:] == [b" y", b" ", b"123", b"45"]
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_special_strings_beside_a_run() -> None:
    tokenizer = load_tokenizer("o200k_base")
    text = " " * MILLION + "<|endoftext|>"
    assert tokenizer.encode(text, control=True) == [*tokenizer.encode(" " * MILLION), 199999]
    assert tokenizer.count(text) == 7_813 + 7


# --- the two splitters


@cache
def patterns() -> dict[str, str]:
    """Every split pattern that this package knows, by a name."""
    found = {name: ENCODINGS[name].pattern for name in ("gpt2", "cl100k_base", "o200k_base")}
    found["qwen2.5"] = ENCODINGS["qwen2.5"].pattern
    if vocabularies.locate("deepseek") is not None:
        table = ranks_of_json(vocabularies.find_raw("deepseek")[0])
        assert table is not None
        found["deepseek-v3"] = table.pattern
    return found


@cache
def engine(name: str) -> TiktokenTokenizer:
    """One vocabulary with the pattern of each: only the splitting is looked at."""
    ranks = vocabularies.find_ranks("cl100k_base").ranks
    return TiktokenTokenizer(name, ranks, patterns()[name], {}, digest="", source="a test")


UNHURRIED = settings(deadline=None)
"The first example may load an engine."

# Every class of the patterns, their contractions in odd letters, and what splitters dispute.
TEXT = st.text(
    st.one_of(
        st.sampled_from(" \t\r\n\x0b\x1c\x1f\x85\xa0\u180e\u200b\u2028\u3000"),
        st.sampled_from("'sSdDmMtTlLvVeErR\u017f\u0130\u212a\ufb05\ufb06/!.,"),
        st.sampled_from("aA\u01c5\u02b0\u0301\u4e00\u30fb\u309b\u3099ảệ1\u0661\xb2\u2167€«\x00"),
        st.characters(exclude_categories=["Cs"]),
    )
)


@pytest.mark.parametrize("name", patterns())
@UNHURRIED
@given(text=TEXT)
@example(text="it'S it'\u017f \u01c5x  \n 12345 \r\n\n  x'll'LL\u3000\u3000 x \x1c\x85\u180e  ")
@example(text="".join(map(chr, range(0x80))))
def test_the_fallback_cuts_like_the_engine(name: str, text: str) -> None:
    if long_runs.is_safe(patterns()[name], text):
        assert "".join(long_runs.split(patterns()[name], text)) == text
        assert engine(name)._encode_long_runs(text) == engine(name).encode(text)


# --- what is safe


@pytest.mark.parametrize(
    "text", ["", "plain\x1c\x7f", "Tiếng Việt", "Ba\u0323n", "中文 คุณ", "\U0001f600", "\u200b\x85"]
)
@pytest.mark.parametrize("name", patterns())
def test_safe_texts(name: str, text: str) -> None:
    assert long_runs.is_safe(patterns()[name], text)


def classes_agree(char: str, kind: str) -> bool:
    byte_ranks = {bytes([byte]): byte for byte in range(256)}
    engine = tiktoken.Encoding(
        "classes", pat_str=kind, mergeable_ranks=byte_ranks, special_tokens={}
    )
    return bool(engine.encode(char)) == bool(regex.match(kind, char))


# The first changed its class in Unicode 17, the others are letters of 15, 16 and 17 and of none.
@pytest.mark.parametrize("char", ["\u0295", "\U00010ec2", "\u1c89", "\ua7ce", "\u0378"])
def test_a_character_is_safe_where_both_engines_know_it_alike(char: str) -> None:
    kinds = (r"\p{Lu}", r"\p{Ll}", r"\p{Lo}", r"\p{M}", r"\p{S}")
    assert long_runs.is_safe(O200K, char) == all(classes_agree(char, kind) for kind in kinds)


@pytest.mark.parametrize("kind", long_runs._CLASSES)
def test_one_character_of_another_class_is_enough(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = long_runs._found_by_tiktoken

    def other(asked: str, characters: str) -> str:
        found = honest(asked, characters)
        return found + "x" if asked == kind else found

    monkeypatch.setattr(long_runs, "_found_by_tiktoken", other)
    assert not long_runs.is_safe(O200K, "Tiếng Việt")
    with pytest.raises(UncountableTextError) as caught:
        load_tokenizer("o200k_base").count(" " * MILLION + "ế")
    assert str(caught.value) == REFUSED.format("o200k_base")


@pytest.mark.parametrize("pattern", [r"[^\r\n]?\s+|\S+\s*?|\s+(?!\S)", O200K.replace("1,3", "1,2")])
def test_a_pattern_that_was_never_compared_is_not_trusted(pattern: str) -> None:
    assert not long_runs.is_safe(pattern, "plain")


def test_a_run_too_long_for_a_pattern_of_the_user_is_refused() -> None:
    ranks = {bytes([byte]): byte for byte in range(256)}
    pattern = O200K.replace("1,3", "1,2")
    mine = TiktokenTokenizer("mine", ranks, pattern, {}, digest="", source="a test")
    assert mine.count("a run") == 5
    with pytest.raises(UncountableTextError) as caught:
        mine.count(" " * MILLION)
    assert str(caught.value) == REFUSED.format("mine")
    assert mine.count("still alive") == 11
