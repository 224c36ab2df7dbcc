"""Files of messages, in every shape; Python's own parsers are the judges."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.errors import ChatError
from tokenlint.tokens import Document
from tokenlint.tokens.chat import conversations

ASK = '{"role": "user", "content": "Xin ch\u00e0o"}'
TALK = f"[{ASK}]"


def read(path: str, text: str) -> list[list[tuple[str, str]]]:
    """Role and content of each message, conversation by conversation."""
    found = conversations(Document(path, text))
    return [[(message.role, message.content) for message in one.messages] for one in found]


USER = [("user", "Xin ch\u00e0o")]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.json", TALK, [USER]),
        ("A.JSON", f'{{"messages": {TALK}}}', [USER]),
        ("a.json", f'[{{"messages": {TALK}}}, {{"messages": {TALK}}}]', [USER, USER]),
        ("a.json", f'{{"conversations": {TALK}}}', [USER]),
        (
            "a.json",
            '[{"conversations": [{"from": "system", "value": "s"}, {"from": "human", "value": "h"},'
            ' {"from": "gpt", "value": "g"}, {"from": "tool", "value": "t"}]}]',
            [[("system", "s"), ("user", "h"), ("assistant", "g"), ("tool", "t")]],
        ),
        ("a.jsonl", f'{TALK}\n{{"messages": {TALK}}}\n', [USER, USER]),
        ("a.ndjson", f"{TALK}\r\n\n{TALK}", [USER, USER]),
        ("a.yaml", "- role: user\n  content: Xin ch\u00e0o\n", [USER]),
        ("a.yml", "messages:\n- role: user\n  content: |\n    a\n    b\n", [[("user", "a\nb\n")]]),
        ("a.yaml", f"--- {TALK}\n---\nmessages: {TALK}\n", [USER, USER]),
        ("a.yaml", f"- messages: {TALK}\n- messages: {TALK}\n", [USER, USER]),
        ("a.yaml", "- &a {role: user, content: x}\n- *a\n", [[("user", "x"), ("user", "x")]]),
        (
            "a.json",
            '[{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", '
            '"text": "b"}]}]',
            [[("user", "ab")]],
        ),
        ("a.json", '[{"role": "user", "content": []}]', [[("user", "")]]),
        (
            "a.json",
            '[{"role": "assistant", "content": null, "tool_calls": [{"id": "1"}]}, '
            '{"role": "assistant", "function_call": {"name": "f"}}]',
            [[("assistant", ""), ("assistant", "")]],
        ),
        ("a.json", '[{"role": "user", "content": "\\ud800 \\ud83d\\ude00"}]',
         [[("user", "\ud800 \U0001f600")]]),
    ],
)  # fmt: skip
def test_shapes(path: str, text: str, expected: list[list[tuple[str, str]]]) -> None:
    assert read(path, text) == expected


def test_what_else_a_message_and_a_request_hold() -> None:
    text = (
        '{"tools": [{"name": "f", "n": 1.5, "x": [null, true]}], "id": 7, "messages": [\n'
        '  {"role": "user", "name": "Bob", "content": "a\\u1ec7b"}]}'
    )
    (found,) = conversations(Document("a.json", text))
    (message,) = found.messages
    assert found.extra == {"tools": [{"name": "f", "n": 1.5, "x": [None, True]}], "id": 7}
    assert message.fields == {"role": "user", "name": "Bob", "content": "a\u1ec7b"}
    assert (message.name, found.row) == ("Bob", 1)
    assert text[message.start : message.end] == "a\\u1ec7b"


def test_sharegpt_becomes_what_templates_read() -> None:
    text = '{"conversations": [{"from": "human", "value": "a", "weight": 1}]}'
    (found,) = conversations(Document("a.json", text))
    assert found.messages[0].fields == {"role": "user", "content": "a", "weight": 1}


def test_where_conversations_begin() -> None:
    text = f"{TALK}\n\n{TALK}\n"
    assert [one.row for one in conversations(Document("a.jsonl", text))] == [1, 3]
    assert [one.row for one in conversations(Document("a.yaml", f"- messages:\n  - {ASK}\n"))] == [
        1
    ]


NO_MESSAGES = (
    "no messages here: expected a list of objects with role and content, or an object with such a "
    "list under messages (or, as in ShareGPT files, from and value under conversations)"
)


@pytest.mark.parametrize(
    ("path", "text", "sentence"),
    [
        ("a.md", TALK, "messages are read in .json, .jsonl, .ndjson, .yaml, .yml files only"),
        ("-", TALK, "messages are read in .json, .jsonl, .ndjson, .yaml, .yml files only"),
        ("a.json", "{}", f"line 1: {NO_MESSAGES}"),
        ("a.json", "3", f"line 1: {NO_MESSAGES}"),
        ("a.yaml", "", f"line 1: {NO_MESSAGES}"),
        ("a.json", ASK, "line 1: a message alone is no conversation; put it into a list"),
        (
            "a.jsonl",
            f"{TALK}\n{ASK}",
            "line 2, conversation 2: a message alone is no conversation; put it into a list",
        ),
        ("a.jsonl", "\n", "no conversation in this file: each line holds one"),
        (
            "a.yaml",
            "- role: user\n  content: !secret a\n",
            "line 2: a value with the YAML tag '!secret' cannot be used here",
        ),
        ("a.json", "[]", "line 1: there is no message in the list"),
        ("a.json", '{"messages": []}', "line 1: there is no message in the list"),
        ("a.json", '\n{"messages": {}}', "line 2: the messages are not a list"),
        ("a.json", f"[{TALK}]", "line 1: message 1 is not an object with role and content"),
        (
            "a.json",
            f'{{"messages": {TALK}, "conversations": {TALK}}}',
            "line 1: messages and conversations in one object; leave one out",
        ),
        (
            "a.json",
            f'{{"system": "Be kind.", "messages": {TALK}}}',
            "line 1: the object has a system text beside its messages; make it the first message",
        ),
        ("a.json", f'{{"tools": "f", "messages": {TALK}}}', "line 1: tools is not a list"),
        ("a.json", f'{{"messages": {TALK},\n"tools": "f"}}', "line 2: tools is not a list"),
        ("a.json", f'[{ASK},\n{{"content": "a"}}]', "line 2: message 2 has no role"),
        (
            "a.jsonl",
            f'{TALK}\n[{{"role": "user"}}]',
            "line 2, conversation 2: message 1 (user) has no content",
        ),
        (
            "a.json",
            '[{"role": "assistant", "content": null, "tool_calls": []}]',
            "line 1: message 1 (assistant) has no content",
        ),
        ("a.json", '[{"from": "human", "value": "a"}]', "line 1: message 1 has no role"),
        (
            "a.json",
            '{"conversations": [{"from": "bot", "value": "a"}]}',
            "line 1: message 1 is from 'bot', which is none of human, user, gpt, assistant, "
            "system, tool, observation",
        ),
        (
            "a.json",
            '{"conversations": [{"from": "human"}]}',
            "line 1: message 1 (user) has no value",
        ),
        (
            "a.yaml",
            "- role: user\n  content: 12\n",
            "line 2: the content of message 1 (user) is not a text (12); put it in quotes",
        ),
        (
            "a.yaml",
            "- role: yes\n  content: a\n",
            "line 1: the role of message 1 is not a text (yes); put it in quotes",
        ),
        (
            "a.json",
            '[{"role": "user", "content": {"text": "a"}}]',
            "line 1: the content of message 1 (user) is not a text",
        ),
        (
            "a.json",
            '[{"role": "user", "content": [{"type": "text", "text": "a"},\n'
            '{"type": "image_url", "image_url": {"url": "x"}}]}]',
            "line 2: part 2 of message 1 (user) is an image, which cannot be counted; only text "
            "can",
        ),
        (
            "a.json",
            '[{"role": "user", "content": [{"type": "input_audio"}]}]',
            "line 1: part 1 of message 1 (user) is audio, which cannot be counted; only text can",
        ),
        (
            "a.json",
            '[{"role": "user", "content": [{"type": "thinking"}]}]',
            "line 1: part 1 of message 1 (user) is of type 'thinking'; only parts of type text "
            "can be counted",
        ),
        (
            "a.json",
            '[{"role": "user", "content": ["a"]}]',
            "line 1: part 1 of message 1 (user) is not an object with a type; write type: text",
        ),
        (
            "a.json",
            '[{"role": "user", "content": [{"text": "a"}]}]',
            "line 1: part 1 of message 1 (user) is not an object with a type; write type: text",
        ),
        (
            "a.json",
            '[{"role": "user", "content": [{"type": "text"}]}]',
            "line 1: part 1 of message 1 (user) has no text",
        ),
        (
            "a.json",
            '[{"role": "user", "content": "a", "x": ' + "[" * 200 + "]" * 200 + "}]",
            "line 1: values that are nested more than 200 deep cannot be used here",
        ),
    ],
)
def test_what_is_no_conversation(path: str, text: str, sentence: str) -> None:
    with pytest.raises(ChatError) as error:
        conversations(Document(path, text))
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.json", f"[{ASK},\n]", "line 2"),
        ("a.jsonl", f"{TALK}\n{TALK[:-1]}", "line 2"),
        ("a.json", '[{"role": "user",\n"role": "system", "content": "a"}]', "line 2"),
        ("a.yaml", "- role: user\n  role: system\n  content: a\n", "line 2"),
        ("a.yaml", "- role: user\n\tcontent: a\n", "line 2"),
        ("a.json", "[" * 100_000, "line 1"),
    ],
)
def test_what_no_parser_reads(path: str, text: str, line: str) -> None:
    with pytest.raises(ChatError, match=line):
        conversations(Document(path, text))


def test_aliases_that_multiply_end_in_a_sentence() -> None:
    rows = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    for above, below in zip("abcdefghi", "bcdefghij", strict=True):
        rows.append(f"{below}: &{below} [{', '.join([f'*{above}'] * 10)}]")
    text = "\n".join([*rows, f"messages: {TALK}", ""])
    with pytest.raises(ChatError, match="aliases"):
        conversations(Document("a.yaml", text))


ODD = ["", "null", "- a\n", "#x", "<|im_end|>", "\u2028"]
CONTENTS = st.text(max_size=15) | st.sampled_from(ODD)
TALKS = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "system", "assistant"]), "content": CONTENTS},
        optional={"name": st.text(max_size=3), "x": st.integers() | st.booleans() | st.none()},
    ),
    min_size=1,
    max_size=4,
)


def raw(text: str, path: str) -> list[list[Any]]:
    return [
        [message.fields for message in one.messages] for one in conversations(Document(path, text))
    ]


@given(TALKS, st.booleans(), st.sampled_from([None, 1]))
@settings(max_examples=50)
def test_what_json_reads(talked: list[Any], ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(talked, ensure_ascii=ascii_only, indent=indent)
    assert raw(text, "a.json") == [json.loads(text)]
    lines = json.dumps({"messages": talked}) + "\n" + json.dumps(talked)
    assert raw(lines, "a.jsonl") == [talked, talked]


@given(TALKS, st.sampled_from([None, "|", ">", '"']), st.booleans())
@settings(max_examples=50)
def test_what_yaml_reads(talked: list[Any], style: str | None, unicode: bool) -> None:
    documents = [talked, {"messages": talked}]
    text = yaml.safe_dump_all(documents, default_style=style, allow_unicode=unicode)
    if style is not None:  # every scalar is a string then, but for its tag
        talked = [{k: v for k, v in one.items() if k != "x"} for one in talked]
        text = yaml.safe_dump_all([talked, {"messages": talked}], default_style=style)
    first, second = yaml.safe_load_all(text)  # not `talked`: PyYAML writes some line breaks anew
    assert raw(text, "a.yaml") == [first, second["messages"]]
