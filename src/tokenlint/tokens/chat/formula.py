"""OpenAI's own estimate of what its models receive: so many tokens around each message.

The numbers are those of the cookbook, "How to count tokens with tiktoken". How definitions and
calls of tools are sent is not documented.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.errors import ChatError
from tokenlint.frozen import frozen
from tokenlint.tokens.chat.frame import OPENING, Request, Turn

if TYPE_CHECKING:
    from tokenlint.tokens.chat.conversation import Conversation, Message
    from tokenlint.tokens.tokenizer import Tokenizer

LABEL = "estimate by OpenAI's documented formula"

_PER_MESSAGE = 3
_PER_NAME = 1
_REPLY = 3

_OF_TOOLS = ("tools", "functions")
_CALLS = ("tool_calls", "function_call")


@frozen
class FormulaFrame:
    """The documented formula over the tokens of one of OpenAI's encodings."""

    tokenizer: Tokenizer
    label: str = LABEL

    def total(self, conversation: Conversation) -> int:
        """The tokens of a conversation; see `Frame`."""
        return self.request(conversation).total

    def request(self, conversation: Conversation) -> Request:
        """The estimate; see `Frame`."""
        _refuse_tools(conversation)
        turns = [self._turn(message) for message in conversation.messages]
        turns.append(Turn(OPENING, 0, _REPLY))
        content = sum(turn.content for turn in turns)
        frame = sum(turn.frame or 0 for turn in turns)
        return Request(content + frame, content, tuple(turns))

    def _turn(self, message: Message) -> Turn:
        count = self.tokenizer.count
        frame = _PER_MESSAGE + count(message.role)
        if message.name is not None:
            frame += count(message.name) + _PER_NAME
        return Turn(message.role, sum(map(count, message.texts)), frame)


def _refuse_tools(conversation: Conversation) -> None:
    if any(conversation.extra.get(key) for key in _OF_TOOLS):
        raise ChatError(
            "the request defines tools, and OpenAI does not document what they cost; take them "
            "out to count the messages"
        )
    for number, message in enumerate(conversation.messages, 1):
        if any(message.fields.get(key) for key in _CALLS):
            raise ChatError(
                f"message {number} calls tools, and OpenAI does not document what calls cost; "
                "take the calls out to count the messages"
            )
