"""`tokenlint count`: bytes, characters, words and tokens of files, and their totals."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from tokenlint.commands.recalled import Met, files
from tokenlint.errors import TokenlintError
from tokenlint.frozen import frozen
from tokenlint.reports.text import left_out
from tokenlint.tokens import Unreadable, count_words
from tokenlint.tokens.recall import Recall
from tokenlint.wording import counted as plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenlint.commands.session import Session, Stdin
    from tokenlint.tokens import Document, Words
    from tokenlint.tokens.prompts import Prompt
    from tokenlint.tokens.recall import Figures

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
    counted = Counted(tokenizers=session.scope(session.config).config.tokenizers)
    count = _Count(session, counted, tuple(billed))
    for met in count.files(paths, stdin):
        count.take(met)
    count.waiting.finish()
    scope = session.scope(session.config)
    counted.notes += [*scope.context.prompts.notes, *session.remarks]
    return counted


@dataclass(eq=False, repr=False)
class _Count:
    """A count under way."""

    session: Session
    counted: Counted
    billed: tuple[str, ...]
    waiting: _Waiting = field(init=False)
    recall: Recall | None = field(init=False)

    def __post_init__(self) -> None:
        """Load what is counted with."""
        self.scope = self.session.scope(self.session.config)
        self.waiting = _Waiting(self.counted)
        self.names = tuple(dict.fromkeys((*self.counted.tokenizers, *self.billed)))
        tokenizers = list(map(self.scope.loader.require, self.names))
        self.recall = Recall.with_(self.scope.counts, tokenizers)

    def files(self, paths: Sequence[str], stdin: Stdin | None) -> Iterator[Met]:
        """What is to be counted."""
        if stdin is None:
            yield from files(paths, self.session, self.counted.skipped, self.recall)
        else:
            yield Met(stdin.name, stdin.raw, named=True)

    def take(self, met: Met) -> None:
        """Count a file, or say why it is not counted."""
        if met.figures is not None:
            self.waiting.add_known(met.path, self._known(met, met.figures))
            return
        document = met.document
        if isinstance(document, Unreadable):
            self.counted.skipped[document.reason] += 1
            self.waiting.say([document.message] * met.named)
            return
        try:
            self.waiting.add(met.path, len(document.text), self._begun(document, met.digest))
        except TokenlintError as error:
            self.waiting.say([f"{met.path}: {error}"])

    def _known(self, met: Met, figures: Figures) -> Counts:
        tokens = dict(zip(self.names, figures.tokens, strict=True))
        return self._row(met.path, met.size, figures.characters, figures.words, tokens)

    def _begun(self, document: Document, digest: bytes | None) -> Callable[[], Counts]:
        """Start on the prompts of a file, with the tokenizers of the working folder."""
        prompts = self.session.prompts_of(document)
        if digest is not None:
            self.scope.counts.meet(prompts[0].text, digest)
        begin = self.scope.context.prompts.begin
        begun = {name: [begin(prompt, name) for prompt in prompts] for name in self.names}
        return partial(self._finished, document.path, prompts, self._words(prompts, digest), begun)

    def _words(self, prompts: Sequence[Prompt], digest: bytes | None) -> Words:
        """The words of a file; of a whole one they are kept with its characters."""
        if digest is None or self.recall is None:
            return self.scope.counts.words("\n".join(prompt.text for prompt in prompts))
        words = count_words(prompts[0].text)
        self.recall.note(digest, len(prompts[0].text), words)
        return words

    def _finished(
        self,
        path: str,
        prompts: Sequence[Prompt],
        words: Words,
        begun: Mapping[str, Sequence[Callable[[], int]]],
    ) -> Counts:
        tokens = {name: sum(count() for count in counts) for name, counts in begun.items()}
        size = sum(prompt.bytes for prompt in prompts)
        characters = sum(len(prompt.text) for prompt in prompts)
        return self._row(path, size, characters, words, tokens)

    def _row(
        self, path: str, size: int, characters: int, words: Words, tokens: Mapping[str, int]
    ) -> Counts:
        return Counts(
            path,
            size,
            characters,
            words.count if words.unit == "word" else None,
            {name: tokens[name] for name in self.counted.tokenizers},
            {name: tokens[name] for name in self.billed},
        )


@dataclass
class _Waiting:
    """Files that are being counted, which end in the order in which they began."""

    counted: Counted
    rows: deque[tuple[str, int, Callable[[], Counts]]] = field(default_factory=deque)
    characters: int = 0

    def add(self, path: str, characters: int, row: Callable[[], Counts]) -> None:
        """Take in a file, and wait for the first ones where too much is held in memory."""
        self.rows.append((path, characters, row))
        self.characters += characters
        while len(self.rows) > 1 and (len(self.rows) > _FILES or self.characters > _CHARACTERS):
            self._finish_first()

    def add_known(self, path: str, row: Counts) -> None:
        """Take in a file that nothing has to be waited for, but for those before it."""
        if self.rows:
            self.add(path, 0, lambda: row)
        else:
            self.counted.rows.append(row)

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
        path, characters, row = self.rows.popleft()
        self.characters -= characters
        try:
            self.counted.rows.append(row())
        except TokenlintError as error:
            self.counted.problems.append(f"{path}: {error}")


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
        yield f"{plural(hidden, 'more file')} in the total, left out by --top"
    if counted.skipped:
        yield left_out(counted.skipped)
