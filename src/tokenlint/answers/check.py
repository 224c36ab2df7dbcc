"""What `tokenlint check` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint import asked
from tokenlint.answers.base import Answer, Report, notes_and_errors
from tokenlint.reports.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from tokenlint.commands.check import Outcome


def answer(arguments: argparse.Namespace) -> Answer:
    """Check files, or list them."""
    from tokenlint.commands import check

    session = asked.session(arguments)
    if arguments.show_files:
        listing = session.find(asked.paths(arguments))
        lines = (printable(found.shown) for found in listing.found)
        return Answer(reports=(Report(lines, arguments.output_file),))
    outcome = check.run(asked.check(arguments), session)
    said = notes_and_errors(outcome.notes, outcome.problems)
    code = asked.exit_code(arguments, outcome)
    if outcome.fixed_stdin is not None:
        mended = Report(raw=outcome.fixed_stdin)
        return Answer(code, (mended,), said, tuple(_lines(arguments, outcome)))
    if arguments.diff:
        would = f"Would fix {outcome.fixed:,} finding" + "s" * (outcome.fixed != 1) + "."
        return Answer(code, tuple(Report(raw=diff) for diff in outcome.diffs), said, (would,))
    return Answer(code, (Report(_lines(arguments, outcome), arguments.output_file),), said)


def _lines(arguments: argparse.Namespace, outcome: Outcome) -> Sequence[str]:
    from tokenlint.reports import json_report, text

    diagnostics, style = outcome.diagnostics, asked.style(arguments)
    if arguments.output_format == "json":
        return json_report.render(diagnostics).splitlines()
    if arguments.statistics:
        lines = list(text.statistics(diagnostics))
    else:
        form = text.full if arguments.output_format == "full" else text.concise
        lines = list(form(diagnostics, style))
    if not arguments.quiet:
        lines += text.closing(diagnostics, asked.summary(outcome))
    return lines
