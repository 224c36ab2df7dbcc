"""Bytes become a file of messages, and its requests are counted by the documented formula."""

from __future__ import annotations

from functools import cache

from tokenlint.errors import TokenlintError
from tokenlint.tokens import Document, Loader, decode
from tokenlint.tokens.chat import Frame, conversations, frame_for
from tokenlint.tokens.rendering import Renderer

NAMES = ("a.json", "a.jsonl", "a.yaml", "a.ndjson", "a.yml")
FRAMES = ("gpt-4o", "o200k_harmony")


@cache
def frame(name: str) -> Frame:
    """What is added to messages, made once."""
    return frame_for(name, Loader(), Renderer())


def target(raw: bytes) -> None:
    """One file of messages."""
    document = decode(NAMES[raw[0] % len(NAMES)] if raw else "a.json", raw[1:])
    if not isinstance(document, Document):
        return
    try:
        found = conversations(document)
    except TokenlintError:
        return
    end = len(document.text)
    for conversation in found:
        for message in conversation.messages:
            assert 0 <= message.start <= message.end <= end, message
        for name in FRAMES:
            try:
                request = frame(name).request(conversation)
            except TokenlintError:
                continue
            assert request.total == frame(name).total(conversation)
            assert 0 <= request.content <= request.total
