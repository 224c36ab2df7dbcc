"""What `tokenlint check` says."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tokenlint import asked
from tokenlint.answers.base import Answer, Report, notes_and_errors
from tokenlint.printable import in_ci
from tokenlint.reports.printable import printable, printable_diff
from tokenlint.wording import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tokenlint.commands.check import Outcome
    from tokenlint.commands.session import Session
    from tokenlint.reports.checked import Checked


def answer(arguments: argparse.Namespace) -> Answer:
    """Check files, or list them."""
    from tokenlint.commands import check

    session = asked.session(arguments)
    if arguments.show_files:
        listing = session.find(asked.paths(arguments))
        lines = (printable(found.shown) for found in listing.found)
        return Answer(reports=(Report(lines, arguments.output_file),))
    also = asked.also(arguments)
    outcome = check.run(asked.check(arguments), session)
    said = notes_and_errors(outcome.notes, outcome.problems)
    code = asked.exit_code(arguments, outcome)
    checked = _checked(arguments, outcome, session, code)
    besides = tuple(_besides(arguments.output_format, also, checked))
    if outcome.fixed_stdin is not None:
        mended = Report(raw=outcome.fixed_stdin)
        return Answer(code, (mended, *besides), said, tuple(_lines(arguments, checked)))
    if arguments.diff:
        would = f"Would fix {counted(outcome.fixed, 'finding')}."
        diffs = map(_patch, outcome.diffs)
        return Answer(code, (*diffs, *besides), said, (would,))
    report = Report(_lines(arguments, checked), arguments.output_file)
    return Answer(code, (report, *besides), said)


def _patch(diff: str) -> Report:
    """A diff as it is, for a program that applies it; for a person or a log as harmless lines."""
    if sys.stdout.isatty() or in_ci():
        return Report(printable_diff(diff).removesuffix("\n").split("\n"))
    return Report(raw=diff)


def _checked(
    arguments: argparse.Namespace, outcome: Outcome, session: Session, code: int
) -> Checked:
    from tokenlint.answers import forge
    from tokenlint.reports.checked import Checked

    rules = {rule.code: rule for scope in session.scopes for rule in scope.config.known_rules}
    return Checked(
        outcome.diagnostics,
        asked.summary(outcome),
        tuple(dict.fromkeys(outcome.problems)),
        tuple(rules.values()),
        code,
        outcome.clean,
        column_unit=arguments.column_unit,
        quiet=arguments.quiet,
        place=forge.place(session.working_folder),
    )


def _lines(arguments: argparse.Namespace, checked: Checked) -> Iterable[str]:
    from tokenlint.reports import formats, text

    name = arguments.output_format
    if not arguments.statistics or name not in ("full", "concise"):
        return formats.lines(name, checked, asked.style(arguments))
    lines = list(text.statistics(checked.diagnostics))
    if not arguments.quiet:
        lines += text.closing(checked.diagnostics, checked.summary)
    return lines


def _besides(first: str, also: Sequence[tuple[str, Path]], checked: Checked) -> Iterator[Report]:
    """The reports that are written next to the one that was asked for first."""
    from tokenlint.answers import forge
    from tokenlint.reports import formats

    for name, file in also:
        yield Report(formats.lines(name, checked), file)
    if (
        "github" in (first, *(name for name, _ in also))
        and (summary := forge.job_summary()) is not None
    ):
        lines = ("", *formats.lines("markdown", checked))  # what is there may end amid a line
        yield Report(lines, summary, append=True)
