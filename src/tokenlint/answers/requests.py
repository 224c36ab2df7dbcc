"""What `tokenlint count --chat` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint import asked
from tokenlint.answers.base import Answer, Report, notes_and_errors
from tokenlint.asked import CLEAN, WRONG

if TYPE_CHECKING:
    import argparse


def answer(arguments: argparse.Namespace) -> Answer:
    """Count files of messages as requests."""
    from tokenlint.commands import requests
    from tokenlint.reports.requests_report import FORMATS, MOST, RequestTable
    from tokenlint.reports.text import left_out

    session, also = asked.session(arguments), asked.also(arguments)
    found = requests.run(asked.paths(arguments), asked.stdin(arguments), session)
    shown = requests.order(found.counted, arguments.sort)[: arguments.top]
    table = RequestTable(shown, found.counted, None if arguments.top else MOST)
    for_people = arguments.output_format in ("table", "markdown") and not arguments.quiet
    return Answer(
        WRONG if found.problems else CLEAN,
        (
            Report(FORMATS[arguments.output_format](table), arguments.output_file),
            *(Report(FORMATS[name](table), file) for name, file in also),
        ),
        notes_and_errors(found.notes, found.problems),
        (left_out(found.skipped),) if for_people and found.skipped else (),
    )
