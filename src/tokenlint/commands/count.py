"""`tokenlint count`: bytes, characters, words and tokens of files, and their totals."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokenlint.errors import TokenlintError
from tokenlint.reports.printable import printable, width
from tokenlint.reports.text import left_out
from tokenlint.tokens import Unreadable, count_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenlint.commands.session import Session, Stdin
    from tokenlint.tokens import Document

SORTS = ("path", "tokens", "bytes", "characters", "words")


@dataclass(frozen=True)
class Counts:
    """What one file, or all of them, came to. `words` is None where words mean nothing."""

    path: str
    bytes: int
    characters: int
    words: int | None
    tokens: dict[str, int]

    def as_json(self) -> dict[str, Any]:
        """The figures as the JSON contract names them."""
        return {
            "bytes": self.bytes,
            "characters": self.characters,
            "words": self.words,
            "tokens": self.tokens,
        }


@dataclass
class Counted:
    """The rows of a count, the files that were left out, and what must be put right."""

    rows: list[Counts] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    tokenizers: tuple[str, ...] = ()


def run(paths: Sequence[str], stdin: Stdin | None, session: Session) -> Counted:
    """Count files, or standard input, with the tokenizers of the working folder's configuration.

    Raises ConfigError and TokenizerError: without its tokenizer there is nothing to count with.
    """
    scope = session.scope(session.config)
    counted = Counted(tokenizers=scope.config.tokenizers)
    for name in counted.tokenizers:
        scope.loader.require(name)
    for file, named in _documents(paths, stdin, session, counted):
        if isinstance(file, Unreadable):
            counted.skipped[file.reason] += 1
            if named:
                counted.problems.append(file.message)
            continue
        try:
            counted.rows.append(_count(file, session))
        except TokenlintError as error:
            counted.problems.append(f"{file.path}: {error}")
    return counted


def _documents(
    paths: Sequence[str], stdin: Stdin | None, session: Session, counted: Counted
) -> Iterator[tuple[Document | Unreadable, bool]]:
    if stdin is not None:
        yield stdin.document(), True
        return
    listing = session.find(paths)
    counted.skipped.update(skipped.reason for skipped in listing.skipped)
    for found in listing.found:
        yield session.read(found), found.named


def _count(document: Document, session: Session) -> Counts:
    scope = session.scope(session.config)
    text = scope.context.countable(document)
    words = count_words(text)
    return Counts(
        document.path,
        document.size,
        len(text),
        words.count if words.unit == "word" else None,
        {name: scope.loader.require(name).count(text) for name in scope.config.tokenizers},
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


def as_json(shown: Sequence[Counts], counted: Counted) -> str:
    """The JSON report: the files shown, and the total of all."""
    everything = total(counted.rows, counted.tokenizers).as_json()
    report = {
        "files": [{"path": row.path, **row.as_json()} for row in shown],
        "total": {"files": len(counted.rows), **everything},
    }
    return json.dumps(report, indent=2) + "\n"


def as_table(shown: Sequence[Counts], counted: Counted) -> Iterator[str]:
    """The rows in columns, with a total where there is more than one file."""
    header = ("file", "bytes", "characters", "words", *counted.tokenizers)
    lines = [header, *(_cells(row) for row in shown)]
    if len(counted.rows) != 1:
        lines.append(_cells(total(counted.rows, counted.tokenizers)))
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        name = line[0] + " " * (widths[0] - width(line[0]))
        numbers = (cell.rjust(size) for cell, size in zip(line[1:], widths[1:], strict=True))
        yield "  ".join([name, *numbers])


def _cells(row: Counts) -> tuple[str, ...]:
    words = "-" if row.words is None else f"{row.words:,}"
    tokens = (f"{count:,}" for count in row.tokens.values())
    return (printable(row.path), f"{row.bytes:,}", f"{row.characters:,}", words, *tokens)


def closing(shown: Sequence[Counts], counted: Counted) -> Iterator[str]:
    """What the table leaves out, in words."""
    hidden = len(counted.rows) - len(shown)
    if hidden:
        yield f"{hidden:,} more file" + "s" * (hidden != 1) + " in the total, left out by --top"
    if counted.skipped:
        yield left_out(counted.skipped)
