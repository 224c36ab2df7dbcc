"""The options of `tokenlint config`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

CONFIG = """\
examples:
  tokenlint config                                 what holds in this folder, and who said it
  tokenlint config --show prompts/a.md             what holds for a file
  tokenlint config --schema > tokenlint.schema.json

The schema is for editors. In a tokenlint.toml, the first line names it for Taplo and for
Even Better TOML:  #:schema ./tokenlint.schema.json
"""


def add_config_options(command: argparse.ArgumentParser) -> None:
    """What is shown."""
    command.add_argument(
        "path", nargs="?", default=".", metavar="PATH", help="a file or a folder (default: .)"
    )
    mode = command.add_mutually_exclusive_group()
    mode.add_argument(
        "--show", action="store_true", help="the values and their origin (the default)"
    )
    mode.add_argument(
        "--schema", action="store_true", help="a JSON Schema of the configuration, for editors"
    )
    command.add_argument(
        "--pyproject",
        action="store_true",
        help="make it the schema of a whole pyproject.toml, not of our table",
    )
