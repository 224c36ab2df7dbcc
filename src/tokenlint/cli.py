"""The command line: it alone prints, and it alone decides the exit code."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenlint.arguments import parser, paths_first
from tokenlint.errors import TokenlintError
from tokenlint.reports.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from tokenlint.commands.check import Outcome
    from tokenlint.commands.session import Session, Stdin
    from tokenlint.reports.style import Style

CLEAN, FOUND, WRONG = 0, 1, 2

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


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code (argparse exits by itself on a usage error, with 2)."""
    _survive_any_encoding()
    top = parser()
    arguments = top.parse_args(paths_first(sys.argv[1:] if argv is None else argv))
    if arguments.command is None:
        top.print_help()
        return WRONG
    command = {"check": _check, "count": _count, "rule": _rule, "tokenizers": _tokenizers}
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


def _session(arguments: argparse.Namespace) -> Session:
    from tokenlint.commands.session import Session
    from tokenlint.config import rule_words

    said = {name: _tupled(getattr(arguments, name, None)) for name in _SETTINGS}
    for name in ("select", "extend_select", "ignore"):
        if said[name] is not None:
            rule_words("--" + name.replace("_", "-"), list(said[name]))
    if (tokenizers := getattr(arguments, "tokenizers", None)) is not None:
        said["tokenizers"] = tuple(map(_from_here, tokenizers))
    return Session(Path.cwd(), arguments.config, arguments.isolated, said)


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _from_here(name: str) -> str:
    """A tokenizer that is named on the command line: its path starts at the working folder."""
    from tokenlint.tokens.loading import is_path

    return str(Path.cwd() / Path(name).expanduser()) if is_path(name) else name


def _stdin(arguments: argparse.Namespace) -> Stdin | None:
    from tokenlint.commands.session import Stdin

    if "-" not in arguments.paths:
        if arguments.stdin_filename and not arguments.paths:
            return Stdin(sys.stdin.buffer.read(), arguments.stdin_filename)
        return None
    if len(arguments.paths) > 1:
        raise TokenlintError("- stands for standard input and cannot be mixed with other paths")
    return Stdin(sys.stdin.buffer.read(), arguments.stdin_filename or "-")


def _style(arguments: argparse.Namespace) -> Style:
    from tokenlint.reports.style import Style

    if arguments.output_file is not None:
        return Style()
    wanted = arguments.color == "always" or (
        arguments.color == "auto" and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    )
    return Style(wanted, sys.stdout.encoding)


def _check(arguments: argparse.Namespace) -> int:
    from tokenlint.commands import check

    session = _session(arguments)
    if arguments.show_files:
        listing = session.find(arguments.paths or ["."])
        _write((printable(found.shown) for found in listing.found), arguments.output_file)
        return CLEAN
    request = check.Request(
        paths=arguments.paths or ["."],
        stdin=_stdin(arguments),
        budgets_only=arguments.budgets,
        fix=arguments.fix,
        unsafe_fixes=arguments.unsafe_fixes,
        diff=arguments.diff,
    )
    outcome = check.run(request, session)
    _report(arguments, outcome)
    return _exit_code(arguments, outcome)


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

    diagnostics, style = outcome.diagnostics, _style(arguments)
    if arguments.output_format == "json":
        return json_report.render(diagnostics).splitlines()
    if arguments.statistics:
        lines = list(text.statistics(diagnostics))
    else:
        form = text.full if arguments.output_format == "full" else text.concise
        lines = list(form(diagnostics, style))
    if not arguments.quiet:
        lines += text.closing(diagnostics, _summary(outcome))
    return lines


def _summary(outcome: Outcome) -> Any:
    from tokenlint.reports.text import Summary

    return Summary(
        outcome.checked,
        outcome.skipped,
        outcome.fixed,
        len(outcome.problems),
        tuple(outcome.costs.values()),
    )


def _exit_code(arguments: argparse.Namespace, outcome: Outcome) -> int:
    if outcome.problems:
        return WRONG
    if arguments.exit_zero:
        return CLEAN
    changed = outcome.fixed and (arguments.diff or arguments.exit_non_zero_on_fix)
    if arguments.diff:
        return FOUND if changed else CLEAN
    return FOUND if changed or any(d.is_error for d in outcome.diagnostics) else CLEAN


def _count(arguments: argparse.Namespace) -> int:
    from tokenlint.commands import count

    session = _session(arguments)
    counted = count.run(arguments.paths or ["."], _stdin(arguments), session)
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


def _rule(arguments: argparse.Namespace) -> int:
    from tokenlint.commands import rule
    from tokenlint.rules import RULES

    if arguments.rule is None and not arguments.all:
        _write(rule.table(), None)
        return CLEAN
    rules = RULES if arguments.rule is None else rule.find(arguments.rule)
    _write(["\n".join(map(rule.page, rules)).rstrip("\n")], None)
    return CLEAN


def _tokenizers(arguments: argparse.Namespace) -> int:
    import json

    from tokenlint.commands import tokenizers

    found = tokenizers.run(_session(arguments))
    if arguments.output_format == "json":
        text = json.dumps([known.as_json() for known in found], indent=2)
        _write([text], arguments.output_file)
    else:
        _write(map(printable, tokenizers.as_table(found)), arguments.output_file)
    return CLEAN


if __name__ == "__main__":
    raise SystemExit(main())
