"""What `tokenlint tokenizers` says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tokenlint import asked
from tokenlint.answers.base import Answer, Report
from tokenlint.errors import TokenlintError
from tokenlint.reports.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable


def answer(arguments: argparse.Namespace) -> Answer:
    """List what can be counted with, and what is missing; or open one tokenizer."""
    from tokenlint.commands import tokenizers

    if arguments.name is not None:
        return Answer(reports=(Report(_opened(arguments), arguments.output_file),))
    if arguments.all:
        raise TokenlintError("--all is for one tokenizer; give its name")
    found = tokenizers.run(asked.session(arguments))
    lines: Iterable[str] = map(printable, tokenizers.as_table(found))
    if arguments.output_format == "json":
        lines = [json.dumps([known.as_json() for known in found], indent=2)]
    return Answer(reports=(Report(lines, arguments.output_file),))


def _opened(arguments: argparse.Namespace) -> Iterable[str]:
    from tokenlint.commands import tokenizer

    arguments.tokenizers = [arguments.name]  # so that a path starts at the working folder
    session = asked.session(arguments)
    (name,) = session.config.tokenizers
    opened = tokenizer.run(name, session.scope(session.config).loader)
    if arguments.output_format == "json":
        return [tokenizer.as_json(opened)]
    return map(printable, tokenizer.as_table(opened, all_special=arguments.all))
