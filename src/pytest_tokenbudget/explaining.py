"""`assert count_tokens(text) <= 800` explains itself, although a count is a plain int."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_tokenbudget.keys import COUNTED
from pytest_tokenbudget.verdicts import amount, percent_more, where_the_tokens_are
from tokenlint.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

    from pytest_tokenbudget.measuring import Measure
    from pytest_tokenbudget.verdicts import Text
    from tokenlint.tokens import Tokenizer

MOST_COUNTS = 32
MOST_LINES = 7
"pytest cuts an explanation after eight lines, the comparison itself among them."


@dataclass(frozen=True)
class Counted:
    """A count that a fixture returned, and what it was of."""

    value: int
    text: Text
    tokenizer: Tokenizer

    def lines(self, other: int) -> list[str]:
        """How the count differs from what it was compared with, and where its tokens are."""
        by = f"({self.tokenizer.name})"
        what = f"{self.text.label}: {amount(self.value)}"
        if self.value <= other:
            return [f"{what}, {other - self.value:,} under {other:,} {by}"]
        more = f", {percent_more(self.value / other)}" if other > 0 else ""
        first = f"{what}, {self.value - other:,} over {other:,} {by}{more}"
        rest = list(where_the_tokens_are(self.text, self.tokenizer, named=False))
        saved = [line for line in rest if line.startswith("Normalised")]
        paragraphs = [line for line in rest if line not in saved]
        return list(map(printable, [first, *saved, *paragraphs][:MOST_LINES]))


def remember(config: pytest.Config, measure: Measure, text: Text, tokenizers: Iterable[str]) -> int:
    """The tokens of a text, of several tokenizers the most; the next assertion may ask about it.

    Raises TokenlintError.
    """
    value, name = max((measure.tokens(text, name), name) for name in tokenizers)
    counts = config.stash.setdefault(COUNTED, deque(maxlen=MOST_COUNTS))
    counts.append(Counted(value, text, measure.loader.require(name)))
    return value


def explain(config: pytest.Config, op: str, left: object, right: object) -> list[str] | None:
    """What to say about a comparison that failed, if one side of it is a count."""
    if op not in ("<", "<=", "==", ">", ">=", "!=") or type(left) is not type(right):
        return None
    for value, other in ((left, right), (right, left)):
        counted = _counted(config, value)
        if counted is not None and type(other) is int:
            return [f"{left} {op} {right}", *counted.lines(other)]
    return None


def _counted(config: pytest.Config, value: object) -> Counted | None:
    """The latest count that is this very value.

    Two ints above 256 that were made apart are two objects, so the limit itself, written in the
    test, is not taken for a count; smaller ones are known by their value only.
    """
    if type(value) is not int:
        return None
    counts = config.stash[COUNTED]
    return next((one for one in reversed(counts) if one.value is value), None)
