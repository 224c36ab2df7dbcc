"""`tokenlint explain`: how a text, or what a file says is its prompt, is cut into tokens."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.errors import TokenizerError, TokenlintError
from tokenlint.files import Found
from tokenlint.frozen import frozen
from tokenlint.tokens import Unreadable
from tokenlint.tokens.explanation import (
    Explained,
    Explanation,
    explained,
    explained_request,
    explanation,
)
from tokenlint.tokens.merges import WordMerges, merges_of
from tokenlint.tokens.prompts import Prompt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenlint.commands.session import Scope, Session, Stdin
    from tokenlint.tokens import Document
    from tokenlint.tokens.tokenizer import Tokenizer


@frozen
class Request:
    """What is to be explained: a text, standard input, or a file, whole or some of its lines.

    Of each text no more than the first `most` tokens are told.
    """

    text: str | None = None
    stdin: Stdin | None = None
    path: str = ""
    lines: tuple[int, int] | None = None
    most: int | None = None


@dataclass
class Told:
    """What was found out, and what must be put right."""

    explanations: list[Explanation] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def run(request: Request, session: Session) -> Told:
    """Explain with the tokenizers of the working folder's configuration.

    Raises TokenlintError where there is no text to explain.
    """
    told, scope = Told(), session.scope(session.config)
    for label, prompt in _prompts(request, session):
        by_tokenizer = list(_explained(label, prompt, request.most, scope, told))
        if by_tokenizer:
            told.explanations.append(explanation(label, prompt.text, by_tokenizer))
    return told


def _explained(
    label: str, prompt: Prompt, most: int | None, scope: Scope, told: Told
) -> Iterator[Explained]:
    """The text with each tokenizer that can be had and can count it."""
    for name in scope.config.tokenizers:
        try:
            yield _one(prompt, most, scope, scope.loader.require(name))
        except TokenizerError as error:
            told.problems.append(str(error))
        except TokenlintError as error:
            told.problems.append(f"{label}: {error}")


def _one(prompt: Prompt, most: int | None, scope: Scope, tokenizer: Tokenizer) -> Explained:
    if prompt.conversation is None:
        return explained(prompt.text, tokenizer, most)
    frame = scope.context.prompts.frame(tokenizer.name)
    return explained_request(prompt.conversation, frame, tokenizer, most)


def _prompts(request: Request, session: Session) -> Iterator[tuple[str, Prompt]]:
    """What is explained, each text under a name."""
    if request.text is not None:
        yield "the text", Prompt(request.text)
        return
    document, scope = _document(request, session)
    if isinstance(document, Unreadable):
        raise TokenlintError(document.message)
    if request.lines is not None:
        first, last = request.lines
        which = f"line {first}" if first == last else f"lines {first}-{last}"
        yield f"{document.path}, {which}", Prompt(_lines(document, first, last, scope))
        return
    try:
        prompts = scope.context.prompts_of(document)
    except TokenlintError as error:
        raise TokenlintError(f"{document.path}: {error}") from None
    for prompt in prompts:
        yield ", ".join(filter(None, (document.path, prompt.name))), prompt


def _document(request: Request, session: Session) -> tuple[Document | Unreadable, Scope]:
    if request.stdin is not None:
        path = session.working_folder / request.stdin.name
        scope = session.scope_for(path)
        scope.knows(path, request.stdin.name)
        return request.stdin.document(), scope
    path = session.working_folder / request.path
    shown = Path(request.path).as_posix()
    return session.read(Found(path, shown, named=False)), session.scope_for(path)


def _lines(document: Document, first: int, last: int, scope: Scope) -> str:
    """Some lines as a text of their own, without the end of the last one.

    Raises TokenlintError where the document has no such lines.
    """
    starts = document.line_starts
    rows = len(starts) - (starts[-1] == len(document.text))  # what follows the last end is no line
    if last > rows:
        raise TokenlintError(
            f"{document.path}: there is no line {last}, it ends with line {rows}"
            if rows
            else f"{document.path}: there is no line {last}, the file is empty"
        )
    end = starts[last - 1] + len(document.line(last))
    part = document.text[starts[first - 1] : end]
    return type(document)(document.path, part).countable(newlines=scope.config.newlines)


@dataclass
class Merged:
    """The merges of a text with each tokenizer that has some, and why others have none."""

    by_tokenizer: list[tuple[str, Sequence[WordMerges]]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def merges(text: str, session: Session) -> Merged:
    """The merges of a word, or of a few."""
    merged, scope = Merged(), session.scope(session.config)
    for name in scope.config.tokenizers:
        try:
            merged.by_tokenizer.append((name, merges_of(scope.loader.require(name), text)))
        except TokenlintError as error:
            merged.problems.append(str(error))
    return merged
