"""What holds for every text, whichever tokenizer."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.errors import TokenizerError
from tokenlint.tokens import load_tokenizer

if TYPE_CHECKING:
    from tokenlint.tokens.tokenizer import Tokenizer

pytest_plugins = ["reference_engines"]
pytestmark = pytest.mark.usefixtures("no_network")

NAMES = ["o200k_base", "cl100k_base", "qwen2.5", "deepseek-v3"]

UNHURRIED = settings(deadline=None)
"The first example may load an engine."

ANY_TEXT = st.lists(
    st.one_of(
        st.text(max_size=6),
        st.sampled_from(
            ["\u0323", "\u0338", "\u1100\u1161", "\ud83d", "<|endoftext|>", " ", "\r\n"]
        ),
    )
).map("".join)


def tokenizer(name: str) -> Tokenizer:
    try:
        return load_tokenizer(name)
    except TokenizerError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", NAMES)
@UNHURRIED
@given(text=ANY_TEXT)
def test_the_same_text_comes_back(name: str, text: str) -> None:
    some = tokenizer(name)
    seen, ids = some.normalize(text), some.encode(text)
    assert some.decode(ids) == seen
    assert b"".join(some.pieces(text)) == seen.encode()
    assert len(some.pieces(text)) == len(ids) == some.count(text)
    assert some.normalize(seen) == seen
    assert some.encode(seen) == ids


# Of the text as it is cut: for Qwen the bytes of the text itself are no bound, since its NFC can
# be longer (U+0958, three bytes, becomes two letters of three bytes each).
@pytest.mark.parametrize("name", NAMES)
@UNHURRIED
@given(text=ANY_TEXT)
def test_there_are_at_most_as_many_tokens_as_bytes(name: str, text: str) -> None:
    some = tokenizer(name)
    assert some.count(text) <= len(some.normalize(text).encode())


def test_nfc_can_cost_more_than_the_bytes_of_the_text_suggest() -> None:
    qwen = tokenizer("qwen2.5")
    assert qwen.normalize("\u0958") == "\u0915\u093c"


@UNHURRIED
@given(text=ANY_TEXT)
def test_a_tokenizer_that_normalises_counts_nfd_like_nfc(text: str) -> None:
    qwen = tokenizer("qwen2.5")
    text = qwen.normalize(text)
    decomposed = unicodedata.normalize("NFD", text)
    if qwen.normalize(decomposed) == text:  # the tables of Python and of the tokenizer may differ
        assert qwen.encode(decomposed) == qwen.encode(text)


@pytest.mark.parametrize("name", NAMES)
@UNHURRIED
@given(text=ANY_TEXT)
def test_control_tokens_decode_to_the_same_text(name: str, text: str) -> None:
    some = tokenizer(name)
    if not some.normalizes_nfc:  # NFC may compose across the end of a control string
        assert some.decode(some.encode(text, control=True)) == some.normalize(text)


# --- fingerprints

SHARED = ["o200k_base", "o200k_harmony", "cl100k_base"]


@pytest.mark.parametrize(("one", "other"), list(combinations(SHARED, 2)))
def test_encodings_have_fingerprints_of_their_own(one: str, other: str) -> None:
    assert load_tokenizer(one).fingerprint != load_tokenizer(other).fingerprint


def test_a_model_has_the_fingerprint_of_its_encoding() -> None:
    prints = {load_tokenizer(name).fingerprint for name in ("gpt-4o", "o3", "o200k_base")}
    assert len(prints) == 1
    assert all(len(print_) == 64 for print_ in prints)


# --- what an import costs


@pytest.mark.parametrize("module", ["tokenlint", "tokenlint.tokens", "tokenlint.tokens.loading"])
def test_an_import_brings_no_engine(module: str) -> None:
    code = (
        f"import sys, {module}\n"
        "engines = {'tiktoken', 'tokenizers', 'regex', 'huggingface_hub', 'requests', 'numpy'}\n"
        "print(sorted(engines & sys.modules.keys()))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout == "[]\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_counting_before_and_after_a_fork_says_nothing() -> None:
    code = (
        "import os, tokenizers, tokenlint.tokens as tokens\n"
        "count = tokens.load_tokenizer('o200k_base').count\n"
        "nfc = tokenizers.normalizers.NFC().normalize_str\n"
        "assert count(nfc('Tiếng Việt')) == 3\n"
        "child = os.fork()\n"
        "assert count(nfc('Tiếng Việt')) == 3\n"
        "assert not child or os.waitpid(child, 0)[1] == 0"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert (ran.stdout, ran.stderr) == ("", "")
