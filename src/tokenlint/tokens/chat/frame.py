"""What stands around messages when a model receives them, counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tokenlint.frozen import frozen

if TYPE_CHECKING:
    from tokenlint.tokens.chat.conversation import Conversation

OPENING = "(assistant opens)"
"The role of the last turn: what asks the model for its answer, and holds no content."


@frozen
class Turn:
    """What one message comes to; `frame` is None where it cannot be told turn by turn."""

    role: str
    content: int
    frame: int | None


@frozen
class Request:
    """What a conversation comes to as a model receives it.

    `ids` and `text` are what is sent, and None where only a formula is known.
    """

    total: int
    content: int
    turns: tuple[Turn, ...]
    ids: list[int] | None = None
    text: str | None = None

    @property
    def frame(self) -> int:
        """The tokens that are not content."""
        return self.total - self.content


class Frame(Protocol):
    """The chat format of a tokenizer."""

    @property
    def label(self) -> str:
        """Where the format comes from, and what it leaves out, for people."""

    def total(self, conversation: Conversation) -> int:
        """The tokens of a conversation, which is less work than `request`.

        Raises ChatError, RenderError and UncountableTextError.
        """

    def request(self, conversation: Conversation) -> Request:
        """The tokens of a conversation, turn by turn.

        Raises ChatError, RenderError and UncountableTextError.
        """
