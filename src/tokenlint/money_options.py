"""The options that ask what prompts cost."""

from __future__ import annotations

import argparse

MONEY = """
Money is shown for the models and the number of calls that you name, never for others:
  tokenlint count prompts --model gpt-5 --calls 100000
"""


def add_money_options(command: argparse.ArgumentParser) -> None:
    """For which models, and for how many calls."""
    command.add_argument(
        "--model",
        action="append",
        metavar="NAME",
        dest="models",
        help="show what the input costs with this model, for the number of --calls; repeat for "
        "several",
    )
    command.add_argument(
        "--calls", type=_calls, metavar="N", help="how often each prompt is sent: 100000 or 100_000"
    )


def _calls(text: str) -> int:
    digits = text.replace("_", "")
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 20 else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, found {text!r}")
    return number
