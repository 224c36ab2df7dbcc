"""What `tokenlint count` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint import asked
from tokenlint.answers.base import Answer, Report, notes_and_errors
from tokenlint.asked import CLEAN, WRONG

if TYPE_CHECKING:
    import argparse


def answer(arguments: argparse.Namespace) -> Answer:
    """Count files, or standard input."""
    from tokenlint.commands import count

    session = asked.session(arguments)
    counted = count.run(asked.paths(arguments), asked.stdin(arguments), session)
    shown = count.order(counted.rows, arguments.sort, counted.tokenizers)[: arguments.top]
    said = notes_and_errors((), counted.problems)
    code = WRONG if counted.problems else CLEAN
    if arguments.output_format == "json":
        lines = count.as_json(shown, counted).splitlines()
        return Answer(code, (Report(lines, arguments.output_file),), said)
    table = Report(count.as_table(shown, counted), arguments.output_file)
    after = () if arguments.quiet else tuple(count.closing(shown, counted))
    return Answer(code, (table,), said, after)
