"""Who says what in a file of messages: the contents of a conversation, and the role of each.

A message is an object with a `role` and a `content`. It is one of a list that is the whole file,
or that stands under the key `messages` or `conversations`, where it can also say `from` and `value`
as ShareGPT files do. A JSON Lines file has a conversation, or a message, on each line, and a YAML
file in each document. A file or a line that no parser accepts has no messages.
"""

from __future__ import annotations

import json
import os.path
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenlint.tokens import Document

_LINES = (".jsonl", ".ndjson")
_YAML = (".yaml", ".yml")
_KEYS = ("role", "from")

OF_MESSAGES = {"role": "role", "content": "content"}
_OF_SHAREGPT = {**OF_MESSAGES, "from": "role", "value": "content"}
LISTS = {"messages": OF_MESSAGES, "conversations": _OF_SHAREGPT}
"The keys that a list of messages stands under, and what the keys of a message there mean."

_PIECE = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}:,]|[^\s\[\]{}:,"]++')


class Content(NamedTuple):
    """Where the content of a message stands in a text, and whose it is."""

    start: int
    end: int
    role: str


def role_at(document: Document, start: int, end: int) -> str | None:
    """The role whose content a stretch of a document stands in, if it is a file of messages."""
    found = _contents(document)
    at = bisect_right(found, start, key=lambda content: content.start) - 1
    return found[at].role if at >= 0 and end <= found[at].end else None


@lru_cache(maxsize=1)  # two rules ask about the same document, one after the other
def _contents(document: Document) -> tuple[Content, ...]:
    suffix, text = os.path.splitext(document.path)[1].lower(), document.text  # noqa: PTH122
    if suffix == ".json":
        return tuple(_in_json(text, (0, len(text)), whole=True))
    if suffix in _YAML:
        from tokenlint.rules.messages_of_yaml import contents

        return tuple(contents(document)) if _may_have_messages(text) else ()
    if suffix not in _LINES:
        return ()
    lines = re.finditer(r"[^\n]+", text)
    return tuple(found for line in lines for found in _in_json(text, line.span(), whole=False))


def _may_have_messages(text: str) -> bool:
    """Whether the keys of a message stand in a text: parsing all of it would take longer."""
    spelled = (any(key in text for key in keys) for keys in (_KEYS, ("content", "value")))
    return all(spelled) or "\\" in text  # a key can be written with escapes


def role_of(key: str, said: str) -> str:
    """The role that a message is said to have; ShareGPT has names of its own for some."""
    if key == "role":
        return said
    from tokenlint.tokens.chat.conversation import OF_SHAREGPT

    return OF_SHAREGPT.get(said, said)


def _in_json(text: str, span: tuple[int, int], *, whole: bool) -> list[Content]:
    """The contents in a stretch of text that is one JSON value; none where it is not."""
    part = text[slice(*span)]
    if not any(f'"{key}"' in part for key in _KEYS) and "\\u" not in part:  # or with escapes
        return []
    try:
        json.loads(part, object_pairs_hook=lambda _: None, parse_int=str)
    except (ValueError, RecursionError):
        return []
    return _Reader(lists_only=whole).read(text, span)


@dataclass
class _Open:
    """A list or an object that is being read: what it is, and what was read of it so far.

    `holds` says what the keys of the objects in a list mean, where these are messages, and `means`
    what those of a message do; `before` is how many contents were found before it began.
    """

    bracket: str
    begins: int
    before: int
    holds: Mapping[str, str] | None = None
    means: Mapping[str, str] | None = None
    key: str = ""
    is_key: bool = True
    roles: set[str] = field(default_factory=set)
    contents: list[tuple[int, int]] = field(default_factory=list)

    def value(self, span: tuple[int, int], piece: str) -> None:
        """Note the value of the key that was read last."""
        meaning = self.means and self.means.get(self.key)
        if meaning == "content":
            self.contents.append(span)
        elif meaning == "role":
            self.roles.add(role_of(self.key, json.loads(piece) if piece.startswith('"') else ""))


@dataclass
class _Reader:
    """One way through valid JSON, with a stack of its own: nesting may be as deep as it likes."""

    lists_only: bool
    stack: list[_Open] = field(default_factory=list)
    found: list[Content] = field(default_factory=list)

    def read(self, text: str, span: tuple[int, int]) -> list[Content]:
        """The content of every message, in order."""
        for match in _PIECE.finditer(text, *span):
            piece = match[0]
            if piece in "[{":
                self.stack.append(self._opened(piece, match.start()))
            elif piece in "]}":
                self._close(match.end())
            elif self.stack:
                self._pass(piece, match.span())
        return self.found

    def _opened(self, bracket: str, start: int) -> _Open:
        is_list, around = bracket == "[", self.stack[-1] if self.stack else None
        holds: Mapping[str, str] | None = None
        means: Mapping[str, str] | None = None
        if around is None and is_list:
            holds = OF_MESSAGES
        elif around is None:
            means = None if self.lists_only else OF_MESSAGES
        elif is_list:
            holds = LISTS.get(around.key) if around.bracket == "{" else None
        else:
            means = around.holds
        return _Open(bracket, start, len(self.found), holds, means)

    def _close(self, end: int) -> None:
        closed = self.stack.pop()
        if closed.roles:  # what stands inside of a message is what somebody says
            del self.found[closed.before :]
        if len(closed.roles) == 1:
            (role,) = closed.roles
            self.found += (Content(*span, role) for span in closed.contents)
        if self.stack:
            self.stack[-1].value((closed.begins, end), "")

    def _pass(self, piece: str, span: tuple[int, int]) -> None:
        here = self.stack[-1]
        if piece == ",":
            here.is_key = True
        elif piece == ":":
            here.is_key = False
        elif here.bracket == "{" and here.is_key:
            here.key = json.loads(piece)
        else:
            here.value(span, piece)
