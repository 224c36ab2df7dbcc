"""The options of `tokenlint check` that are about a baseline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_baseline_options(command: argparse.ArgumentParser) -> None:
    """What was accepted, and where that is written."""
    one = command.add_mutually_exclusive_group()
    one.add_argument(
        "--baseline", type=Path, metavar="FILE", help="report only what this file does not accept"
    )
    one.add_argument(
        "--no-baseline",
        action="store_false",
        dest="use_baseline",
        help="report everything, whatever the configuration says",
    )
    one.add_argument(
        "--write-baseline",
        type=Path,
        metavar="FILE",
        help="accept what is found today: write it into this file",
    )
    command.add_argument(
        "--prune-baseline",
        action="store_true",
        help="write the baseline anew, without what is no longer found",
    )
