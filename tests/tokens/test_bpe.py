"""The small BPE: what it learns, how it cuts, and that the fast engines agree with it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.tokens.bpe import (
    Alphabet,
    Bpe,
    Merge,
    Pairs,
    byte_alphabet,
    character_alphabet,
    train,
)
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.equivalence import spelled_bytes
from tokenlint.tokens.hf_backend import from_json
from tokenlint.tokens.training import SIMPLE, Recipe, Trained
from tokenlint.tokens.training import train as train_quickly

TWO_LANGUAGES = (
    "the student reads the lesson and the teacher reads the answer " * 180
    + "الطالب يقرأ الدرس والمعلم يقرأ الجواب " * 20
)
UNHURRIED = settings(deadline=None)

WORDS = st.lists(
    st.one_of(st.text("ab", min_size=1, max_size=6), st.text("abé", max_size=3)), max_size=12
)
TEXTS = WORDS.map(" ".join)
"Few letters, so that pairs repeat, overlap and tie."


def judged(text: str, most: int, at_least: int, end: str) -> list[tuple[str, str, int]]:
    """The merges by the book: every pair counted anew each time, the first of the best taken."""
    words = Counter((*word, end) for word in text.split())
    merges: list[tuple[str, str, int]] = []
    while len(merges) < most:
        counts: Counter[tuple[str, str]] = Counter()
        for word, times in words.items():
            for pair in pairwise(word):
                counts[pair] += times
        if not counts or max(counts.values()) < at_least:
            break
        (left, right), count = counts.most_common(1)[0]  # equal ones by first appearance
        merges.append((left, right, count))
        words = Counter({rejoined(word, left, right): n for word, n in words.items()})
    return merges


def rejoined(word: tuple[str, ...], left: str, right: str) -> tuple[str, ...]:
    out, at = [], 0
    while at < len(word):
        here = word[at : at + 2] == (left, right)
        out.append(left + right if here else word[at])
        at += 1 + here
    return tuple(out)


def shown(bpe: Bpe[str]) -> list[tuple[str, str, int]]:
    return [(merge.left, merge.right, merge.count) for merge in bpe.merges]


def test_nothing_to_learn() -> None:
    assert train("", byte_alphabet(SIMPLE), 10).merges == ()
    assert train(" \n", character_alphabet(), 10).pieces == ()
    assert train("a b c", character_alphabet(), 10).merges == ()
    assert len(train("", byte_alphabet(SIMPLE), 10).ids) == 256


def test_six_words() -> None:
    bpe = train("lower lowest newer newest wider widest", character_alphabet(), 6)
    assert shown(bpe) == [
        ("w", "e", 4),
        ("r", "</w>", 3),
        ("s", "t", 3),
        ("st", "</w>", 3),
        ("l", "o", 2),
        ("lo", "we", 2),
    ]
    assert bpe.encode("lowest wider") == ["lowe", "st</w>", "w", "i", "d", "e", "r</w>"]


def test_the_language_that_is_seen_less_is_cut_finer() -> None:
    bpe = train(TWO_LANGUAGES, character_alphabet("_"), 40)
    assert len(bpe.merges) == 40
    assert bpe.encode("the teacher reads the lesson") == [
        "the_",
        "teacher_",
        "reads_",
        "the_",
        "lesson_",
    ]
    assert len(bpe.encode("المعلم يقرأ الدرس")) == 12


def test_merges_are_frozen() -> None:
    with pytest.raises(AttributeError):
        Merge("a", "b", 2).count = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "merges"),
    [
        ("ab ab", [("a", "b", 2), ("ab", ".", 2)]),
        ("ba ab ba ab", [("b", "a", 2), ("ba", ".", 2), ("a", "b", 2), ("ab", ".", 2)]),
        ("aaa", [("a", "a", 2)]),  # two places, though only one join comes of them
        ("aaaa", [("a", "a", 3)]),
        ("xab ab xab", [("a", "b", 3), ("ab", ".", 3), ("x", "ab.", 2)]),
    ],
)
def test_ties_go_to_the_first_to_appear(text: str, merges: list[tuple[str, str, int]]) -> None:
    assert shown(train(text, character_alphabet("."), 10)) == merges


@given(text=TEXTS, at_least=st.integers(1, 3), most=st.integers(0, 30))
def test_counts_that_are_updated_are_those_of_counting_anew(
    text: str, at_least: int, most: int
) -> None:
    assert shown(train(text, character_alphabet("."), most, at_least)) == judged(
        text, most, at_least, "."
    )


@given(text=TEXTS, other=st.text("ab \né"))
def test_characters_come_back_with_single_spaces(text: str, other: str) -> None:
    bpe = train(text + " a b \u00e9", character_alphabet(), 20)
    assert bpe.decode(bpe.ids[piece] for piece in bpe.encode(other)) == " ".join(other.split())


@pytest.mark.parametrize(
    ("end", "word"), [("_", "snake_case"), ("</w>", "</w>"), ("", "a"), ("aa", "ba")]
)
def test_an_end_marker_that_text_holds_is_refused(end: str, word: str) -> None:
    with pytest.raises(ValueError, match=f"^'{word}' holds the end marker '{end}': choose another"):
        train(f"{word} b", character_alphabet(end), 5)


PATTERNS = {"simple": SIMPLE} | {name: known.pattern for name, known in ENCODINGS.items()}


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
@UNHURRIED
@given(text=st.text())
def test_bytes_come_back_as_they_were(pattern: str, text: str) -> None:
    bpe = train(text, byte_alphabet(pattern), 20)
    assert bpe.decode(bpe.ids[piece] for piece in bpe.encode(text)) == text


def test_half_a_character_is_shown_as_damaged() -> None:
    bpe = train("", byte_alphabet(SIMPLE), 0)
    assert bpe.decode([0xC3]) == "\ufffd"
    assert bpe.decode([0xC3, 0xA9]) == "é"


# The fast engines.


def trained(text: str, size: int, pattern: str = SIMPLE) -> Trained:
    return train_quickly([text], Recipe(size, pattern, nfc=False))


def read_back(tokenizer: Trained, pattern: str = SIMPLE) -> Bpe[bytes]:
    """Our own BPE with the merges of a trained tokenizer."""
    alphabet: Alphabet[bytes] = byte_alphabet(pattern)
    pairs = [tuple(map(spelled_bytes, merge)) for merge in tokenizer.merges]
    return Bpe(alphabet, alphabet.letters, tuple(Merge(left, right, 0) for left, right in pairs))


@pytest.mark.parametrize("name", ["simple", "o200k_base"])
@UNHURRIED
@given(text=TEXTS, other=TEXTS | st.text(max_size=20))
def test_a_trained_tokenizer_cuts_as_ours_does(name: str, text: str, other: str) -> None:
    quick = trained(text, 280, PATTERNS[name])
    loaded = from_json(quick.raw, name="t", source="t.json")
    assert loaded.pieces(other) == read_back(quick, PATTERNS[name]).encode(other)


@UNHURRIED
@given(text=TEXTS)
def test_the_trainer_always_joins_a_pair_that_is_seen_most(text: str) -> None:
    quick = trained(text, 290)
    pairs = Pairs(Counter(byte_alphabet(SIMPLE).words(text)))
    tied = False
    for merge in quick.merges:
        most = pairs.best().count
        left, right = map(spelled_bytes, merge)
        assert pairs.counts[left, right] == most >= 2
        tied = tied or Counter(pairs.counts.values())[most] > 1
        pairs.join(left, right)
    if not tied:
        ours = train(text, byte_alphabet(SIMPLE), len(quick.merges))
        assert [(m.left, m.right) for m in ours.merges] == [
            tuple(map(spelled_bytes, merge)) for merge in quick.merges
        ]


def test_without_ties_both_learn_the_same() -> None:
    text = "ab\n" * 9 + "cd\n" * 7 + "abg\n" * 3
    ours = train(text, byte_alphabet(SIMPLE), 10)
    assert ours.merges == (
        Merge(b"a", b"b", 12),
        Merge(b"c", b"d", 7),
        Merge(b"ab", b"g", 3),
    )
    assert trained(text, 266).merges == (("a", "b"), ("c", "d"), ("ab", "g"))


def test_tiktoken_cuts_as_ours_does() -> None:
    ours = train(TWO_LANGUAGES, byte_alphabet(SIMPLE), 60)
    engine = tiktoken.Encoding("ours", pat_str=SIMPLE, mergeable_ranks=ours.ids, special_tokens={})
    text = "the readers answer the teacher, والطالب يقرأ"
    assert engine.encode(text) == [ours.ids[piece] for piece in ours.encode(text)]
