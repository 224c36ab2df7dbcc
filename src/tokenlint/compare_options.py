"""The options of `tokenlint compare`."""

from __future__ import annotations

import argparse
from pathlib import Path

COMPARE = """\
examples:
  tokenlint compare prompts --reference 'prompts/en/{name}.md' --by language
  tokenlint compare vi.txt ar.txt --reference en.txt -t o200k_base -t qwen2.5
  tokenlint compare vi.txt --forms as-is,nfc,nfd,plain
  tokenlint compare texts --reference texts/en.txt --plot costs.svg

fertility  tokens of a whole text divided by its words; the unit column names the words
premium    tokens of a text in its form divided by those of its reference as it is
forms      as-is; nfc (composed); nfd (decomposed); plain (without diacritics)
words      word (marks belong to it, punctuation is none; graphemes in scripts without spaces),
           whitespace, unicode (segments of UAX #29 with a letter or a digit), grapheme
{name}     in a reference, what stands there in a file's own path when the language code of the
           reference is another one; in other paths the file's name without suffix and code
language   the code before the suffix, as the name or as a folder: a.vi.md, vi.md, vi/a.md
"""


def add_compare_options(command: argparse.ArgumentParser) -> None:
    """What texts are held against, in which forms, and what a row is."""
    command.add_argument(
        "--reference",
        metavar="FILE",
        help="what texts are held against: a file, or a pattern such as en/{name}.md",
    )
    command.add_argument(
        "--forms",
        type=_forms,
        default=("as-is",),
        metavar="FORMS",
        help="by comma: as-is, nfc, nfd, plain (default: as-is)",
    )
    command.add_argument(
        "--by",
        choices=("file", "folder", "language", "total"),
        help="what a row is (default: file; a chart is by language where every path names one)",
    )
    command.add_argument(
        "--words",
        choices=("word", "whitespace", "unicode", "grapheme"),
        default="word",
        help="what fertility divides by (default: word)",
    )
    command.add_argument(
        "--plot", type=_chart, metavar="FILE", help="draw a chart as well, .svg or .png"
    )


def _chart(text: str) -> Path:
    if not text:  # which would be the folder that the command runs in
        raise argparse.ArgumentTypeError("the name is empty; name a file, as in costs.svg")
    return Path(text)


def _forms(text: str) -> tuple[str, ...]:
    forms = tuple(dict.fromkeys(text.replace(",", " ").split()))
    known = ("as-is", "nfc", "nfd", "plain")
    unknown = next((form for form in forms if form not in known), "")
    if not forms or unknown:
        from tokenlint.nearest import did_you_mean

        said = f"expected some of {', '.join(known)}, found {text!r}"
        raise argparse.ArgumentTypeError(said + did_you_mean(unknown, known))
    return forms
