"""The options of `tokenlint explain`."""

from __future__ import annotations

import argparse
import re

EXPLAIN = """\
examples:
  tokenlint explain --text 'Nguyễn Văn A' -t cl100k_base -t o200k_base
  tokenlint explain prompts/support.md:3-7         some lines of a file
  git show HEAD:a.md | tokenlint explain -
  tokenlint explain --merges đến -t cl100k_base    from bytes to tokens, merge by merge
  tokenlint explain --text ' chào' --raw           as Hugging Face's vocabularies write it
  tokenlint explain --chat messages.json -t gpt-oss-120b
  tokenlint explain a.md --output-format html -o cut.html

A space is shown as ·, a newline as ⏎ (\\s and \\n where the output cannot), pieces stand between │.
A character that has no shape of its own is shown as \\u200b, a byte that is no whole character as
\\xe1, and a backslash of the text as two. Text is read literally: control strings are text. Lines
are cut as a text of their own, without the end of the last one.
"""


def add_explain_options(command: argparse.ArgumentParser) -> None:
    """What is explained, and how it is shown."""
    command.add_argument(
        "path",
        nargs="?",
        metavar="PATH[:FIRST[-LAST]]",
        help="a file, or some of its lines; - for stdin",
    )
    command.add_argument("--text", metavar="TEXT", help="explain this text")
    command.add_argument(
        "--stdin-filename", metavar="PATH", help="the path that standard input goes by"
    )
    command.add_argument(
        "--lines", type=_lines, metavar="FIRST-LAST", help="some lines of the file, such as 3-7"
    )
    command.add_argument(
        "--merges", metavar="WORD", help="show the merges of a word, in the order of their ranks"
    )
    command.add_argument(
        "--raw", action="store_true", help="show pieces as Hugging Face's vocabularies write them"
    )


def _lines(text: str) -> tuple[int, int]:
    lines = lines_of(text)
    if lines is None:
        raise argparse.ArgumentTypeError(f"expected lines such as 3 or 3-7, found {text!r}")
    return lines


def lines_of(text: str) -> tuple[int, int] | None:
    """The first and the last line that `3` or `3-7` means, or None where it means none."""
    match = re.fullmatch(r"([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?", text, re.ASCII)
    if match is None:
        return None
    first = int(match[1])
    last = int(match[2] or first)
    return (first, last) if first <= last else None
