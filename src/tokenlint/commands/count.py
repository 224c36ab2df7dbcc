"""`tokenlint count`: bytes, characters, words and tokens of files, and their totals."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from tokenlint.errors import TokenlintError
from tokenlint.frozen import frozen
from tokenlint.reports.text import left_out
from tokenlint.tokens import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenlint.commands.session import Scope, Session, Stdin
    from tokenlint.tokens import Document, Words
    from tokenlint.tokens.prompts import Prompt

_FILES, _CHARACTERS = 256, 4_000_000
"How much is begun before the first of it is waited for."

SORTS = ("path", "tokens", "bytes", "characters", "words")


@frozen
class Counts:
    """What one file, or all of them, came to. `words` is None where words mean nothing.

    `billed` are the tokens with the tokenizers of the models whose prices are asked for.
    """

    path: str
    bytes: int
    characters: int
    words: int | None
    tokens: dict[str, int]
    billed: dict[str, int] = field(default_factory=dict)


@dataclass
class Counted:
    """The rows of a count, the files that were left out, and what must be put right."""

    rows: list[Counts] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tokenizers: tuple[str, ...] = ()


def run(
    paths: Sequence[str], stdin: Stdin | None, session: Session, billed: Sequence[str] = ()
) -> Counted:
    """Count files, or standard input, with the tokenizers of the working folder's configuration.

    And with the `billed` ones, which have been loaded.
    Raises ConfigError and TokenizerError: without its tokenizer there is nothing to count with.
    """
    scope = session.scope(session.config)
    counted = Counted(tokenizers=scope.config.tokenizers)
    for name in counted.tokenizers:
        scope.loader.require(name)
    waiting = _Waiting(counted)
    for file, named in session.documents(paths, stdin, counted.skipped):
        if isinstance(file, Unreadable):
            counted.skipped[file.reason] += 1
            waiting.say([file.message] * named)
            continue
        try:
            waiting.add(file, _begin(file, session.prompts_of(file), scope, billed))
        except TokenlintError as error:
            waiting.say([f"{file.path}: {error}"])
    waiting.finish()
    counted.notes += scope.context.prompts.notes
    return counted


@dataclass
class _Waiting:
    """Files that are being counted, which end in the order in which they began."""

    counted: Counted
    rows: deque[tuple[Document, Callable[[], Counts]]] = field(default_factory=deque)
    characters: int = 0

    def add(self, document: Document, row: Callable[[], Counts]) -> None:
        """Take in a file, and wait for the first ones where too much is held in memory."""
        self.rows.append((document, row))
        self.characters += len(document.text)
        while len(self.rows) > 1 and (len(self.rows) > _FILES or self.characters > _CHARACTERS):
            self._finish_first()

    def say(self, problems: Sequence[str]) -> None:
        """Note problems behind those of the files before."""
        if problems:
            self.finish()
            self.counted.problems += problems

    def finish(self) -> None:
        """Wait for all."""
        while self.rows:
            self._finish_first()

    def _finish_first(self) -> None:
        document, row = self.rows.popleft()
        self.characters -= len(document.text)
        try:
            self.counted.rows.append(row())
        except TokenlintError as error:
            self.counted.problems.append(f"{document.path}: {error}")


def _begin(
    document: Document, prompts: Sequence[Prompt], scope: Scope, billed: Sequence[str]
) -> Callable[[], Counts]:
    """Start on the prompts of a file, with the tokenizers of the working folder."""
    begin, names = scope.context.prompts.begin, scope.config.tokenizers
    begun = {
        name: [begin(prompt, name) for prompt in prompts]
        for name in dict.fromkeys((*names, *billed))
    }
    words = scope.counts.words("\n".join(prompt.text for prompt in prompts))
    return partial(_row, document, prompts, words, begun, names, billed)


def _row(
    document: Document,
    prompts: Sequence[Prompt],
    words: Words,
    begun: Mapping[str, Sequence[Callable[[], int]]],
    names: Sequence[str],
    billed: Sequence[str],
) -> Counts:
    tokens = {name: sum(count() for count in counts) for name, counts in begun.items()}
    return Counts(
        document.path,
        sum(prompt.bytes for prompt in prompts),
        sum(len(prompt.text) for prompt in prompts),
        words.count if words.unit == "word" else None,
        {name: tokens[name] for name in names},
        {name: tokens[name] for name in billed},
    )


def total(rows: Sequence[Counts], tokenizers: Sequence[str]) -> Counts:
    """The sums of all rows; words are those of the files that have words."""
    words = [row.words for row in rows if row.words is not None]
    return Counts(
        "total",
        sum(row.bytes for row in rows),
        sum(row.characters for row in rows),
        sum(words) if words or not rows else None,
        {name: sum(row.tokens[name] for row in rows) for name in tokenizers},
    )


def order(rows: Sequence[Counts], by: str, tokenizers: Sequence[str]) -> list[Counts]:
    """The rows by path, or the largest first; tokens are those of the first tokenizer."""
    if by == "path":
        return sorted(rows, key=lambda row: row.path)
    if by == "tokens":
        return sorted(rows, key=lambda row: (-row.tokens[tokenizers[0]], row.path))
    return sorted(rows, key=lambda row: (-(getattr(row, by) or 0), row.path))


def closing(shown: Sequence[Counts], counted: Counted) -> Iterator[str]:
    """What the table leaves out, in words."""
    hidden = len(counted.rows) - len(shown)
    if hidden:
        yield f"{hidden:,} more file" + "s" * (hidden != 1) + " in the total, left out by --top"
    if counted.skipped:
        yield left_out(counted.skipped)
