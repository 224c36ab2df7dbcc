"""What `tokenlint clean` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.answers.base import Answer, Report

if TYPE_CHECKING:
    import argparse


def answer(arguments: argparse.Namespace) -> Answer:
    """Remove the counts that are kept."""
    from tokenlint.commands import clean
    from tokenlint.reports.printable import printable

    cleaned = clean.run()
    return Answer(reports=() if arguments.quiet else (Report([printable(cleaned.sentence)]),))
