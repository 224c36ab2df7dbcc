"""Paths into parsed files: what they mean, and one sentence for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tokenlint.errors import ExtractError
from tokenlint.tokens.extract import ALL, Extract
from tokenlint.tokens.extract.path import EVERY, Step, below, steps

WORDS = ["all", "body", "jinja", "chat"]


def key(name: str) -> Step:
    return Step(name)


def number(index: int) -> Step:
    return Step(str(index), index)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("system", [key("system")]),
        ("prompts.*.system", [key("prompts"), EVERY, key("system")]),
        ("messages[*].content", [key("messages"), EVERY, key("content")]),
        ('$.a["key with.dots"][0]', [key("a"), key("key with.dots"), number(0)]),
        ("$", []),
        ("$[0]", [number(0)]),
        ('$["a"]', [key("a")]),
        ("[0]", [number(0)]),
        ("[-1]", [number(-1)]),
        ("*", [EVERY]),
        ("[*][*]", [EVERY, EVERY]),
        ("a.0.b", [key("a"), number(0), key("b")]),
        ("a.-1", [key("a"), number(-1)]),
        ('a["0"]', [key("a"), key("0")]),
        ("a.007", [key("a"), Step("007", 7)]),
        ("a['it\\'s']", [key("a"), key("it's")]),
        ('a["q\\"\\\\"]', [key("a"), key('q"\\')]),
        ('a["\'"]', [key("a"), key("'")]),
        ("a[ * ][ 'k' ]", [key("a"), EVERY, key("k")]),
        ('[""]', [key("")]),
        ("two words.b", [key("two words"), key("b")]),
        ("l\u1eddi nh\u1eafc.h\u1ec7", [key("l\u1eddi nh\u1eafc"), key("h\u1ec7")]),
        ("$a.$", [key("$a"), key("$")]),
        ("all.body", [key("all"), key("body")]),
        ("$.all", [key("all")]),
    ],
)  # fmt: skip
def test_a_path_is_read(path: str, expected: list[Step]) -> None:
    assert list(steps(path)) == expected
    assert Extract.parse(path) == Extract("path", path)
    assert str(Extract.parse(path)) == path


QUOTES = 'is written in brackets and quotes, such as ["a key"]'
ALONE = "* stands alone, for all of a list or of a mapping"
ENDS = "a key in quotes ends with the same quote, and a backslash stands before \\ or a quote"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", "1: a key is missing here"),
        ("$.", "3: a key is missing here"),
        (".", "1: a key is missing here"),
        (".a", "1: a key is missing here"),
        ("a.", "3: a key is missing here"),
        ("a..b", "2: '..' (at any depth) is not read; name each key on the way, or write *"),
        ("$..b", "2: '..' (at any depth) is not read; name each key on the way, or write *"),
        ("a.[0]", "2: no dot stands before a bracket"),
        ("a[0]b", "5: a dot is missing before a key"),
        ("a[0]X", "5: a dot is missing before a key"),
        ("a" * 59 + "]", "60: ']' closes no bracket"),
        ("a[0", "2: '[' is never closed"),
        ("a[]", "2: an index, a key in quotes or * is missing between the brackets"),
        ("a[ ]", "2: an index, a key in quotes or * is missing between the brackets"),
        ("a[1:3]", "2: slices are not read; write * or one index"),
        ("a[:]", "2: slices are not read; write * or one index"),
        ("a[0,1]", "2: one index or one key stands in brackets; write * for all"),
        (
            "a[?(@.x)].b",
            "2: filters are not read; write * and have one path for each kind",
        ),
        ("a[b]", '2: a key in brackets has quotes, such as ["b"]'),
        ("a[1.5]", '2: a key in brackets has quotes, such as ["1.5"]'),
        ("a[1234567890123456]", "2: an index of more than 15 digits is none"),
        ("a['x\"]", f"2: {ENDS}"),
        ('a["\\n"]', f"2: {ENDS}"),
        ("a]", "2: ']' closes no bracket"),
        ("a*", f"2: {ALONE}"),
        ("a.*b", f"3: {ALONE}"),
        ("**", f"1: {ALONE}"),
        ("a.b ", f"4: a space at either end of a key {QUOTES}"),
        ("a. b", f"3: a space at either end of a key {QUOTES}"),
        ("it's", f"3: ' in a key {QUOTES}"),
        ('"a"', f'1: " in a key {QUOTES}'),
    ],
)
def test_a_mistake_in_a_path_is_one_sentence(path: str, expected: str) -> None:
    with pytest.raises(ExtractError) as caught:
        Extract.parse(path)
    assert str(caught.value) == f"{path!r} is no path, column {expected}"


def test_a_long_path_is_shown_by_its_beginning() -> None:
    with pytest.raises(ExtractError) as caught:
        Extract.parse("\x1b" + "a" * 100 + "]")
    assert str(caught.value) == (
        f"'\\x1b{'a' * 59}...' is no path, column 102: ']' closes no bracket"
    )


@given(st.text(st.sampled_from("ab0-.[]*'\"\\$? :,\n")))
@example("a[0].")
def test_any_text_is_a_path_or_has_a_mistake(text: str) -> None:
    try:
        found = steps(text)
    except ExtractError:
        return
    assert found or text == "$"


@given(st.lists(st.text(min_size=0), min_size=1))
def test_what_names_a_key_is_read_as_that_key(keys: list[str]) -> None:
    path = "$" + "".join(below(name) for name in keys)
    assert [step.key for step in steps(path)] == keys


@pytest.mark.parametrize("word", WORDS)
def test_a_word_names_a_kind(word: str) -> None:
    assert Extract.parse(word).kind == str(Extract.parse(word)) == word


def test_the_whole_file_is_what_nobody_asked_for() -> None:
    assert ALL == Extract() == Extract.parse("all")


def test_a_template_can_have_variables_and_is_a_key_of_dicts() -> None:
    how = Extract.parse("jinja", Path("values.yaml"))
    assert how == Extract("jinja", variables=Path("values.yaml"))
    assert {how: 1}[Extract.parse("jinja", Path("values.yaml"))] == 1


@pytest.mark.parametrize("word", ["all", "body", "chat", "prompts.*"])
def test_variables_are_for_templates_only(word: str) -> None:
    with pytest.raises(ExtractError) as caught:
        Extract.parse(word, Path("values.yaml"))
    assert str(caught.value) == f"variables are for extract = 'jinja' only, and here it is {word!r}"
