"""Harmony, the format of gpt-oss: what openai-harmony renders for a completion.

Every text is cut by itself and read literally, so a control string in a content stays text. What
an assistant thinks (`reasoning_content`, `reasoning`, `thinking`) goes to the analysis channel
before its content, which is final, or a preamble (commentary) beside calls of tools. `channel`,
`recipient` and `content_type` of a message are taken as they are.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from tokenlint.errors import ChatError
from tokenlint.frozen import frozen, replace
from tokenlint.tokens.chat.frame import OPENING, Request, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenlint.tokens.chat.conversation import Conversation, Message
    from tokenlint.tokens.tokenizer import Tokenizer

LABEL = "harmony, without the system message that a server adds where the file has none"

_ROLES = ("system", "developer", "user", "assistant", "tool")
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
_CONSTRAIN = "<|constrain|>"


@frozen
class _Sent:
    """One message of harmony: which turn it belongs to, its header, and what it says."""

    turn: int
    role: str
    author: tuple[str, ...]
    texts: tuple[str, ...]
    channel: str | None = None
    recipient: str | None = None
    content_type: str | None = None
    kind: Literal["content", "instructions", "beside"] = "content"


@frozen
class HarmonyFrame:
    """The messages as given, in harmony."""

    tokenizer: Tokenizer
    label: str = LABEL

    def total(self, conversation: Conversation) -> int:
        """The tokens of a conversation; see `Frame`."""
        return self.request(conversation).total

    def request(self, conversation: Conversation) -> Request:
        """What the model receives; see `Frame`."""
        if conversation.extra.get("tools"):
            raise ChatError(
                "the request defines tools, which are not counted in harmony; write them into a "
                "developer message, or take them out to count the messages"
            )
        ids: list[int] = []
        turns = [Turn(message.role, 0, 0) for message in conversation.messages]
        for sent in _without_old_thoughts(list(_sent(conversation))):
            made = self._ids(sent)
            ids += made
            turns[sent.turn] = _added(turns[sent.turn], len(made), self._content(sent))
        opening = [self._control("start"), *self.tokenizer.encode("assistant")]
        ids += opening
        turns.append(Turn(OPENING, 0, len(opening)))
        content = sum(turn.content for turn in turns)
        return Request(len(ids), content, tuple(turns), ids, self.tokenizer.decode(ids))

    def _content(self, sent: _Sent) -> int:
        return 0 if sent.kind == "beside" else sum(map(self.tokenizer.count, sent.texts))

    def _ids(self, sent: _Sent) -> list[int]:
        is_call = sent.role == "assistant" and sent.recipient is not None
        texts = sent.texts
        if sent.kind == "instructions":
            texts = ("# Instructions\n\n" + "".join(texts),)
        return [
            self._control("start"),
            *self._header(sent),
            self._control("message"),
            *self._encoded(*texts),
            self._control("call" if is_call else "end"),
        ]

    def _header(self, sent: _Sent) -> Iterator[int]:
        yield from self._encoded(*sent.author)
        if sent.recipient not in (None, "all"):
            yield from self._encoded(f" to={sent.recipient}")
        if sent.channel is not None:
            yield self._control("channel")
            yield from self._encoded(sent.channel)
        if sent.content_type is not None:
            yield from self._content_type(sent.content_type)

    def _content_type(self, content_type: str) -> Iterator[int]:
        rest = content_type.removeprefix(_CONSTRAIN)
        if rest == content_type:
            yield from self._encoded(f" {content_type}")
            return
        yield from self._encoded(" ")
        yield self._control("constrain")
        yield from self._encoded(rest)

    def _encoded(self, *texts: str) -> Iterator[int]:
        for text in texts:
            yield from self.tokenizer.encode(text)

    def _control(self, name: str) -> int:
        return self.tokenizer.special_tokens[f"<|{name}|>"]


def _added(turn: Turn, total: int, content: int) -> Turn:
    return Turn(turn.role, turn.content + content, (turn.frame or 0) + total - content)


def _without_old_thoughts(sent: list[_Sent]) -> list[_Sent]:
    """Once the last word of the assistant is final, what it thought before its first is dropped."""
    spoken = [one for one in sent if one.role == "assistant"]
    if not spoken or spoken[-1].channel != "final":
        return sent
    first = next(at for at, one in enumerate(sent) if one.channel == "final")
    return [one for at, one in enumerate(sent) if at > first or one.channel != "analysis"]


def _sent(conversation: Conversation) -> Iterator[_Sent]:
    """The messages as harmony has them: thoughts and calls are messages of their own there."""
    calls: dict[str, str] = {}
    for turn, message in enumerate(conversation.messages):
        if message.role not in _ROLES:
            raise ChatError(
                f"message {turn + 1}: harmony has no role {message.role!r}; use "
                f"{', '.join(_ROLES[:-1])} or {_ROLES[-1]}"
            )
        if message.role == "assistant":
            yield from _of_assistant(turn, message, calls)
        elif message.role == "tool":
            yield _of_tool(turn, message, calls)
        else:
            kind: Literal["content", "instructions"]
            kind = "instructions" if message.role == "developer" else "content"
            yield _plain(turn, message, kind)


def _plain(turn: int, message: Message, kind: Literal["content", "instructions"]) -> _Sent:
    """A message under its role, with the header that its fields give it."""
    author = (message.role,) if message.name is None else (message.role, f":{message.name}")
    return _Sent(
        turn,
        message.role,
        author,
        tuple(message.texts),
        channel=_said(message, "channel"),
        recipient=_said(message, "recipient"),
        content_type=_said(message, "content_type"),
        kind=kind,
    )


def _said(message: Message, key: str) -> str | None:
    value = message.fields.get(key)
    return value if isinstance(value, str) else None


def _of_assistant(turn: int, message: Message, calls: dict[str, str]) -> Iterator[_Sent]:
    made = list(_calls(turn, message))
    calls.update({str(call.get("id")): f"functions.{name}" for call, name, _ in made})
    spoken = _plain(turn, message, "content")
    thought = next(filter(None, map(message.fields.get, _THOUGHTS)), None)
    if isinstance(thought, str):
        bare = replace(spoken, recipient=None, content_type=None, kind="beside")
        yield replace(bare, texts=(thought,), channel="analysis")
    if message.content or not (made or thought):
        beside_calls = made or spoken.recipient is not None
        channel = spoken.channel or ("commentary" if beside_calls else "final")
        yield replace(spoken, channel=channel)
    for _, name, arguments in made:
        yield replace(
            spoken,
            texts=(arguments,),
            channel="commentary",
            recipient=f"functions.{name}",
            content_type=f"{_CONSTRAIN}json",
            kind="beside",
        )


def _calls(turn: int, message: Message) -> Iterator[tuple[Mapping[str, Any], str, str]]:
    """Each call of a tool: all of it, the name of the function, and its arguments as JSON."""
    for call in message.fields.get("tool_calls") or ():
        function = call.get("function", call) if isinstance(call, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(function, dict) or not isinstance(name, str):
            raise ChatError(f"message {turn + 1}: a tool call without the name of a function")
        arguments = function.get("arguments", "{}")
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        yield call, name, arguments


def _of_tool(turn: int, message: Message, calls: Mapping[str, str]) -> _Sent:
    name = calls.get(str(message.fields.get("tool_call_id"))) or message.name
    if name is None:
        raise ChatError(
            f"message {turn + 1}: harmony needs the name of the tool that answers; give the "
            "message a name such as functions.search"
        )
    sent = replace(_plain(turn, message, "content"), author=(name,))
    recipient, channel = sent.recipient or "assistant", sent.channel or "commentary"
    return replace(sent, recipient=recipient, channel=channel)
