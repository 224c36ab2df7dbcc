"""The engine of the extra `fast`: it counts what tiktoken counts, or it is not asked."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokenlint.cli import main
from tokenlint.errors import TokenizerError
from tokenlint.tokens import fast_engine, known, load_tokenizer
from tokenlint.tokens.counts import Counts
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.fast_classes import is_sure
from tokenlint.tokens.fast_engine import VARIABLE, FastEngine
from tokenlint.tokens.rank_files import Packed, Published
from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer
from tokenlint.tokens.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import tiktoken

pytest_plugins = ["reference_engines"]

NAMES = ("o200k_base", "cl100k_base")
needs_extra = pytest.mark.skipif(
    find_spec("toktok") is None,
    reason="the extra fast is not installed: pip install 'pytest-tokenbudget[fast]'",
)


def made(name: str, said: str) -> TiktokenTokenizer:
    """A tokenizer of its own, under what the environment says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(known, "ENGINES", {})
        patch.setenv(VARIABLE, said)
        tokenizer = load_tokenizer(name)
    assert isinstance(tokenizer, TiktokenTokenizer)
    return tokenizer


@cache
def plain(name: str) -> TiktokenTokenizer:
    return made(name, "tiktoken")


@cache
def judge(name: str) -> tiktoken.Encoding:
    return plain(name).engine


@cache
def fast(name: str) -> FastEngine:
    found = made(name, "fast").fast
    assert found is not None
    return found


@cache
def ids(name: str) -> Callable[[str], list[int]]:
    """The ids that the engine itself gives."""
    found: Callable[[str], list[int]] = import_module("toktok")._encoding(name).encode_ordinary
    return found


def never(part: str) -> int:
    raise AssertionError(f"tiktoken was asked for {part[:40]!a}")


def tiktoken_count(name: str, text: str) -> int:
    return len(judge(name).encode(text, disallowed_special=()))


# --- when it is not asked


@pytest.mark.parametrize("name", ["p50k_base", "r50k_base", "gpt2", "qwen2.5"])
def test_other_vocabularies_have_none(name: str) -> None:
    assert known._fast(ENCODINGS[name], Packed(b"", "", "")) is None


def test_vocabularies_from_elsewhere_have_none() -> None:
    assert known._fast(ENCODINGS["o200k_base"], Published(b"", "", "")) is None


def test_the_environment_can_forbid_it() -> None:
    assert plain("o200k_base").fast is None


def test_an_engine_that_is_none() -> None:
    with pytest.raises(TokenizerError) as caught:
        made("o200k_base", "tikt0ken")
    assert str(caught.value) == (
        "TOKENLINT_ENGINE=tikt0ken: no such engine; set it to tiktoken or fast"
    )


@pytest.mark.parametrize(
    ("said", "allowed"), [(None, True), ("", True), ("fast", True), ("tiktoken", False)]
)
def test_what_the_environment_says(
    said: str | None, allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if said is not None:
        monkeypatch.setenv(VARIABLE, said)
    assert fast_engine.is_allowed() is allowed


def test_short_texts_import_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("A short text. " * 3_000, "utf-8")  # too long for plain Python
    code = (
        "import sys; from tokenlint.cli import main; main(['count', '--no-cache', 'a.md']); "
        "print(sorted({'tiktoken', 'toktok', 'tokenlint.tokens.fast_classes'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines()[-1] == "['tiktoken']"


@pytest.fixture
def not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "toktok", None)


@pytest.mark.usefixtures("not_installed")
def test_where_it_is_not_installed_tiktoken_counts() -> None:
    tokenizer = made("o200k_base", "")
    assert tokenizer.fast is not None
    assert tokenizer.fast.count("a " * fast_engine.WORTH_IT, never) is None
    assert tokenizer.count("\x00 of a text " * 100_000) == 500_000
    assert tokenizer.fast.description == "not used: the extra fast is not installed"


@pytest.mark.usefixtures("not_installed", "no_engines")
def test_where_it_is_demanded_and_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "fast")
    (tmp_path / "a.md").write_text("text", "utf-8")
    assert main(["count", "a.md"]) == 2
    assert capsys.readouterr().err == (
        "error: TOKENLINT_ENGINE=fast: the extra fast is not installed; install it with: "
        "pip install 'pytest-tokenbudget[fast]', or unset the variable\n"
    )


@pytest.mark.usefixtures("not_installed", "no_engines")
@pytest.mark.parametrize(
    ("said", "expected"),
    [("tiktoken", []), ("", ["long texts   not used: the extra fast is not installed"])],
)
def test_a_tokenizer_says_whether_it_is_used(
    said: str,
    expected: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(VARIABLE, said)
    assert main(["tokenizers", "cl100k_base"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("long texts")] == expected


@needs_extra
def test_a_version_that_nobody_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = made("cl100k_base", "")
    monkeypatch.setattr(import_module("toktok"), "__version__", "9.9")
    assert tokenizer.fast is not None
    assert tokenizer.fast.count("a " * fast_engine.WORTH_IT, never) is None
    why = "toktok 9.9 was not compared with tiktoken, only 0.3.0 was"
    assert tokenizer.fast.description == f"not used: {why}"
    with pytest.raises(TokenizerError, match=why):
        made("cl100k_base", "fast")


@needs_extra
def test_other_tokens_than_the_published_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    def engine() -> FastEngine:
        """One that is to have the tokens of another vocabulary."""
        tokens = list(judge("o200k_base").token_byte_values())
        return FastEngine("cl100k_base", ENCODINGS["cl100k_base"].pattern, lambda: tokens)

    text = "a " * fast_engine.WORTH_IT
    assert engine().count(text, never) is None
    monkeypatch.setenv(VARIABLE, "fast")
    demanded = engine()
    with pytest.raises(TokenizerError) as caught:
        demanded.count("a", never)
    assert str(caught.value) == (
        "TOKENLINT_ENGINE=fast: toktok 0.3.0 has other tokens for cl100k_base than OpenAI "
        "published; install it with: pip install 'pytest-tokenbudget[fast]', or unset the variable"
    )


# --- when it is asked


@needs_extra
def test_it_is_left_until_it_pays() -> None:
    engine, text = made("o200k_base", "").fast, "one two " * 62_500
    assert engine is not None
    assert [engine.count(text, never) for _ in range(3)] == [None, 125_001, 125_001]
    assert engine.description == "toktok 0.3.0, from 1,000,000 characters on"


@needs_extra
def test_a_text_in_parts_is_long_from_the_first_one_on() -> None:
    tokenizer = made("o200k_base", "")
    known_counts = Counts(workers=Workers(3, _seen=10**6))
    text = "The quick brown fox,\n" * 60_000
    assert known_counts.begin(text, tokenizer)() == tiktoken_count("o200k_base", text)
    known_counts.workers.stop()
    assert tokenizer._engine.made is None


@needs_extra
def test_once_demanded_it_counts_always() -> None:
    assert fast("o200k_base").count("Xin ch\u00e0o", never) == 3
    assert fast("o200k_base").description == "toktok 0.3.0, always"


@needs_extra
def test_the_tokens_of_harmony_are_those_of_o200k() -> None:
    text = "<|start|>user<|message|>Hi<|end|> " * 40
    engine = made("o200k_harmony", "fast").fast
    assert engine is not None
    assert engine.count(text, never) == tiktoken_count("o200k_base", text)


@needs_extra
@pytest.mark.parametrize("said", ["", "fast"])
def test_counts_are_kept_for_all_engines_alike(said: str) -> None:
    assert made("o200k_base", said).identity == plain("o200k_base").identity


# --- what it says

SAFE = "plain text and 123 numbers, isn't it?\n" * 2_000


@needs_extra
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "odd", ["l'\u017f'st", "'\u017fe", "\u0295A", "\U0001e6d5'll", "\u088f'll"]
)
def test_the_parts_around_unsure_characters_go_to_tiktoken(name: str, odd: str) -> None:
    left: list[str] = []

    def otherwise(part: str) -> int:
        left.append(part)
        return tiktoken_count(name, part)

    text = f"{SAFE}{odd} {SAFE}{odd}\n{SAFE}"
    assert fast(name).count(text, otherwise) == tiktoken_count(name, text)
    assert [part.count(odd) for part in left] == [1, 1]
    assert sum(map(len, left)) < 10_000


@needs_extra
@pytest.mark.parametrize("name", NAMES)
def test_a_text_that_cannot_be_cut_goes_to_tiktoken_whole(name: str) -> None:
    text = "\u4f60\u597d\u017f" * 9_000
    assert fast(name).count(text, len) == len(text)


CONTEXTS = ("1{}2345", "{}'really", "  {}x", "a{}B", "A{}'LL", "!{}/\n", "{0}{0}", "\u4e2d{}\u0301")
"Texts that come to other ids where a character is taken for another kind."


@needs_extra
@pytest.mark.parametrize("name", NAMES)
def test_every_sure_character_in_many_places(name: str) -> None:
    sure = [chr(n) for n in range(0x110000) if not 0xD800 <= n < 0xE000 and is_sure(chr(n))]
    for start in range(0, len(sure), 4_096):
        around = (text.format(char) for char in sure[start : start + 4_096] for text in CONTEXTS)
        text = "\n~".join(around)
        assert ids(name)(text) == judge(name).encode(text, disallowed_special=()), start


KINDS = (
    *(" ", "  ", "\n", "\r\n", "\t", "\x0b", "\u00a0", "\u3000", "\u2028", "/", "!", "...", "1"),
    *("12", "'s", "'S", "'ll", "'LL", "'re", "'v", "'", "\u2019s", "'\u017f", "\u212a", "a", "B"),
    *("Word", "tokenization", "\u0130", "\u01c5", "Vi\u1ec7t", "e\u0323\u0302", "\u0661\u0662"),
    *("\u041f\u0440\u0438", "\u4f60\u597d", "\u30c6\u30b9\u30c8", "\ud55c\uae00", "\u0645\u0631"),
    *("\u0e44\u0e17\u0e22", "\u0928\u092e\u0938\u094d", "\u0bb5\u0ba3", "\u1004\u103a", "\ufeff"),
    *("\u200d", "\u200b", "\ufe0f", "\U0001f469\u200d\U0001f4bb", "\U0001f44d\U0001f3fd"),
    *("\U0001f1fb\U0001f1f3", "\U0001fa77", "<|endoftext|>"),
)
TEXTS = st.lists(
    st.sampled_from(KINDS) | st.text(max_size=6) | st.text(st.characters(max_codepoint=126))
).map("".join)


@needs_extra
@settings(max_examples=200)
@given(TEXTS)
@example("")
@example("\ud83d\ude00 \ud800")
@example("\n" * 40 + " \n x")
@pytest.mark.parametrize("name", NAMES)
def test_generated_texts(name: str, text: str) -> None:
    text = plain(name).normalize(text)
    expected = judge(name).encode(text, disallowed_special=())
    found = fast(name).count(text, lambda part: tiktoken_count(name, part))
    assert found == len(expected)
    if is_sure(text):
        assert ids(name)(text) == expected


def random_bytes(size: int) -> bytes:
    return hashlib.shake_128(b"the same each time").digest(size)


LONG = {
    "a": "a" * 10**6,
    "newlines": "\n" * 300_000,
    "exclamation marks": "!" * 300_000,
    "base64": base64.b64encode(random_bytes(300_000)).decode(),
    "digits": str(int.from_bytes(random_bytes(1_500), "big")) * 50,
    "marks": "e" + "\u0301" * 100_000,
    "Thai": "\u0e01\u0e32" * 100_000,
    "joined emoji": "\U0001f469\u200d" * 50_000,
    "upper and lower": "aB" * 100_000,
    "lines of nothing": " \n\t" * 60_000,
    "no-break spaces": "\u00a0" * 200_000 + "x",
    "spaces": " " * 10**6,
    "spaces and a letter": " " * 10**6 + "x",
}


@needs_extra
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_long_runs(name: str, text: str) -> None:
    assert fast(name).count(text, never) == plain(name).count(text)


@needs_extra
def test_many_threads_and_both_vocabularies_at_once() -> None:
    texts = [f"{number} {SAFE}Ti\u1ebfng Vi\u1ec7t {'x' * number}" for number in range(24)]

    def count(job: tuple[str, str]) -> Any:
        return fast(job[0]).count(job[1], never)

    jobs = [(name, text) for text in texts for name in NAMES]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(count, jobs)) == [tiktoken_count(*job) for job in jobs]
