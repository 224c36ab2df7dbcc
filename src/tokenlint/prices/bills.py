"""Tokens, calls and rates become what input costs: arithmetic without loss."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen
from tokenlint.prices.amounts import EXACT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenlint.prices.rates import Rate, Tiered


@frozen
class Tariff:
    """A rate, how often each prompt is sent, and the tokenizer that its tokens are counted with.

    `estimate` says why that tokenizer may not be the model's own; None where it is.
    """

    rate: Rate
    calls: int
    tokenizer: str
    estimate: str | None = None

    @property
    def counted_with(self) -> str:
        """The tokenizer, with the word estimate where it is another one than the model's."""
        return (
            self.tokenizer if self.estimate is None else f"estimate: counted with {self.tokenizer}"
        )


@frozen
class Side:
    """What a prompt comes to as it is, or as it was.

    `cached` is what it costs where all of it is read from a cache; `share` its part of the
    context window. None where that is not known, or means nothing.
    """

    tokens: int
    cost: Decimal
    cached: Decimal | None
    share: float | None = None


@frozen
class Bill:
    """The input of one prompt, or of all of them, with one model; `before` where it is compared."""

    tariff: Tariff
    before: Side | None
    after: Side

    @property
    def change(self) -> Decimal | None:
        """How much more it costs than before."""
        return None if self.before is None else EXACT.subtract(self.after.cost, self.before.cost)


def bill(tariff: Tariff, before: int | None, after: int) -> Bill:
    """The bill of one prompt: its tokens before, if they are compared, and after.

    A prompt that is new had 0, and one that is gone has 0.
    """
    return Bill(tariff, None if before is None else _side(tariff, before), _side(tariff, after))


def together(tariff: Tariff, bills: Iterable[Bill], *, compared: bool) -> Bill:
    """The sum of the bills of several prompts, each of which is sent by itself."""
    bills = list(bills)
    before = _sum(tariff, [each.before for each in bills if each.before is not None])
    return Bill(tariff, before if compared else None, _sum(tariff, [each.after for each in bills]))


def _side(tariff: Tariff, tokens: int) -> Side:
    rate = tariff.rate
    cached = None if rate.cached is None else _cost(rate.cached, tokens, tariff.calls)
    share = None if rate.context is None else tokens / rate.context
    return Side(tokens, _cost(rate.input, tokens, tariff.calls), cached, share)


def _cost(price: Tiered, tokens: int, calls: int) -> Decimal:
    million_tokens = Decimal(tokens * calls).scaleb(-6, EXACT)
    return EXACT.multiply(million_tokens, price.at(tokens))


def _sum(tariff: Tariff, sides: list[Side]) -> Side:
    cost = cached = Decimal(0)
    for side in sides:
        cost = EXACT.add(cost, side.cost)
        cached = EXACT.add(cached, side.cached or Decimal(0))
    tokens = sum(side.tokens for side in sides)
    return Side(tokens, cost, None if tariff.rate.cached is None else cached)
