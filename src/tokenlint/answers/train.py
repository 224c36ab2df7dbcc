"""What `tokenlint train` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint import asked
from tokenlint.answers.base import Answer, Report, notes_and_errors
from tokenlint.asked import CLEAN, WRONG

if TYPE_CHECKING:
    import argparse


def answer(arguments: argparse.Namespace) -> Answer:
    """Train a tokenizer, and tell what it is worth."""
    from tokenlint.commands import train
    from tokenlint.reports import training

    outcome = train.run(asked.train(arguments), asked.session(arguments))
    said = notes_and_errors(outcome.notes, outcome.problems)
    if outcome.report is None:
        return Answer(WRONG, before=said)
    form = training.FORMATS[arguments.output_format]
    return Answer(
        WRONG if outcome.problems else CLEAN,
        (Report(form(outcome.report, quiet=arguments.quiet)),),
        said,
        (outcome.left_out,) if outcome.left_out and not arguments.quiet else (),
    )
