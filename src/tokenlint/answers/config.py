"""What `tokenlint config` says."""

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
    """Show the configuration that holds, or the schema of all of them."""
    return Answer(reports=(Report(_lines(arguments), arguments.output_file),))


def _lines(arguments: argparse.Namespace) -> Iterable[str]:
    from tokenlint.commands import config

    if arguments.schema:
        return [_schema(arguments)]
    if arguments.pyproject:
        raise TokenlintError("--pyproject is about the schema; add --schema")
    shown = config.run(arguments.path, asked.session(arguments))
    if arguments.output_format == "json":
        return [config.as_json(shown)]
    return map(printable, config.as_table(shown))


def _schema(arguments: argparse.Namespace) -> str:
    """The schema, with the rules of configured plugins only where their code may run."""
    from tokenlint.commands import config_schema
    from tokenlint.rules import RULES

    rules = asked.session(arguments).config.known_rules if arguments.allow_plugins else RULES
    return json.dumps(config_schema.build(rules, pyproject=arguments.pyproject), indent=2)
