"""The options of `tokenlint diff`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tokenlint.errors import ConfigError

if TYPE_CHECKING:
    from tokenlint.growth import MaxIncrease

DIFF = """\
examples:
  tokenlint diff                        what is here, beside where the branch left the default one
  tokenlint diff main                   what is here, beside main itself
  tokenlint diff --staged               what the next commit would change
  tokenlint diff v1.0 v1.1              one commit beside another; also v1.0..v1.1
  tokenlint diff main...topic           topic beside what it has in common with main
  tokenlint diff -- prompts             only these files and folders
  tokenlint diff --no-index old new     two folders or files, without git
  tokenlint diff --max-increase 5% --output-format markdown -o comment.md

Files that are not tracked and not ignored count as added. Only files that differ are read; --all
reads the others as well, so that the total is that of all files.

exit codes: 0 compared; 1 an increase is over its limit (TL305); 2 something must be put right
first, such as a shallow clone that does not have the base
"""


def add_diff_options(command: argparse.ArgumentParser) -> None:
    """What to compare, and how much it may grow."""
    command.add_argument(
        "revisions",
        nargs="*",
        metavar="REVISION",
        help="a base, or a base and what is compared with it (default: the working tree beside "
        "the merge base with the default branch); paths are given behind --",
    )
    command.add_argument(
        "--path", action="append", default=[], metavar="PATH", dest="paths", help=argparse.SUPPRESS
    )
    command.add_argument(
        "--staged", action="store_true", help="compare the index with the base, by default HEAD"
    )
    command.add_argument(
        "--no-index", action="store_true", help="compare two folders or files without git"
    )
    command.add_argument(
        "--all",
        action="store_true",
        help="count the files that do not differ as well, for the total of all",
    )
    growth = command.add_mutually_exclusive_group()
    growth.add_argument(
        "--max-increase",
        type=_increase,
        metavar="N|P%",
        help="exit 1 where all files together grow by more tokens, or by more percent",
    )
    growth.add_argument(
        "--fail-on-increase", action="store_true", help="exit 1 where they grow at all"
    )


def _increase(text: str) -> MaxIncrease:
    from tokenlint.growth import parse

    try:
        return parse(text)
    except ConfigError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
