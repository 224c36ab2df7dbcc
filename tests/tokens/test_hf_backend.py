"""Counting with a tokenizer.json: literally, exactly, and with a sentence for a damaged one."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import (
    AddedToken,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

from tokenlint.errors import TokenizerError, UncountableTextError
from tokenlint.tokens.hf_backend import HfTokenizer, from_json

if TYPE_CHECKING:
    from collections.abc import Callable

SENTENCES = [
    "the quick brown fox jumps over the lazy dog, the end",
    "you are a helpful assistant; answer in one sentence",
    "Tiếng Việt có dấu, và tất nhiên tôi sẽ giúp bạn",
    "Les élèves français sont allés à l'école",
    "日本語のテキストをここに書きます",
    "def count(text):\n    return len(text)\n",
]
ALPHABET = pre_tokenizers.ByteLevel.alphabet()


def loaded(engine: Tokenizer, **changes: object) -> HfTokenizer:
    """The engine through its JSON, with top-level keys replaced."""
    spec = json.loads(engine.to_str()) | changes
    return from_json(json.dumps(spec).encode(), name="small", source="small.json")


def trained(engine: Tokenizer, trainer: Any) -> Tokenizer:
    engine.train_from_iterator(SENTENCES * 3, trainer)
    # One marker of each kind of flag; `encode_special_tokens` would leave the second alive.
    engine.add_special_tokens([AddedToken("<|turn|>", normalized=False, special=True)])
    engine.add_tokens([AddedToken("<tool_call>", normalized=False)])
    engine.add_tokens([AddedToken("<stop>", normalized=True, lstrip=True, rstrip=True)])
    return engine


def byte_level() -> Tokenizer:
    engine = Tokenizer(models.BPE())
    engine.normalizer = normalizers.NFC()
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    engine.decoder = decoders.ByteLevel()
    engine.post_processor = processors.ByteLevel(trim_offsets=True)
    trainer = trainers.BpeTrainer(vocab_size=400, initial_alphabet=ALPHABET, show_progress=False)
    return trained(engine, trainer)


def byte_level_with_prefix_space() -> Tokenizer:
    engine = byte_level()
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    return engine


def byte_level_in_the_normalizer() -> Tokenizer:
    engine = byte_level()
    engine.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.ByteLevel()])
    engine.pre_tokenizer = pre_tokenizers.Split(" ", "isolated")
    return engine


def word_piece() -> Tokenizer:
    engine = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    engine.normalizer = normalizers.BertNormalizer()
    engine.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    engine.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    trainer = trainers.WordPieceTrainer(vocab_size=300, special_tokens=special, show_progress=False)
    engine = trained(engine, trainer)
    ends = [("[CLS]", 2), ("[SEP]", 3)]
    engine.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", special_tokens=ends)
    return engine


def unigram() -> Tokenizer:
    engine = Tokenizer(models.Unigram())
    engine.normalizer = normalizers.NFKC()
    engine.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    engine.decoder = decoders.Metaspace(prepend_scheme="always")
    trainer = trainers.UnigramTrainer(
        vocab_size=200, special_tokens=["<unk>", "<s>"], unk_token="<unk>", show_progress=False
    )
    return trained(engine, trainer)


def byte_fallback() -> Tokenizer:
    """A Llama 2 in small: marks for spaces, and bytes for characters that it does not know."""
    pieces = ["<unk>", "<s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    pieces += ["\u2581", *"abcdefghijklmnopqrstuvwxyz<>_", "\u2581t", "he", "\u2581the"]
    merges = [("\u2581", "t"), ("h", "e"), ("\u2581t", "he")]
    vocabulary = {piece: id_ for id_, piece in enumerate(pieces)}
    engine = Tokenizer(
        models.BPE(vocabulary, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    )
    marks = [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
    engine.normalizer = normalizers.Sequence(marks)
    engine.add_special_tokens(["<unk>", "<s>"])
    return engine


def word_level() -> Tokenizer:
    engine = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    engine.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    special = ["[UNK]", "[CLS]"]
    return trained(engine, trainers.WordLevelTrainer(special_tokens=special, show_progress=False))


KINDS: list[Callable[[], Tokenizer]] = [
    byte_level,
    byte_level_with_prefix_space,
    byte_level_in_the_normalizer,
    word_piece,
    unigram,
    byte_fallback,
    word_level,
]


@cache
def json_of(make: Callable[[], Tokenizer]) -> str:
    return make().to_str()  # training breaks ties at random, so it is done once


def engine_of(make: Callable[[], Tokenizer]) -> Tokenizer:
    return Tokenizer.from_str(json_of(make))


@cache
def small(make: Callable[[], Tokenizer]) -> HfTokenizer:
    return loaded(engine_of(make))


@pytest.fixture(params=KINDS, ids=[make.__name__ for make in KINDS])
def tokenizer(request: pytest.FixtureRequest) -> HfTokenizer:
    return small(request.param)


# Ordinary text


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("make", KINDS)
def test_ordinary_text_has_the_ids_of_the_engine(make: Callable[[], Tokenizer], text: str) -> None:
    ids = engine_of(make).encode(text, add_special_tokens=False).ids
    assert small(make).encode(text) == ids
    assert small(make).encode(text, control=True) == ids


def test_name_source_and_fingerprint() -> None:
    raw = json_of(byte_level).encode()
    tokenizer = from_json(raw, name="mine", source="a/tokenizer.json")
    assert (tokenizer.name, tokenizer.source) == ("mine", "a/tokenizer.json")
    assert tokenizer.fingerprint == hashlib.sha256(raw).hexdigest()
    other = tokenizer.named("other")
    assert (other.name, other.fingerprint) == ("other", tokenizer.fingerprint)
    assert tokenizer.name == "mine"


def test_the_identity_is_the_file_and_who_counts() -> None:
    tokenizer = small(byte_level)
    assert tokenizer.identity.split() == [
        *(tokenizer.fingerprint, "tokenizers", version("tokenizers")),
        *("tiktoken", version("tiktoken"), unicodedata.unidata_version),
    ]


def test_special_tokens_are_all_added_tokens_whatever_their_flag() -> None:
    assert list(small(byte_level).special_tokens) == ["<|turn|>", "<tool_call>", "<stop>"]


@pytest.mark.parametrize("more", [[], ["    "]])
def test_truncation_padding_and_dropout_are_off(more: list[str]) -> None:
    engine = engine_of(byte_level)
    engine.add_tokens(more)
    engine.enable_truncation(2)
    engine.enable_padding(length=50)
    spec = json.loads(engine.to_str())
    spec["model"]["dropout"] = 0.9
    tokenizer = from_json(json.dumps(spec).encode(), name="x", source="x")
    text = SENTENCES[0]
    assert tokenizer.encode(text) == small(byte_level).encode(text)
    assert tokenizer.encode(text, control=True) == small(byte_level).encode(text)


# Control strings


def test_a_literal_text_never_yields_a_control_id(tokenizer: HfTokenizer) -> None:
    controls = set(tokenizer.special_tokens.values())
    unknown = {tokenizer.special_tokens.get(name) for name in ("[UNK]", "<unk>")}
    for marker in tokenizer.special_tokens:
        for text in (marker, f"the{marker}end", f" {marker} {marker}\n"):
            assert not controls.intersection(tokenizer.encode(text)) - unknown, text


def test_as_a_control_token_each_marker_is_one_id(tokenizer: HfTokenizer) -> None:
    for marker, id_ in tokenizer.special_tokens.items():
        assert id_ in tokenizer.encode(f"the {marker} end", control=True)


def test_a_marker_costs_what_its_characters_cost_whatever_its_special_flag() -> None:
    # The same string is control for one tokenizer and text for another, so a count that is to
    # compare them is literal for all, also where the engine's own switch would leave it alive.
    engine = engine_of(byte_level)
    plain = loaded(engine, added_tokens=[])
    tokenizer = loaded(engine)
    for marker in tokenizer.special_tokens:
        assert tokenizer.encode(marker) == plain.encode(marker)
        assert tokenizer.count(marker) > 1
        assert tokenizer.encode(marker, control=True) == [tokenizer.special_tokens[marker]]
    engine.encode_special_tokens = True
    assert len(engine.encode("<tool_call>").ids) == 1


@pytest.mark.parametrize(
    ("rstrip", "control"),
    [
        (False, ["<|end|>", "\n", "<|user|>", "\n", "a"]),
        (True, ["<|end|>", "<|user|>", "a"]),
    ],
)
def test_a_marker_swallows_the_newline_after_it_only_as_a_control_token(
    rstrip: bool, control: list[str]
) -> None:
    engine = engine_of(byte_level)
    engine.add_tokens([AddedToken(t, rstrip=rstrip, special=True) for t in ("<|end|>", "<|user|>")])
    tokenizer = loaded(engine)
    text = "<|end|>\n<|user|>\na"
    ids = tokenizer.encode(text, control=True)
    assert [tokenizer.decode([id_]) for id_ in ids] == control
    assert tokenizer.encode(text) == small(byte_level).encode(text)
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_a_unigram_piece_of_a_marker_is_spelled_and_ids_stay() -> None:
    pieces = [("<unk>", 0.0), ("<s>", -1.0), *((c, -5.0) for c in "<s>\u2581hi"), ("hi", -2.0)]
    engine = Tokenizer(models.Unigram(pieces, 0))
    engine.add_special_tokens(["<unk>", "<s>"])
    tokenizer = loaded(engine)
    assert tokenizer.encode("<s>hi", control=True) == [1, 8]
    assert tokenizer.encode("<s>hi") == [2, 3, 4, 8]
    not_special = Tokenizer(models.Unigram(pieces, 0))
    not_special.add_tokens(["<s>"])
    assert loaded(not_special).encode("<s>hi") == [2, 3, 4, 8]
    assert tokenizer.encode("hi?") == [8, 0]
    assert loaded(engine, added_tokens=[]).encode("<s>hi") == [1, 8]


def test_merges_do_not_rebuild_a_marker() -> None:
    vocabulary = {piece: id_ for id_, piece in enumerate(["<", "s", ">", "<s", "<s>", "s>", "x"])}
    engine = Tokenizer(models.BPE(vocabulary, [("<", "s"), ("<s", ">"), ("s", ">")]))
    engine.add_special_tokens(["<s>"])
    assert loaded(engine, added_tokens=[]).encode("<s>x") == [4, 6]
    assert loaded(engine).encode("<s>x") == [3, 2, 6]
    assert loaded(engine).encode("<s>x", control=True) == [4, 6]
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    assert loaded(engine).encode("<s>x") == [3, 2, 6]


def test_a_whole_word_of_a_word_level_model_is_not_a_marker() -> None:
    tokenizer = small(word_level)
    unknown = tokenizer.special_tokens["[UNK]"]
    assert tokenizer.encode("[CLS] nowhere [UNK]") == [unknown] * 3
    assert tokenizer.encode("[CLS]", control=True) == [tokenizer.special_tokens["[CLS]"]]


def test_added_white_space_is_ordinary_text_and_keeps_its_id() -> None:
    # GPT-NeoX, Phi and Gemma read indentation with such tokens; nobody can open a turn with it.
    engine = engine_of(byte_level)
    engine.add_tokens([AddedToken("    ", normalized=False), AddedToken("\t\t", normalized=False)])
    tokenizer = loaded(engine)
    four, tabs = tokenizer.special_tokens["    "], tokenizer.special_tokens["\t\t"]
    ids = tokenizer.encode("if x:\n    <|turn|>\t\ty")
    assert four in ids
    assert tabs in ids
    assert tokenizer.special_tokens["<|turn|>"] not in ids
    for token in tokenizer.literal.get_added_tokens_decoder().values():
        assert not token.content.strip() or tokenizer.fingerprint in token.content
    assert b"    " in tokenizer.pieces("if x:\n    y\u0302")


def test_a_plain_word_among_the_added_tokens_stays_the_piece_that_it_is() -> None:
    engine = engine_of(word_level)
    before = loaded(engine)
    word = engine.token_to_id("helpful")
    engine.add_tokens(["helpful"])
    assert loaded(engine).encode("a helpful fox") == before.encode("a helpful fox")
    assert word in loaded(engine).encode("a helpful fox")


# Normalising


@pytest.mark.parametrize(
    ("normalizer", "expected"),
    [
        (None, False),
        (normalizers.Sequence([]), False),
        (normalizers.NFD(), False),
        (normalizers.Lowercase(), False),
        (normalizers.BertNormalizer(strip_accents=True), False),
        (normalizers.NFC(), True),
        (normalizers.NFKC(), True),
        (normalizers.Sequence([normalizers.Lowercase(), normalizers.NFKC()]), True),
        (normalizers.Sequence([normalizers.NFC(), normalizers.Prepend("\u2581")]), True),
    ],
)
def test_normalizes_nfc_is_what_the_normalizer_does(normalizer: Any, expected: bool) -> None:
    engine = Tokenizer(models.WordLevel({"a": 0}, unk_token="a"))
    if normalizer is not None:
        engine.normalizer = normalizer
    assert loaded(engine).normalizes_nfc is expected


def test_nfd_costs_nothing_more_where_the_tokenizer_composes() -> None:
    text = "Tất nhiên, tôi sẽ giúp bạn"
    decomposed = unicodedata.normalize("NFD", text)
    assert small(byte_level).encode(decomposed) == small(byte_level).encode(text)
    assert small(byte_level).normalize(decomposed) == text


def test_the_marks_of_sentencepiece_are_not_part_of_the_normalised_text() -> None:
    assert small(byte_fallback).normalize("the end") == "the end"


# Decoding


@pytest.mark.parametrize("id_", [-1, 10**6, 1 << 32, 1 << 80])
def test_an_id_that_is_not_there_is_refused(id_: int) -> None:
    with pytest.raises(TokenizerError) as caught:
        small(byte_level).decode([5, id_])
    assert str(caught.value) == f"small has no token with the id {id_}"


def test_control_ids_decode_to_their_strings() -> None:
    tokenizer = small(byte_level)
    ids = tokenizer.encode("a<|turn|>b", control=True)
    assert tokenizer.decode(ids) == "a<|turn|>b"
    assert tokenizer.decode([]) == ""


# Pieces


@pytest.mark.parametrize(
    ("make", "text", "expected"),
    [
        (byte_fallback, "", []),
        (byte_fallback, "the the", [b"the", b" the"]),
        (byte_fallback, "xthe", [b"", b"x", b"t", b"he"]),
        (byte_fallback, " é", [b" ", b"", b"\xc3", b"\xa9"]),
        (byte_fallback, "a\u2581b", [b"", b"a", b"\xe2\x96\x81", b"b"]),
        (word_level, " \n ", []),
        (word_level, " the\n nowhere  ", [b" the", b"\n nowhere  "]),
        (word_piece, "", []),
        (byte_level, "", []),
        (byte_level, "\U0001f600", [b"\xf0", b"\x9f", b"\x98", b"\x80"]),
    ],
)
def test_pieces(make: Callable[[], Tokenizer], text: str, expected: list[bytes]) -> None:
    assert small(make).pieces(text) == expected


def test_a_literal_byte_token_in_a_unigram_text_is_its_own_text() -> None:
    pieces = [("<unk>", 0.0), ("a", -1.0), *((f"<0x{byte:02X}>", -9.0) for byte in range(256))]
    engine = Tokenizer(models.Unigram(pieces, 0, True))
    assert loaded(engine).pieces("aé") == [b"a", b"\xc3", b"\xa9"]
    assert b"".join(loaded(engine).pieces("a<0x41>é")) == "a<0x41>é".encode()


# Laws

TEXTS = st.one_of(
    st.text(),
    st.text(st.sampled_from("the endệa\u0301\u0323 \n\t\u2581<|turn|>[]_日本語ー\u309b\U0001f600")),
    st.lists(
        st.sampled_from(["<|turn|>", "<tool_call>", "<stop>", " ", "the", "<s>", "[CLS]", "<0x41>"])
    ).map("".join),
    st.text(st.characters(categories=["Cs", "L", "M"])),
)


@pytest.mark.parametrize("make", KINDS)
@given(text=TEXTS)
def test_laws(make: Callable[[], Tokenizer], text: str) -> None:
    tokenizer = small(make)
    ids, pieces = tokenizer.encode(text), tokenizer.pieces(text)
    assert tokenizer.count(text) == len(ids) == len(pieces)
    assert not ids or b"".join(pieces) == tokenizer.normalize(text).encode()
    unknown = {tokenizer.special_tokens.get(name) for name in ("[UNK]", "<unk>")}
    assert not set(tokenizer.special_tokens.values()).intersection(ids) - unknown


@given(text=TEXTS)
def test_decoding_gives_the_normalised_text_back(text: str) -> None:
    tokenizer = small(byte_level)
    assert tokenizer.decode(tokenizer.encode(text)) == tokenizer.normalize(text)


# Damage


def spec(**changes: object) -> bytes:
    model = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}
    return json.dumps({"version": "1.0", "added_tokens": [], "model": model} | changes).encode()


def test_behind_a_string_that_was_cut_out_a_word_begins() -> None:
    engine = Tokenizer(models.WordLevel({"x": 0}, "x"))
    engine.add_tokens([AddedToken("\u6f22", normalized=False, special=True)])
    engine.add_tokens([AddedToken("\u0436", normalized=True, single_word=True)])
    text = "a\u6f22\u0436 b\u0436 \u0436"
    judged = engine.encode(text, add_special_tokens=False)
    pairs = zip(judged.ids, judged.offsets, strict=True)
    expected = [span for number, span in pairs if number]
    spans = [span[:2] for span in loaded(engine).control_spans(text)]
    assert spans == expected == [(1, 2), (2, 3), (7, 8)]


def test_added_tokens_that_the_engine_itself_does_not_survive() -> None:
    engine = Tokenizer(models.WordLevel({"x": 0}, "x"))
    engine.normalizer = normalizers.NFC()
    engine.add_tokens([AddedToken("\u0436", normalized=True, rstrip=True)])
    engine.add_tokens([AddedToken(" ", normalized=True, special=True, lstrip=True)])
    why = "the added tokens of a tokenizer: cannot be looked for in this text \\(.*correct its file"
    with pytest.raises(UncountableTextError, match=why):
        list(loaded(engine).control_spans("\u0436 \u0436  \u0436 "))


@pytest.mark.parametrize("special", [True, False])
def test_a_control_token_of_one_character_is_what_text_is_spelled_with(special: bool) -> None:
    vocabulary = {char: at for at, char in enumerate("!ab")} | {"ab": 3, "!!": 4}
    engine = Tokenizer(models.BPE(vocabulary, [("a", "b"), ("!", "!")]))
    plain = engine.encode("ab!!!a!").ids
    engine.add_tokens([AddedToken("!", normalized=False, special=special)])
    tokenizer = loaded(engine)
    assert tokenizer.encode("ab!!!a!") == plain == [3, 4, 0, 1, 0]
    assert b"".join(tokenizer.pieces("ab!!!a!")) == b"ab!!!a!"


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "EOF while parsing a value"),
        (b"tokens!", "expected ident"),
        (b"\xff\xfe\x00", "expected value"),
        (b"[" * 1_000_000, "invalid type: sequence"),
        (b'{"model":' * 100_000, "recursion limit"),
        (b"{}", "Model missing"),
        (spec(model=None), "data did not match"),
        (
            spec(model={"type": "WordLevel", "vocab": {"a": 10**40}, "unk_token": "a"}),
            "floating point",
        ),
        (spec(model={"type": "BPE", "vocab": {}, "merges": []}), "its vocabulary is empty"),
        (spec(model={"type": "WordLevel", "vocab": [1], "unk_token": "a"}), "invalid type"),
        (spec(model={"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]}), "Token `b`"),
        (spec(added_tokens=[{"id": -1}]), "integer `-1`"),
        (spec(added_tokens={"a": 1}), "invalid type: map"),
        (
            spec(normalizer={"type": "Precompiled", "precompiled_charsmap": "AAAA"}),
            "(its precompiled_charsmap is damaged)",
        ),
    ],
)
@pytest.mark.usefixtures("capfd")  # a panic writes to the file descriptor
def test_damaged_files_are_one_sentence(raw: bytes, why: str) -> None:
    with pytest.raises(TokenizerError) as caught:
        from_json(raw, name="x", source="prompts/tokenizer.json")
    message = str(caught.value)
    assert message.startswith("prompts/tokenizer.json: not a usable tokenizer.json (")
    assert message.endswith("); get the file again, or use another tokenizer")
    assert why in message
    assert "\n" not in message
    assert len(message) < 320


def test_a_text_that_the_engine_refuses_is_uncountable() -> None:
    model = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "[UNK]"}
    tokenizer = from_json(spec(model=model), name="x", source="x.json")
    assert tokenizer.count("a") == 1
    for method in (tokenizer.count, tokenizer.encode, tokenizer.pieces):
        with pytest.raises(UncountableTextError) as caught:
            method("b")
        assert str(caught.value) == (
            "x: cannot cut this text (WordLevel error: Missing [UNK] token from the vocabulary); "
            "leave the file out, or use another tokenizer"
        )


def test_an_interrupt_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(raw: bytes) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tokenizers.Tokenizer.from_buffer", interrupted)
    with pytest.raises(KeyboardInterrupt):
        from_json(b"{}", name="x", source="x")
