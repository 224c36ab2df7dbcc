"""The chat template of a model, rendered and cut as transformers does it.

transformers renders the messages to one text, and cuts that text without adding anything. The
template's control strings become control tokens there, and so do those that stand in a content.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokenlint.errors import RenderError
from tokenlint.frozen import frozen
from tokenlint.tokens.chat.frame import OPENING, Request, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenlint.tokens.chat.conversation import Conversation, Message
    from tokenlint.tokens.chat.model_folder import ChatTemplate
    from tokenlint.tokens.rendering import Renderer
    from tokenlint.tokens.tokenizer import Tokenizer

_PROBE = "tokenlint-part"


@frozen
class TemplateFrame:
    """A chat template, and the tokenizer that cuts what it renders.

    `opens` is `add_generation_prompt`: whether the request ends with the opening of the answer.
    """

    tokenizer: Tokenizer
    template: ChatTemplate
    renderer: Renderer
    label: str
    opens: bool = True

    def total(self, conversation: Conversation) -> int:
        """The tokens of a conversation; see `Frame`."""
        return len(self._cut(self._text(conversation)))

    def request(self, conversation: Conversation) -> Request:
        """What the model receives; see `Frame`."""
        messages = conversation.messages
        text = self._text(conversation)
        ids = self._cut(text)
        contents = [len(self._cut(message.content)) for message in messages]
        turns = self._turns(conversation, contents, len(ids))
        return Request(len(ids), sum(contents), turns, ids, text)

    def _turns(
        self, conversation: Conversation, contents: Sequence[int], total: int
    ) -> tuple[Turn, ...]:
        """Each turn's frame is what the request grows by with it, less its content."""
        roles = [message.role for message in conversation.messages]
        growths = self._growths(conversation)
        if growths is None:
            return tuple(map(Turn, roles, contents, [None] * len(roles)))
        frames = [grown - content for grown, content in zip(growths, contents, strict=True)]
        turns = map(Turn, roles, contents, frames)
        return (*turns, Turn(OPENING, 0, total - sum(growths))) if self.opens else tuple(turns)

    def _growths(self, conversation: Conversation) -> list[int] | None:
        """What each message adds, or None where the template refuses the first few alone."""
        growths, before = [], 0
        for number in range(1, len(conversation.messages) + 1):
            try:
                total = len(self._cut(self._render(conversation, number, opens=False)))
            except RenderError:
                return None
            growths.append(total - before)
            before = total
        return growths

    def _text(self, conversation: Conversation) -> str:
        return self._render(conversation, len(conversation.messages), opens=self.opens)

    def _render(self, conversation: Conversation, number: int, *, opens: bool) -> str:
        extra = conversation.extra
        tools, more = extra.get("tools") or None, extra.get("chat_template_kwargs")
        context = {
            **self.template.tokens,
            **(more if isinstance(more, dict) else {}),
            "messages": [self._fields(message) for message in conversation.messages[:number]],
            "tools": tools,
            "documents": extra.get("documents"),
            "add_generation_prompt": opens,
        }
        source = self.template.for_request(tools=tools is not None)
        try:
            return self.renderer.chat(source, context)
        except RenderError as error:  # the line that it names is one of the template
            raise RenderError(f"{self.label}, {error}") from None

    def _fields(self, message: Message) -> dict[str, Any]:
        """A message as the template gets it: a list of parts only where it can read one."""
        fields = dict(message.fields)
        if isinstance(fields.get("content"), list) and not self._reads_parts:
            fields["content"] = message.content
        return fields

    @cached_property
    def _reads_parts(self) -> bool:
        """Whether the template takes a list of parts; other ones would print it as Python does."""
        part = {"type": "text", "text": _PROBE}
        context = {
            **self.template.tokens,
            "messages": [{"role": "user", "content": [part]}],
            "add_generation_prompt": False,
        }
        try:
            text = self.renderer.chat(self.template.source, context)
        except RenderError:
            return False
        return _PROBE in text and "'text'" not in text and '"text"' not in text

    def _cut(self, text: str) -> list[int]:
        return self.tokenizer.encode(text, control=True)
