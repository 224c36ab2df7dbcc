"""What `tokenlint compare` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint import asked
from tokenlint.answers.base import Answer, Report, notes_and_errors
from tokenlint.asked import CLEAN, WRONG

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tokenlint.tokens.comparison import Row


def answer(arguments: argparse.Namespace) -> Answer:
    """Compare languages, forms and tokenizers; the chart is drawn last, after the table is made."""
    from tokenlint.commands import compare
    from tokenlint.reports import plot

    also = asked.also(arguments)
    if arguments.plot is not None:
        plot.demand(arguments.plot)
    compared = compare.run(asked.compare(arguments), asked.session(arguments))
    rows = compare.group(compared, arguments.by or "file")
    reports = tuple(_reports(arguments, also, rows))
    if arguments.plot is not None:
        by = compare.by_of_chart(compared, arguments.by)
        plot.write(arguments.plot, compare.group(compared, by), arguments.reference, by)
    return Answer(
        WRONG if compared.problems else CLEAN,
        reports,
        notes_and_errors(compared.notes, compared.problems),
        (compared.left_out,) if compared.skipped and not arguments.quiet else (),
    )


def _reports(
    arguments: argparse.Namespace, also: Sequence[tuple[str, Path]], rows: Sequence[Row]
) -> Iterator[Report]:
    """The report that was asked for first, and those next to it."""
    yield Report(_lines(arguments, arguments.output_format, rows), arguments.output_file)
    for name, file in also:
        yield Report(_lines(arguments, name, rows), file)


def _lines(arguments: argparse.Namespace, name: str, rows: Sequence[Row]) -> list[str]:
    from tokenlint.reports import compare_report

    lines = list(compare_report.FORMATS[name](rows, arguments.reference))
    if name != "table" or arguments.quiet:
        return lines
    return [*lines, "", *compare_report.definitions(rows, arguments.reference)]
