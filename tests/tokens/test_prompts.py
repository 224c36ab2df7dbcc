"""What of a file is a prompt: its text, where it stands, its name and its bytes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tokenlint.rules import Context
from tokenlint.tokens.document import Document, decode
from tokenlint.tokens.extract import Extract
from tokenlint.tokens.prompts import Prompt, Prompts

if TYPE_CHECKING:
    from pathlib import Path


def found(path: str, text: str, how: str) -> list[tuple[str, str, str, int]]:
    """Text, source, name and bytes of each prompt."""
    prompts = Prompts().of(Document(path, text), Extract.parse(how))
    return [(one.text, text[one.start : one.end], one.name, one.bytes) for one in prompts]


TALK = [
    {"role": "user", "content": "Xin"},
    {"role": "assistant", "content": "Ch\u00e0o"},
]


@pytest.mark.parametrize(
    ("path", "text", "how", "expected"),
    [
        ("a.md", "---\nx: y\n---\nb\r\nc", "body", [("b\nc", "b\r\nc", "", 3)]),
        ("a.json", '{"a": "x", "b": "\\u1ec7"}', "*",
         [("x", "x", "a", 1), ("\u1ec7", "\\u1ec7", "b", 3)]),
        ("a.json", json.dumps(TALK), "chat",
         [("Xin\nCh\u00e0o", json.dumps(TALK)[30:-3], "the request", 8)]),
        ("a.jsonl", f"{json.dumps(TALK)}\n{json.dumps(TALK[:1])}\n", "chat",
         [("Xin\nCh\u00e0o", json.dumps(TALK)[30:-3], "request 1", 8),
          ("Xin", "Xin", "request 2", 3)]),
    ],
)  # fmt: skip
def test_the_prompts_of_a_file(
    path: str, text: str, how: str, expected: list[tuple[str, str, str, int]]
) -> None:
    assert found(path, text, how) == expected


def test_the_whole_file_is_one_prompt_as_the_settings_say() -> None:
    document = decode("a.md", b"\xef\xbb\xbfa\r\nb")
    assert isinstance(document, Document)
    for context, text in (
        (Context(), "a\nb"),
        (Context(newlines="as-is"), "a\r\nb"),
        (Context(count_bom=True), "\ufeffa\nb"),
    ):
        assert context.prompts_of(document) == (Prompt(text, bytes=7),)


def test_a_template_includes_what_stands_in_the_folders(tmp_path: Path) -> None:
    (tmp_path / "tone.jinja").write_text("warm")
    document = Document("a.jinja", "Be {% include 'tone.jinja' %}.")
    (prompt,) = Context(folders=(tmp_path,)).prompts.of(document, Extract.parse("jinja"))
    assert prompt.text == "Be warm."
