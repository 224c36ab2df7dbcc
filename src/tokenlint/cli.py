"""The command line: it alone prints, writes reports and leaves."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext, suppress
from importlib import import_module
from typing import TYPE_CHECKING

from tokenlint.arguments import parser, paths_first
from tokenlint.asked import FOUND, WRONG
from tokenlint.errors import TokenlintError
from tokenlint.printable import in_ci, logged, printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tokenlint.answers.base import Answer, Report


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code (argparse exits by itself on a usage error, with 2)."""
    _survive_any_encoding()
    given = paths_first(sys.argv[1:] if argv is None else argv)
    top = parser(given[0] if given else None)
    arguments = top.parse_args(given)
    if arguments.command is None:
        top.print_help()
        return WRONG
    try:
        _name_stdout(arguments)
        with _watched(arguments):
            answer = import_module(f"tokenlint.answers.{arguments.command}").answer(arguments)
        return _tell(answer, _forms(arguments))
    except TokenlintError as error:
        _say(f"error: {error}")
        return WRONG
    except BrokenPipeError:  # the reader, such as head, had enough
        _give_up_stdout()
        return FOUND
    except KeyboardInterrupt:
        return 130
    finally:
        _end_counting()


def _watched(arguments: argparse.Namespace) -> AbstractContextManager[object]:
    """A bar for what takes long, on a terminal whose user did not ask for quiet."""
    if arguments.command not in _LONG or arguments.quiet or not sys.stderr.isatty():
        return nullcontext()
    from tokenlint import progress

    return progress.shown(sys.stderr)


_LONG = ("check", "count", "compare", "diff")


def _end_counting() -> None:
    """Count no further, and write what was counted for the next run."""
    counts = sys.modules.get("tokenlint.tokens.counts")
    if counts is not None:
        counts.end()


def _survive_any_encoding() -> None:
    """Show what a stream cannot encode as an escape: a cp1252 console must not end the run."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # a stream that a caller put in its place
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _name_stdout(arguments: argparse.Namespace) -> None:
    """A report that goes to standard output by name is written like one that goes there anyway."""
    if getattr(arguments, "output_file", None) is not None:
        from tokenlint.streams import STDOUT, stream_of

        if stream_of(arguments.output_file) == STDOUT:
            arguments.output_file = None


def _forms(arguments: argparse.Namespace) -> dict[Path | None, str]:
    """The formats of the reports by their files; None is for what needs no name."""
    others = {file: name for name, file in getattr(arguments, "also", ())}
    return {None: getattr(arguments, "output_format", ""), **others}


def _tell(answer: Answer, forms: Mapping[Path | None, str]) -> int:
    """Say everything; a report that cannot be written keeps no other back."""
    code = answer.code
    for message in answer.before:
        _say(message)
    for report in answer.reports:
        try:
            _give(report, forms.get(report.file, ""))
        except TokenlintError as error:
            _say(f"error: {error}")
            code = WRONG
    for message in answer.after:
        _say(message)
    return code


def _say(message: str) -> None:
    with suppress(OSError):  # nobody is left to be told
        print(_shown(printable(message)), file=sys.stderr)


def _give(report: Report, form: str) -> None:
    if report.file is not None:
        from tokenlint.answers.writing import write
        from tokenlint.streams import STDOUT, stream_of

        if stream_of(report.file) != STDOUT:
            write(report)
            return
    try:
        _print(report, form)
    except BrokenPipeError:
        raise
    except OSError as error:
        _give_up_stdout()
        why = error.strerror or error
        raise TokenlintError(f"the report cannot be written to standard output: {why}") from None


def _print(report: Report, form: str) -> None:
    """Print a report, as far as the stream itself: what a buffer holds may yet be lost."""
    if report.raw is not None:
        _print_as_it_is(report.raw)
        return
    for line in report.lines:
        print(_shown(line, form))
    with suppress(BrokenPipeError):  # all was said, and the reader had enough before
        sys.stdout.flush()


def _give_up_stdout() -> None:
    """Nothing that is still to be written may fail once more."""
    with suppress(OSError):  # a stream that a caller put in its place
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _shown(line: str, form: str = "") -> str:
    """A line as it is, but in the log of a CI without what would be a command there."""
    return logged(line, form) if _IN_CI else line


_IN_CI = in_ci()


def _print_as_it_is(text: str) -> None:
    """Bytes that were no text stand in it as lone surrogates, and leave as they came."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode(errors="surrogateescape"))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    raise SystemExit(main())
