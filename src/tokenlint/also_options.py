"""The option for several reports of one run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def add_also_option(command: argparse.ArgumentParser, formats: Sequence[str]) -> None:
    """Let a command write further reports, each in a format and to a file of its own."""
    command.add_argument(
        "--also",
        action="append",
        default=[],
        type=_report_in(formats),
        metavar="FORMAT=FILE",
        help="write a report in another format there as well; repeat for several",
    )


def _report_in(formats: Sequence[str]) -> Callable[[str], tuple[str, Path]]:
    def report(text: str) -> tuple[str, Path]:
        name, equals, file = text.partition("=")
        if not equals or not file:
            raise argparse.ArgumentTypeError(
                f"expected a format and a file, as in {formats[-1]}=FILE, found {text!r}"
            )
        if name not in formats:
            from tokenlint.nearest import did_you_mean

            near = did_you_mean(name, formats) or f"; choose from {', '.join(formats)}"
            raise argparse.ArgumentTypeError(f"there is no format {name!r}{near}")
        return name, Path(file)

    return report
