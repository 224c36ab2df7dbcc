"""`tokenlint tokenizers NAME`: what is inside of a tokenizer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tokenizers import Tokenizer as Engine
from tokenizers import models, normalizers, pre_tokenizers

from tokenlint.cli import main
from tokenlint.commands.tokenizer import as_table, run
from tokenlint.tokens import Loader, load_tokenizer
from tokenlint.tokens.encodings import ENCODINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    import tiktoken

pytest_plugins = ["reference_engines"]
pytestmark = pytest.mark.usefixtures("folder")


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["tokenizers", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def facts(capsys: pytest.CaptureFixture[str], name: str) -> dict[str, Any]:
    assert main(["tokenizers", name, "--output-format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_model_is_its_encoding(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "gpt-4")
    engine = lines.pop(2)
    assert engine.startswith("engine       tiktoken ")
    assert engine.endswith(", BPE")
    assert lines == [
        "name         gpt-4",
        "is           cl100k_base",
        "vocabulary   100,256 tokens, special ones aside",
        "normaliser   none",
        f"splits       {ENCODINGS['cl100k_base'].pattern}",
        "special      100257  <|endoftext|>",
        "             100258  <|fim_prefix|>",
        "             100259  <|fim_middle|>",
        "             100260  <|fim_suffix|>",
        "             100276  <|endofprompt|>",
        f"longest      128 bytes, id 58040: {'·' * 60}...",
        f"fingerprint  {load_tokenizer('cl100k_base').fingerprint}",
        "source       tokenlint's own data",
    ]


def test_many_special_tokens_are_cut_short_unless_all_are_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = shown(capsys, "o200k_harmony")
    assert "             ... and 1,071 more (--all shows them)" in lines
    every = shown(capsys, "o200k_harmony", "--all")
    assert len(every) == len(lines) - 1 + 1071
    assert "             201087  <|reserved_201087|>" in every


def test_as_json(
    capsys: pytest.CaptureFixture[str], reference: Callable[[str], tiktoken.Encoding]
) -> None:
    found, judge = facts(capsys, "cl100k_base"), reference("cl100k_base")
    assert found["vocabulary"] == len(judge.token_byte_values())
    assert found["special_tokens"] == judge._special_tokens
    assert found["splits"] == [judge._pat_str]
    longest = bytes.fromhex(found["longest"]["bytes"])
    assert judge.decode_single_token_bytes(found["longest"]["id"]) == longest
    assert len(longest) == max(map(len, judge.token_byte_values()))
    assert found["longest"]["text"] == longest.decode()
    assert (found["name"], found["resolves_to"]) == ("cl100k_base", "cl100k_base")
    assert found["normalizer"] == []


def small() -> Engine:
    pieces = [("<unk>", 0.0), ("\u2581the", -1.0), ("\u2581", -2.0), ("\u1ec5n", -2.5)]
    engine = Engine(models.Unigram([*pieces, *((c, -3.0) for c in "aeht")], unk_id=0))
    engine.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    engine.pre_tokenizer = pre_tokenizers.Metaspace()
    engine.add_special_tokens(["<unk>", "<s>"])
    return engine


def test_a_tokenizer_json(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small").mkdir()
    small().save("small/tokenizer.json")
    found = facts(capsys, "./small")
    path = str(Path("small/tokenizer.json").resolve())
    assert (found["resolves_to"], found["source"]) == (path, path)
    assert found["engine"].startswith("tokenizers ")
    assert (found["model"], found["vocabulary"], found["normalizes_nfc"]) == ("Unigram", 7, True)
    assert found["normalizer"] == ["NFC", "Lowercase"]
    assert found["splits"] == [
        'Metaspace {"replacement": "\u2581", "prepend_scheme": "always", "split": true}'
    ]
    assert found["special_tokens"] == {"<unk>": 0, "<s>": 8}
    assert found["longest"] == {"id": 1, "bytes": "20746865", "text": " the"}  # or id 3, as long


def test_a_model_without_normaliser_splits_and_special_tokens(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Engine(models.WordLevel({"x": 0}, unk_token="x")).save("t.json")
    lines = shown(capsys, "./t.json")
    assert lines[3:7] == [
        "vocabulary   1 token, special ones aside",
        "normaliser   none",
        "splits       none",
        "special      none",
    ]


class Other:
    """A tokenizer of a plugin, of which nothing is known but what it must say."""

    name = fingerprint = source = "other"
    normalizes_nfc = True

    @property
    def special_tokens(self) -> dict[str, int]:
        return {"<s>": 1}

    def named(self, name: str) -> Other:
        return self


def test_a_tokenizer_of_a_plugin() -> None:
    other: Any = Other()
    opened = run("other", Loader(from_plugins=lambda _: other))
    assert list(as_table(opened)) == [
        "name         other",
        "is           other",
        f"engine       {Other.__module__}.Other, from a plugin",
        "normaliser   applies NFC",
        "splits       not known",
        "special      1  <s>",
        "fingerprint  other",
        "source       other",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("cl100k_bass",), "unknown tokenizer 'cl100k_bass': did you mean cl100k_base?"),
        (("--all",), "--all is for one tokenizer; give its name"),
    ],
)
def test_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    assert main(["tokenizers", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {sentence}")


def test_control_characters_of_a_vocabulary_stay_inside(
    capsys: pytest.CaptureFixture[str],
) -> None:
    engine = small()
    engine.add_special_tokens(["<\x1b[31m\u202e>"])
    engine.save("t.json")
    assert "             9  <\\x1b[31m\\u202e>" in shown(capsys, "./t.json")
