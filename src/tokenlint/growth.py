"""How much a text may grow: a number of tokens, or a percentage of what it had."""

from __future__ import annotations

import re

from tokenlint.errors import ConfigError
from tokenlint.frozen import frozen
from tokenlint.wording import counted

PERCENT = r"^\s*[0-9]{1,9}(\.[0-9]{1,9})?\s*%\s*$"
EXPECTED = 'expected a number of tokens such as 200, or a percentage such as "5%"'


@frozen
class MaxIncrease:
    """The most that may be added. A percentage says nothing of what was empty or is new."""

    amount: str
    percent: bool = False

    def is_over(self, before: int, after: int) -> bool:
        """Whether more was added than may be."""
        if self.percent:
            from fractions import Fraction  # 1.1 % of 1,000 is 11, which floating point misses

            return before > 0 and (after - before) * 100 > Fraction(self.amount) * before
        return after - before > int(self.amount)

    def __str__(self) -> str:
        """As sentences name it."""
        if self.percent:
            return f"{self.amount} %"
        return counted(int(self.amount), "token")


NOTHING = MaxIncrease("0")
"What `--fail-on-increase` allows."


@frozen
class DiffSettings:
    """The table `[tool.tokenlint.diff]`: what holds for all files together."""

    max_increase: MaxIncrease | None = None


def parse(text: str) -> MaxIncrease:
    """An increase as a command line gives it.

    Raises ConfigError.
    """
    if text.isascii() and text.isdigit() and len(text) < 20:
        return MaxIncrease(str(int(text)))
    if re.fullmatch(PERCENT, text) is None:
        raise ConfigError(f"{EXPECTED}, found {text!r}")
    return MaxIncrease(text.strip().removesuffix("%").strip(), percent=True)
