"""What somebody sends to a chat model: messages, and what goes with them."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from tokenlint.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

OF_SHAREGPT = {
    "human": "user",
    "user": "user",
    "gpt": "assistant",
    "assistant": "assistant",
    "system": "system",
    "tool": "tool",
    "observation": "tool",
}
"What ShareGPT files call those who speak, and the role of each."


@frozen
class Message:
    """One message: who says what. `fields` is all of it, with `role` and `content`, as it is sent.

    `content` is the text alone, of all parts one after the other; `start` and `end` are where the
    content stands in the file.
    """

    role: str
    content: str
    name: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict, hash=False)
    start: int = 0
    end: int = 0

    @property
    def texts(self) -> list[str]:
        """The text of each part; a content that is one string is one part."""
        given = self.fields.get("content")
        if isinstance(given, list):
            return [part if isinstance(part, str) else part["text"] for part in given]
        return [self.content]


@frozen
class Conversation:
    """The messages of one request, what else it holds (tools), and the line where it begins."""

    messages: tuple[Message, ...]
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    row: int = 1
