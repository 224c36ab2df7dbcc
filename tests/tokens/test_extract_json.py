"""Prompts in JSON and JSON Lines: the values that json.loads gives, and where they stand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from extracting import assert_placed, parts, refusal, texts
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.errors import ExtractError
from tokenlint.tokens.document import Document
from tokenlint.tokens.extract.nodes import Mapping, Node, Scalar, Sequence, nodes_of
from tokenlint.tokens.extract.values import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

NFD = "Vie\u0323\u0302t"


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ('"a prompt"', "$", {"$": "a prompt"}),
        ('{"system": "Be kind."}', "system", {"system": "Be kind."}),
        (' \t\r\n{ "a" : [ "x" , "" ] } \n', "a[*]", {"a[0]": "x", "a[1]": ""}),
        ('{"a": {"x": "1", "y": "2"}}', "a.*", {"a.x": "1", "a.y": "2"}),
        ('{"a": [{"s": "1"}, {"t": 2}, {"s": "3"}]}', "*[*].s", {"a[0].s": "1", "a[2].s": "3"}),
        ('[["a", "b"], ["c"]]', "[*][-1]", {"[0][1]": "b", "[1][0]": "c"}),
        ('{"0": "key", "a": ["item"]}', "0", {'["0"]': "key"}),
        ('{"0": "key", "a": ["item"]}', "a.0", {"a[0]": "item"}),
        ('{"a": ["item"], "b": {"0": "key"}}', '*["0"]', {'b["0"]': "key"}),
        ('{"a.b": {"c d": {"": "x"}}}', '["a.b"].*[""]', {'["a.b"].c d[""]': "x"}),
        ('{"body": "x", "b": 1}', "$.body", {"$.body": "x"}),
        ('{"\\u0061": "\\u1ec7\\n\\/\\ud83d\\ude00"}', "a", {"a": "\u1ec7\n/\U0001f600"}),
        ('["\\ud83d", "\\udE00\\uD83d"]', "[*]", {"[0]": "\ud83d", "[1]": "\ude00\ud83d"}),
        (f'["{NFD}"]', "[0]", {"[0]": NFD}),
        ('[true, null, -0.5e+3, NaN, -Infinity, [], {}, "x"]', "[7]", {"[7]": "x"}),
        (f"[{'9' * 5000}, 'x']".replace("'", '"'), "[1]", {"[1]": "x"}),
    ],
)
def test_values_are_those_of_the_parser(text: str, path: str, expected: dict[str, str]) -> None:
    assert texts("p.json", text, path) == expected


@pytest.mark.parametrize("suffix", ["jsonl", "ndjson", "JSONL"])
def test_json_lines_are_a_list_of_the_lines_that_hold_something(suffix: str) -> None:
    text = '{"s": "a\u2028b"}\n\n  \r\n{"s": "c"}\r\n["d"]'
    assert texts(f"p.{suffix}", text, "[*].s") == {"[0].s": "a\u2028b", "[1].s": "c"}
    assert texts(f"p.{suffix}", text, "[2][0]") == {"[2][0]": "d"}


EXPECTED = "line {}: invalid JSON at column {}: {}"


@pytest.mark.parametrize(
    ("text", "row", "column", "expected"),
    [
        ("", 1, 1, "a value was expected, and here the text ends"),
        ("\n [", 2, 3, "a value was expected, and here the text ends"),
        ('{\n"a": }', 2, 6, "a value was expected, and here is '}'"),
        ('["a",]', 1, 6, "a value was expected, and here is ']'"),
        ("['a']", 1, 2, 'a value was expected, and here is "\'"'),
        ("\ufeff[]", 1, 1, "a value was expected, and here is '\\ufeff'"),
        ("[\xa01]", 1, 2, "a value was expected, and here is '\\xa0'"),
        ("[\u0663]", 1, 2, "a value was expected, and here is '\u0663'"),
        ("[01]", 1, 3, "',' or ']' was expected, and here is '1'"),
        ('["a" "b"]', 1, 6, "',' or ']' was expected, and here is '\"'"),
        ('{"a": 1 // no\n}', 1, 9, "',' or '}' was expected, and here is '/'"),
        ('{"a" 1}', 1, 6, "':' was expected, and here is '1'"),
        ("{a: 1}", 1, 2, "a key in double quotes was expected, and here is 'a'"),
        ('{"a": 1,}', 1, 9, "a key in double quotes was expected, and here is '}'"),
        ("[]\n]", 2, 1, "the value ended before, and here is ']'"),
        ('["a', 1, 2, "unterminated string"),
        ('["a\nb"]', 1, 4, "invalid control character"),
        ('["\\q"]', 1, 3, "invalid \\escape"),
        ('["\\u12"]', 1, 4, "invalid \\uXXXX escape"),
    ],
)
def test_broken_json_is_one_sentence(text: str, row: int, column: int, expected: str) -> None:
    said = refusal("p.json", text, "a")
    # What exactly json says of a string, and where in it, depends on the version of Python.
    if "was expected" in expected or "ended" in expected:
        assert said == EXPECTED.format(row, column, expected)
    else:
        assert said.startswith(f"line {row}: invalid JSON at column ")
        assert said.endswith(expected)


def test_broken_json_lines_name_the_line() -> None:
    said = refusal("p.jsonl", '{"a": "x"}\n\xa0\n', "[*].a")
    assert said == EXPECTED.format(2, 1, "a value was expected, and here is '\\xa0'")
    said = refusal("p.jsonl", '{"a": "x"}\n\n{"a": "y"\n}\n', "[*].a")
    assert said == EXPECTED.format(3, 10, "',' or '}' was expected, and here the text ends")


@pytest.mark.parametrize(
    ("name", "text", "key", "row", "first"),
    [
        ("p.json", '{"a": 1, "a": 2}', "'a'", 1, 1),
        ("p.json", '{"x": [{"a": 1,\n"b": 2,\n"\\u0061": 2}]}', "'a'", 3, 1),
        ("p.jsonl", '{"a": 1}\n{"b": 1, "b": 1}', "'b'", 2, 2),
        ("p.json", '{"\\u001b": 1, "\\u001b": 2}', "'\\x1b'", 1, 1),
    ],
)
def test_a_key_stands_once(name: str, text: str, key: str, row: int, first: int) -> None:
    assert refusal(name, text, "x") == (
        f"line {row}: the key {key} stands here a second time (first on line {first}); remove or "
        "rename one"
    )


def test_nesting_may_be_deep() -> None:
    text = "[" * 50_000 + '"x"' + "]" * 50_000
    said = refusal("p.json", text, "[0]")
    assert (
        said == "line 1: [0] is a list, and a prompt is text; go on to its texts, such as with [*]"
    )


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_a_tree_is_what_json_loads_reads(value: Any, ascii_only: bool, indent: int | None) -> None:
    document = Document("p.json", json.dumps(value, ensure_ascii=ascii_only, indent=indent))
    tree = nodes_of(document)
    assert plain(document, tree) == value
    for node in every(tree):
        source = document.text[node.start : node.end]
        quoted = isinstance(node, Scalar) and node.kind == "string"
        assert json.loads(f'"{source}"' if quoted else source) == plain(document, node)


def every(node: Node) -> Iterator[Node]:
    """A node and all that it holds."""
    yield node
    if isinstance(node, Mapping | Sequence):
        held = node.items if isinstance(node, Sequence) else [one.value for one in node.entries]
        for one in held:
            yield from every(one)


class TwiceError(Exception):
    """A key stood twice."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise TwiceError
    return dict(pairs)


PIECES = (
    '{ } [ ] , : "a" "b" "\\u0041" "\\ud83d" 1 - 01 1.5 1e5 1. true null NaN -Infinity tru \\ "x'
)


@given(st.lists(st.sampled_from([*PIECES.split(), " ", "\n", "\x0b", '"\t"', "{}", '"k":'])))
def test_what_json_loads_refuses_is_refused(pieces: list[str]) -> None:
    document = Document("p.json", "".join(pieces))
    try:
        value = json.loads(document.text, object_pairs_hook=once)
    except (ValueError, TwiceError):
        with pytest.raises(ExtractError):
            nodes_of(document)
    else:
        assert repr(plain(document, nodes_of(document))) == repr(value)


def reads_as(source: str, char: str) -> bool:
    return bool(json.loads(f'"{source}"') == char)


ANY = st.text(st.characters() | st.sampled_from('"\\/\n\t\x7f\u0302\ud83d\ude00\U0001f600'))


@given(st.lists(ANY, min_size=1), st.booleans())
def test_every_character_has_its_place(given_texts: list[str], ascii_only: bool) -> None:
    text = json.dumps({"p": given_texts}, ensure_ascii=ascii_only)
    expected = json.loads(text)["p"]  # two escapes of surrogates are one character
    found = parts("p.json", text, "p[*]")
    assert [part.text for part in found] == expected
    for part in found:
        assert_placed(text, part, reads_as)


def test_a_span_holds_all_that_was_written_for_it() -> None:
    text = '{"p": "a\\u0302\\ud83d\\ude00 b"}'
    (part,) = parts("p.json", text, "p")
    assert part.text == "a\u0302\U0001f600 b"
    assert [
        text[slice(*part.span(*pair))] for pair in ((0, 2), (1, 3), (2, 5), (1, 1), (5, 5))
    ] == [
        "a\\u0302",
        "\\u0302\\ud83d\\ude00",
        "\\ud83d\\ude00 b",
        "",
        "",
    ]
    assert part.span(5, 5) == (part.end, part.end)
