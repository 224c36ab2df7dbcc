"""What a model charges for input, whoever says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.frozen import frozen
from tokenlint.prices.amounts import rate

if TYPE_CHECKING:
    from decimal import Decimal


@frozen
class Tiered:
    """The price of a million tokens, which may step up with the size of the call's input.

    `steps` are tokens and prices in rising order. The price of a step is that of all tokens of a
    call whose input is longer than that.
    """

    base: Decimal
    steps: tuple[tuple[int, Decimal], ...] = ()

    def at(self, tokens: int) -> Decimal:
        """The price of a million tokens in a call with this much input."""
        above = [price for start, price in self.steps if tokens > start]
        return above[-1] if above else self.base

    def shown(self, currency: str) -> str:
        """The price, and each step."""
        steps = (f", {rate(price, currency)} above {start:,} tokens" for start, price in self.steps)
        return rate(self.base, currency) + "".join(steps)


@frozen
class Rate:
    """What one model charges for input, where that is from, and how much input it takes.

    `model` is the user's name for it, `priced_as` the name in the price data.
    """

    model: str
    input: Tiered
    source: str
    cached: Tiered | None = None
    currency: str = "USD"
    context: int | None = None
    priced_as: str | None = None
    since: str | None = None
    tokenizer: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The price and its date on one line, as it stands under a table of costs."""
        cached = "" if self.cached is None else f" (cached {self.cached.shown(self.currency)})"
        named = "" if self.priced_as in (None, self.model) else f" as {self.priced_as}"
        since = "" if self.since is None else f", in force since {self.since}"
        return (
            f"{self.model}{named}: {self.input.shown(self.currency)}{cached} "
            f"for a million input tokens{since}; {self.source}"
        )
