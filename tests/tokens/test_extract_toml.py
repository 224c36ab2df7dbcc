"""Prompts in TOML: the values that tomllib gives, and where they stand."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from extracting import assert_placed, parts, refusal, strings, texts
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.errors import ExtractError
from tokenlint.tokens.document import Document
from tokenlint.tokens.extract import toml_nodes
from tokenlint.tokens.extract.nodes import nodes_of
from tokenlint.tokens.extract.toml_places import Place, Quoted, places
from tokenlint.tokens.extract.values import plain

ROWS = """\
name = "x"
[[prompts]]
text.system = "one"  # [[no.row]]
[prompts.more]
s = 'a'
[[prompts.deep]]
s = "b"
[[prompts]]
text = {system = "two", user.first = ['p', "q"]}
[[prompts.deep]]
s = "c"
[[prompts.deep]]
s = '''d'''
"""


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ('system = "Be kind."', "system", {"system": "Be kind."}),
        ("system = 'a \\n'", "system", {"system": "a \\n"}),
        ('s = """\nx\n  y\n"""', "s", {"s": "x\n  y\n"}),
        ('s = """x"""""', "s", {"s": 'x""'}),
        ('s = """"a""b"""', "s", {"s": '"a""b'}),
        ('s = """a \\\n\n   b\\"""c"""', "s", {"s": 'a b"""c'}),
        ("s = '''\r\nx\r\n'''", "s", {"s": "x\n"}),
        ("s = ''''a''''", "s", {"s": "'a'"}),
        ('s = ""\nt = \'\'\nu = """"""', "*", {"s": "", "t": "", "u": ""}),
        ('"a.b"."\\u0063" = "x"', '["a.b"].c', {'["a.b"].c': "x"}),
        ("'a b' = 'x'", '["a b"]', {"a b": "x"}),
        ("a . b = 'x'\n[c]\nd = 'y'", "*.*", {"a.b": "x", "c.d": "y"}),
        (ROWS, "prompts[*].text.system", {
            "prompts[0].text.system": "one", "prompts[1].text.system": "two",
        }),
        (ROWS, "prompts.*.deep.*.s", {
            "prompts[0].deep[0].s": "b", "prompts[1].deep[0].s": "c", "prompts[1].deep[1].s": "d",
        }),
        (ROWS, "prompts[1].text.user.first[-1]", {"prompts[1].text.user.first[1]": "q"}),
        (ROWS, "prompts[0].more.s", {"prompts[0].more.s": "a"}),
        ("a = [\n 'x', # ', \"\n \"y\",\n]", "a[*]", {"a[0]": "x", "a[1]": "y"}),
        ("a = 1979-05-27 07:32:00\nb = [1.5, inf, true, {}]\nc = 'x'", "c", {"c": "x"}),
    ],
)  # fmt: skip
def test_values_are_those_of_the_parser(text: str, path: str, expected: dict[str, str]) -> None:
    assert texts("p.toml", text, path) == expected


def test_numbers_and_booleans_are_those_of_the_parser() -> None:
    text = "a = [1, -2.5, true, false, inf, 0x1f, 1_000]\n[b]\nc = 1e3\nd = {e = 0o7}\n"
    document = Document("p.toml", text)
    assert plain(document, nodes_of(document)) == tomllib.loads(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1\nb = \n", "line 2: invalid TOML at column 5: Invalid value"),
        ("a = 1\r\nb = 'x", 'line 2: invalid TOML: Expected "\'" at its end'),
        ("[a]\n[a]", "line 2: invalid TOML at column 3: Cannot declare ('a',) twice"),
        ("a = 1\n= 2", "line 2: invalid TOML at column 1: Invalid statement"),
        ("\nb = 1", "line 1: 'a' selects nothing: the file has no key 'a', but 'b'"),
        ("a = 1\na = 2", "line 2: invalid TOML: Cannot overwrite a value at its end"),
        ("\na = " + "[" * 5000, "line 1: TOML with values that are nested this deep is not read"),
    ],
)
def test_broken_toml_is_one_sentence(text: str, expected: str) -> None:
    assert refusal("p.toml", text, "a") == expected


def test_a_number_of_too_many_digits_is_refused() -> None:
    said = refusal("p.toml", f"a = {'9' * 5000}", "a")
    assert said.startswith("line 1: invalid TOML: Exceeds the limit")


def test_dotted_keys_may_nest_deep() -> None:
    path = ".".join("a" * 200)
    assert list(texts("p.toml", f"{path} = 'x'", path).values()) == ["x"]


def test_keys_of_more_parts_take_a_parser_quadratic_time_and_are_refused() -> None:
    path = ".".join("a" * 201)
    with pytest.raises(ExtractError, match="line 1: invalid TOML: a key of more than 200 parts"):
        texts("p.toml", f"{path} = 'x'", path)


def reads_as(source: str, char: str) -> bool:
    if source == "\r\n":
        return char == "\n"
    return bool(tomllib.loads(f'a = "{source}"')["a"] == char)


def assert_all_placed(document: Document) -> None:
    for part in strings(nodes_of(document)):
        assert_placed(document.text, part, reads_as)


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_every_character_of_a_file_has_its_place(line_break: str) -> None:
    more = (
        'm = """\n\\u1ec7 \\\n  x\n"y"\\t"""\nt = ["\\U0001f600", {u = \'\'\'\nC:\\new\n\'\'\'}]\n'
    )
    text = ROWS + more
    document = Document("p.toml", text.replace("\n", line_break))
    assert_all_placed(document)
    assert plain(document, nodes_of(document)) == tomllib.loads(document.text)


# --- a generator of TOML: values first, then ways to write them

SIGNS = "ab \t\"'\\\n#=[]{},.\u1ec7\u0302\U0001f600\x7f\x1b"
TEXT = st.text(st.sampled_from(SIGNS), max_size=12)


def basic(text: str) -> str:
    """A basic string, with the escapes that it needs; JSON's are a part of TOML's."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def escaped(text: str) -> str:
    """A basic string of nothing but escapes."""
    return '"' + "".join(f"\\U{ord(char):08x}" for char in text) + '"'


def many_lines(text: str) -> str:
    """A basic string of several lines, broken where a backslash makes nothing of the break."""
    inside = basic(text)[1:-1].replace("\\n", "\n").replace(" ", "\\x20".replace("\\x", "\\u00"))
    return f'"""\n{inside}\\\n\n  """'


def literal(text: str) -> str:
    """A literal string where one can hold the text, of several lines if need be."""
    if "\x7f" in text or "\x1b" in text or "'" in text:
        return basic(text)
    return f"'''\n{text}'''" if "\n" in text else f"'{text}'"


WAYS = st.sampled_from([basic, escaped, many_lines, literal])
STRING = st.tuples(TEXT, WAYS)
KEY = st.sampled_from(["a", "b-1", "7", "c d", "e.f", "\u1ec7", "", '"'])


def key(name: str) -> str:
    return name if name.isascii() and name.replace("-", "").isalnum() else basic(name)


@st.composite
def values(draw: st.DrawFn, depth: int = 2) -> tuple[Any, str]:
    """A value and its TOML: a string, or a list or an inline table of values."""
    kind = draw(st.integers(0, 5 if depth else 3))
    if kind < 4:
        text, way = draw(STRING)
        return text, way(text)
    if kind == 4:
        items = draw(st.lists(values(depth - 1), max_size=3))
        inside = ', # ", ]\n'.join(toml for _, toml in items)
        return [value for value, _ in items], f"[ {inside}\n]"
    pairs = draw(st.dictionaries(KEY, values(depth - 1), max_size=3))
    inside = ", ".join(f"{key(name)} = {toml}" for name, (_, toml) in pairs.items())
    return {name: value for name, (value, _) in pairs.items()}, f"{{ {inside} }}"


@st.composite
def files(draw: st.DrawFn) -> tuple[Any, str]:
    """A file: keys, then tables or rows of tables, each with keys of its own."""
    lines: list[str] = []
    found: dict[str, Any] = {}
    for name, (value, toml) in draw(st.dictionaries(KEY, values(), max_size=3)).items():
        found[name] = value
        lines.append(f"{key(name)}={toml} # {toml.splitlines()[0]}")
    for name in draw(st.lists(st.sampled_from(["T", "R", "t.u"]), unique=True)):
        rows = [draw(st.dictionaries(KEY, values(), max_size=2)) for _ in range(2)]
        for row in rows if name == "R" else rows[:1]:
            lines.append(f"[[ {name} ]]" if name == "R" else f"[{name}]")
            lines += (f"{key(name)} = {toml}" for name, (_, toml) in row.items())
        made = [{name: value for name, (value, _) in row.items()} for row in rows]
        if name == "t.u":
            found["t"] = {"u": made[0]}
        else:
            found[name] = made if name == "R" else made[0]
    return found, "\n".join(lines)


@given(files(), st.sampled_from(["\n", "\r\n"]))
def test_every_character_that_is_written_has_its_place(
    file: tuple[Any, str], line_break: str
) -> None:
    expected, text = file
    document = Document("p.toml", text.replace("\n", line_break))
    assert plain(document, nodes_of(document)) == expected
    assert_all_placed(document)


# --- where the places and the values disagree


def lost(text: str) -> Place:
    """A look that found nothing but one key, and that in the wrong place."""
    root = Place(0)
    root.child("b", text.index("b")).string = Quoted(0, 3, is_literal=False)
    return root


@pytest.mark.parametrize("text", ["= 'x'", "a = 'x", "a = ", "[a", "a = [{b = <}]"])
def test_a_look_at_what_no_parser_accepts_ends(text: str) -> None:
    found = places(f"k = 'v'\n{text}")
    assert found.children["k"].string == Quoted(5, 6, is_literal=True)


def test_a_string_that_is_not_found_stands_for_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'a = "x"\r\n  b = "y\\tz"\r\nc = "w"'
    monkeypatch.setattr(toml_nodes, "places", lost)
    nodes_of.cache_clear()
    by_name = {part.name: part for part in parts("p.toml", text, "*")}
    assert {name: part.text for name, part in by_name.items()} == {"a": "x", "b": "y\tz", "c": "w"}
    spans = {name: text[slice(*part.span(0, 1))] for name, part in by_name.items()}
    assert spans == {"a": 'a = "x"', "b": '  b = "y\\tz"', "c": 'a = "x"'}
    assert not by_name["b"].is_literal
