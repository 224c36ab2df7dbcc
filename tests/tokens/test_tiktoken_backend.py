"""Counts and ids are those of tiktoken, built from the official rank files."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, normalizers

from tokenlint.errors import TokenizerError
from tokenlint.tokens import load_tokenizer, tiktoken_backend, vocabularies
from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

if TYPE_CHECKING:
    from collections.abc import Callable

pytest_plugins = ["reference_engines"]
pytestmark = pytest.mark.usefixtures("no_network")

NAMES = ["o200k_base", "o200k_harmony", "cl100k_base"]
SPECIAL = [
    "<|endoftext|>",
    "<|endofprompt|>",
    "<|start|>",
    "<|end|>",
    "<|fim_prefix|>",
    "<|im_start|>",
]
BYTES = {bytes([byte]): byte for byte in range(256)}


@pytest.mark.parametrize(("name", "more"), [("o200k_base", []), ("qwen2.5", ["tokenizers"])])
def test_the_identity_is_the_fingerprint_and_who_counts(name: str, more: list[str]) -> None:
    tokenizer = load_tokenizer(name)
    assert isinstance(tokenizer, TiktokenTokenizer)
    said = [tokenizer.fingerprint]
    for package in ("tiktoken", *more):
        said += package, version(package)
    assert tokenizer.identity.split() == said


TEXTS = [
    "",
    " ",
    "\n",
    "hello world",
    "You're testing state-of-the-art models.",
    "Tất nhiên, tôi sẽ giúp bạn",
    unicodedata.normalize("NFD", "Tất nhiên, tôi sẽ giúp bạn"),
    "أَنْتَ مُسَاعِدٌ مُفِيدٌ.",
    "你是一个乐于助人的助手。\nあなたは親切なアシスタントです。",
    "คุณเป็นผู้ช่วยที่มีประโยชน์",
    "आप एक सहायक हैं",
    "\U0001f44d\U0001f3fd \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1fb\U0001f1f3",
    "def f(x):\n\treturn x ** 2  # squared\n",
    "# Role\r\n\r\nYou help.\r\n",
    "\ufeffYou are a helper.\n",
    "1234567890 3.14 2026-10-17 ½ Ⅷ",
    "  two  spaces  \n\n\n  and lines \t\t tabs",
    '{"text": "\\uc694\\uc57d\\ud574"}',
    "<|endoftext|>",
    "The marker <|endoftext|> ends a document.\n",
    "<|start|>system<|message|>Say yes.<|end|>\n",
    "Complete: <|fim_prefix|>def f(<|fim_suffix|>\n<|fim_middle|>",
    "<|endoftext|><|endoftext|> <|endofprompt|>\n<|endof",
    "\x00\x1b[31m\x7f",
    "bad \ud83d end",
    "\ud83d\ude00 a pair, \ude00\ud83d the wrong way round",
    "a" * 5000 + " " * 5000,
]

UNHURRIED = settings(deadline=None)
"The first example may load an engine."

# Ordinary characters and special strings, whole and broken.
ANY_TEXT = st.lists(
    st.one_of(
        st.text(max_size=8), st.sampled_from([*SPECIAL, "<|", "|>", "<|end", "\ud83d", "\u0323"])
    )
).map("".join)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", TEXTS)
def test_ids_are_those_of_tiktoken(
    name: str, text: str, reference: Callable[[str], tiktoken.Encoding]
) -> None:
    tokenizer = load_tokenizer(name)
    expected = reference(name).encode(text, disallowed_special=())
    assert tokenizer.encode(text) == expected
    assert tokenizer.count(text) == len(expected)
    assert tokenizer.decode(expected) == reference(name).decode(expected)
    assert tokenizer.pieces(text) == reference(name).decode_tokens_bytes(expected)
    control = reference(name).encode(text, allowed_special="all")
    assert tokenizer.encode(text, control=True) == control


@pytest.mark.parametrize("name", NAMES)
@UNHURRIED
@given(text=ANY_TEXT)
def test_ids_of_any_text_are_those_of_tiktoken(
    name: str, text: str, reference: Callable[[str], tiktoken.Encoding]
) -> None:
    tokenizer, tik = load_tokenizer(name), reference(name)
    assert tokenizer.encode(text) == tik.encode(text, disallowed_special=())
    assert tokenizer.encode(text, control=True) == tik.encode(text, allowed_special="all")


@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [
        ("cl100k_base", "<|endoftext|>", [100257]),
        ("o200k_base", "a<|endoftext|>b", [64, 199999, 65]),
        ("o200k_base", "<|start|>", [27, 91, 5236, 91, 29]),
        ("o200k_harmony", "<|start|>", [200006]),
        ("o200k_harmony", "<|reserved_200013|>", [200013]),
    ],
)
def test_control_tokens_are_read_where_asked(name: str, text: str, ids: list[int]) -> None:
    assert load_tokenizer(name).encode(text, control=True) == ids
    assert load_tokenizer(name).decode(ids) == text


@pytest.mark.parametrize("name", NAMES)
def test_special_tokens_and_names(name: str, reference: Callable[[str], tiktoken.Encoding]) -> None:
    tokenizer = load_tokenizer(name)
    assert set(tokenizer.special_tokens) == reference(name).special_tokens_set
    assert tokenizer.name == name
    assert tokenizer.source == "tokenlint's own data"
    assert not tokenizer.normalizes_nfc
    assert tokenizer.normalize("Ba\u0323n \ud83d") == "Ba\u0323n \ufffd"


# --- lone surrogates


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("bad \ud83d end", "bad \ufffd end"),
        ("\udc80", "\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),
        ("\ud83d<|endoftext|>\ude00", "\ufffd<|endoftext|>\ufffd"),
    ],
)
@pytest.mark.parametrize("control", [False, True])
def test_lone_surrogates_are_the_replacement_character(
    text: str, seen: str, *, control: bool
) -> None:
    tokenizer = load_tokenizer("o200k_base")
    assert tokenizer.encode(text, control=control) == tokenizer.encode(seen, control=control)
    assert b"".join(tokenizer.pieces(text)).decode() == seen


# --- ids and bytes


def test_ids_that_cut_a_character_decode_to_the_replacement_character() -> None:
    bytewise = TiktokenTokenizer("bytes", BYTES, r"[\s\S]", {}, digest="", source="a test")
    assert bytewise.decode(bytewise.encode("ế")[:2]) == "\ufffd"
    assert bytewise.decode([]) == ""


@pytest.mark.parametrize("number", [-1, 200500, 10**6, 2**32, 10**30])
def test_an_id_that_is_none_is_named(number: int) -> None:
    with pytest.raises(TokenizerError) as caught:
        load_tokenizer("o200k_base").decode([64, number])
    assert str(caught.value) == f"o200k_base has no token with the id {number}"


# --- one engine, many names


def test_another_name_has_the_same_engine() -> None:
    tokenizer = load_tokenizer("o200k_base")
    assert isinstance(tokenizer, TiktokenTokenizer)
    other = tokenizer.named("mine")
    assert (tokenizer.name, other.name) == ("o200k_base", "mine")
    assert other._encoding is tokenizer._encoding
    assert other.fingerprint == tokenizer.fingerprint
    assert other.encode("text") == tokenizer.encode("text")


def made(**changes: Any) -> TiktokenTokenizer:
    arguments: dict[str, Any] = {
        "name": "mine",
        "ranks": BYTES,
        "pattern": r"\S+|\s+",
        "special_tokens": {"<|end|>": 300, "<|start|>": 301},
        "digest": "0" * 64,
        "source": "mine.tiktoken",
    }
    return TiktokenTokenizer(**(arguments | changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "other"},
        {"source": "elsewhere"},
        {"special_tokens": {"<|start|>": 301, "<|end|>": 300}},
    ],
)
def test_what_ids_do_not_depend_on_is_not_in_the_fingerprint(changes: dict[str, Any]) -> None:
    assert made(**changes).fingerprint == made().fingerprint


@pytest.mark.parametrize(
    "changes",
    [
        {"digest": "1" * 64},
        {"pattern": r"\s+|\S+"},
        {"nfc": True},
        {"special_tokens": {}},
        {"special_tokens": {"<|end|>": 301, "<|start|>": 300}},
    ],
)
def test_what_ids_depend_on_is_in_the_fingerprint(changes: dict[str, Any]) -> None:
    assert made(**changes).fingerprint != made().fingerprint


def test_the_mapping_of_the_caller_is_copied() -> None:
    special = {"<|end|>": 300}
    tokenizer = made(special_tokens=special)
    special["a"] = 1
    assert tokenizer.encode("a<|end|>", control=True) == [97, 300]


def test_the_longest_special_string_is_read() -> None:
    special = {"<|a": 300, "<|a|>": 301, "|>": 302}
    assert made(special_tokens=special).encode("x<|a|><|a <|a|", control=True) == [
        120, 301, 300, 32, 300, 124,
    ]  # fmt: skip


def test_without_special_tokens_control_changes_nothing() -> None:
    tokenizer = made(special_tokens={})
    assert tokenizer.encode("<|end|>", control=True) == list(b"<|end|>")


# --- normalising


# Marks that Python's tables and those of `tokenizers` may compose differently are among them.
@UNHURRIED
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_nfc_is_that_of_tokenizers(text: str) -> None:
    tokenizer = made(nfc=True, pattern=r"[\s\S]+")
    seen = normalizers.NFC().normalize_str(text)
    assert tokenizer.normalizes_nfc
    assert tokenizer.normalize(text) == seen
    assert bytes(tokenizer.encode(text)) == seen.encode()


def test_normalising_breaks_no_special_string() -> None:
    text = "<|end|>\u0338"  # composed, the last two are U+226F, and no special string is left
    tokenizer = made(nfc=True)
    assert tokenizer.encode(text, control=True) == [300, *"\u0338".encode()]
    assert bytes(tokenizer.encode(text)) == "<|end|\u226f".encode()


def test_ascii_needs_no_normaliser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(tiktoken_backend, "_nfc")
    assert made(nfc=True).count("plain") == 5


# --- what cannot be a tokenizer


@pytest.mark.parametrize(
    "changes",
    [
        {"ranks": {}},
        {"pattern": "("},
        {"special_tokens": {"<|end|>": -1}},
        {"ranks": BYTES | {b"ab": 97}},  # the engine panics, which is no `Exception`
    ],
)
def test_what_the_engine_refuses_is_one_sentence(changes: dict[str, Any]) -> None:
    with pytest.raises(TokenizerError) as caught:
        made(**changes)
    sentence = r"mine\.tiktoken: no tokenizer can be made of it \([^\n]+\)"
    assert re.fullmatch(sentence, str(caught.value))


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_an_interruption_is_not_a_refusal(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(tiktoken, "Encoding", interrupt)
    with pytest.raises(type(error)):
        made()


def test_an_error_without_a_text_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(tiktoken, "Encoding", refuse)
    with pytest.raises(TokenizerError) as caught:
        made()
    assert str(caught.value) == "mine.tiktoken: no tokenizer can be made of it (RuntimeError)"


# --- DeepSeek, on the engine of its own file


@cache
def deepseek() -> Tokenizer:
    return Tokenizer.from_buffer(vocabularies.find_raw("deepseek")[0])


@pytest.mark.parametrize("text", [text for text in TEXTS if "\ud83d" not in text])
def test_deepseek_is_cut_like_its_tokenizer_file(text: str) -> None:
    if vocabularies.locate("deepseek") is None:
        pytest.skip("the extra 'deepseek' is not installed")
    expected = deepseek().encode(text, add_special_tokens=False).ids
    assert load_tokenizer("deepseek-v3").encode(text) == expected
