"""What `tokenlint explain` says."""

from __future__ import annotations

import os.path
import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final

from tokenlint import asked
from tokenlint.answers.base import Answer, Report, notes_and_errors
from tokenlint.asked import CLEAN, WRONG
from tokenlint.errors import TokenlintError
from tokenlint.explain_options import lines_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from tokenlint.commands.explain import Merged, Request, Told
    from tokenlint.commands.session import Stdin
    from tokenlint.reports.explain_text import View

MOST: Final = {"text": 1000, "html": 10_000, "json": None}
"How many tokens of a text are shown with each tokenizer; programs get all."


def answer(arguments: argparse.Namespace) -> Answer:
    """Explain how a text is cut, or how merges come to it."""
    from tokenlint.commands import explain

    if arguments.merges is not None:
        _require_alone(arguments)
        merged = explain.merges(arguments.merges, asked.session(arguments))
        return _answer(arguments, _merges(arguments, merged), merged.problems)
    told = explain.run(_request(arguments), asked.session(arguments))
    return _answer(arguments, _lines(arguments, told) if told.explanations else (), told.problems)


def _answer(arguments: argparse.Namespace, lines: Iterable[str], problems: list[str]) -> Answer:
    lines = list(lines)
    reports = (Report(lines, arguments.output_file),) if lines else ()
    return Answer(WRONG if problems else CLEAN, reports, notes_and_errors((), problems))


def _lines(arguments: argparse.Namespace, told: Told) -> Iterable[str]:
    from tokenlint.reports import explain_html, explain_json, explain_text

    if arguments.output_format == "json":
        return [explain_json.render(told.explanations)]
    if arguments.output_format == "html":
        return [explain_html.render(told.explanations, raw=arguments.raw)]
    return explain_text.render(told.explanations, _view(arguments))


def _merges(arguments: argparse.Namespace, merged: Merged) -> Iterable[str]:
    from tokenlint.reports import explain_html, explain_json, explain_merges

    if not merged.by_tokenizer:
        return ()
    if arguments.output_format == "json":
        return [explain_json.merges(merged.by_tokenizer)]
    if arguments.output_format == "html":
        return [explain_html.merges(merged.by_tokenizer)]
    return explain_merges.render(merged.by_tokenizer, _view(arguments))


def _view(arguments: argparse.Namespace) -> View:
    from tokenlint.reports.explain_text import View
    from tokenlint.reports.explain_visible import marks_for

    style, width = asked.style(arguments), get_terminal_size().columns
    return View(marks_for(style.encoding), style.color, width, arguments.raw, arguments.quiet)


def _require_alone(arguments: argparse.Namespace) -> None:
    """`--merges` brings its own word.

    Raises TokenlintError.
    """
    if said := _of_files(arguments, "text"):
        raise TokenlintError(f"--merges shows the merges of its own word; leave out {said[0]}")
    if not arguments.merges:
        raise TokenlintError("--merges needs a word, such as --merges chào")


def _request(arguments: argparse.Namespace) -> Request:
    """What is to be explained.

    Raises TokenlintError.
    """
    from tokenlint.commands.explain import Request

    most = MOST[arguments.output_format]
    if arguments.text is not None:
        if said := _of_files(arguments):
            raise TokenlintError(f"--text is the whole text to explain; leave out {said[0]}")
        return Request(text=arguments.text, most=most)
    path, lines = _path_and_lines(arguments)
    if lines is not None and (arguments.extract is not None or arguments.chat):
        raise TokenlintError("lines are of a whole file; leave out --extract and --chat, or them")
    return Request(stdin=_stdin(arguments, path), path=path, lines=lines, most=most)


def _of_files(arguments: argparse.Namespace, *more: str) -> list[str]:
    """The arguments that were given though they are about a file."""
    options = ("path", "lines", "extract", "variables", "chat", "stdin_filename", *more)
    said = (option for option in options if getattr(arguments, option) not in (None, False))
    return ["the path" if option == "path" else f"--{option.replace('_', '-')}" for option in said]


def _path_and_lines(arguments: argparse.Namespace) -> tuple[str, tuple[int, int] | None]:
    """The file that is meant, and which lines: `a.md:3` is a file of that name, if there is one."""
    path = _path(arguments)
    before, _, behind = path.rpartition(":")
    lines = lines_of(behind) if before and not os.path.lexists(path) else None
    if lines is None:
        if before and not os.path.lexists(path) and os.path.lexists(before):
            raise TokenlintError(
                f"{before}: {behind!r} names no lines; write a line or a range such as "
                f"{before}:3 or {before}:3-7, counted from 1"
            )
        return path, arguments.lines
    if arguments.lines is not None:
        raise TokenlintError(f"{path} names lines, and so does --lines; leave out one of them")
    return before, lines


def _path(arguments: argparse.Namespace) -> str:
    """The file that was named; where none was, standard input unless it is a terminal.

    Raises TokenlintError.
    """
    if arguments.path is None and arguments.stdin_filename is None and sys.stdin.isatty():
        raise TokenlintError(
            "there is nothing to explain; name a file (tokenlint explain prompts/a.md:3-7) or "
            "give a text (tokenlint explain --text 'Xin chào')"
        )
    if arguments.path == "":  # what a shell makes of a variable that is not set
        raise TokenlintError("an empty path was given; name a file, or - for standard input")
    path: str = "-" if arguments.path is None else arguments.path
    if path != "-" and arguments.stdin_filename is not None:
        raise TokenlintError("--stdin-filename names standard input; give - as the path too")
    return path


def _stdin(arguments: argparse.Namespace, path: str) -> Stdin | None:
    from tokenlint.commands.session import Stdin
    from tokenlint.streams import read_stdin

    if path != "-":
        return None
    return Stdin(read_stdin(), arguments.stdin_filename or "-")
