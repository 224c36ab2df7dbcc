"""What `tokenlint count` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint import asked
from tokenlint.answers.base import Answer, Report, notes_and_errors
from tokenlint.asked import CLEAN, WRONG
from tokenlint.errors import TokenlintError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from tokenlint.commands.money import Plan


def answer(arguments: argparse.Namespace) -> Answer:
    """Count files, or standard input."""
    if arguments.chat:
        if arguments.models or arguments.calls:
            raise TokenlintError("--chat shows requests, not money; leave out --model and --calls")
        from tokenlint.answers import requests

        return requests.answer(arguments)
    from tokenlint.commands import count, money
    from tokenlint.reports.count_report import FORMATS, CountTable

    session, also = asked.session(arguments), asked.also(arguments)
    plan = money.plan(session.config, session.scope(session.config).loader)
    billed = () if plan is None else plan.tokenizers
    counted = count.run(asked.paths(arguments), asked.stdin(arguments), session, billed)
    rows = count.order(counted.rows, arguments.sort, counted.tokenizers)
    shown = rows[: arguments.top]
    cost = None if plan is None else plan.cost_of((row.path, row.billed) for row in rows)
    total = count.total(rows, counted.tokenizers)
    table = CountTable(shown, total, len(rows), cost)
    for_people = arguments.output_format in ("table", "markdown") and not arguments.quiet
    if counted.problems and not rows and arguments.output_format == "table":
        return Answer(WRONG, before=notes_and_errors(counted.notes, counted.problems))
    return Answer(
        WRONG if counted.problems else CLEAN,
        (
            Report(FORMATS[arguments.output_format](table), arguments.output_file),
            *(Report(FORMATS[name](table), file) for name, file in also),
        ),
        notes_and_errors((*counted.notes, *_left_out(arguments, plan)), counted.problems),
        tuple(count.closing(shown, counted)) if for_people else (),
    )


def _left_out(arguments: argparse.Namespace, plan: Plan | None) -> Sequence[str]:
    """What a format for rows of one kind has no place for."""
    name = arguments.output_format
    if plan is None or name in ("table", "markdown", "json"):
        return ()
    return (f"{name} has no place for what the files cost; table, markdown and json tell it",)
