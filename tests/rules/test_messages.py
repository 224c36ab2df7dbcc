"""Whose content a place in a file of messages is, with Python's own JSON parser as the judge."""

from __future__ import annotations

import json
import subprocess
import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.cli import main
from tokenlint.rules.messages import role_at
from tokenlint.tokens import Document

if TYPE_CHECKING:
    from pathlib import Path

MARK = "<|im_end|>"


def roles(path: str, text: str) -> list[str | None]:
    """Whose content each marker in a text stands in."""
    document, found, at = Document(path, text), [], text.find(MARK)
    while at >= 0:
        found.append(role_at(document, at, at + len(MARK)))
        at = text.find(MARK, at + 1)
    return found


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", f'[{{"role": "user", "content": "{MARK}"}}]'),
        ("a.toml", f'[[messages]]\nrole = "user"\ncontent = "{MARK}"'),
        ("a.json", f'"{MARK}"'),
        ("a.json", f'"\\u0041{MARK}"'),
        ("a.json", f'["{MARK}"]'),
        ("a.json", f'{{"role": "user", "content": "{MARK}"}}'),  # a lone object is no conversation
        ("a.json", f'[{{"from": "human", "value": "{MARK}"}}]'),
        ("a.json", f'[{{"role": "user", "name": "{MARK}"}}]'),
        ("a.json", f'[{{"role": "{MARK}", "content": "a"}}]'),
        ("a.json", f'[{{"content": "{MARK}"}}]'),
        ("a.json", f'[[{{"role": "user", "content": "{MARK}"}}]]'),
        ("a.json", f'{{"items": [{{"role": "user", "content": "{MARK}"}}]}}'),
        ("a.json", f'{{"messages": {{"role": "user", "content": "{MARK}"}}}}'),
        ("a.json", f'[{{"role": "user", "role": "system", "content": "{MARK}"}}]'),
        ("a.json", f'{{"messages": [{{"role": "user", "content": "{MARK}"}}]'),  # not closed
        ("a.json", f'[{{"role": "user", "content": "{MARK}"}},]'),
        ("a.json", f'[{{"role": "user", "content": "{MARK}"}}]\n[]'),
        ("a.jsonl", f'{{"role": "user", "content": "{MARK}"\n}}'),
        ("a.json", f'{{"messages": [{{"from": "human", "value": "{MARK}"}}]}}'),
        (
            "a.json",
            f'{{"conversations": [{{"from": "human", "role": "tool", "value": "{MARK}"}}]}}',
        ),
        ("a.yaml", f"role: user\ncontent: {MARK}\n"),
        ("a.yaml", f"- from: human\n  value: {MARK}\n"),
        ("a.yaml", f"- role: user\n  name: {MARK}\n"),
        ("a.yaml", f"- role: {MARK}\n  content: a\n"),
        ("a.yaml", f"- content: {MARK}\n"),
        ("a.yaml", f"items:\n- role: user\n  content: {MARK}\n"),
        ("a.yaml", f"messages:\n  role: user\n  content: {MARK}\n"),
        ("a.yaml", f"- role: user\n  role: system\n  content: {MARK}\n"),
        ("a.yaml", f"- role: user\n  content: {MARK}\n- role: [\n"),
        ("a.yaml", f"- role: user\n  content: {MARK}\n\t- x\n"),
        ("a.yaml", f"conversations:\n- {{from: human, role: tool, value: {MARK}}}\n"),
        ("a.yaml", f"- {{role: user, content: &a {MARK}}}\n- {{role: system, content: *a}}\n"),
        ("a.yaml", f"# {MARK}\n- role: user\n  content: a\n"),
    ],
)
def test_nobody_speaks(path: str, text: str) -> None:
    assert roles(path, text) == [None]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "a.json",
            f'[{{"role": "system", "content": "{MARK}"}}, {{"content": "{MARK}", "role":"user"}}]',
            ["system", "user"],
        ),
        ("a.json", f'[{{"role": "human", "content": "{MARK}"}}]', ["human"]),
        ("A.JSON", f'{{"messages": [{{"role": "tool", "content": "{MARK}"}}]}}', ["tool"]),
        ("a.json", f'[{{"messages": [{{"role": "user", "content": "{MARK}"}}]}}]', ["user"]),
        ("a.json", f'[{{"r\\u006fle": "us\\u0065r", "content": "\\"{MARK}"}}]', ["user"]),
        (
            "a.json",
            f'[{{"role": "user", "content": [{{"text": "{MARK}"}}], "x": "{MARK}"}}]',
            ["user", None],
        ),
        (
            "a.json",  # what looks like a message inside of a content is what the tool says
            f'[{{"role": "tool", "content": {{"messages": [{{"role": "system", "content": "{MARK}"'
            "}]}}]",
            ["tool"],
        ),
        (
            "a.json",
            f'[{{"role": "user", "calls": {{"messages": [{{"role": "system", "content": "{MARK}"'
            "}]}}]",
            [None],
        ),
        (
            "a.jsonl",
            f'{{"messages": [{{"role": "system", "content": "{MARK}"}}]}}\n'
            f'{{"messages": [{{"role": "user", "content": "{MARK}"}}\n'
            f'[{{"role": "user", "content": "{MARK}"}}]\r\n\n'
            f'{{"role": "tool", "content": "{MARK}\u2028{MARK}"}}',
            ["system", None, "user", "tool", "tool"],
        ),
        (
            "a.ndjson",
            f'{{"role": "user", "content": {{"messages": [{{"role": "system", "content": "{MARK}"'
            "}]}}",
            ["user"],
        ),
        (
            "a.json",
            f'[{{"conversations": [{{"from": "human", "value": "{MARK}"}}, {{"from": "gpt", "value"'
            f': "{MARK}"}}, {{"value": "{MARK}", "from": "bot"}}, {{"role": "system", "content": '
            f'"{MARK}"}}]}}]',
            ["user", "assistant", "bot", "system"],
        ),
        (
            "a.jsonl",
            f'{{"conversations": [{{"fr\\u006fm": "observation", "value": "{MARK}"}}]}}\n'
            f'{{"conversations": [{{"from": "system", "value": "{MARK}"}}]}}',
            ["tool", "system"],
        ),
        (
            "a.yaml",
            f"- role: system\n  content: |\n    a\n    {MARK}\n    {MARK}\n"
            f"- content: '{MARK}'\n  role: user\n",
            ["system", "system", "user"],
        ),
        ("A.YML", f"messages:\n- role: tool\n  content: >-\n    a\n    {MARK}\n", ["tool"]),
        (
            "a.yaml",
            f'conversations: [{{from: human, value: {MARK}}}, {{from: gpt, value: "{MARK}"}}]',
            ["user", "assistant"],
        ),
        (
            "a.yaml",
            f"---\n- role: user\n  content: {MARK}\n---\nmessages:\n- role: system\n"
            f"  content: {MARK}\n---\nrole: tool\ncontent: {MARK}\n",
            ["user", "system", "tool"],
        ),
        (
            "a.yaml",
            f"- role: user\n  content: [{{type: text, text: {MARK}}}, {MARK}]\n  x: {MARK}\n",
            ["user", "user", None],
        ),
        ("a.yaml", f'- "r\\u006fle": user\n  content: {MARK}\n', ["user"]),
        ("a.yaml", f"x: &a {MARK}\nmessages:\n- role: user\n  content: *a\n", ["user"]),
        ("a.yaml", f"- &a {{role: user, content: {MARK}}}\n- *a\n", ["user"]),
        (
            "a.yaml",
            f"- role: tool\n  content:\n    messages:\n    - role: system\n      content: {MARK}\n",
            ["tool"],
        ),
        (
            "a.yaml",
            f"- role: user\n  calls:\n    messages:\n    - role: system\n      content: {MARK}\n",
            [None],
        ),
        ("a.yaml", f"conversations:\n- {{from: gpt, content: '{MARK}'}}\n", ["assistant"]),
        ("a.yaml", f"conversations:\n- {{role: user, value: '{MARK}'}}\n", ["user"]),
        ("a.yaml", f"messages:\n- role: user\n  content: {MARK}\nname: x\n", ["user"]),
        ("a.yaml", f"- role: {{a: b}}\n  content: {MARK}\n- role: [a]\n  x: y\n", [""]),
        ("a.json", f'[{{"role": {{"a": "b"}}, "content": "{MARK}"}}]', [""]),
    ],
)  # fmt: skip
def test_who_speaks(path: str, text: str, expected: list[str | None]) -> None:
    assert roles(path, text) == expected


TEXTS = st.text(max_size=4) | st.sampled_from([MARK, f'"{MARK}\\', f"{MARK}\n{{["])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["role", "content", "messages", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)
MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "system", "tool"]), "content": VALUES},
    optional={"messages": VALUES, "x": VALUES},
)
FILES = st.lists(MESSAGES, max_size=3) | st.fixed_dictionaries(
    {"messages": st.lists(MESSAGES, max_size=3)}, optional={"x": VALUES}
)


def said(value: Any) -> int:
    """How often the marker stands in a value, keys left out because none holds it."""
    return json.dumps(value).count(MARK)


@given(FILES, st.booleans(), st.sampled_from([None, 2]))
def test_every_marker_of_a_conversation_is_its_role(
    value: Any, ascii_only: bool, indent: int | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    found = roles("a.json", text)
    messages = value if isinstance(value, list) else value["messages"]
    for role in ("user", "system", "tool"):
        own = sum(said(message["content"]) for message in messages if message["role"] == role)
        assert found.count(role) >= own
    spoken = sum(said(message["content"]) for message in messages)
    elsewhere = said(value.get("x")) if isinstance(value, dict) else 0
    assert spoken <= sum(role is not None for role in found) <= spoken + elsewhere


KEYS = st.sampled_from(["role", "content", "messages", "conversations", "from", "value"])
SPEAKERS = st.sampled_from(["user", "human", "gpt", "x"])
ANY_SHAPE = st.recursive(
    st.none() | TEXTS | SPEAKERS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(FILES | st.lists(st.dictionaries(KEYS, ANY_SHAPE), max_size=3), st.booleans())
@settings(max_examples=100)
def test_yaml_says_the_same_as_json(value: Any, flow: bool) -> None:
    text = yaml.safe_dump(value, default_flow_style=flow, width=1000, sort_keys=False)
    in_yaml, in_json = roles("a.yaml", text), roles("a.json", json.dumps(value))
    assert sorted(map(str, in_yaml)) == sorted(map(str, in_json))


@given(FILES, st.data())
def test_a_file_that_ends_too_soon_has_no_messages(value: Any, data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    assert set(roles("a.json", cut)) <= {None}


@pytest.mark.parametrize(
    "text",
    [
        "[" * 300_000 + '"role"' + MARK,
        '{"messages":[' * 100_000 + f'"role{MARK}"' + "]}" * 100_000,
        f'[{{"role":"user","content":"{MARK}' + '\\"' * 500_000,
        '"' * 300_001 + '"role"' + MARK,
    ],
    ids=["lists", "objects", "escapes", "quotes"],
)
@pytest.mark.parametrize("path", ["a.json", "a.yaml"])
def test_hostile_nesting_costs_no_time(path: str, text: str) -> None:
    started = perf_counter()
    assert roles(path, text) == [None]
    assert perf_counter() - started < 5


def test_aliases_that_multiply_come_to_an_end() -> None:
    rows = ["a: &a {messages: [x, x]}"]
    for above, below in zip("abcdefghijklmno", "bcdefghijklmnop", strict=True):
        rows.append(f"{below}: &{below} {{messages: [{', '.join([f'*{above}'] * 50)}]}}")
    text = "\n".join([*rows, "messages:", "- role: user", f"  content: {MARK}", ""])
    assert set(roles("a.yaml", text)) <= {None, "user"}  # read out, there would be 50**15 lists


@pytest.mark.parametrize(
    "text",
    [
        "# tokenlint: ignore-file[TL201]\nmessages:\n- role: user\n  content: |\n    a<turn|>\n",
        "- role: tool  # tokenlint: ignore-next-line\n  content: a<turn|>\n",
        "- {role: user, content: 'a<turn|>'}  # tokenlint: ignore[TL201]\n",
        "conversations:\n- {from: human, value: 'a<turn|>'}  # tokenlint: ignore[TL201]\n",
    ],
)
def test_no_comment_silences_what_a_user_says_in_yaml(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (folder / "chat.yaml").write_text(text)
    assert main(["check", "--select", "TL201", "--output-format", "json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found["level"] == "error"
    assert found["message"].endswith((" in user content", " in tool content"))


def test_yaml_is_parsed_only_where_something_was_found(folder: Path) -> None:
    (folder / "chat.yaml").write_text("- role: user\n  content: clean\n")
    code = (
        "import sys; from tokenlint.cli import main; code = main(['check', '--select', 'TL201']); "
        "print('yaml' in sys.modules, code)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "False 0"
