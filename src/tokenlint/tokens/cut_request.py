"""A request as a model receives it, cut into its tokens: control tokens, frame, and content."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tokenlint.errors import TokenlintError
from tokenlint.tokens.control import ControlSource
from tokenlint.tokens.cutting import Cut, Special, placed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenlint.tokens.chat import Conversation, Frame, Message, Request
    from tokenlint.tokens.cutting import Token
    from tokenlint.tokens.tokenizer import Tokenizer

_PROBE: Final = re.compile("\ue000[0-9]+\ue001")
"What stands for the contents while the frame is looked for: no text and no template holds it."


def cut_request(
    tokenizer: Tokenizer,
    conversation: Conversation,
    request: Request,
    frame: Frame,
    most: int | None = None,
) -> Cut:
    """The tokens of a request; none of them where only numbers are known, or no piece of them."""
    pieces = _pieces(tokenizer, request)
    if request.ids is None or pieces is None:
        return Cut(tokenizer.name, request.text or "", request.total, ())
    names = {id_: string for string, id_ in tokenizer.special_tokens.items()}
    text = b"".join(pieces).decode(errors="replace")
    contents = _contents(conversation, text, frame)
    tokens = placed(tokenizer, request.ids[:most], pieces[:most], ())
    told = tuple(_told(token, names, contents) for token in tokens)
    return Cut(tokenizer.name, text, request.total, told)


def _told(token: Token, names: dict[int, str], contents: Sequence[range] | None) -> Token:
    """A token with what it is in the request; a content can become a control token as well."""
    special = touched = None
    if (string := names.get(token.id)) is not None:
        special = Special(string, token.id, token.start, token.end, control=True)
    if contents is not None:
        touched = any(span.start < token.end and token.start < span.stop for span in contents)
    return replace(token, special=special, content=touched)


def _pieces(tokenizer: Tokenizer, request: Request) -> list[bytes] | None:
    """The bytes of each id, or None where they cannot be told apart."""
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

    if request.ids is None or request.text is None:
        return None
    if isinstance(tokenizer, TiktokenTokenizer):
        return list(map(tokenizer.engine.decode_single_token_bytes, request.ids))
    parts = list(_parts(tokenizer, request.text))
    ids = [id_ for id_, _ in parts]
    return [piece for _, piece in parts] if ids == request.ids else None


def _parts(tokenizer: Tokenizer, text: str) -> Iterator[tuple[int, bytes]]:
    """Control tokens, and what stands between them, each cut by itself."""
    at = 0
    for span in ControlSource(tokenizer).spans(text):
        yield from _plain(tokenizer, text[at : span.start])
        yield tokenizer.special_tokens[span.string], span.string.encode()
        at = span.end
    yield from _plain(tokenizer, text[at:])


def _plain(tokenizer: Tokenizer, text: str) -> Iterator[tuple[int, bytes]]:
    return zip(tokenizer.encode(text), tokenizer.pieces(text), strict=True)


def _contents(conversation: Conversation, text: str, frame: Frame) -> list[range] | None:
    """Where the contents stand in a request, or None where the frame depends on what they say.

    To look for them in the text is not enough: `user` stands in the header of its turn as well.
    So the frame is asked for the same request with other contents, and what stays is the frame.
    """
    texts = [part for message in conversation.messages for part in _said(message)]
    try:
        probed = frame.request(_with_probes(conversation)).text or ""
    except TokenlintError:  # the template refuses such a content
        return None
    numbers = [int(probe[1:-1]) for probe in _PROBE.findall(probed)]
    if numbers != list(range(len(texts))):
        return None
    return _between(text, _PROBE.split(probed), texts)


def _between(text: str, frame: Sequence[str], texts: Sequence[str]) -> list[range] | None:
    """The stretches of a text between the parts of its frame; templates may strip white space."""
    found, at = [], len(frame[0])
    if not text.startswith(frame[0]):
        return None
    for content, behind in zip(texts, frame[1:], strict=True):
        fits = (c for c in (content, content.strip()) if text.startswith(c + behind, at))
        if (said := next(fits, None)) is None:
            return None
        found.append(range(at, at + len(said)))
        at += len(said) + len(behind)
    return found if at == len(text) else None


def _said(message: Message) -> list[str]:
    """The texts of a message that say something."""
    return [part for part in message.texts if part.strip()]


def _with_probes(conversation: Conversation) -> Conversation:
    probes = (f"\ue000{number}\ue001" for number in range(1_000_000))
    messages = tuple(_probed(message, probes) for message in conversation.messages)
    return replace(conversation, messages=messages)


def _probed(message: Message, probes: Iterator[str]) -> Message:
    """A message with a probe for each text that says something, and all else as it is."""
    given = message.fields.get("content")
    if isinstance(given, list):
        parts = [_probed_part(part, probes) for part in given]
        probed = replace(message, fields={**message.fields, "content": parts})
        return replace(probed, content="".join(probed.texts))
    if not message.content.strip():
        return message
    probe = next(probes)
    return replace(message, content=probe, fields={**message.fields, "content": probe})


def _probed_part(part: object, probes: Iterator[str]) -> object:
    if isinstance(part, str):
        return next(probes) if part.strip() else part
    if isinstance(part, dict) and part["text"].strip():
        return {**part, "text": next(probes)}
    return part
