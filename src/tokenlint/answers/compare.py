"""What `tokenlint compare` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint import asked
from tokenlint.answers.base import Answer, Report, notes_and_errors
from tokenlint.asked import CLEAN, WRONG

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from tokenlint.tokens.comparison import Row


def answer(arguments: argparse.Namespace) -> Answer:
    """Compare languages, forms and tokenizers; the chart is drawn last, after the table is made."""
    from tokenlint.commands import compare
    from tokenlint.reports import plot

    if arguments.plot is not None:
        plot.demand(arguments.plot)
    compared = compare.run(asked.compare(arguments), asked.session(arguments))
    rows = compare.group(compared, arguments.by or "file")
    lines = list(_lines(arguments, rows))
    if arguments.plot is not None:
        by = compare.by_of_chart(compared, arguments.by)
        plot.write(arguments.plot, compare.group(compared, by), arguments.reference, by)
    return Answer(
        WRONG if compared.problems else CLEAN,
        (Report(lines, arguments.output_file),),
        notes_and_errors(compared.notes, compared.problems),
        (compared.left_out,) if compared.skipped and not arguments.quiet else (),
    )


def _lines(arguments: argparse.Namespace, rows: Sequence[Row]) -> Iterable[str]:
    from tokenlint.reports import compare_report

    lines = compare_report.FORMATS[arguments.output_format](rows, arguments.reference)
    if arguments.output_format != "table" or arguments.quiet:
        return lines
    return [*lines, "", *compare_report.definitions(rows, arguments.reference)]
