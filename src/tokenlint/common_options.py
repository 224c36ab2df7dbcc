"""The options that several commands share."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.also_options import add_also_option

if TYPE_CHECKING:
    from collections.abc import Sequence


def words(text: str) -> list[str]:
    """Rules or globs, by comma or by space; the option may be repeated."""
    return text.replace(",", " ").split()


def add_paths(command: argparse.ArgumentParser) -> None:
    """What is read."""
    command.add_argument(
        "paths", nargs="*", metavar="PATH", help="files and folders (default: .), or - for stdin"
    )
    command.add_argument(
        "--stdin-filename", metavar="PATH", help="the path that standard input goes by"
    )
    add_excludes(command)


def add_excludes(command: argparse.ArgumentParser) -> None:
    """What is left out."""
    command.add_argument(
        "--force-exclude",
        action=argparse.BooleanOptionalAction,
        help="apply excludes to files that are named, as pre-commit needs",
    )
    command.add_argument(
        "--respect-gitignore",
        action=argparse.BooleanOptionalAction,
        help="leave out what git ignores (on by default)",
    )
    command.add_argument(
        "--exclude",
        action="extend",
        type=words,
        metavar="GLOB",
        help="leave these out, and not the defaults",
    )
    command.add_argument(
        "--extend-exclude",
        action="extend",
        type=words,
        metavar="GLOB",
        help="leave these out as well",
    )


def add_selection(command: argparse.ArgumentParser) -> None:
    """Which rules look."""
    for option, meaning in (
        ("--select", "only these rules: codes, prefixes (TL1), names or ALL"),
        ("--extend-select", "these rules as well"),
        ("--ignore", "not these rules"),
    ):
        command.add_argument(option, action="extend", type=words, metavar="RULES", help=meaning)
    command.add_argument(
        "--ignore-directives",
        action="store_false",
        default=None,
        dest="inline_directives",
        help="let no inline directive silence anything",
    )


def add_fixing(command: argparse.ArgumentParser) -> None:
    """What is written back."""
    command.add_argument("--fix", action="store_true", help="write the safe fixes")
    command.add_argument(
        "--unsafe-fixes", action="store_true", help="write fixes that may change meaning as well"
    )
    command.add_argument(
        "--diff", action="store_true", help="show what --fix would write, and write nothing"
    )
    command.add_argument(
        "--exit-non-zero-on-fix", action="store_true", help="exit 1 where something was fixed"
    )


def add_output(
    command: argparse.ArgumentParser, formats: Sequence[str], default: str, *, also: bool = False
) -> None:
    """How a report is given."""
    command.add_argument(
        "--output-format", choices=formats, default=default, help=f"default: {default}"
    )
    if also:
        add_also_option(command, formats)
    command.add_argument(
        "--output-file", "-o", type=Path, metavar="FILE", help="write the report there"
    )
    command.add_argument("--quiet", "-q", action="store_true", help="findings only, no summary")
    command.add_argument("--verbose", "-v", action="store_true", help="say what was left out")
    command.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="default: auto"
    )


def add_tokenizer(command: argparse.ArgumentParser) -> None:
    """What counts."""
    command.add_argument(
        "--tokenizer",
        "-t",
        action="append",
        metavar="NAME",
        dest="tokenizers",
        help="an encoding, a model or a path; repeat for several (default: o200k_base)",
    )


def add_configuration(command: argparse.ArgumentParser) -> None:
    """Where the configuration stands, and what it may do."""
    command.add_argument("--config", type=Path, metavar="FILE", help="use this configuration file")
    command.add_argument("--isolated", action="store_true", help="use no configuration file")
    command.add_argument(
        "--allow-plugins",
        action="store_true",
        default=os.environ.get("TOKENLINT_ALLOW_PLUGINS") == "1",
        help="run the code of configured plugins (also: TOKENLINT_ALLOW_PLUGINS=1)",
    )
    command.add_argument(
        "--allow-network",
        action="store_true",
        default=os.environ.get("TOKENLINT_ALLOW_NETWORK") == "1" or None,
        dest="network",
        help="download a vocabulary that is missing (also: TOKENLINT_ALLOW_NETWORK=1)",
    )
    command.add_argument(
        "--allow-outside",
        action="store_true",
        default=None,
        dest="outside",
        help="let the configuration name files outside of its repository (also: "
        "TOKENLINT_ALLOW_OUTSIDE=1)",
    )
