"""The texts of many files, drawn one after the other and never held together."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from tokenlint.errors import TokenlintError
from tokenlint.tokens import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tokenlint.commands.session import Session, Stdin
    from tokenlint.tokens import Document


@dataclass
class Corpus:
    """Files that were all read once, so that what cannot be read is known before the work."""

    session: Session
    reads: list[Callable[[], Document | Unreadable]] = field(default_factory=list)
    paths: dict[str, str] = field(default_factory=dict)
    bytes: int = 0
    is_blank: bool = True
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def texts(self) -> Iterator[str]:
        """The text of each file as it is counted. Raises TokenlintError where a file is gone."""
        for read in self.reads:
            document = read()
            if isinstance(document, Unreadable):
                raise TokenlintError(document.message)
            yield self._text(document)

    def add(self, read: Callable[[], Document | Unreadable], *, named: bool) -> bool:
        """Read a file and take its measures; one that was named and cannot be read is a problem."""
        document = read()
        if isinstance(document, Unreadable):
            self.skipped[document.reason] += 1
            self.problems += [document.message] * named
            return False
        try:
            text = self._text(document)
        except TokenlintError as error:
            self.problems.append(f"{document.path}: {error}")
            return False
        self.reads.append(read)
        self.bytes += len(text.encode())
        self.is_blank = self.is_blank and not text.strip()
        return True

    def _text(self, document: Document) -> str:
        """The text of all prompts in a file."""
        return "\n".join(prompt.text for prompt in self.session.prompts_of(document))


def gather(
    paths: Sequence[str],
    session: Session,
    *,
    stdin: Stdin | None = None,
    without: Path | None = None,
) -> Corpus:
    """The files that arguments mean, by path, or standard input.

    `without` is the file that is to be written: where it is only met it is left out, for else a
    second run would learn from what the first one wrote.
    """
    corpus = Corpus(session)
    if stdin is not None:
        corpus.add(stdin.document, named=True)
        return corpus
    listing = session.find(paths)
    corpus.skipped.update(skipped.reason for skipped in listing.skipped)
    output = without and os.path.realpath(without)
    for found in listing.found:
        real = os.path.realpath(found.path)
        if real == output:
            message = f"{found.shown}: it cannot be read from and written to at once"
            corpus.problems += [message] * found.named
        elif corpus.add(partial(session.read, found), named=found.named):
            corpus.paths[real] = found.shown
    return corpus
