"""Escapes of JSON, YAML and TOML: read as their parsers read them, and traced back."""

from __future__ import annotations

import itertools
import json
import re
import tomllib

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from tokenlint.rules.escapes import format_of, reading, shown, unescaped
from tokenlint.rules.literals import toml_strings, yaml_strings
from tokenlint.tokens import Document


def read(path: str, text: str) -> str:
    """The text with its escapes read."""
    view = unescaped(Document(path, text))
    return text if view is None else view.text


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.md", None), ("a.txt", None), ("a.py", None), ("a.ts", None), ("json", None),
        (".json", None), ("a.json.md", None), ("a.html", None), ("a", None), ("a.json/b", None),
        ("a.json", "JSON"), ("b/a.JSON", "JSON"), ("a.jsonl", "JSON"), ("a.ndjson", "JSON"),
        ("a.ipynb", "JSON"), ("a.webmanifest", "JSON"), ("a.geojson", "JSON"),
        ("a.jsonc", "JSON"), ("a.json5", "JSON5"), ("a.yaml", "YAML"), ("a.yml", "YAML"),
        ("a.toml", "TOML"),
    ],
)  # fmt: skip
def test_the_suffix_decides(path: str, name: str | None) -> None:
    found = format_of(path)
    assert (found.name if found else None) == name
    assert reading(path) == (f"once {name} escapes are read" if name else "")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.json", '{"a": "plain", "b": [1, true]}'),
        ("a.json", r'"no JSON: \x41 \q \u12 \U00000041 \u00g0"'),
        ("a.yaml", r"""a: [\x41, 'it''s \x41', "\q \u12 \xg1 \UFFFFFFFF"] """),
        ("a.toml", r"""a = '\x41' # "\x41" """),
        ("a.md", r'"\u0041"'),
    ],
)
def test_nothing_to_read(path: str, text: str) -> None:
    assert unescaped(Document(path, text)) is None


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.json", r'"\u003c\n\t\"\\\/\u00E9"', '"<\n\t"\\/\u00e9"'),
        ("a.json", r'"\\u003c \\\u003c"', r'"\u003c \<"'),
        ("a.json", r'"\ud83d\ude00 \ud83d \ude00 \ud83d\u0041"',
         '"\U0001f600 \ud83d \ude00 \ud83dA"'),
        ("a.json", r'{"broken: \u003c, "x" "\u003c', '{"broken: <, "x" "<'),
        ("a.json5", r"'\x41\v\0\'\q\u0041'", "'A\v\0'qA'"),
        ("a.json5", "'a\\\nb\\\r\nc'", "'abc'"),
        ("a.yaml", r'"\0\a\e\ \N\_\L\P\x41\u0041\U0001F600\/"',
         '"\0\a\x1b \x85\xa0\u2028\u2029AA\U0001f600/"'),
        ("a.yaml", 'a: "b\\\n   c\\x41"', 'a: "bcA"'),
        ("a.yaml", 'a: "b\n   c\\x41"', 'a: "b cA"'),
        ("a.yaml", 'a: "b \n\n  \n   c\\x41"', 'a: "b\n\ncA"'),
        ("a.toml", r'a = "\u0041\U0001F600\x41\e\n"', 'a = "A\U0001f600A\x1b\n"'),
        ("a.toml", 'a = """b\\\n\n   c\\u0041"""', 'a = """bcA"""'),
    ],
)  # fmt: skip
def test_read(path: str, text: str, expected: str) -> None:
    assert read(path, text) == expected


@given(st.text(st.characters(exclude_categories=())), st.booleans())
def test_json_is_read_as_it_was_written(text: str, ascii_only: bool) -> None:
    written = json.dumps(text, ensure_ascii=ascii_only)
    assume("\\ud" not in written)  # two lone surrogates side by side are one character when read
    assert read("a.json", written) == f'"{text}"'


@given(st.text(st.sampled_from('\\u0dD8cC36eE3fFnt/"x '), max_size=30))
def test_what_json_accepts_is_read_as_json_does(string: str) -> None:
    written = f'"{string}"'
    try:
        meant = json.loads(written)
    except ValueError:
        return
    assert read("a.json", written) == f'"{meant}"'


# Strings, comments, blocks and brackets of YAML, and how they can follow each other.
YAML_PIECES = st.sampled_from(
    ["a: ", "- ", "? ", "? a\n: ", "k", "k ", '"', "'", '"x\\x41"', "'x\\x41'", '"\\"\\\\"', "''",
     '"k": ', "\n", "\n", "\n  ", "\n    ", "# c\n", " # 'c \"\n", "[", "]", "{", "}", ", ", "|\n",
     "|\n  ", ">-\n  ", "|2+ # c\n  ", "--- ", "\n---\n", "...\n", "!!str ", "&a ", "*a ", ": ",
     ":", "#", "\\x41", "x \"y\\x41\"", " ", "\t", "\\", "\\\n  ", "%", "@", "`"]
)  # fmt: skip


def quoted_by_pyyaml(text: str) -> list[tuple[int, int]] | None:
    """Where PyYAML finds double-quoted scalars; None if it finds an error or what we forgive.

    A string ends for us where a line is not indented, and a scalar that no key or dash owns does
    not go on: a broken file is read again from there. Where a block belongs that begins a line
    is only guessed.
    """
    if re.search(r"^ *(?:[!&]\S* +)*[|>%]", text, re.MULTILINE):
        return None
    try:
        list(yaml.parse(text, Loader=yaml.SafeLoader))
    except yaml.YAMLError:
        return None
    found = []
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        if not isinstance(token, yaml.ScalarToken):
            continue
        start, end = token.start_mark.index, token.end_mark.index
        if "\n" in text[start:end].rstrip() and is_forgiven(text, start, end, token.plain):
            return None
        if token.style == '"':
            found.append((start + 1, end - 1))
    return found


def is_forgiven(text: str, start: int, end: int, plain: bool) -> bool:
    """Whether a scalar of several lines is one that we read otherwise than PyYAML."""
    before = text[:start].rpartition("\n")[2]
    owned = re.search(r"(?:^|\s|[\[{,])(?:[-?]\s|.*:\s)", before)
    return (plain and not owned) or re.search(r"\n[^ \t\n]", text[start:end]) is not None


@given(st.lists(YAML_PIECES, max_size=14).map("".join))
def test_yaml_strings_are_where_pyyaml_finds_them(text: str) -> None:
    found, meant = list(yaml_strings(text)), quoted_by_pyyaml(text)
    assert meant is None or found == meant


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: x\\x41\nb: 'it''s \"x\"' # \"x\"\n", []),
        ("a: |\n  \"x\"\n", []),
        ('a: say "x"\nb: don\'t "x"\nc: d#"x"\n', []),
        ('a: plain\n  "x"\n', []),
        ('a: |\n  "x"\nb: "y"\n', ["y"]),
        ('- a: |2+ # c\n    "x"\n\n    "x"\n  b: "y"\r\n', ["y"]),
        ('- >-\n  "x"\n- "y"\n', ["y"]),
        ('a: |\r\n  "x"\r\n\r\n  "x"\r\nb: "y"\r\n', ["y"]),
        ('a:\n  |\n  "x"\nb: "y"\n', ["y"]),
        ('? a\n: |\n "x"\n"y": z\n', ["y"]),
        ('--- |\n"x"\n...\n"y"\n', ["y"]),
        ('&k a: >\n  "x"\n"y": z\n', ["y"]),
        ('- "k": |\n    "x"\n  b: "y"\n', ["k", "y"]),
        ('a: [\n  b, "c"]\n', ["c"]),
        ('- "a"\n- !!str "b"\n- ? "c"\n  : "d"\n- {"e":"f", g: [h "x", "i"]}\n', list("abcdefi")),
        ('a: "b \\" c\n  d"\n', ['b \\" c\n  d']),
        # Broken: a quote, a bracket and braces that are never closed.
        ('a: "open\nb: "y"\n', ["open", "y"]),
        ("a: 'open\nb: \"y\"\n", ["y"]),
        ('a: [b, c\nd: say "x"\ne: "y"\n', ["y"]),
        ('{% if a %}\na: {{ b }}\nc: "y"\n', ["y"]),
        ('a: [b\nd: c, "x"\n', []),
        ('a: ] "x"\n', []),
        ('text\na: "y"\n', ["y"]),
        ('a: "b"\ntext\nc: "y"\n', ["b", "y"]),
        ('a: "\\', [""]),
    ],
)  # fmt: skip
def test_yaml_strings(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in yaml_strings(text)] == expected


@given(st.lists(st.sampled_from(
    ["\\x41", "\\u00e9", "\\U0001F600", "\\n", "\\\\", "\\ ", "\\\n", "\\\n ", "\n", "\n ", " ",
     "x", "\n\n ", "\u00e9", "\\_", "\\/", "\\q", "\\x4", "\\0", "\t"]
), max_size=8).map("".join))  # fmt: skip
def test_a_yaml_string_is_read_as_pyyaml_does(string: str) -> None:
    # After an escaped space or line end, blank lines fold otherwise; no control string has any.
    assume(not re.search(r"\\(?:[ \t]+|\n[ \t]*)\n", string.replace("\\\\", "")))
    assume(not re.search(r"\n[^ \t\n]", f"{string}."))
    text = f'a: "{string}."'
    try:
        meant = yaml.safe_load(text)["a"]
    except yaml.YAMLError:
        return
    assume("\\" in string)
    assert read("a.yaml", text) == f'a: "{meant}"'


TOML_TEXT = st.lists(st.sampled_from(
    ["\\u0041", "\\U0001F600", "\\n", '\\"', "\\\\", "\\\n", "\\ \n\n  ", "x", " ", "#", "'", '"',
     '""', "''", "\n", "\\", "\u00e9", "\\q"]
), max_size=6).map("".join)  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(['"', "'", '"""', "'''"]), TOML_TEXT), max_size=4))
def test_toml_strings_are_where_tomllib_finds_them(strings: list[tuple[str, str]]) -> None:
    lines = [f"k{n} = {quote}{text}{quote} # \"c'\n" for n, (quote, text) in enumerate(strings)]
    text = "".join(lines)
    try:
        values = list(tomllib.loads(text).values())
    except tomllib.TOMLDecodeError:
        list(toml_strings(text))
        return
    assume(len(values) == len(strings))
    meant = [value for (quote, _), value in zip(strings, values, strict=True) if '"' in quote]
    found = [
        read("a.toml", f'"""{text[start + text.startswith(chr(10), start) : end]}"""').strip('"')
        for start, end in toml_strings(text)
    ]
    assert found == [value.strip('"') for value in meant]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = '\\u0041' # \"x\"\nb = '''\n\"x\"\n'''\n", []),
        ('a = "x" # "c"\n"k y" = """\n"z" \\"""" # \'\nc = ["d", \'"x"\']\n',
         ["x", "k y", '\n"z" \\"', "d"]),
        ('a = "open\nb = "y"\n', ["open", "y"]),
        ('a = """open\nb = "y"\n', ['open\nb = "y"\n']),
    ],
)  # fmt: skip
def test_toml_strings(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in toml_strings(text)] == expected


@given(
    st.lists(st.sampled_from(["\\u003c", "\\n", "\\\\", "\\ud83d\\ude00", "a", "\u00e9", '"', "\\q",
                              "\\\\u003c"]), max_size=8).map("".join),
    st.data(),
)  # fmt: skip
def test_every_stretch_of_a_view_comes_from_its_origin(text: str, data: st.DataObject) -> None:
    view = unescaped(Document("a.json", text))
    assume(view is not None)
    assert view is not None
    cuts = sorted(data.draw(st.sets(st.integers(0, len(view.text)), max_size=6)))
    spans = list(itertools.pairwise(cuts))
    origins = list(view.origins(spans))
    assert [read("a.json", text[one.start : one.stop]) for one in origins] == [
        view.text[start:end] for start, end in spans
    ]
    assert [one.touched for one in origins] == [
        text[one.start : one.stop] != view.text[start:end]
        for one, (start, end) in zip(origins, spans, strict=True)
    ]
    assert [one.start for one in origins[1:]] == [one.stop for one in origins[:-1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("<|im\\u200b|>", "<|im\\u200b|>"),
        ("\u00e9\n\U0001f600~", "<U+00E9><U+000A><U+1F600>~"),
        ("x" * 80, "x" * 80),
        ("x" * 41 + "y" * 40, "x" * 40 + "..." + "y" * 40),
        ("x" * 50 + "y" * 50, "x" * 40 + "..." + "y" * 40),
    ],
)
def test_shown(text: str, expected: str) -> None:
    assert shown(text) == expected
