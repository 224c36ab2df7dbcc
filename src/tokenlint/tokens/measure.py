"""Counts, fertility and budgets: arithmetic on what tokenizers say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from tokenlint.frozen import frozen
from tokenlint.tokens.words import count_words

if TYPE_CHECKING:
    from tokenlint.tokens.extract import Extract
    from tokenlint.tokens.tokenizer import Tokenizer
    from tokenlint.tokens.words import Unit

Quantity = Literal["tokens", "bytes", "characters", "fertility"]

WARN_AT = 0.9
"The share of a limit from which a warning is given, unless the configuration says otherwise."


@frozen
class Limit:
    """The most that one file may have of something, and who says so.

    `tokenizer` is None where no tokenizer is asked (bytes, characters). A value equal to
    `maximum` is within the limit. `extract` says what of the file is measured, where it is not
    what holds for the file anyway; with `each` the limit is for every prompt in it by itself.
    """

    quantity: Quantity
    maximum: float
    origin: str
    tokenizer: str | None = None
    warn_at: float = WARN_AT
    extract: Extract | None = None
    each: bool = False

    def is_over(self, value: float) -> bool:
        """Whether a value breaks the limit."""
        return value > self.maximum

    def is_near(self, value: float) -> bool:
        """Whether a value keeps the limit, but only just."""
        about = self.warn_at * self.maximum
        if not about * 0.999 <= value <= about * 1.001:
            return about < value <= self.maximum
        from fractions import Fraction  # 0.28 of 25 is 7, which floating point misses

        near = Fraction(str(self.warn_at)) * Fraction(str(self.maximum))
        return near <= Fraction(str(value)) and value <= self.maximum


@frozen
class Fertility:
    """Tokens per word over a whole text; `value` is None where there are no words."""

    tokens: int
    words: int
    unit: Unit

    @property
    def value(self) -> float | None:
        """Tokens divided by words."""
        return self.tokens / self.words if self.words else None


@frozen
class Share:
    """A paragraph and its part of a text's tokens; rows are counted from 1."""

    row: int
    end_row: int
    tokens: int
    text: str


def fertility(text: str, tokenizer: Tokenizer) -> Fertility:
    """How many tokens a text takes for each of its words."""
    words = count_words(text)
    return Fertility(tokenizer.count(text), words.count, words.unit)


def heaviest(text: str, tokenizer: Tokenizer, most: int = 5) -> list[Share]:
    """The paragraphs with the most tokens, counted one by one, the heaviest first."""
    shares, row = [], 1
    for part in re.split(r"(\n(?:[ \t]*\n)+)", text):
        if part.strip():
            paragraph = part.strip("\n")
            first = row + part.index(paragraph)  # only newlines stand before it
            last = first + paragraph.count("\n")
            shares.append(Share(first, last, tokenizer.count(paragraph), paragraph))
        row += part.count("\n")
    return sorted(shares, key=lambda share: (-share.tokens, share.row))[:most]
