"""What a path selects: texts alone, and a sentence for everything else."""

from __future__ import annotations

import pytest
from extracting import refusal, texts

YAML = """\
prompts:
  support: {system: Be kind., limit: 12}
  sales:
    system: Be brief.
    user: Hello
empty: {}
none: []
list: [a, b]
number: 1.5
truth: yes
nothing:
day: 2024-02-29
secret: !vault abc
bytes: !!binary aGk=
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("prompts.support.system", ["Be kind."]),
        ("prompts.*.system", ["Be kind.", "Be brief."]),
        ("prompts.*.user", ["Hello"]),
        ("*.*.user", ["Hello"]),
        ("list[*]", ["a", "b"]),
        ("list[-2]", ["a"]),
        ("list.*", ["a", "b"]),
    ],
)
def test_texts_are_selected_in_their_order(path: str, expected: list[str]) -> None:
    assert list(texts("p.yaml", YAML, path).values()) == expected


SCALAR = "and holds no other values"
GO_ON = "and a prompt is text; go on to its texts, such as with"
KEYS = "'prompts', 'empty', 'none', 'list', 'number', ..."


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("prompt", f"line 1: 'prompt' selects nothing: the file has no key 'prompt', but {KEYS}"),
        (
            "prompts.*.sytem",
            "line 2: 'prompts.*.sytem' selects nothing: prompts.support has no key 'sytem', but "
            "'system', 'limit'",
        ),
        ("empty.*", "line 6: 'empty.*' selects nothing: empty is an empty mapping"),
        ("none[*]", "line 7: 'none[*]' selects nothing: none is an empty list"),
        ("list[2]", "line 8: 'list[2]' selects nothing: list is a list of 2 and has no index 2"),
        ("list[-3]", "line 8: 'list[-3]' selects nothing: list is a list of 2 and has no index -3"),
        (
            "list.a",
            "line 8: 'list.a' selects nothing: list is a list and has no key 'a'; write [*] or an "
            "index",
        ),
        ("list[0].a", f"line 8: 'list[0].a' selects nothing: list[0] is text {SCALAR}"),
        ("number.a", f"line 9: 'number.a' selects nothing: number is a number {SCALAR}"),
        ("nothing.a", f"line 11: 'nothing.a' selects nothing: nothing is null {SCALAR}"),
        (
            "secret.*",
            "line 13: 'secret.*' selects nothing: secret is a value with a YAML tag and holds no "
            "other values",
        ),
    ],
)  # fmt: skip
def test_a_path_that_selects_nothing_says_why(path: str, expected: str) -> None:
    assert refusal("p.yaml", YAML, path) == expected


TEXT = "and a prompt is text"
QUOTE = f"{TEXT}; put it in quotes if it is meant as text"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$", f"line 1: the file is a mapping, {GO_ON} .*"),
        ("prompts.*", f"line 2: prompts.support is a mapping, {GO_ON} .*"),
        ("prompts.*.*", f"line 2: prompts.support.limit is a number (12), {QUOTE}"),
        ("list", f"line 8: list is a list, {GO_ON} [*]"),
        ("number", f"line 9: number is a number (1.5), {QUOTE}"),
        ("truth", f"line 10: truth is a boolean (yes), {QUOTE}"),
        ("nothing", f"line 11: nothing is null, {TEXT}"),
        ("day", f"line 12: day is a date (2024-02-29), {QUOTE}"),
        ("secret", "line 13: secret has the YAML tag '!vault', whose meaning is not known here"),
        (
            "bytes",
            "line 14: bytes has the YAML tag 'tag:yaml.org,2002:binary', whose meaning is not "
            "known here",
        ),
    ],
)  # fmt: skip
def test_what_is_no_text_is_no_prompt(path: str, expected: str) -> None:
    assert refusal("p.yaml", YAML, path) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1", f"line 1: a is a number (1), {QUOTE}"),
        ("a = true", f"line 1: a is a boolean (true), {QUOTE}"),
        ("\na = 2024-02-29", f"line 2: a is a date (2024-02-29), {QUOTE}"),
    ],
)
def test_what_is_no_text_in_toml(text: str, expected: str) -> None:
    assert refusal("p.toml", text, "a") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": null}', f"line 1: a is null, {TEXT}"),
        ('{"a": false}', f"line 1: a is a boolean (false), {QUOTE}"),
        ('{"b": 1,\n"a": -1.5e3}', f"line 2: a is a number (-1.5e3), {QUOTE}"),
        ('{"a": NaN}', f"line 1: a is a number (NaN), {QUOTE}"),
    ],
)
def test_what_is_no_text_in_json(text: str, expected: str) -> None:
    assert refusal("p.json", text, "a") == expected


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("p.py", ".py"),
        ("p.json.bak", ".bak"),
        *((n, "a file without a suffix") for n in ("p", ".yaml")),
    ],
)
def test_a_path_is_read_in_few_kinds_of_files(name: str, kind: str) -> None:
    assert refusal(name, "a: b", "a") == (
        "a path is read in .json, .jsonl, .ndjson, .yaml, .yml, .toml files and in the front "
        f"matter of .md, .mdx, .markdown, .txt, .prompt, .prompty files, and not in {kind}"
    )
