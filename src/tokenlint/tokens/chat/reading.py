"""Files of messages: JSON, JSON Lines and YAML, in the shapes that programs send and train on."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any

from tokenlint.errors import ChatError, ExtractError
from tokenlint.frozen import frozen
from tokenlint.tokens.chat.conversation import OF_SHAREGPT, Conversation, Message
from tokenlint.tokens.extract.nodes import Mapping, Node, Scalar, Sequence, nodes_of
from tokenlint.tokens.extract.values import plain

if TYPE_CHECKING:
    from tokenlint.tokens.document import Document

LINES = (".jsonl", ".ndjson")
YAML = (".yaml", ".yml")
READABLE = (".json", *LINES, *YAML)
"The suffixes of files that messages are read in."

_LISTS = ("messages", "conversations")
_CALLS = ("tool_calls", "function_call")
_MEDIA = {"image": "an image", "audio": "audio", "video": "a video", "file": "a file"}
_SHAPES = (
    "no messages here: expected a list of objects with role and content, or an object with such "
    "a list under messages (or, as in ShareGPT files, from and value under conversations)"
)


def conversations(document: Document) -> tuple[Conversation, ...]:
    """The conversations of a file, at least one.

    Raises ChatError, which names the line and not the file.
    """
    suffix = os.path.splitext(document.path)[1].lower()  # noqa: PTH122
    if suffix not in READABLE:
        raise ChatError(f"messages are read in {', '.join(READABLE)} files only")
    try:
        root = nodes_of(document)
        value = plain(document, root)  # of all at once, which bounds what aliases multiply
    except ExtractError as error:
        raise ChatError(str(error)) from None
    if not isinstance(root, Sequence) or not _is_of_several(root, suffix):
        return (_Reader(document).conversation(root, value),)
    several = len(root.items) > 1
    return tuple(
        _Reader(document, number if several else None).conversation(node, one)
        for number, (node, one) in enumerate(zip(root.items, value, strict=True), 1)
    )


def _is_of_several(root: Sequence, suffix: str) -> bool:
    """Whether each item of a file is a conversation; a list of messages is a single one."""
    if suffix in LINES:
        if not root.items:
            raise ChatError("no conversation in this file: each line holds one")
        return True
    first = root.items[0] if root.items else None
    if isinstance(first, Sequence):  # a document of several in YAML, what nobody sends in JSON
        return suffix in YAML
    return isinstance(first, Mapping) and any(map(first.get, _LISTS))


@frozen
class _Reader:
    """Reads one conversation; `number` says which, where the file has several.

    Of everything there is the node, which knows where it stands, and its plain value.
    """

    document: Document
    number: int | None = None

    def conversation(self, node: Node, value: Any) -> Conversation:
        """The messages of a node, and what stands beside them."""
        row = self.document.location(node.start).row
        if isinstance(node, Sequence):
            return Conversation(self._messages(node, value, sharegpt=False), {}, row)
        held = [key for key in _LISTS if isinstance(node, Mapping) and node.get(key)]
        if not isinstance(node, Mapping) or not held:
            raise self._error(node, _why_no_messages(node))
        (key, *others) = held
        if others:
            raise self._error(node, "messages and conversations in one object; leave one out")
        extra = {name: one for name, one in value.items() if name != key}
        if (system := node.get("system")) is not None:
            said = "the object has a system text beside its messages; make it the first message"
            raise self._error(system, said)
        if not isinstance(extra.get("tools", []), list | None):
            raise self._error(node.get("tools") or node, "tools is not a list")
        messages = node.get(key) or node
        sharegpt = key == "conversations"
        return Conversation(self._messages(messages, value[key], sharegpt=sharegpt), extra, row)

    def _messages(self, node: Node, values: Any, *, sharegpt: bool) -> tuple[Message, ...]:
        if not isinstance(node, Sequence):
            raise self._error(node, "the messages are not a list")
        if not node.items:
            raise self._error(node, "there is no message in the list")
        items = enumerate(zip(node.items, values, strict=True), 1)
        return tuple(
            self._message(item, fields, f"message {at}", sharegpt) for at, (item, fields) in items
        )

    def _message(self, node: Node, fields: Any, who: str, sharegpt: bool) -> Message:
        if not isinstance(node, Mapping):
            raise self._error(node, f"{who} is not an object with role and content")
        of_sharegpt = sharegpt and node.get("role") is None
        role_key, content_key = ("from", "value") if of_sharegpt else ("role", "content")
        role = self._role(node, who, role_key)
        if of_sharegpt:
            role = self._known(node, who, role)
        given = node.get(content_key)
        content = self._content(given, node, fields, f"{who} ({role})", content_key)
        if of_sharegpt:
            others = {key: one for key, one in fields.items() if key not in ("from", "value")}
            fields = {"role": role, "content": content, **others}
        name = fields.get("name")
        start, end = (node.start, node.start) if given is None else (given.start, given.end)
        return Message(role, content, name if isinstance(name, str) else None, fields, start, end)

    def _role(self, node: Mapping, who: str, key: str) -> str:
        role = node.get(key)
        if role is None:
            raise self._error(node, f"{who} has no {key}")
        if not isinstance(role, Scalar) or role.kind != "string":
            raise self._error(role, f"the {key} of {who} is not a text{_quotes(role)}")
        return role.text

    def _known(self, node: Mapping, who: str, said: str) -> str:
        if said not in OF_SHAREGPT:
            known = ", ".join(OF_SHAREGPT)
            raise self._error(node, f"{who} is from {said!r}, which is none of {known}")
        return OF_SHAREGPT[said]

    def _content(
        self, node: Node | None, message: Mapping, fields: dict[str, Any], who: str, key: str
    ) -> str:
        if node is None or (isinstance(node, Scalar) and node.kind == "null"):
            if not any(map(fields.get, _CALLS)):
                raise self._error(node or message, f"{who} has no {key}")
            return ""
        if isinstance(node, Sequence):
            parts = enumerate(node.items, 1)
            return "".join(self._part(part, f"part {at} of {who}") for at, part in parts)
        if not isinstance(node, Scalar) or node.kind != "string":
            raise self._error(node, f"the {key} of {who} is not a text{_quotes(node)}")
        return node.text

    def _part(self, node: Node, what: str) -> str:
        kind = node.get("type") if isinstance(node, Mapping) else None
        if not isinstance(node, Mapping) or not isinstance(kind, Scalar):
            raise self._error(node, f"{what} is not an object with a type; write type: text")
        text = node.get("text")
        if kind.text == "text" and isinstance(text, Scalar) and text.kind == "string":
            return text.text
        raise self._error(node, _why_no_text(what, kind.text))

    def _error(self, node: Node, sentence: str) -> ChatError:
        row = self.document.location(node.start).row
        which = "" if self.number is None else f", conversation {self.number}"
        return ChatError(f"line {row}{which}: {sentence}")


def _why_no_messages(node: Node) -> str:
    if isinstance(node, Mapping) and node.get("role"):
        return "a message alone is no conversation; put it into a list"
    return _SHAPES


def _quotes(node: Node) -> str:
    return f" ({node.text}); put it in quotes" if isinstance(node, Scalar) and node.text else ""


def _why_no_text(what: str, kind: str) -> str:
    if kind == "text":
        return f"{what} has no text"
    media = next((name for word, name in _MEDIA.items() if word in kind), None)
    if media is not None:
        return f"{what} is {media}, which cannot be counted; only text can"
    return f"{what} is of type {kind!r}; only parts of type text can be counted"
