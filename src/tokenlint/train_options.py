"""The options of `tokenlint train`."""

from __future__ import annotations

import argparse
from pathlib import Path

TRAIN = """\
examples:
  tokenlint train prompts -o tokenizer.json --vocab-size 8000
  tokenlint count -t ./tokenizer.json prompts     what it learned is a tokenizer like any other
  tokenlint train corpus --vocab-size 32000 --evaluate held-out -t o200k_base -t qwen2.5
  tokenlint train corpus --vocab-size 1000 --show-merges 20

The same text gives the same file, byte for byte. Pairs that are seen only once are not merged, so
a small text may give a smaller vocabulary. Memory follows the largest file and the number of
distinct words. Without -o nothing is written.

--normalize nfc (the default) makes composed and decomposed text the same text, in training and
wherever the tokenizer is used; with none, each spelling of a letter has to be learned by itself
and text comes back from tokens byte for byte.
"""


def add_train_options(command: argparse.ArgumentParser) -> None:
    """What to learn, where to keep it, and what to tell."""
    command.add_argument(
        "--output",
        "-o",
        type=Path,
        metavar="FILE",
        help="write the tokenizer there, as a tokenizer.json",
    )
    command.add_argument("--force", action="store_true", help="replace FILE where it exists")
    command.add_argument(
        "--vocab-size",
        type=_whole,
        default=8000,
        metavar="N",
        help="tokens in all: the 256 bytes, merges, special tokens (default: 8000)",
    )
    _cutting(command)
    command.add_argument(
        "--evaluate",
        action="extend",
        nargs="+",
        metavar="HELD_OUT",
        help="show what files and folders cost after 0, 100, 500, 1000, ... merges, "
        "and with the tokenizers of others (-t; default: o200k_base and cl100k_base)",
    )
    command.add_argument(
        "--show-merges",
        type=_whole,
        metavar="K",
        help="show the first K merges and how often each pair was seen",
    )
    command.add_argument(
        "--output-format", choices=("table", "json"), default="table", help="default: table"
    )
    command.add_argument("--quiet", "-q", action="store_true", help="tables only, no summary")


def _cutting(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--pattern",
        default="simple",
        metavar="NAME",
        help="what no merge crosses: simple (a word or punctuation with the space before it, or "
        "white space), or as an encoding or a model does, such as o200k_base (default: simple)",
    )
    command.add_argument(
        "--normalize", choices=("nfc", "none"), default="nfc", help="before cutting (default: nfc)"
    )
    command.add_argument(
        "--special",
        action="append",
        default=[],
        metavar="STRING",
        help="a special token, such as '<|endoftext|>'; repeat for several",
    )


def _whole(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, found {text!r}")
    return number
