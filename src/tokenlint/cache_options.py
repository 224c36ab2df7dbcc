"""The option of the commands that keep counts, and those of `tokenlint clean`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

CLEAN = """\
What is kept are counts by the sha256 of the text, not the text, and the paths and times of
files that were found clean. The folder is the one that TOKENLINT_CACHE_DIR names, else
tokenlint in the user's cache folder; TOKENLINT_NO_CACHE=1 keeps nothing. Nothing needs
cleaning to be right: another vocabulary, pattern, configuration or version has its own.
"""


def add_cache_option(command: argparse.ArgumentParser) -> None:
    """Let a command count everything anew."""
    command.add_argument(
        "--no-cache",
        action="store_true",
        help="count and check anew, and keep nothing (also: TOKENLINT_NO_CACHE=1)",
    )


def add_clean_options(command: argparse.ArgumentParser) -> None:
    """The options of `tokenlint clean`."""
    command.add_argument("--quiet", "-q", action="store_true", help="say nothing")
