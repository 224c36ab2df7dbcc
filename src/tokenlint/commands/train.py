"""`tokenlint train`: a tokenizer of one's own text, and how far the vendors' are from it."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from itertools import count, takewhile
from typing import TYPE_CHECKING

from tokenlint.atomic import make_folder_for, replace_file
from tokenlint.commands.corpus import Corpus, gather
from tokenlint.errors import TokenlintError, UncountableTextError
from tokenlint.frozen import frozen
from tokenlint.reports.text import left_out
from tokenlint.reports.training import Evaluation, Report, Row, Training
from tokenlint.tokens import DEFAULT_TOKENIZER
from tokenlint.tokens.training import BYTES, train

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tokenlint.commands.session import Session, Stdin
    from tokenlint.tokens import Tokenizer
    from tokenlint.tokens.training import Recipe, Trained

VENDORS = ("o200k_base", "cl100k_base")
"What a tokenizer is held against where none was named or configured: they need no network."


@frozen
class Request:
    """What to train on, how, and what is wanted of it."""

    paths: Sequence[str]
    recipe: Recipe
    stdin: Stdin | None = None
    output: Path | None = None
    force: bool = False
    held_out: Sequence[str] = ()
    tokenizers_named: bool = False
    show_merges: int | None = None
    progress: bool = False


@dataclass
class Outcome:
    """What was found out; the report is None where nothing was trained."""

    report: Report | None = None
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def left_out(self) -> str | None:
        """The files that were met and not read, in words."""
        return left_out(self.skipped) if self.skipped else None


def run(request: Request, session: Session) -> Outcome:
    """Train, tell, and write the tokenizer last.

    Raises TokenlintError: a wrong output, a tokenizer that is not to be had, nothing to learn from.
    """
    _check_output(request)
    vendors = _vendors(request, session)
    corpus = gather(request.paths, session, stdin=request.stdin, without=request.output)
    held_out = gather(request.held_out, session)
    outcome = Outcome(skipped=corpus.skipped + held_out.skipped)
    outcome.problems += corpus.problems + held_out.problems
    if outcome.problems:
        outcome.problems.append("nothing was trained: put this right first")
        return outcome
    _require_text(corpus, held_out, request)
    trained = train(corpus.texts(), request.recipe, progress=request.progress)
    evaluation = _evaluate(trained, held_out, vendors, outcome) if request.held_out else None
    outcome.report = _report(request, trained, corpus, evaluation)
    outcome.notes += _notes(corpus, held_out, outcome.report.training)
    if request.output is not None:
        _write(request.output, trained.raw)
    return outcome


def _check_output(request: Request) -> None:
    """Refuse an output before the work is done. Raises TokenlintError."""
    output = request.output
    if output is None:
        if not request.held_out and request.show_merges is None:
            raise TokenlintError(
                "say what is wanted: -o FILE keeps the tokenizer, --evaluate and --show-merges "
                "tell about it"
            )
    elif output.is_dir():
        raise TokenlintError(f"{output}: a folder; name the file: {output / 'tokenizer.json'}")
    elif output.suffix != ".json":
        raise TokenlintError(f"{output}: name it .json, so that it loads as a tokenizer.json")
    elif os.path.lexists(output) and not request.force:
        raise TokenlintError(f"{output}: exists already; --force replaces it")


def _vendors(request: Request, session: Session) -> list[Tokenizer]:
    """The tokenizers that were named, or configured, or the two that come with the installation."""
    if not request.held_out:
        return []
    names = session.config.tokenizers
    if names == (DEFAULT_TOKENIZER,) and not request.tokenizers_named:
        names = VENDORS
    return list(map(session.scope(session.config).loader.require, names))


def _require_text(corpus: Corpus, held_out: Corpus, request: Request) -> None:
    if corpus.is_blank:
        raise TokenlintError(f"nothing to learn from: {_emptiness(corpus)}")
    if request.held_out and held_out.is_blank:
        raise TokenlintError(f"nothing to evaluate on: {_emptiness(held_out)}")


def _emptiness(corpus: Corpus) -> str:
    if not corpus.reads:
        return "no file was found that can be read"
    return "the files hold " + ("only white space" if corpus.bytes else "no text")


def _notes(corpus: Corpus, held_out: Corpus, training: Training) -> Iterator[str]:
    for real, shown in held_out.paths.items():
        if real in corpus.paths:
            yield f"{shown} was trained on as well: its figures flatter what was trained"
    if training.shortfall is not None:
        yield training.shortfall


def _report(
    request: Request, trained: Trained, corpus: Corpus, evaluation: Evaluation | None
) -> Report:
    merges = None
    if request.show_merges is not None:
        words = trained.words(corpus.texts())
        merges = tuple(trained.first_merges(words, request.show_merges))
    return Report(_training(trained, corpus, request), evaluation, merges)


def _evaluate(
    trained: Trained, held_out: Corpus, vendors: Sequence[Tokenizer], outcome: Outcome
) -> Evaluation:
    words = trained.words(held_out.texts())
    rows = [
        Row("trained", stage, BYTES + stage, trained.count(words, stage))
        for stage in stages(len(trained.merges))
    ]
    for vendor in vendors:
        try:
            tokens = sum(map(vendor.count, held_out.texts()))
        except UncountableTextError as error:  # the other rows stand, and so does the tokenizer
            outcome.problems.append(str(error))
        else:
            rows.append(Row(vendor.name, None, None, tokens))
    return Evaluation(len(held_out.reads), held_out.bytes, rows)


def stages(merges: int) -> list[int]:
    """0, 100, 500, 1000, 2000, 5000, 10000 and so on, and at last all merges."""
    steps = (digit * 10**zeros for zeros in count(3) for digit in (1, 2, 5))
    return [*(n for n in (0, 100, 500) if n < merges), *takewhile(merges.__gt__, steps), merges]


def _training(trained: Trained, corpus: Corpus, request: Request) -> Training:
    merges = len(trained.merges)
    return Training(
        path=request.output,
        vocabulary=BYTES + merges + len(trained.special_tokens),
        merges=merges,
        asked=request.recipe.vocabulary_size,
        special_tokens=trained.special_tokens,
        files=len(corpus.reads),
        bytes=corpus.bytes,
    )


def _write(path: Path, raw: bytes) -> None:
    """Write a file whole or not at all. Raises TokenlintError."""
    try:
        make_folder_for(path)
        replace_file(path, raw)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise TokenlintError(f"{path}: the tokenizer cannot be written: {why}") from None
