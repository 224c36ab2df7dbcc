"""Which tokens of a request are control tokens, which are its frame, and which the content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_hf_backend import KINDS, byte_level, small

from tokenlint.errors import ChatError
from tokenlint.tokens import load_tokenizer
from tokenlint.tokens.chat import Conversation, Message, Request
from tokenlint.tokens.chat.formula import FormulaFrame
from tokenlint.tokens.chat.harmony import HarmonyFrame
from tokenlint.tokens.cut_request import cut_request

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenlint.tokens.cutting import Cut
    from tokenlint.tokens.tokenizer import Tokenizer

TEXTS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(("user", "<|end|>", "<|turn|>", "<tool_call>", "\n", " a ", "\ue0000\ue001")),
)
ROLES = st.sampled_from(("user", "assistant"))


def talk(*said: tuple[str, str]) -> Conversation:
    return Conversation(
        tuple(Message(role, text, fields={"role": role, "content": text}) for role, text in said)
    )


@dataclass(frozen=True)
class Turns:
    """A chat format in one line, for any tokenizer whose control strings are these."""

    tokenizer: Tokenizer
    refuses: str | None = None
    label: str = "turns"

    def total(self, conversation: Conversation) -> int:
        return self.request(conversation).total

    def request(self, conversation: Conversation) -> Request:
        text = "".join(f"<|turn|>{m.role}\n{m.content}<tool_call>" for m in conversation.messages)
        if self.refuses and self.refuses in text:
            raise ChatError("no such text")
        ids = self.tokenizer.encode(text, control=True)
        return Request(len(ids), 0, (), ids, text)


def cut_turns(some: Tokenizer, *said: tuple[str, str], most: int | None = None) -> Cut:
    frame, conversation = Turns(some), talk(*said)
    return cut_request(some, conversation, frame.request(conversation), frame, most)


def parts(found: Cut) -> list[tuple[str | None, str]]:
    """The text of each token, and what it is."""
    kinds = {True: "content", False: "frame", None: "unknown"}
    return [
        (token.text, "control" if token.special else kinds[token.content]) for token in found.tokens
    ]


def test_a_content_that_the_frame_says_as_well() -> None:
    found = parts(cut_turns(small(byte_level), ("a", "a"), ("b", "")))
    assert found == [
        ("<|turn|>", "control"), ("a", "frame"), ("\n", "frame"), ("a", "content"),
        ("<tool_call>", "control"),
        ("<|turn|>", "control"), ("b", "frame"), ("\n", "frame"), ("<tool_call>", "control"),
    ]  # fmt: skip


def test_a_content_of_several_parts() -> None:
    given_parts = [{"type": "text", "text": "a"}, {"type": "text", "text": " "}, "user"]
    message = Message("user", "a user", fields={"role": "user", "content": given_parts})
    some, conversation = small(byte_level), Conversation((message,))
    frame = Turns(some)
    found = cut_request(some, conversation, frame.request(conversation), frame)
    said = b"".join(token.raw for token in found.tokens if token.content)
    assert said == b"auser"


def test_only_the_first_tokens_are_told() -> None:
    found = cut_turns(small(byte_level), ("a", "a"), most=2)
    assert (found.total, len(found.tokens), found.left_out) == (5, 2, 3)


def test_of_a_formula_there_are_only_numbers() -> None:
    some, conversation = load_tokenizer("o200k_base"), talk(("user", "one"))
    frame = FormulaFrame(some)
    found = cut_request(some, conversation, frame.request(conversation), frame)
    assert (found.tokens, found.total) == ((), 8)


def test_a_format_that_refuses_other_contents_is_not_guessed_at() -> None:
    some, conversation = small(byte_level), talk(("a", "a"))
    frame = Turns(some, refuses="\ue000")
    found = cut_request(some, conversation, frame.request(conversation), frame)
    assert [token.content for token in found.tokens] == [None] * 5


@given(said=st.lists(st.tuples(ROLES, TEXTS), min_size=1, max_size=4))
def test_harmony_contents_are_what_was_said(said: list[tuple[str, str]]) -> None:
    some, conversation = load_tokenizer("o200k_harmony"), talk(*said)
    frame = HarmonyFrame(some)
    request = frame.request(conversation)
    found = cut_request(some, conversation, request, frame)
    assert [token.id for token in found.tokens] == request.ids
    assert b"".join(token.raw for token in found.tokens).decode() == request.text == found.text
    content = b"".join(token.raw for token in found.tokens if token.content).decode()
    assert content == "".join(text for _, text in said if text.strip())
    assert all(token.special is None for token in found.tokens if token.content)


@pytest.mark.parametrize("make", KINDS)
@settings(max_examples=30)
@given(said=st.lists(st.tuples(ROLES, TEXTS), min_size=1, max_size=3))
def test_pieces_are_those_of_the_ids_or_none_is_shown(
    make: Callable[[], object], said: list[tuple[str, str]]
) -> None:
    some: Tokenizer = small(make)
    frame, conversation = Turns(some), talk(*said)
    request = frame.request(conversation)
    found = cut_request(some, conversation, request, frame)
    assert found.total == request.total
    if found.tokens:
        assert [token.id for token in found.tokens] == request.ids
        names = {id_: string for string, id_ in some.special_tokens.items()}
        for token in found.tokens:
            assert (token.special and token.special.string) == names.get(token.id)
