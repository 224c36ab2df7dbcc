"""What the command line asked for: parsed arguments become the values that commands take."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenlint.errors import TokenlintError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from tokenlint.commands.check import Outcome, Request
    from tokenlint.commands.compare import Request as CompareRequest
    from tokenlint.commands.session import Session, Stdin
    from tokenlint.commands.train import Request as TrainRequest
    from tokenlint.reports.style import Style
    from tokenlint.reports.text import Summary
    from tokenlint.tokens.counts import Counts
    from tokenlint.tokens.extract import Extract

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
    "outside",
    "models",
    "calls",
)
"""The options that a configuration file can set as well."""


def session(arguments: argparse.Namespace) -> Session:
    """The configurations of a run, with what the command line says on top."""
    from tokenlint.commands.session import Session

    said = {name: _tupled(getattr(arguments, name, None)) for name in _SETTINGS}
    if (tokenizers := getattr(arguments, "tokenizers", None)) is not None:
        from tokenlint.spoken import files_of

        said["tokenizers"] = tuple(tokenizers)
        said["spoken"] = files_of(tokenizers)
    said["extract_as"] = _extract(arguments)
    made = Session(
        Path.cwd(),
        arguments.config,
        arguments.isolated,
        said,
        arguments.allow_plugins or None,
        _reports(arguments),
        _counts(arguments),
    )
    _require_known_rules(made, said)
    return made


def _counts(arguments: argparse.Namespace) -> Counts:
    """What was counted before, for the commands that keep counts."""
    from tokenlint.tokens.counts import kept, passing

    return passing() if getattr(arguments, "no_cache", True) else kept()


def _reports(arguments: argparse.Namespace) -> frozenset[Path]:
    """The files that the reports of a run will be written to.

    Raises TokenlintError where one would take the place of what is no report.
    """
    first = [getattr(arguments, name, None) for name in ("output_file", "plot")]
    others = (file for _, file in getattr(arguments, "also", ()))
    files = [file for file in (*first, *others) if file is not None]
    if not files:
        return frozenset()
    from tokenlint.targets import files_for

    return files_for(arguments, files)


def _extract(arguments: argparse.Namespace) -> Extract | None:
    """What of every file is counted, where the command line says so.

    Raises TokenlintError.
    """
    how, variables = getattr(arguments, "extract", None), getattr(arguments, "variables", None)
    if getattr(arguments, "chat", False):
        if how is not None:
            raise TokenlintError(
                "--chat counts requests and --extract something else; leave one out"
            )
        how = "chat"
    if how is None:
        if variables is not None:
            raise TokenlintError("--variables is for templates; add --extract jinja")
        return None
    from tokenlint.tokens.extract import Extract

    return Extract.parse(how, None if variables is None else Path.cwd() / variables)


def _require_known_rules(made: Session, said: dict[str, Any]) -> None:
    """Rules that are named on the command line are those of the folder where it stands."""
    for name in ("select", "extend_select", "ignore"):
        if said[name] is not None:
            option = "--" + name.replace("_", "-")
            if not said[name]:  # what a shell makes of a variable that is not set
                raise TokenlintError(f"{option} names no rule; give a code, a name or a prefix")
            from tokenlint.keys import rule_words

            rule_words(option, list(said[name]), made.config.known_rules)


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


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
    from tokenlint.streams import read_stdin

    if "-" not in arguments.paths:
        if arguments.stdin_filename and arguments.paths:
            raise TokenlintError("--stdin-filename names standard input; give - as the path too")
        if arguments.stdin_filename:
            return Stdin(read_stdin(), arguments.stdin_filename)
        return None
    if len(arguments.paths) > 1:
        raise TokenlintError("- stands for standard input and cannot be mixed with other paths")
    return Stdin(read_stdin(), arguments.stdin_filename or "-")


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

    _require_columns(arguments.column_unit, arguments.output_format, arguments.also)
    _require_one_aim(arguments)
    return Request(
        paths=paths(arguments),
        stdin=stdin(arguments),
        budgets_only=arguments.budgets,
        fix=arguments.fix,
        unsafe_fixes=arguments.unsafe_fixes,
        diff=arguments.diff,
        column_unit=arguments.column_unit,
        baseline=arguments.baseline,
        use_baseline=arguments.use_baseline,
        write_baseline=arguments.write_baseline,
        prune_baseline=arguments.prune_baseline,
    )


def also(arguments: argparse.Namespace) -> list[tuple[str, Path]]:
    """The formats and files of the further reports of a run.

    Raises TokenlintError where two reports would be written to one file.
    """
    asked_for: list[tuple[str, Path]] = arguments.also
    chart = getattr(arguments, "plot", None)
    files = [arguments.output_file, chart, *(file for _, file in asked_for)]
    for at, file in enumerate(files):
        if file is not None and file in files[:at]:
            raise TokenlintError(f"{file}: two reports cannot stand in one file; name another")
    return asked_for


def _require_columns(unit: str, form: str, also: Sequence[tuple[str, Path]]) -> None:
    """People count columns in code points. Raises TokenlintError."""
    from tokenlint.reports.formats import IN_UTF_16

    if unit == "code-point":
        return
    if form not in IN_UTF_16:
        raise TokenlintError(f"--column-unit {unit} is for programs; add --output-format json")
    for name, file in also:
        if name not in IN_UTF_16:
            raise TokenlintError(
                f"--column-unit {unit} is for programs; leave out --also {name}={file}"
            )


def _require_one_aim(arguments: argparse.Namespace) -> None:
    """Refuse to show and to write, and to mend and to accept what is there."""
    if arguments.diff and (arguments.write_baseline or arguments.prune_baseline):
        raise TokenlintError("--diff writes nothing, but a baseline is to be written; leave it out")
    if arguments.fix and arguments.write_baseline:
        raise TokenlintError(
            "--fix mends what --write-baseline accepts; run the one, and then the other"
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
        outcome.accepted,
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
