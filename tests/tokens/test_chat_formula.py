"""OpenAI's estimate, with the cookbook's published figures and a second reckoning as judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.errors import ChatError
from tokenlint.tokens import load_tokenizer
from tokenlint.tokens.chat import OPENING, Conversation, Message, Turn
from tokenlint.tokens.chat.formula import LABEL, FormulaFrame

if TYPE_CHECKING:
    from collections.abc import Callable


def message(role: str, content: str = "", **fields: Any) -> Message:
    said = {"role": role, "content": content, **fields}
    return Message(role, content, fields.get("name"), said)


def talk(*messages: Message, **extra: Any) -> Conversation:
    return Conversation(messages, extra)


COOKBOOK = talk(
    message(
        "system",
        "You are a helpful, pattern-following assistant that translates corporate jargon into "
        "plain English.",
    ),
    message("system", "New synergies will help drive top-line growth.", name="example_user"),
    message(
        "system", "Things working well together will increase revenue.", name="example_assistant"
    ),
    message(
        "system",
        "Let's circle back when we have more bandwidth to touch base on opportunities for "
        "increased leverage.",
        name="example_user",
    ),
    message(
        "system",
        "Let's talk later when we're less busy about how to do better.",
        name="example_assistant",
    ),
    message(
        "user",
        "This late pivot means we don't have time to boil the ocean for the client deliverable.",
    ),
)


@pytest.mark.parametrize(("name", "total"), [("gpt-4", 129), ("gpt-4o", 124)])
def test_what_the_cookbook_says_the_api_counted(name: str, total: int) -> None:
    frame = FormulaFrame(load_tokenizer(name))
    assert frame.request(COOKBOOK).total == frame.total(COOKBOOK) == total


def test_each_turn() -> None:
    frame = FormulaFrame(load_tokenizer("o200k_base"))
    request = frame.request(
        talk(message("system", "Be kind."), message("user", "Xin ch\u00e0o", name="Bob"))
    )
    assert frame.label == LABEL == "estimate by OpenAI's documented formula"
    assert request.turns == (Turn("system", 3, 4), Turn("user", 3, 6), Turn(OPENING, 0, 3))
    assert (request.total, request.content, request.frame) == (19, 6, 13)
    assert (request.ids, request.text) == (None, None)


def test_a_control_string_is_text_and_parts_are_counted_one_by_one() -> None:
    frame = FormulaFrame(load_tokenizer("o200k_base"))
    marked = frame.request(talk(message("user", "<|endoftext|>")))
    assert marked.content == load_tokenizer("o200k_base").count("<|endoftext|>") > 1
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    said = Message("user", "ab", None, {"role": "user", "content": parts})
    assert frame.request(talk(said)).content == 2


@pytest.mark.parametrize(
    ("conversation", "sentence"),
    [
        (
            talk(message("user", "a"), tools=[{"type": "function"}]),
            "the request defines tools, and OpenAI does not document what they cost; take them "
            "out to count the messages",
        ),
        (
            talk(message("user", "a"), message("assistant", tool_calls=[{"id": "1"}])),
            "message 2 calls tools, and OpenAI does not document what calls cost; take the calls "
            "out to count the messages",
        ),
    ],
)
def test_what_is_not_documented(conversation: Conversation, sentence: str) -> None:
    with pytest.raises(ChatError) as error:
        FormulaFrame(load_tokenizer("o200k_base")).request(conversation)
    assert str(error.value) == sentence


@given(st.lists(st.tuples(st.sampled_from(["system", "user"]), st.text(max_size=20)), max_size=4))
@settings(max_examples=30)
def test_the_sum_of_the_turns(
    official_count: Callable[[str, str], int], said: list[tuple[str, str]]
) -> None:
    request = FormulaFrame(load_tokenizer("o200k_base")).request(
        talk(*(message(role, content) for role, content in said))
    )
    counts = [official_count("o200k_base", text) for one in said for text in one]
    assert request.total == sum(counts) + 3 * len(said) + 3
    assert request.total == sum(turn.content + (turn.frame or 0) for turn in request.turns)
