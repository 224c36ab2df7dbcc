"""What `tokenlint rule` says."""

from __future__ import annotations

from shutil import get_terminal_size
from typing import TYPE_CHECKING

from tokenlint import asked
from tokenlint.answers.base import Answer, Report, notes_and_errors
from tokenlint.asked import CLEAN, WRONG

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from tokenlint.rules import Rule


def answer(arguments: argparse.Namespace) -> Answer:
    """Explain rules, or the families of control strings."""
    from tokenlint.commands import rule

    if arguments.families:
        as_json = arguments.output_format == "json"
        lines = rule.families(arguments.rule, get_terminal_size().columns, as_json=as_json)
        return Answer(reports=(Report(lines),))
    rules, problem = rule.known(arguments.rule, asked.session(arguments))
    code = CLEAN if problem is None else WRONG
    problems = () if problem is None else (str(problem),)
    return Answer(code, (Report(_lines(arguments, rules)),), after=notes_and_errors((), problems))


def _lines(arguments: argparse.Namespace, rules: Sequence[Rule]) -> Iterable[str]:
    from tokenlint.commands import rule

    if arguments.output_format == "json":
        return rule.as_json(rules)
    if arguments.rule is None and not arguments.all:
        return rule.table(rules)
    return ["\n".join(map(rule.page, rules)).rstrip("\n")]
