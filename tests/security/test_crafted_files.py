"""Files of tokenizers that somebody made to do harm: a sentence, no crash, and no false count."""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest

from tokenlint.errors import TokenizerError, UncountableTextError
from tokenlint.tokens import Loader, TokenizerTable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

BPE = {"type": "BPE", "vocab": {"a": 0, "b": 1, "!": 2}, "merges": []}
PLAIN: dict[str, Any] = {"version": "1.0", "added_tokens": [], "model": BPE}
RANKS = b"".join(b"%b %d\n" % (b64encode(bytes([byte])), byte) for byte in range(256))


def replace(content: str, pattern: Mapping[str, str] | None = None) -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern or {"String": "a"}, "content": content}


def sequence(*steps: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "normalizers": steps}


def split(pattern: str) -> dict[str, Any]:
    return {
        "type": "Split",
        "pattern": {"Regex": pattern},
        "behavior": "Isolated",
        "invert": False,
    }


def nested(levels: int) -> bytes:
    opened, closed = b'{"type":"Sequence","normalizers":[', b"]}"
    whole = json.dumps({**PLAIN, "normalizer": "HERE"}).encode()
    return whole.replace(b'"HERE"', opened * levels + closed * levels)


WORD_PIECE: dict[str, Any] = {
    "type": "WordPiece",
    "vocab": {"[UNK]": 0, "a": 1},
    "unk_token": "[UNK]",
}
WORD_PIECE |= {"continuing_subword_prefix": "", "max_input_chars_per_word": 10**9}

GROWS = "makes texts grow beyond all bounds"
REFUSED: list[tuple[Any, str]] = [
    (b"", "EOF while parsing"),
    (b"\0" * 99, "expected value"),
    (b'{"model":' + b"[" * 100_000, "recursion limit exceeded"),
    (nested(5_000), "recursion limit exceeded"),
    ({**PLAIN, "normalizer": replace("a" * 101)}, f"its Replace {GROWS}"),
    ({**PLAIN, "normalizer": sequence(*[replace("a" * 30)] * 3)}, f"its Replace {GROWS}"),
    (
        {**PLAIN, "normalizer": sequence(
            sequence(replace("a" * 90)), replace("a" * 90, {"Regex": ""}), replace("aa")
        )},
        f"its Replace {GROWS}",
    ),
    ({**PLAIN, "normalizer": sequence(*[{"type": "NFC"}] * 200)}, "it takes more than 200 steps"),
    ({**PLAIN, "normalizer": {"type": "Prepend", "prepend": "a" * 101}}, f"its Prepend {GROWS}"),
    ({**PLAIN, "model": {**BPE, "continuing_subword_prefix": "#" * 101}}, "is longer than 100"),
    ({**PLAIN, "model": WORD_PIECE}, "its max_input_chars_per_word is above 10,000"),
    ({**PLAIN, "normalizer": {"type": "Precompiled", "precompiled_charsmap": "////"}}, ""),
    ({**PLAIN, "model": {"type": "Unigram", "unk_id": 7, "vocab": [["a", -1.0]]}}, ""),
    ({**PLAIN, "model": {**BPE, "merges": [["a", "zz"]]}}, ""),
    ({**PLAIN, "model": {**BPE, "vocab": {"a": -1}}}, ""),
    ({**PLAIN, "model": {**BPE, "vocab": {"a": 2**32}}}, ""),
    ({**PLAIN, "pre_tokenizer": split("(")}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("content", "said"), REFUSED)
def test_a_tokenizer_json_is_refused(tmp_path: Path, content: Any, said: str) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    with pytest.raises(TokenizerError) as caught:
        Loader(tmp_path).require(str(file))
    sentence = str(caught.value)
    assert sentence.startswith(f"{file}: not a usable tokenizer.json (")
    assert said in sentence
    assert "\n" not in sentence


UNCOUNTABLE = [
    ({**PLAIN, "pre_tokenizer": split("(a+)+$")}, "a" * 40 + "!"),
    ({**PLAIN, "pre_tokenizer": split("(a|aa)+$")}, "a" * 60 + "!"),
    ({**PLAIN, "model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "none"}}, "b"),
]


@pytest.mark.parametrize(("content", "text"), UNCOUNTABLE)
def test_a_text_that_the_engine_gives_up(tmp_path: Path, content: Any, text: str) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(content), "utf-8")
    with pytest.raises(UncountableTextError, match="cannot cut this text"):
        Loader(tmp_path).require(str(file)).count(text)


def test_padding_and_truncation_do_not_count(tmp_path: Path) -> None:
    content = {
        **PLAIN,
        "truncation": {
            "direction": "Right", "max_length": 1, "strategy": "LongestFirst", "stride": 0,
        },
        "padding": {
            "strategy": {"Fixed": 10**12}, "direction": "Right", "pad_to_multiple_of": None,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "x",
        },
    }  # fmt: skip
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(content), "utf-8")
    assert Loader(tmp_path).require(str(file)).count("aabb") == 4


# `.tiktoken` files, and patterns of one's own

BAD_RANKS = [
    (b"", "no token for the byte 0x00"),
    (b"YQ== 0\n" * 2, "the same token stands on two lines"),
    (b"YQ== 0\nYg== 0\n", "the same rank stands on two lines"),
    (b"YQ== x\n", "expected lines of a base64 token and its rank"),
    (b"YQ==\n", "expected lines of a base64 token and its rank"),
    (b"\xff\xfe 1\n", "no token for the byte"),
    (RANKS.replace(b"YQ== 97", b"YWE= 97"), "no token for the byte 0x61"),
    (RANKS.replace(b"YQ== 97", b"YQ== -1"), ""),
    (RANKS.replace(b"YQ== 97", b"YQ== 99999999999"), ""),
]


@pytest.mark.parametrize(("content", "said"), BAD_RANKS)
def test_a_rank_file_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "a.tiktoken"
    file.write_bytes(content)
    loader = Loader(tmp_path, {"mine": TokenizerTable(str(file), pattern="o200k_base")})
    with pytest.raises(TokenizerError) as caught:
        loader.require("mine").count("a")
    assert str(caught.value).startswith(f"{file}: ")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "text", "why"),
    [
        ("a", "ab", "its pattern leaves some of the text out"),
        ("(a+)+$", "aaa!", "its pattern leaves some of the text out"),
        ("[^\\n]+", "a\nb", "its pattern leaves some of the text out"),
        ("", "a", "its pattern breaks the engine"),
    ],
)
def test_a_pattern_cannot_make_text_disappear(
    tmp_path: Path, pattern: str, text: str, why: str
) -> None:
    """tiktoken counts what the pattern matches, and says nothing of the rest."""
    file = tmp_path / "a.tiktoken"
    file.write_bytes(RANKS)
    loader = Loader(tmp_path, {"mine": TokenizerTable(str(file), pattern=pattern)})
    for cut in (loader.require("mine").count, loader.require("mine").encode):
        with pytest.raises(UncountableTextError, match=why):
            cut(text)


def test_a_pattern_that_matches_everything_counts(tmp_path: Path) -> None:
    file = tmp_path / "a.tiktoken"
    file.write_bytes(RANKS)
    loader = Loader(tmp_path, {"mine": TokenizerTable(str(file), pattern=r"\w+|\W")})
    assert loader.require("mine").count("ab \u1ea1") == 6


def test_a_process_survives_what_breaks_an_engine(tmp_path: Path) -> None:
    """In a process of its own: what an engine does to it could not be caught here."""
    (tmp_path / "t.json").write_bytes(nested(5_000))
    (tmp_path / "u.json").write_text(
        json.dumps({**PLAIN, "pre_tokenizer": split("(a+)+$")}), "utf-8"
    )
    (tmp_path / "a.md").write_text("a" * 99 + "!", "utf-8")
    for name in ("./t.json", "./u.json"):
        ran = subprocess.run(
            [sys.executable, "-m", "tokenlint", "count", "a.md", "-t", name],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 2
        assert "Traceback" not in ran.stderr
        assert "error: " in ran.stderr
