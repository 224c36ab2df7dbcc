"""`tokenlint explain --chat`: a request as it is sent, with control tokens, frame and content."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokenlint.cli import main
from tokenlint.errors import TokenizerError
from tokenlint.tokens import load_tokenizer

TEMPLATE = """\
{%- if messages[0].role != "system" %}
    {{- "<|im_start|>system\\n" ~
        "You are Qwen, created by Alibaba Cloud. You are a helpful assistant." ~
        "<|im_end|>\\n" }}
{%- endif %}
{%- for message in messages %}
    {{- "<|im_start|>" ~ message.role ~ "\\n" ~ message.content | trim ~ "<|im_end|>\\n" }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- "<|im_start|>assistant\\n" }}
{%- endif %}
"""
Explain = Callable[..., tuple[int, str, str]]

CONFIG = '[tokenizer.qwen]\nsource = "qwen2.5"\nchat-template = "./qwen.jinja"\n'

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def explain(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Explain:
    """Explain messages in a folder with a tokenizer `qwen`."""
    monkeypatch.setenv("COLUMNS", "80")
    Path("tokenlint.toml").write_text(CONFIG, "utf-8")
    Path("qwen.jinja").write_text(TEMPLATE, "utf-8")

    def explain(messages: object, *arguments: str) -> tuple[int, str, str]:
        Path("m.json").write_text(json.dumps(messages), "utf-8")
        code = main(["explain", "--chat", "m.json", *arguments])
        return (code, *capsys.readouterr())

    return explain


def user(content: str) -> dict[str, str]:
    return {"role": "user", "content": content}


@pytest.fixture
def qwen() -> None:
    try:
        load_tokenizer("qwen2.5")
    except TokenizerError as error:
        pytest.skip(str(error))


GREETING = """\
m.json, the request: 8 characters, 9 bytes, 2 words

qwen: 32 tokens, 3 of content, 29 of frame (chat template ./qwen.jinja)
│<|im_start|>│system│⏎    │
│151644      │8948  │198  │
│control     │frame │frame│
│You  │·are │·Q   │wen  │,    │·created│·by  │·Alibaba│·Cloud│.    │·You │·are │
│2610 │525  │1207 │16948│11   │3465    │553  │54364   │14817 │13   │1446 │525  │
│frame│frame│frame│frame│frame│frame   │frame│frame   │frame │frame│frame│frame│
│·a   │·helpful│·assistant│.    │<|im_end|>│⏎    │
│264  │10950   │17847     │13   │151645    │198  │
│frame│frame   │frame     │frame│control   │frame│
│<|im_start|>│user │⏎    │
│151644      │872  │198  │
│control     │frame│frame│
│X      │in     │·chào  │<|im_end|>│⏎    │
│55     │258    │139548 │151645    │198  │
│content│content│content│control   │frame│
│<|im_start|>│assistant│⏎    │
│151644      │77091    │198  │
│control     │frame    │frame│
  turn               content  frame
  user                     3     26
  (assistant opens)        0      3
"""


@pytest.mark.usefixtures("qwen")
def test_three_tokens_are_a_request_of_thirty_two(
    explain: Explain,
) -> None:
    assert explain([user("Xin chào")], "-t", "qwen") == (0, GREETING, "")


def tokens_of(out: str) -> list[dict[str, Any]]:
    (text,) = json.loads(out)["texts"]
    (one,) = text["tokenizers"]
    tokens: list[dict[str, Any]] = one["tokens"]
    return tokens


@pytest.mark.usefixtures("qwen")
@pytest.mark.parametrize(
    ("messages", "contents"),
    [
        ([user("user")], ["user"]),
        ([user("user"), user("assistant")], ["user", "assistant"]),
        ([user("system"), {"role": "assistant", "content": "user"}, user("user")],
         ["system", "user", "user"]),
        ([user("")], []),
        ([user(" \n")], []),
        ([user("  hello ")], ["hello"]),
        ([{"role": "user", "content": [{"type": "text", "text": "one"}]}], ["one"]),
    ],
)  # fmt: skip
def test_the_content_is_found_even_where_the_frame_says_the_same(
    explain: Explain, messages: object, contents: list[str]
) -> None:
    code, out, err = explain(messages, "-t", "qwen", "--output-format", "json")
    assert (code, err) == (0, "")
    tokens = tokens_of(out)
    assert [token["text"] for token in tokens if token["content"]] == contents
    before = {tokens[at - 1]["text"] for at, token in enumerate(tokens) if token["content"]}
    assert before <= {"\n"}


@pytest.mark.usefixtures("qwen")
def test_a_control_string_in_a_content_becomes_a_control_token(
    explain: Explain,
) -> None:
    _, out, _ = explain([user("x<|im_end|>")], "-t", "qwen")
    lines = out.splitlines()
    assert "│content│control!  │control   │frame│" in lines
    assert '"<|im_end|>" in a content becomes the control token 151645' in lines
    _, out, _ = explain([user("x<|im_end|>")], "-t", "qwen", "--output-format", "json")
    end = {"string": "<|im_end|>", "id": 151645, "control": True}
    tokens = [(token["id"], token["content"], token["special"]) for token in tokens_of(out)]
    assert tokens[-6:-3] == [(151645, True, end), (151645, False, end), (198, False, None)]
    _, out, _ = explain([user("x<|im_end|>")], "-t", "qwen", "--output-format", "html")
    assert "becomes the control token 151645" in out
    assert "<td><bdi>user</bdi></td>" in out


HARMONY = """\
gpt-oss-120b: 9 tokens, 3 of content, 6 of frame (harmony, without the system message \
that a server adds where the file has none)
│<|start|>│user │<|message|>│Xin    │·ch    │ào     │<|end|>│<|start|>│
│200006   │1428 │200008     │161644 │549    │35134  │200007 │200006   │
│control  │frame│control    │content│content│content│control│control  │
│assistant│
│173781   │
│frame    │
  turn               content  frame
  user                     3      4
  (assistant opens)        0      2
"""


def test_harmony_keeps_control_strings_of_contents_as_text(explain: Explain) -> None:
    _, out, _ = explain([user("Xin chào")], "-t", "gpt-oss-120b")
    assert out.partition("\n\n")[2] == HARMONY
    _, out, _ = explain([user("<|end|>")], "-t", "gpt-oss-120b")
    assert "control!" not in out


def test_a_formula_has_numbers_only(explain: Explain) -> None:
    code, out, _ = explain([user("Xin chào")], "-t", "gpt-4o")
    assert code == 0
    assert out.splitlines()[2:] == [
        "gpt-4o: 10 tokens, 3 of content, 7 of frame (estimate by OpenAI's documented formula)",
        "There are only numbers to show: which tokens are sent is not known.",
        "  turn               content  frame",
        "  user                     3      4",
        "  (assistant opens)        0      3",
    ]
    _, out, _ = explain([user("Xin chào")], "-t", "gpt-4o", "--output-format", "json")
    assert tokens_of(out) == []


def test_each_request_of_a_file(explain: Explain, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "".join(json.dumps([user(word)]) + "\n" for word in ("one", "two two"))
    Path("m.jsonl").write_text(lines, "utf-8")
    assert main(["explain", "--chat", "m.jsonl", "-t", "gpt-4o"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert [line for line in out if line.startswith("m.jsonl")] == [
        "m.jsonl, request 1: 3 characters, 3 bytes, 1 word",
        "m.jsonl, request 2: 7 characters, 7 bytes, 2 words",
    ]


def test_what_is_no_request_is_one_sentence(explain: Explain) -> None:
    said = "error: m.json: line 1: message 2 (user) has no content\n"
    messages = [user("a"), {"role": "user"}]
    assert explain(messages, "-t", "gpt-4o", "-t", "cl100k_base") == (2, "", said)


def test_a_tokenizer_without_a_chat_format_does_not_keep_the_others_back(explain: Explain) -> None:
    code, out, err = explain([user("a")], "-t", "deepseek-v3", "-t", "gpt-4o")
    assert code == 2
    assert out.splitlines()[2].startswith("gpt-4o: 8 tokens")
    assert err.startswith("error: ")


def test_standard_input_needs_a_name_that_says_its_format(
    explain: Explain, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = json.dumps([user("one")]).encode()
    for more, code in (([], 2), (["--stdin-filename", "m.json"], 0)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
        assert main(["explain", "--chat", "-", "-t", "gpt-4o", *more]) == code
    assert capsys.readouterr().out.startswith("m.json, the request: 3 characters")


@pytest.mark.usefixtures("qwen")
def test_a_template_that_depends_on_contents_is_not_guessed_at(explain: Explain) -> None:
    Path("qwen.jinja").write_text(
        "{% for m in messages %}{{ '<|im_start|>' ~ m.content.upper() }}{% endfor %}", "utf-8"
    )
    _, out, _ = explain([user("one")], "-t", "qwen")
    assert out.splitlines()[3:7] == [
        "│<|im_start|>│ONE │",
        "│151644      │5225│",
        "│control     │    │",
        "Which tokens are content is not known: the template depends on what it is given.",
    ]
    _, out, _ = explain([user("one")], "-t", "qwen", "--output-format", "json")
    assert [token["content"] for token in tokens_of(out)] == [None, None]
