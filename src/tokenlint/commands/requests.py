"""`tokenlint count --chat`: files of messages as the requests that models receive."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenlint.errors import ChatError, TokenlintError
from tokenlint.tokens import Unreadable
from tokenlint.tokens.chat import conversations
from tokenlint.tokens.chat.counted import CountedRequest
from tokenlint.tokens.chat.reading import READABLE
from tokenlint.tokens.remarks import about_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenlint.commands.session import Session, Stdin
    from tokenlint.files import Found
    from tokenlint.tokens import Document
    from tokenlint.tokens.chat import Conversation, Frame


@dataclass
class Requests:
    """The requests that were counted, the files that were left out, and what must be put right."""

    counted: list[CountedRequest] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def run(paths: Sequence[str], stdin: Stdin | None, session: Session) -> Requests:
    """Count the requests in files, or in standard input.

    Each with the tokenizers of the working folder's configuration. What is wrong with one file
    leaves the others. Raises ConfigError, and TokenizerError for a tokenizer without chats.
    """
    scope = session.scope(session.config)
    frames = {name: scope.context.prompts.frame(name) for name in scope.config.tokenizers}
    requests = Requests()
    for file, named in session.documents(paths, stdin, requests.skipped, _no_messages):
        if isinstance(file, Unreadable):
            requests.skipped[file.reason] += 1
            if named:
                requests.problems.append(file.message)
            continue
        try:
            found = conversations(file)
            requests.counted += list(_counted(file, found, frames))
            requests.notes += _about(file, found)
        except TokenlintError as error:
            if named or not isinstance(error, ChatError):
                requests.problems.append(f"{file.path}: {error}")
            else:  # it was only met, as a configuration beside the messages is
                requests.skipped["no messages"] += 1
    return requests


def order(counted: Sequence[CountedRequest], by: str) -> list[CountedRequest]:
    """The requests as they stand in their files, or the largest first.

    Raises TokenlintError.
    """
    if by not in ("path", "tokens"):
        raise TokenlintError(f"--chat counts requests, which --sort {by} cannot order; use tokens")
    in_files = sorted(counted, key=lambda one: one.path)
    return in_files if by == "path" else sorted(in_files, key=lambda one: -one.request.total)


def _no_messages(found: Found) -> str | None:
    """Why a file that was only met is not asked for messages: its suffix is none that has them."""
    readable = found.named or found.shown.lower().endswith(READABLE)
    return None if readable else "no messages"


def _about(document: Document, found: Sequence[Conversation]) -> Iterator[str]:
    """What of the contents is counted otherwise than it looks."""
    texts = [message.content for one in found for message in one.messages]
    if remark := about_surrogates(document.path, texts):
        yield remark


def _counted(
    document: Document, found: Sequence[Conversation], frames: dict[str, Frame]
) -> Iterator[CountedRequest]:
    for number, conversation in enumerate(found, 1):
        for name, frame in frames.items():
            try:
                request = frame.request(conversation)
            except TokenlintError as error:
                which = f", conversation {number}" if len(found) > 1 else ""
                raise TokenlintError(f"line {conversation.row}{which}: {error}") from None
            yield CountedRequest(
                document.path, number, conversation.row, name, frame.label, request
            )
