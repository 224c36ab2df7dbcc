"""What the command line asked for: parsed arguments become the values that commands take."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenlint.errors import TokenlintError

if TYPE_CHECKING:
    import argparse

    from tokenlint.commands.check import Outcome, Request
    from tokenlint.commands.compare import Request as CompareRequest
    from tokenlint.commands.session import Session, Stdin
    from tokenlint.commands.train import Request as TrainRequest
    from tokenlint.reports.style import Style
    from tokenlint.reports.text import Summary

CLEAN, FOUND, WRONG = 0, 1, 2
"The exit codes: nothing found, findings, and something that must be put right first."

_SETTINGS = (
    "exclude",
    "extend_exclude",
    "force_exclude",
    "respect_gitignore",
    "select",
    "extend_select",
    "ignore",
    "inline_directives",
    "network",
)
"""The options that a configuration file can set as well."""


def session(arguments: argparse.Namespace) -> Session:
    """The configurations of a run, with what the command line says on top."""
    from tokenlint.commands.session import Session

    said = {name: _tupled(getattr(arguments, name, None)) for name in _SETTINGS}
    if (tokenizers := getattr(arguments, "tokenizers", None)) is not None:
        said["tokenizers"] = tuple(map(_from_here, tokenizers))
    made = Session(
        Path.cwd(), arguments.config, arguments.isolated, said, arguments.allow_plugins or None
    )
    _require_known_rules(made, said)
    return made


def _require_known_rules(made: Session, said: dict[str, Any]) -> None:
    """Rules that are named on the command line are those of the folder where it stands."""
    from tokenlint.config import rule_words

    for name in ("select", "extend_select", "ignore"):
        if said[name] is not None:
            option = "--" + name.replace("_", "-")
            if not said[name]:  # what a shell makes of a variable that is not set
                raise TokenlintError(f"{option} names no rule; give a code, a name or a prefix")
            rule_words(option, list(said[name]), made.config.known_rules)


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _from_here(name: str) -> str:
    """A tokenizer that is named on the command line: its path starts at the working folder."""
    from tokenlint.tokens.loading import is_path

    return str(Path.cwd() / Path(name).expanduser()) if is_path(name) else name


def paths(arguments: argparse.Namespace) -> list[str]:
    """The files and folders that were named, or the working folder.

    Raises TokenlintError.
    """
    named: list[str] = arguments.paths
    if "" in named:  # what a shell makes of a variable that is not set
        raise TokenlintError("an empty path was given; name a file or a folder, or . for this one")
    if getattr(arguments, "budgets", False):
        named = [path for path in named if path != _MARK]
        if named:
            raise TokenlintError(
                "--budgets takes no paths: it checks every file that has a budget; leave out "
                + ", ".join(named)
            )
    return named or ["."]


_MARK = f".{os.sep}--"  # a file of that name makes the hook's last argument, `--`, look like it


def stdin(arguments: argparse.Namespace) -> Stdin | None:
    """Standard input, where it is to be read."""
    from tokenlint.commands.session import Stdin

    if "-" not in arguments.paths:
        if arguments.stdin_filename and arguments.paths:
            raise TokenlintError("--stdin-filename names standard input; give - as the path too")
        if arguments.stdin_filename:
            return Stdin(sys.stdin.buffer.read(), arguments.stdin_filename)
        return None
    if len(arguments.paths) > 1:
        raise TokenlintError("- stands for standard input and cannot be mixed with other paths")
    return Stdin(sys.stdin.buffer.read(), arguments.stdin_filename or "-")


def style(arguments: argparse.Namespace) -> Style:
    """Whether and how a report is coloured."""
    from tokenlint.reports.style import Style

    if arguments.output_file is not None:
        return Style()
    wanted = arguments.color == "always" or (
        arguments.color == "auto" and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    )
    return Style(wanted, sys.stdout.encoding)


def check(arguments: argparse.Namespace) -> Request:
    """What `tokenlint check` was asked."""
    from tokenlint.commands.check import Request

    if arguments.column_unit != "code-point" and arguments.output_format != "json":
        raise TokenlintError(
            f"--column-unit {arguments.column_unit} is for programs; add --output-format json"
        )
    return Request(
        paths=paths(arguments),
        stdin=stdin(arguments),
        budgets_only=arguments.budgets,
        fix=arguments.fix,
        unsafe_fixes=arguments.unsafe_fixes,
        diff=arguments.diff,
        column_unit=arguments.column_unit,
    )


def compare(arguments: argparse.Namespace) -> CompareRequest:
    """What `tokenlint compare` was asked."""
    from tokenlint.commands.compare import Request

    return Request(
        paths(arguments),
        stdin(arguments),
        arguments.reference,
        arguments.forms,
        arguments.words,
        arguments.tokenizers or (),
    )


def train(arguments: argparse.Namespace) -> TrainRequest:
    """What `tokenlint train` was asked."""
    from tokenlint.commands.train import Request
    from tokenlint.tokens.training import Recipe, pattern_of

    pattern, nfc = pattern_of(arguments.pattern), arguments.normalize == "nfc"
    return Request(
        paths=paths(arguments),
        stdin=stdin(arguments),
        recipe=Recipe(arguments.vocab_size, pattern, nfc, tuple(arguments.special)),
        output=arguments.output,
        force=arguments.force,
        held_out=arguments.evaluate or (),
        tokenizers_named=arguments.tokenizers is not None,
        show_merges=arguments.show_merges,
        progress=sys.stderr.isatty() and not arguments.quiet,
    )


def summary(outcome: Outcome) -> Summary:
    """What a check did besides finding things."""
    from tokenlint.reports.text import Summary

    return Summary(
        outcome.checked,
        outcome.skipped,
        outcome.fixed,
        len(outcome.problems),
        tuple(outcome.costs.values()),
    )


def exit_code(arguments: argparse.Namespace, outcome: Outcome) -> int:
    """What a check exits with."""
    if outcome.problems:
        return WRONG
    if arguments.exit_zero:
        return CLEAN
    changed = outcome.fixed and (arguments.diff or arguments.exit_non_zero_on_fix)
    if arguments.diff:
        return FOUND if changed else CLEAN
    return FOUND if changed or any(d.is_error for d in outcome.diagnostics) else CLEAN
