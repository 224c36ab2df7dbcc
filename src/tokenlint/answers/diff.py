"""What `tokenlint diff` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint import asked
from tokenlint.answers.base import Answer, Report, notes_and_errors
from tokenlint.asked import CLEAN, FOUND, WRONG

if TYPE_CHECKING:
    import argparse

    from tokenlint.commands.diff import Outcome, Request
    from tokenlint.commands.session import Session
    from tokenlint.reports.checked import Checked


def answer(arguments: argparse.Namespace) -> Answer:
    """Compare two states of the files."""
    from tokenlint.commands import diff
    from tokenlint.reports import diff_formats, diff_words

    session, also = asked.session(arguments), asked.also(arguments)
    outcome = diff.run(_request(arguments), session)
    code = _code(outcome)
    checked = _checked(arguments, outcome, session, code)
    reports = ((arguments.output_format, arguments.output_file), *also)
    closing = () if arguments.quiet else (diff_words.closing(outcome.report),)
    return Answer(
        code,
        tuple(
            Report(diff_formats.lines(name, outcome.report, checked), file)
            for name, file in reports
        ),
        notes_and_errors(outcome.notes, outcome.problems),
        closing if arguments.output_format == "table" else (),
    )


def _request(arguments: argparse.Namespace) -> Request:
    from tokenlint.commands.diff import Request
    from tokenlint.growth import NOTHING

    return Request(
        arguments.revisions,
        arguments.paths,
        arguments.staged,
        arguments.no_index,
        arguments.all,
        NOTHING if arguments.fail_on_increase else arguments.max_increase,
    )


def _code(outcome: Outcome) -> int:
    if outcome.problems:
        return WRONG
    return FOUND if any(finding.is_error for finding in outcome.report.findings) else CLEAN


def _checked(
    arguments: argparse.Namespace, outcome: Outcome, session: Session, code: int
) -> Checked:
    """The findings as the reports of a check take them."""
    from tokenlint.answers import forge
    from tokenlint.reports.checked import Checked
    from tokenlint.reports.text import Summary

    report = outcome.report
    return Checked(
        report.findings,
        Summary(len(report.files), report.reasons, problems=len(outcome.problems)),
        tuple(dict.fromkeys(outcome.problems)),
        session.config.known_rules,
        code,
        quiet=arguments.quiet,
        place=forge.place(session.working_folder),
    )
