"""Streams of tokens in a test's hands."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pytest_tokenbudget
from console import ROOT, blocks
from pytest_tokenbudget import incremental

if TYPE_CHECKING:
    from conftest import Project
    from pytest_tokenbudget.streams import TokenStream

NAME = "Nguy\u1ec5n V\u0103n A s\u1ebd \u0111\u1ebfn"
NAIVE = ["Ng", "uy", "\ufffd", "\ufffd", "n", " V", "\u0103", "n", " A", " s"]
NAIVE += ["\ufffd", "\ufffd", " \u0111", "\u1ebfn"]
WHOLE = ["Ng", "uy", "", "\u1ec5", "n", " V", "\u0103", "n", " A", " s"]
WHOLE += ["", "\u1ebd", " \u0111", "\u1ebfn"]


@pytest.fixture(scope="session")
def tokenizer() -> str:
    """What a conftest.py of a user may say."""
    return "cl100k_base"


def test_a_name_in_fourteen_tokens(token_stream: TokenStream) -> None:
    assert list(token_stream(NAME, naive=True)) == NAIVE
    assert list(incremental(token_stream(NAME))) == WHOLE
    assert list(token_stream.incremental(token_stream(NAME))) == WHOLE


def test_another_tokenizer_for_one_call(token_stream: TokenStream) -> None:
    expected = ["Ng", "uy\u1ec5n", " V\u0103n", " A", " s\u1ebd", " \u0111\u1ebfn"]
    assert list(token_stream(NAME, "o200k_base", naive=True)) == expected
    assert list(token_stream(NAME, tokenizer="o200k_base")) == [p.encode() for p in expected]


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
@given(text=st.text())
def test_the_text_comes_back_and_there_is_a_string_for_each_token(
    token_stream: TokenStream, name: str, text: str
) -> None:
    pieces = list(token_stream(text, name))
    decoded = list(incremental(pieces))
    assert b"".join(pieces).decode() == "".join(decoded) == text
    assert len(decoded) == len(pieces) == len(list(token_stream(text, name, naive=True)))


@given(raw=st.binary(), cuts=st.lists(st.integers(min_value=0, max_value=40)))
def test_however_bytes_are_cut_they_mean_what_they_mean_together(
    raw: bytes, cuts: list[int]
) -> None:
    ends = [0, *sorted(cuts), len(raw)]
    chunks = [raw[start:end] for start, end in pairwise(ends)]
    chunks = [chunk for chunk in chunks if chunk]
    assert "".join(incremental(chunks)) == b"".join(chunks).decode(errors="replace")


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([], []),
        ([b""], [""]),
        ([b"a", b"", b"b"], ["a", "", "b"]),
        ([b"\xe1\xba", b"\xbd"], ["", "\u1ebd"]),
        ([b"a", b"\xe1\xba"], ["a", "", "\ufffd"]),
        ([b"\xe1", b"a"], ["", "\ufffda"]),
        ([b"\xff", b"a"], ["\ufffd", "a"]),
    ],
)
def test_what_is_cut_off_shows_at_the_end_only(chunks: list[bytes], expected: list[str]) -> None:
    assert list(incremental(chunks)) == expected


def test_it_decodes_while_it_reads() -> None:
    def sent() -> object:
        yield b"\xe1\xba"
        yield b"\xbd"
        raise ConnectionError

    stream = incremental(sent())  # type: ignore[arg-type]
    assert [next(stream), next(stream)] == ["", "\u1ebd"]
    with pytest.raises(ConnectionError):
        next(stream)


def test_the_fixture_tokenizer_and_files(project: Project) -> None:
    source = """
import pytest

@pytest.fixture(scope="session", params=["o200k_base", "cl100k_base"])
def tokenizer(request):
    return request.param

def test_of_the_fixture(token_stream, tokenizer):
    assert len(list(token_stream("Nguy\\u1ec5n"))) == {"o200k_base": 2, "cl100k_base": 5}[tokenizer]
"""
    assert project.run({"test_it.py": source}).outcomes == {"passed": 2}
    source = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("tokenizer", ["cl100k_base"])
def test_parametrized(token_stream, tokenizer):
    assert len(list(token_stream("Nguy\\u1ec5n"))) == 5

def test_file(token_stream):
    assert list(token_stream(Path("a.md"))) == [b"one", b" two", b"\\n"]
"""
    ran = project.run({"test_it.py": source, "a.md": b"\xef\xbb\xbfone two\r\n"})
    assert (ran.outcomes, ran.failures) == ({"passed": 2}, {})


def test_the_first_of_the_tokenizers_of_a_run_sends(project: Project) -> None:
    source = """
def test_it(token_stream):
    assert len(list(token_stream("Nguy\\u1ec5n"))) == 5
"""
    both = ("--tokenbudget-tokenizer=cl100k_base", "--tokenbudget-tokenizer=o200k_base")
    assert project.run({"test_it.py": source}, *both).outcomes == {"passed": 1}


def test_mistakes_are_one_sentence(project: Project) -> None:
    source = """
def test_several(token_stream):
    token_stream("a", ["o200k_base", "cl100k_base"])

def test_unknown(token_stream):
    token_stream("a", "o200k_bass")

def test_bytes(token_stream):
    token_stream(b"a")
"""
    failures = project.run({"test_it.py": source}).failures
    assert failures["test_several"] == (
        "Failed: token_stream: a stream is of one tokenizer; name a single one"
    )
    assert failures["test_unknown"].startswith("Failed: unknown tokenizer 'o200k_bass'")
    assert failures["test_bytes"] == ("Failed: expected a str, or a path for a file, found bytes")


def test_the_example_of_the_documentation(project: Project) -> None:
    document = (ROOT / "docs" / "explain.md").read_text("utf-8")
    (example,) = blocks(document, "python")
    ran = project.run({"test_it.py": example})
    assert (ran.outcomes, ran.failures) == ({"passed": 1}, {})
    broken = example.replace("incremental(chunks)", "(c.decode(errors='replace') for c in chunks)")
    assert broken != example
    assert list(project.run({"test_it.py": broken}).failures) == ["test_no_letter_breaks"]


def test_nothing_heavy_is_imported_for_it(project: Project) -> None:
    source = """
import sys

def test_it(token_stream):
    assert not {"tiktoken", "tokenizers", "regex"} & set(sys.modules)
    list(token_stream("one"))
    assert "tiktoken" in sys.modules
"""
    project.write({"test_it.py": source})
    plugins = ("-p", "no:hypothesispytest", "-p", "no:xdist", "-p", "no:cov")
    result = project.pytester.runpytest_subprocess(*plugins)
    assert result.parseoutcomes() == {"passed": 1}


def test_the_promise_is_kept_without_loading_it() -> None:
    assert "incremental" in pytest_tokenbudget.__all__
    assert pytest_tokenbudget.incremental is sys.modules["tokenlint.tokens.streaming"].incremental
