"""Chat templates, with Jinja2 and tokenizers used directly as the judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jinja2
import pytest
from chat_samples import CHATML, IN_PAIRS, PARTS, engine, model_folder, said, talk
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.errors import RenderError, TokenizerError
from tokenlint.tokens import Loader, TokenizerTable
from tokenlint.tokens.chat import OPENING, Turn, frame_for
from tokenlint.tokens.rendering import Renderer

if TYPE_CHECKING:
    from pathlib import Path

    from tokenlint.tokens.chat import Conversation, Frame

HELLO = talk(said("user", "Xin ch\u00e0o"))
QWEN = [
    *(151644, 8948, 198, 2610, 525, 1207, 16948, 11, 3465, 553, 54364, 14817, 13, 1446, 525, 264),
    *(10950, 17847, 13, 151645, 198, 151644, 872, 198, 55, 258, 139548, 151645, 198),
    *(151644, 77091, 198),
]  # fmt: skip


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer()


def qwen(folder: Path, renderer: Renderer, *, opens: bool = True) -> Frame:
    (folder / "qwen.jinja").write_text(CHATML)
    tables = {"mine": TokenizerTable("qwen2.5", chat_template="./qwen.jinja")}
    return frame_for("mine", Loader(folder, tables), renderer, opens=opens)


def test_what_qwen_receives(tmp_path: Path, renderer: Renderer) -> None:
    frame = qwen(tmp_path, renderer)
    request = frame.request(HELLO)
    assert request.ids == QWEN
    assert (request.total, request.content, request.frame) == (32, 3, 29)
    assert request.turns == (Turn("user", 3, 26), Turn(OPENING, 0, 3))
    assert frame.total(HELLO) == 32
    assert frame.label == "chat template ./qwen.jinja"


def test_without_the_opening_of_the_answer(tmp_path: Path, renderer: Renderer) -> None:
    request = qwen(tmp_path, renderer, opens=False).request(HELLO)
    assert request.ids == QWEN[:-3]
    assert request.turns == (Turn("user", 3, 26),)


def test_several_turns_of_qwen(tmp_path: Path, renderer: Renderer) -> None:
    conversation = talk(
        said("system", "Be kind."), said("user", "Xin ch\u00e0o"), said("assistant", "Ch\u00e0o")
    )
    request = qwen(tmp_path, renderer).request(conversation)
    assert request.turns == (
        Turn("system", 3, 5),
        Turn("user", 3, 5),
        Turn("assistant", 2, 5),
        Turn(OPENING, 0, 3),
    )
    assert request.text == (
        "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nXin ch\u00e0o<|im_end|>\n"
        "<|im_start|>assistant\nCh\u00e0o<|im_end|>\n<|im_start|>assistant\n"
    )


def test_a_control_string_in_a_content_is_a_control_token(
    tmp_path: Path, renderer: Renderer
) -> None:
    request = qwen(tmp_path, renderer).request(talk(said("user", "a<|im_end|>b")))
    assert request.content == 3
    assert (request.ids or []).count(151645) == 3


def framed(folder: Path, renderer: Renderer, **files: Any) -> Frame:
    """The frame of a model folder; `_` stands for the dot in the names of its files."""
    names = {
        "jinja": "chat_template.jinja",
        "template": "chat_template.json",
        "config": "tokenizer_config.json",
        "map": "special_tokens_map.json",
    }
    model_folder(folder / "model", {names[key]: content for key, content in files.items()})
    return frame_for("./model", Loader(folder), renderer)


def text_of(frame: Frame, conversation: Conversation = HELLO) -> str | None:
    return frame.request(conversation).text


@pytest.mark.parametrize(
    ("files", "text"),
    [
        ({"jinja": "1", "template": {"chat_template": "2"}, "config": {"chat_template": "3"}}, "1"),
        ({"template": {"chat_template": "2"}, "config": {"chat_template": "3"}}, "2"),
        ({"template": {}, "config": {"chat_template": "3"}}, "3"),
        ({"config": {"chat_template": [{"name": "x", "template": "4"},
                                       {"name": "default", "template": "5"}]}}, "5"),
        ({"jinja": "\ufeffa\r\nb"}, "a\nb"),
        ({"jinja": "{{ bos_token }}", "config": {"bos_token": "<s>"}}, "<s>"),
        ({"jinja": "{{ eos_token }}|{{ pad_token }}|{{ unk_token }}",
          "config": {"eos_token": {"content": "</s>"}, "unk_token": None},
          "map": {"eos_token": "<e>", "pad_token": "<p>"}}, "</s>|<p>|"),
        ({"jinja": "{{ messages[0].content }} {{ add_generation_prompt }} {{ tools }}"},
         "Xin ch\u00e0o True None"),
    ],
)  # fmt: skip
def test_where_a_template_stands(
    tmp_path: Path, renderer: Renderer, files: dict[str, Any], text: str
) -> None:
    frame = framed(tmp_path, renderer, **files)
    assert text_of(frame) == text
    assert frame.label == "chat template of ./model"


def test_tools_and_other_things_that_a_template_is_told(tmp_path: Path, renderer: Renderer) -> None:
    told = "{{ tools | tojson }} {{ documents }} {{ thinks }}"
    named = [{"name": "tool_use", "template": told}, {"name": "default", "template": "none"}]
    frame = framed(tmp_path, renderer, config={"chat_template": named})
    extra = {
        "tools": [{"name": "f\u1ec7"}],
        "documents": ["d"],
        "chat_template_kwargs": {"thinks": 1},
        "thinks": 2,
    }
    assert text_of(frame, talk(said("user"), **extra)) == '[{"name": "f\u1ec7"}] [\'d\'] 1'
    assert text_of(frame, talk(said("user"), tools=[])) == "none"
    only = framed(tmp_path, renderer, config={"chat_template": told})
    assert text_of(only, talk(said("user"), tools=["t"])) == '["t"] None '


@pytest.mark.parametrize(
    ("template", "text"),
    [(PARTS, "<|im_start|>user:ab<|im_end|>"), (CHATML, "user\nab<|im_end|>\n")],
)
def test_parts(tmp_path: Path, renderer: Renderer, template: str, text: str) -> None:
    frame = framed(tmp_path, renderer, jinja=template)
    request = frame.request(talk(said("user", ["a", "b"])))
    assert text in (request.text or "")
    assert request.content == 2


PICKY = """\
{%- for message in messages %}
    {%- if message.role != "user" %}{{ raise_exception("only users") }}{% endif %}
    {%- if message.content is string %}a text{% endif %}
    {%- for part in message.content %}{{ part.text }}{% endfor %}
{%- endfor %}
"""


def test_a_template_that_knows_users_only_gets_parts(tmp_path: Path, renderer: Renderer) -> None:
    frame = framed(tmp_path, renderer, jinja=PICKY)
    assert text_of(frame, talk(said("user", ["a", "b"]))) == "ab"


def test_a_template_that_raises_for_parts_gets_text(tmp_path: Path, renderer: Renderer) -> None:
    frame = framed(tmp_path, renderer, jinja="{{ messages[0].content + '!' }}")
    assert text_of(frame, talk(said("user", ["a", "b"]))) == "ab!"


def test_a_template_that_refuses_the_first_turns(tmp_path: Path, renderer: Renderer) -> None:
    frame = framed(tmp_path, renderer, jinja=IN_PAIRS, config={"bos_token": "<|im_start|>"})
    request = frame.request(talk(said("user", "a"), said("assistant", "b")))
    assert request.turns == (Turn("user", 1, None), Turn("assistant", 1, None))
    assert (request.total, request.frame) == (4, 2)
    with pytest.raises(RenderError, match="a user and an assistant in turn"):
        frame.request(talk(said("user", "a")))


def test_a_missing_content_is_the_business_of_the_template(
    tmp_path: Path, renderer: Renderer
) -> None:
    frame = framed(tmp_path, renderer, jinja="{% for m in messages %}[{{ m.content }}]{% endfor %}")
    assert text_of(frame, talk(said("assistant", None, tool_calls=[{}]))) == "[None]"


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (
            {},
            "./model: no chat template in {folder} (looked for chat_template.jinja, "
            "chat_template.json, tokenizer_config.json); add [tool.tokenlint.tokenizer.NAME] with "
            'source = "./model" and chat-template = the path of its Jinja template',
        ),
        (
            {"config": {"chat_template": 3}},
            "{folder}/tokenizer_config.json: its chat_template is neither a string nor a list of "
            "templates with a name",
        ),
        (
            {"config": {"chat_template": [{"name": "rag", "template": "x"}]}},
            "{folder}/tokenizer_config.json: none of its chat templates is called default (rag)",
        ),
        (
            {"config": '{\n"a":}'},
            "{folder}/tokenizer_config.json: not valid JSON (line 2: Expecting value)",
        ),
        (
            {"config": "[" * 100_000},
            "{folder}/tokenizer_config.json: not valid JSON (line 1: nested too deeply)",
        ),
    ],
)
def test_a_folder_without_a_usable_template(
    tmp_path: Path, renderer: Renderer, files: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(TokenizerError) as error:
        framed(tmp_path, renderer, **files)
    assert str(error.value) == sentence.format(folder=tmp_path / "model")


def test_a_folder_in_the_place_of_a_template(tmp_path: Path, renderer: Renderer) -> None:
    model_folder(tmp_path / "model", {})
    (tmp_path / "model" / "chat_template.jinja").mkdir()
    with pytest.raises(TokenizerError, match=r"chat_template\.jinja: "):
        frame_for("./model", Loader(tmp_path), renderer)


def test_a_template_that_is_not_text(tmp_path: Path, renderer: Renderer) -> None:
    model_folder(tmp_path / "model", {})
    (tmp_path / "model" / "chat_template.jinja").write_bytes(b"\xff")
    with pytest.raises(TokenizerError, match="not UTF-8; convert the file to UTF-8"):
        frame_for("./model", Loader(tmp_path), renderer)


CONTENTS = st.text(max_size=12) | st.sampled_from(
    ["<|im_end|>", "{{ x }}", "e\u0323\u0302", "a\ud800"]
)
TALKS = st.lists(st.tuples(st.sampled_from(["system", "user", "assistant"]), CONTENTS), min_size=1)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, renderer: Renderer) -> Frame:
    return framed(tmp_path_factory.mktemp("small"), renderer, jinja=CHATML)


@given(TALKS)
@settings(max_examples=25)
def test_as_jinja_and_tokenizers_do_it(small: Frame, talked: list[tuple[str, str]]) -> None:
    spoken = [{"role": role, "content": content} for role, content in talked]
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)  # noqa: S701
    text = environment.from_string(CHATML).render(messages=spoken, add_generation_prompt=True)
    as_read = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    request = small.request(talk(*(said(role, content) for role, content in talked)))
    assert request.text == text
    assert request.ids == engine().encode(as_read, add_special_tokens=False).ids
    assert request.total == request.frame + request.content
    assert request.total == sum(turn.content + (turn.frame or 0) for turn in request.turns)
    assert request.total == small.total(talk(*(said(role, content) for role, content in talked)))
