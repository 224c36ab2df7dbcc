"""Prompts in YAML: the values that PyYAML gives, and where they stand."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from extracting import assert_placed, parts, refusal, strings, texts, written
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokenlint.errors import ExtractError
from tokenlint.tokens.document import Document
from tokenlint.tokens.extract import Run, yaml_nodes
from tokenlint.tokens.extract.block_pieces import block_pieces, block_runs, block_span
from tokenlint.tokens.extract.nodes import nodes_of
from tokenlint.tokens.extract.stretch import Stretch
from tokenlint.tokens.extract.values import plain

LOADERS = ["CSafeLoader", "SafeLoader"]


@pytest.fixture(params=LOADERS)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Each of PyYAML's two loaders, as the one that is there."""
    found = getattr(yaml, request.param)
    monkeypatch.setattr(yaml_nodes, "loader_for", lambda text: found)
    nodes_of.cache_clear()
    return found


MERGED = """\
base: &base {system: Be kind., tone: warm}
other: &other {tone: cold, more: yes}
one: {<<: *base, system: Be brief.}
two:
  <<: [*base, *other]
  extra: x
"""


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("a prompt", "$", {"$": "a prompt"}),
        ("system: Be kind.", "system", {"system": "Be kind."}),
        ("a: |\n  x\n   y\n\n  z\n\nb: 1", "a", {"a": "x\n y\n\nz\n"}),
        ("a: |-\n  x\n\n", "a", {"a": "x"}),
        ("a: |+\n  x\n\n", "a", {"a": "x\n\n"}),
        ("a: |", "a", {"a": ""}),
        ("a: |+\n\n\nb: 1", "a", {"a": "\n\n"}),
        ("a: |2\n    x\n", "a", {"a": "  x\n"}),
        ("a:\n  - |1-\n    x\n", "a[0]", {"a[0]": " x"}),
        ("a: >\n  x\n  y\n\n  z\n   w\n  v\n", "a", {"a": "x y\nz\n w\nv\n"}),
        ("a: > # folded\n  x\n  y", "a", {"a": "x y"}),
        ("a: |\r\n  x\r\n  y\r\n", "a", {"a": "x\ny\n"}),
        ("a: x\n  y\n\n  z", "a", {"a": "x y\nz"}),
        ("a: \"x\\u1ec7\\x41\\n\\\n   y\n   z\\\n   \\ w\"", "a", {"a": "x\u1ec7A\ny z w"}),
        ("a: 'it''s\n  z'", "a", {"a": "it's z"}),
        ('a: "x \u2028 \n  y"', "a", {"a": "x\u2028\ny"}),
        ("!!int no: 1\n!!int '': 2\n!!bool no way: 3\n!!float _: x", "_", {"_": "x"}),
        ('a: ""', "a", {"a": ""}),
        ("a: !!str 12", "a", {"a": "12"}),
        ("a: ! x", "a", {"a": "x"}),
        ("a: !!str # so\n  |\n  x", "a", {"a": "x"}),
        ("a: !!str", "a", {"a": ""}),
        ("a: !<tag:yaml.org,2002:str> &b 'x'", "a", {"a": "x"}),
        ("a: &x \"y\"\nb: *x", "*", {"a": "y", "b": "y"}),
        ("&x a: *x", "a", {"a": "a"}),
        ("a: &x [p, q]\nb: {c: *x}", "b.c.*", {"b.c[0]": "p", "b.c[1]": "q"}),
        ("--- {a: x}\n--- {a: y}\n", "*.a", {"[0].a": "x", "[1].a": "y"}),
        ("---\na: x\n...\n", "a", {"a": "x"}),
        ("- &x a\n---\n- &x b\n- *x\n", "[1].*", {"[1][0]": "b", "[1][1]": "b"}),
        ("1: x\nyes: y\n2024-01-01: z", "*", {'["1"]': "x", "yes": "y", "2024-01-01": "z"}),
        ("a: [x]\nb: {0: y}", "*.0", {"a[0]": "x", 'b["0"]': "y"}),
        ("? [p, q]\n: x", "*", {'["[p, q]"]': "x"}),
        ("a: \U0001f600\u1ec7\nb: \U0001f600", "b", {"b": "\U0001f600"}),
        (MERGED, "one.*", {"one.system": "Be brief.", "one.tone": "warm"}),
        (MERGED, "two.tone", {"two.tone": "warm"}),
        ("f: !function utils.go\nt: !if [1, !x {p: y}]\ns: z", "s", {"s": "z"}),
        ("t: !if [1, !x {p: y}]", "t[1].p", {"t[1].p": "y"}),
        ("%YAML 1.1\n---\na: x", "a", {"a": "x"}),
    ],
)  # fmt: skip
def test_values_are_those_of_the_parser(text: str, path: str, expected: dict[str, str]) -> None:
    assert texts("p.yaml", text, path) == expected


def test_a_text_that_libyaml_refuses_is_read_as_pyyaml_reads_it() -> None:
    assert texts("p.yml", 'a: "\\ud83d\\ude00 \\uD800"', "a") == {"a": "\ud83d\ude00 \ud800"}
    assert texts("p.yml", "a: x\ufeffy\nb: z", "*") == {"a": "x\ufeffy", "b": "z"}
    assert texts("p.yml", "a: |\n  \tx\n", "a") == {"a": "\tx\n"}


TAB = "invalid YAML: a tab stands where YAML has spaces"


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:\n\tb: 1", f"line 2: {TAB}"),
        ("a:\n  b: 1\n\tc: 2", f"line 3: {TAB}"),
        ("a: *x", "line 1: the alias '*x' names no anchor that stands before it"),
        ("- &x a\n--- \n- *x", "line 3: the alias '*x' names no anchor that stands before it"),
        ("a:\n  b: &x [*x]", "line 2: the alias '*x' stands inside of what it names"),
        ("a: &x {<<: *x}", "line 1: the alias '*x' stands inside of what it names"),
        (
            "- &x a\n- &x b",
            "line 2: the anchor '&x' stands here a second time (first on line 1); rename one",
        ),
        (
            "a: 1\nb: 2\n'a': 3",
            "line 3: the key 'a' stands here a second time (first on line 1); remove or rename one",
        ),
        (
            "a: {b: 1,\n  b: 2}",
            "line 2: the key 'b' stands here a second time (first on line 1); remove or rename one",
        ),
        (
            "yes: 1\ntrue: 2",
            "line 2: the key 'true' stands here a second time (first on line 1); remove or rename "
            "one",
        ),
        (
            "a: &x {b: 1}\nc:\n  <<: *x\n  <<: *x",
            "line 4: the key '<<' stands here a second time (first on line 3); remove or rename "
            "one",
        ),
        (
            "a: {<<: 1}",
            "line 1: '<<' merges a mapping or a list of mappings, and here is none",
        ),
        (
            "a:\n  <<: [{b: 1},\n  2]",
            "line 2: '<<' merges a mapping or a list of mappings, and here is none",
        ),
        (
            "a: x\nb: \x07",
            'line 2: invalid YAML: the character U+0007 cannot stand in it; write "\\u0007" in '
            "double quotes",
        ),
        ("a:\n- " + "[" * 600, "line 2: YAML that is nested more than 500 deep is not read"),
        (
            "a: 'x\nb: 2\n",
            "line 3: invalid YAML: found unexpected end of stream, while scanning a quoted scalar "
            "that begins on line 1",
        ),
    ],
)
def test_broken_yaml_is_one_sentence(text: str, expected: str) -> None:
    assert refusal("p.yaml", text, "x") == expected


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("a: b: c", 1),
        ("a: 1\n  b: 2", 2),
        ("- x\n- [a, b\nc: 1", 3),
        ("a: @x", 1),
        ("k:\n  - a\n b", 3),
    ],
)
def test_what_else_is_broken_names_the_line(text: str, row: int) -> None:
    said = refusal("p.yaml", text, "x")
    assert said.startswith(f"line {row}: invalid YAML: ")


def test_an_escape_beyond_unicode_is_refused() -> None:
    expected = "line 2: invalid YAML: an escape here stands for no character"
    assert refusal("p.yaml", 'a: "\\ud800"\nb: "\\UFFFFFFFF"', "a") == expected


def bomb(levels: int) -> str:
    """Lists of ten times the list before."""
    first = f"a0: &a0 [{'x, ' * 10}]\n"
    return first + "".join(
        f"a{level}: &a{level} [{f'*a{level - 1}, ' * 10}]\n" for level in range(1, levels + 1)
    )


def test_a_billion_laughs_end_with_a_sentence() -> None:
    path = "a9" + "[*]" * 10
    assert refusal("p.yaml", bomb(9), path) == f"'{path}' leads through more than 250,000 values"
    small = texts("p.yaml", bomb(2), "a2[*][*][*]")
    assert len(small) == 1000
    assert small["a2[9][0][4]"] == "x"


def test_a_long_text_is_not_selected_without_end() -> None:
    text = f"t: &t {'x' * 10_000}\nu: &u [{'*t, ' * 100}]\nv: [{'*u, ' * 100}]"
    assert len(texts("p.yaml", text, "u[*]")) == 100
    said = refusal("p.yaml", text, "v[*][*]")
    assert said == "'v[*][*]' selects more than 10,000,000 characters"


def test_merging_ends_with_a_sentence() -> None:
    keys = ", ".join(f"k{at}: x" for at in range(1200))
    text = f"a: &a {{{keys}}}\nb:\n" + "- {<<: *a}\n" * 1000
    assert refusal("p.yaml", text, "b[0].k1") == (
        "line 836: '<<' merges more than 1,000,000 keys in this file"
    )


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    "text",
    [
        MERGED.replace("[*base, *other]", "*base"),
        "a: [1, 0x1f, 1_000, 0o17, 1.5, .inf, 1:30, yes, Off, ~, null, !!int '3']",
        "a: !!float 3\nb: {}\nc: []",
    ],
)
def test_a_tree_is_what_safe_load_constructs(text: str) -> None:
    document = Document("p.yaml", text)
    assert plain(document, nodes_of(document)) == yaml.safe_load(text)


# --- places


def reads_as(source: str, char: str) -> bool:
    """Whether the source of one character, in any style, is that character."""
    if source.startswith("\\"):
        return bool(yaml.load(f'"{source}"', yaml.SafeLoader) == char)
    if source == "''":
        return char == "'"
    breaks = source.replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n").strip(" \t")
    if char == "\n":
        return breaks == "\n"
    return char == " " and breaks == "\n" and "\n" not in source.strip(" \t\r\n\x85")


def assert_all_placed(document: Document) -> None:
    for part in strings(nodes_of(document)):
        assert_placed(document.text, part, reads_as)


SIGNS = "ab c\n\n\t'\"\\:#-|>&*!%@`,[]{}?\u1ec7\u0302\U0001f600\xa0\x85\u2028\r\x07\ufeff"
TEXT = st.text(st.sampled_from(SIGNS))
STYLE = st.sampled_from([None, "|", ">", "'", '"'])


@given(TEXT, STYLE, st.integers(8, 40), st.booleans(), st.sampled_from(["\n", "\r\n"]))
@example(" a\n\n b c d e f g h\n", ">", 8, False, "\n")
def test_every_character_that_yaml_writes_has_its_place(
    text: str, style: str | None, width: int, ascii_only: bool, line_break: str
) -> None:
    source = yaml.dump(
        {"p": [text]}, default_style=style, width=width, allow_unicode=not ascii_only
    ).replace("\n", line_break)
    assert texts("p.yaml", source, "p[0]") == {"p[0]": yaml.safe_load(source)["p"][0]}
    assert_all_placed(Document("p.yaml", source))


LINE = st.text(st.sampled_from("aX \t#-\u1ec7\U0001f600"), max_size=6)


@given(
    lines=st.lists(LINE, min_size=1, max_size=6),
    header=st.sampled_from(["|", ">", "|-", ">-", "|+", ">+", "|2", ">1-", "|2+"]),
    indent=st.integers(1, 4),
    line_break=st.sampled_from(["\n", "\r\n", "\x85", "\u2028"]),
    tail=st.sampled_from(["", "\nb: 1", "\n# so\nb: 1", "\n\n", "\n  \n# so"]),
)
@example(["Xa", "a", "Xa"], ">", 2, "\n", "\n")
def test_every_character_of_a_block_has_its_place(
    lines: list[str], header: str, indent: int, line_break: str, tail: str
) -> None:
    source = f"a: {header}\n" + line_break.join(" " * indent + line for line in lines) + tail
    document = Document("p.yaml", source)
    try:
        expected = yaml.safe_load(source)
    except yaml.YAMLError:
        return
    assert isinstance(expected["a"], str)
    assert texts("p.yaml", source, "a") == {"a": expected["a"]}
    assert_all_placed(document)


@given(st.lists(LINE, max_size=5).map("\n ".join), st.sampled_from(["|", ">+", "|-"]))
def test_the_ends_of_a_block_are_those_of_its_pieces(lines: str, header: str) -> None:
    source = f"{header}\n x\n {lines}\n\n"
    try:
        value = yaml.safe_load(source)
    except yaml.YAMLError:
        return
    found = block_pieces(source, 0, len(source), value)
    assert block_span(source, 0, len(source), value) == (found[0].start, found[-1].stop)


@pytest.mark.parametrize(
    ("source", "place"),
    [("a: !!str xyz", (9, 12)), ("a: !!str &b xyz", (12, 15)), ("a: !!str\n\nb: &b y", (8, 8))],
)
def test_a_text_stands_behind_its_tag(source: str, place: tuple[int, int]) -> None:
    (part,) = parts("p.yaml", source, "a")
    assert (part.start, part.end) == place
    assert part.text == source[slice(*place)]


def test_where_a_reading_fails_the_whole_text_is_the_place() -> None:
    assert block_runs("|\n  x\n", 0, 6, "y\n") == [Run(0, 0, 6, even=False)]
    assert block_pieces("no block", 0, 8, "x") == []
    assert block_span("no block", 0, 8, "x") == (8, 8)


# --- the two parsers, and what neither of them accepts

ATOMS = (
    "a", "bc", "- ", "-", ": ", ":", "? ", "\n", "\n", "\n  ", "\n    ", " ", "  ", "|", "|-",
    ">", ">+", "|2", '"', "'", "''", "\\n", "\\\n", "\\u1ea1", "\\ ", "#c", " #c", "[", "]", "{",
    "}", ",", "&a ", "*a", "!t ", "!!str ", "---\n", "...\n", "\u1ec7", "\u2028", "\x85", "\r\n",
    "\r", "\U0001f600", "key: ", "key: |\n", "key: >\n", "12", "yes", "~",
)  # fmt: skip
SOURCE = st.lists(st.sampled_from(ATOMS), max_size=12).map("".join)


class Spelled(yaml.SafeLoader):
    """PyYAML with every scalar as it is written, whatever its tag says."""


def _as_written(loader: yaml.SafeLoader, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    assert isinstance(node, yaml.MappingNode)
    return loader.construct_mapping(node, deep=True)


Spelled.yaml_constructors = {}
Spelled.yaml_multi_constructors = {}
yaml.add_multi_constructor("", _as_written, Loader=Spelled)

OURS = ("a second time", "stands inside of what it names")
"What PyYAML makes the best of, and is refused here."


@settings(max_examples=300)
@given(SOURCE)
def test_a_tree_is_what_pyyaml_reads(source: str) -> None:
    document = Document("p.yaml", source)
    try:
        found = list(yaml.load_all(source, Spelled))
    except yaml.constructor.ConstructorError:
        return  # a list or a mapping as a key, which Python cannot have
    except yaml.YAMLError:
        expected: Any = None
    else:
        expected = found[0] if len(found) == 1 else found or ""
    try:
        root = nodes_of(document)
    except ExtractError as refused:
        said = str(refused)
    else:
        assert expected is None or written(root) == expected
        assert_all_placed(document)
        return
    assert expected is None or any(words in said for words in OURS)


@settings(max_examples=300)
@given(SOURCE)
def test_both_loaders_give_the_same_nodes(source: str) -> None:
    document = Document("p.yaml", source)
    stretch = Stretch(document, 0, len(source))
    found = []
    for loader in (yaml.CSafeLoader, yaml.SafeLoader):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(yaml_nodes, "loader_for", lambda text, loader=loader: loader)
            try:
                root = yaml_nodes.read_yaml(stretch)
            except ExtractError:
                continue
        found.append((written(root), [(part, part.end) for part in strings(root)]))
    # libyaml reads a little more, such as a comment right behind the header of a block.
    assert len(found) < 2 or found[0] == found[1]


def test_without_libyaml_the_other_loader_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert yaml_nodes.loader_for("a: 1") is yaml.SafeLoader
    assert texts("p.yaml", "a: without", "a") == {"a": "without"}
