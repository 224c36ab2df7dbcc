"""The command line: it alone prints, and it alone decides the exit code."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from tokenlint import asked
from tokenlint.arguments import parser, paths_first
from tokenlint.asked import CLEAN, FOUND, WRONG
from tokenlint.errors import TokenlintError
from tokenlint.reports.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tokenlint.commands.check import Outcome
    from tokenlint.tokens.comparison import Row


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code (argparse exits by itself on a usage error, with 2)."""
    _survive_any_encoding()
    top = parser()
    arguments = top.parse_args(paths_first(sys.argv[1:] if argv is None else argv))
    if arguments.command is None:
        top.print_help()
        return WRONG
    command = {
        "check": _check,
        "count": _count,
        "compare": _compare,
        "train": _train,
        "rule": _rule,
        "tokenizers": _tokenizers,
        "config": _config,
    }
    try:
        return command[arguments.command](arguments)
    except TokenlintError as error:
        _say(f"error: {error}")
        return WRONG
    except BrokenPipeError:  # the reader, such as head, had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except KeyboardInterrupt:
        return 130


def _survive_any_encoding() -> None:
    """Show what a stream cannot encode as an escape: a cp1252 console must not end the run."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # a stream that a caller put in its place
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _say(message: str) -> None:
    print(printable(message), file=sys.stderr)


def _write(lines: Iterable[str], file: Path | None) -> None:
    if file is None:
        for line in lines:
            print(line)
        return
    try:
        file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    except OSError as error:
        raise TokenlintError(f"{file}: the report cannot be written: {error.strerror}") from None


def _check(arguments: argparse.Namespace) -> int:
    from tokenlint.commands import check

    session = asked.session(arguments)
    if arguments.show_files:
        listing = session.find(asked.paths(arguments))
        _write((printable(found.shown) for found in listing.found), arguments.output_file)
        return CLEAN
    outcome = check.run(asked.check(arguments), session)
    _report(arguments, outcome)
    return asked.exit_code(arguments, outcome)


def _report(arguments: argparse.Namespace, outcome: Outcome) -> None:
    for note in dict.fromkeys(outcome.notes):
        _say(f"note: {note}")
    for problem in dict.fromkeys(outcome.problems):
        _say(f"error: {problem}")
    if outcome.fixed_stdin is not None:
        sys.stdout.buffer.write(outcome.fixed_stdin.encode(errors="surrogateescape"))
        for line in _lines(arguments, outcome):
            _say(line)
    elif arguments.diff:
        for diff in outcome.diffs:
            sys.stdout.write(diff)
        _say(f"Would fix {outcome.fixed:,} finding" + "s" * (outcome.fixed != 1) + ".")
    else:
        _write(_lines(arguments, outcome), arguments.output_file)


def _lines(arguments: argparse.Namespace, outcome: Outcome) -> Iterable[str]:
    from tokenlint.reports import json_report, text

    diagnostics, style = outcome.diagnostics, asked.style(arguments)
    if arguments.output_format == "json":
        return json_report.render(diagnostics).splitlines()
    if arguments.statistics:
        lines = list(text.statistics(diagnostics))
    else:
        form = text.full if arguments.output_format == "full" else text.concise
        lines = list(form(diagnostics, style))
    if not arguments.quiet:
        lines += text.closing(diagnostics, asked.summary(outcome))
    return lines


def _count(arguments: argparse.Namespace) -> int:
    from tokenlint.commands import count

    session = asked.session(arguments)
    counted = count.run(asked.paths(arguments), asked.stdin(arguments), session)
    shown = count.order(counted.rows, arguments.sort, counted.tokenizers)[: arguments.top]
    for problem in counted.problems:
        _say(f"error: {problem}")
    if arguments.output_format == "json":
        _write(count.as_json(shown, counted).splitlines(), arguments.output_file)
    else:
        _write(count.as_table(shown, counted), arguments.output_file)
        if not arguments.quiet:
            for line in count.closing(shown, counted):
                _say(line)
    return WRONG if counted.problems else CLEAN


def _compare(arguments: argparse.Namespace) -> int:
    from tokenlint.commands import compare
    from tokenlint.reports import plot

    if arguments.plot is not None:
        plot.demand(arguments.plot)
    compared = compare.run(asked.compare(arguments), asked.session(arguments))
    rows = compare.group(compared, arguments.by or "file")
    for note in dict.fromkeys(compared.notes):
        _say(f"note: {note}")
    for problem in compared.problems:
        _say(f"error: {problem}")
    _write(_comparison(arguments, rows), arguments.output_file)
    if arguments.plot is not None:
        by = compare.by_of_chart(compared, arguments.by)
        plot.write(arguments.plot, compare.group(compared, by), arguments.reference, by)
    if compared.skipped and not arguments.quiet:
        _say(compared.left_out)
    return WRONG if compared.problems else CLEAN


def _comparison(arguments: argparse.Namespace, rows: Sequence[Row]) -> Iterable[str]:
    from tokenlint.reports import compare_report

    lines = compare_report.FORMATS[arguments.output_format](rows, arguments.reference)
    if arguments.output_format != "table" or arguments.quiet:
        return lines
    return [*lines, "", *compare_report.definitions(rows, arguments.reference)]


def _train(arguments: argparse.Namespace) -> int:
    from tokenlint.commands import train
    from tokenlint.reports import training

    outcome = train.run(asked.train(arguments), asked.session(arguments))
    for note in outcome.notes:
        _say(f"note: {note}")
    for problem in outcome.problems:
        _say(f"error: {problem}")
    if outcome.report is None:
        return WRONG
    form = training.FORMATS[arguments.output_format]
    _write(form(outcome.report, quiet=arguments.quiet), None)
    if outcome.left_out and not arguments.quiet:
        _say(outcome.left_out)
    return WRONG if outcome.problems else CLEAN


def _rule(arguments: argparse.Namespace) -> int:
    from tokenlint.commands import rule

    as_json = arguments.output_format == "json"
    if arguments.families:
        width = get_terminal_size().columns
        _write(rule.families(arguments.rule, width, as_json=as_json), None)
        return CLEAN
    rules, problem = rule.known(arguments.rule, asked.session(arguments))
    if as_json:
        _write(rule.as_json(rules), None)
    elif arguments.rule is None and not arguments.all:
        _write(rule.table(rules), None)
    else:
        _write(["\n".join(map(rule.page, rules)).rstrip("\n")], None)
    if problem is not None:
        _say(f"error: {problem}")
    return CLEAN if problem is None else WRONG


def _config(arguments: argparse.Namespace) -> int:
    from tokenlint.commands import config

    if arguments.schema:
        _write([_schema(arguments)], arguments.output_file)
        return CLEAN
    shown = config.run(arguments.path, asked.session(arguments))
    if arguments.output_format == "json":
        _write([config.as_json(shown)], arguments.output_file)
    else:
        _write(map(printable, config.as_table(shown)), arguments.output_file)
    return CLEAN


def _schema(arguments: argparse.Namespace) -> str:
    """The schema, with the rules of configured plugins only where their code may run."""
    import json

    from tokenlint.commands import config_schema
    from tokenlint.rules import RULES

    rules = asked.session(arguments).config.known_rules if arguments.allow_plugins else RULES
    return json.dumps(config_schema.build(rules, pyproject=arguments.pyproject), indent=2)


def _tokenizers(arguments: argparse.Namespace) -> int:
    import json

    from tokenlint.commands import tokenizers

    found = tokenizers.run(asked.session(arguments))
    if arguments.output_format == "json":
        text = json.dumps([known.as_json() for known in found], indent=2)
        _write([text], arguments.output_file)
    else:
        _write(map(printable, tokenizers.as_table(found)), arguments.output_file)
    return CLEAN


if __name__ == "__main__":
    raise SystemExit(main())
