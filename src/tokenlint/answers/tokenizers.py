"""What `tokenlint tokenizers` says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tokenlint import asked
from tokenlint.answers.base import Answer, Report
from tokenlint.reports.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable


def answer(arguments: argparse.Namespace) -> Answer:
    """List what can be counted with, and what is missing."""
    from tokenlint.commands import tokenizers

    found = tokenizers.run(asked.session(arguments))
    lines: Iterable[str] = map(printable, tokenizers.as_table(found))
    if arguments.output_format == "json":
        lines = [json.dumps([known.as_json() for known in found], indent=2)]
    return Answer(reports=(Report(lines, arguments.output_file),))
