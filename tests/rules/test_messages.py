"""Whose content a place in a file of messages is, with Python's own JSON parser as the judge."""

from __future__ import annotations

import json
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.rules.messages import role_at
from tokenlint.tokens import Document

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
        ("a.yaml", f'[{{"role": "user", "content": "{MARK}"}}]'),
        ("a.json", f'"{MARK}"'),
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
def test_hostile_nesting_costs_no_time(text: str) -> None:
    started = perf_counter()
    assert roles("a.json", text) == [None]
    assert perf_counter() - started < 5
