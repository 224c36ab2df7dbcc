"""Tokenizers with patterns of unusual form: the same tokens, from a process that can be ended."""

from __future__ import annotations

import gc
import json
import signal
import subprocess
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer as Engine

from tokenlint.errors import UncountableTextError
from tokenlint.tokens import Loader, TokenizerTable, hf_backend, watched
from tokenlint.tokens.hf_backend import HfTokenizer
from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

UNUSUAL = r"\w+(?=\s)|\w+|\W"
QUADRATIC = "a*b|a|[^a]"
RANKS = {bytes([byte]): byte for byte in range(256)} | {b"ab": 256, "\u1ec7".encode(): 257}
TEXTS = [
    "",
    "a",
    "ab ab",
    "Vi\u1ec7t Nam\n",
    "a <|x|> b",
    "\U0001f600\ud800",
    "a\u0323\u0302",
    "b" * 99,
]


def spec(pattern: str) -> dict[str, Any]:
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    vocabulary = {"a": 0, "b": 1, "ab": 2, " ": 3, "?": 4, "\u1ec7": 5}
    return {
        "version": "1.0",
        "added_tokens": [
            {"id": 6, "content": "<|x|>", "special": True, "normalized": False}
            | dict.fromkeys(("single_word", "lstrip", "rstrip"), False)
        ],
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {**split, "invert": False},
        "model": {"type": "BPE", "vocab": vocabulary, "merges": [["a", "b"]], "unk_token": "?"},
    }


def of_json(pattern: str, folder: Path) -> HfTokenizer:
    (folder / "t.json").write_text(json.dumps(spec(pattern)), "utf-8")
    made = Loader(folder).require("./t.json")
    assert isinstance(made, HfTokenizer)
    return made


def of_ranks(pattern: str, folder: Path) -> TiktokenTokenizer:
    lines = (b"%b %d\n" % (b64encode(token), rank) for token, rank in RANKS.items())
    (folder / "a.tiktoken").write_bytes(b"".join(lines))
    table = TokenizerTable("./a.tiktoken", pattern=pattern, special_tokens={"<|x|>": 300})
    made = Loader(folder, {"mine": table}).require("mine")
    assert isinstance(made, TiktokenTokenizer)
    return made


def test_a_tokenizer_json_counts_as_if_nobody_watched(tmp_path: Path) -> None:
    tokenizer = of_json(UNUSUAL, tmp_path)
    assert tokenizer._watched is not None
    raw = (tmp_path / "t.json").read_bytes()
    alone = hf_backend.from_json(raw, name="t", source="t", watch=False)
    judge = Engine.from_buffer(raw)
    for text in TEXTS:
        assert tokenizer.count(text) == len(alone.encode(text))
        assert tokenizer.encode(text) == alone.encode(text)
        assert tokenizer.pieces(text) == alone.pieces(text)
        assert tokenizer.normalize(text) == alone.normalize(text)
        if "\ud800" not in text:
            assert tokenizer.encode(text, control=True) == judge.encode(text).ids
    assert tokenizer.normalizes_nfc
    assert tokenizer.encode("a <|x|>", control=True)[-1] == 6


def test_a_rank_file_counts_as_if_nobody_watched(tmp_path: Path) -> None:
    tokenizer = of_ranks(UNUSUAL, tmp_path)
    assert tokenizer._watched is not None
    alone = TiktokenTokenizer("t", RANKS, UNUSUAL, {"<|x|>": 300}, digest="", source="t")
    for text in TEXTS:
        assert tokenizer.count(text) == alone.count(text)
        for control in (False, True):
            assert tokenizer.encode(text, control=control) == alone.encode(text, control=control)
        assert tokenizer.pieces(text) == alone.pieces(text)


@pytest.mark.parametrize("make", [of_json, of_ranks])
def test_what_takes_too_long_is_given_up_once(
    make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenizer = make(QUADRATIC, tmp_path)
    assert tokenizer.count("ab" * 9) == 9
    monkeypatch.setattr(watched, "CHARACTERS", 10**9)
    tokenizer._watched.left = 0.3
    process = tokenizer._watched._child._process
    with pytest.raises(UncountableTextError) as caught:
        tokenizer.count("a" * 300_000)  # takes minutes
    assert str(caught.value) == (
        f"{tokenizer.name} takes too long, or too much memory, to cut this text; its patterns are "
        "not of a form that surely takes linear time: correct them, or use another tokenizer"
    )
    assert process.wait(10) != 0
    with pytest.raises(UncountableTextError, match="took too long for a text before this one; its"):
        tokenizer.count("ab")


def test_what_the_engine_says_arrives(tmp_path: Path) -> None:
    with pytest.raises(
        UncountableTextError, match=r"^./t.json: cannot cut this text \(.*\); leave"
    ):
        of_json("(a+)+$", tmp_path).count("a" * 40 + "!")
    with pytest.raises(UncountableTextError, match="its pattern leaves some of the text out"):
        of_ranks("(a+)+$", tmp_path).count("aaa!")


def test_a_process_that_somebody_kills(tmp_path: Path) -> None:
    tokenizer = of_json(UNUSUAL, tmp_path)
    assert tokenizer.count("ab") == 1
    assert tokenizer._watched is not None
    assert tokenizer._watched._child is not None
    tokenizer._watched._child._process.kill()
    with pytest.raises(UncountableTextError, match="takes too long, or too much memory"):
        tokenizer.count("ab")


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="nobody tells")
def test_the_process_is_told_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    tokenizer = of_json(UNUSUAL, tmp_path)
    assert tokenizer.count("a") == 1
    assert tokenizer._watched is not None
    assert tokenizer._watched._child is not None
    told = Path(f"/proc/{tokenizer._watched._child._process.pid}/environ").read_bytes()
    assert b"API_KEY" not in told


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="nothing can be stopped")
def test_a_process_that_does_not_answer(tmp_path: Path) -> None:
    tokenizer = of_json(UNUSUAL, tmp_path)
    assert tokenizer.count("a") == 1
    watching = tokenizer._watched
    assert watching is not None
    assert watching._child is not None
    watching.left = 0.1
    process = watching._child._process
    process.send_signal(signal.SIGSTOP)
    with pytest.raises(UncountableTextError, match="takes too long"):
        tokenizer.count("a")
    assert process.wait(10) != 0


def test_no_process_where_none_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert of_json(r"\w+|\W", tmp_path).count("ab") == 1
    assert of_ranks(r"\w+|\W", tmp_path).count("ab") == 1
    with pytest.raises(
        UncountableTextError,
        match="no process can be started to cut the text in: Resource temporarily unavailable",
    ):
        of_json(UNUSUAL, tmp_path).count("ab")


def test_the_process_ends_with_its_tokenizer(tmp_path: Path) -> None:
    tokenizer = of_json(UNUSUAL, tmp_path)
    assert tokenizer.count("ab") == 1
    assert tokenizer._watched is not None
    assert tokenizer._watched._child is not None
    process = tokenizer._watched._child._process
    assert process.poll() is None
    del tokenizer
    gc.collect()
    assert process.poll() is not None


def test_control_strings_are_looked_for_where_it_can_be_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A token that is found in normalised text makes the normaliser run, with its patterns."""
    content = spec(r"\w+|\W")
    replace = {"type": "Replace", "pattern": {"Regex": "a*b|a"}, "content": "b"}
    content["normalizer"] = {"type": "Sequence", "normalizers": [{"type": "NFC"}, replace]}
    content["added_tokens"][0]["normalized"] = True
    (tmp_path / "t.json").write_text(json.dumps(content), "utf-8")
    tokenizer = Loader(tmp_path).require("./t.json")
    assert isinstance(tokenizer, HfTokenizer)
    assert [span.string for span in tokenizer.control_spans("aab <|x|>")] == ["<|x|>"]
    monkeypatch.setattr(watched, "CHARACTERS", 10**9)
    assert tokenizer._watched is not None
    tokenizer._watched.left = 0.3
    with pytest.raises(UncountableTextError, match="takes too long"):
        [*tokenizer.control_spans("a" * 300_000)]
