"""The options that say what of a file is counted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_extract_options(command: argparse.ArgumentParser) -> None:
    """Add them to a command that counts."""
    command.add_argument(
        "--extract",
        metavar="WHAT",
        help="count only the prompt in each file: body (no front matter), a path such as "
        "'prompts.*.system' into YAML, JSON or TOML, jinja, or chat (default: all)",
    )
    command.add_argument(
        "--variables", type=Path, metavar="FILE", help="the values for --extract jinja"
    )
    command.add_argument(
        "--chat", action="store_true", help="count files of messages as requests, with their frame"
    )
