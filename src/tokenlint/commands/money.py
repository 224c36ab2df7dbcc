"""What prompts cost as input: for the models and the volume that the user gave, and no others."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tokenlint.commands import money_report
from tokenlint.errors import PriceError, TokenizerError
from tokenlint.frozen import frozen
from tokenlint.prices.bills import Bill, Tariff, bill, together
from tokenlint.prices.rates import Rate, Tiered
from tokenlint.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import date

    from tokenlint.prices.own import Price
    from tokenlint.settings import Config
    from tokenlint.tokens import Loader


@frozen
class Entry:
    """One prompt, and its bill with each model."""

    path: str
    bills: tuple[Bill, ...]


@frozen
class Plan:
    """The tariffs that a run asked for, in the order of the models that were named."""

    calls: int
    tariffs: tuple[Tariff, ...]

    @property
    def tokenizers(self) -> tuple[str, ...]:
        """What texts must be counted with, so that they can be billed."""
        return tuple(dict.fromkeys(tariff.tokenizer for tariff in self.tariffs))

    def entry(
        self, path: str, before: Mapping[str, int] | None, after: Mapping[str, int] | None
    ) -> Entry:
        """The bills of a prompt, from its tokens by tokenizer; None for one that is not there."""
        return Entry(
            path,
            tuple(
                bill(tariff, _tokens(before, tariff), _tokens(after, tariff))
                for tariff in self.tariffs
            ),
        )

    def cost_of(self, counted: Iterable[tuple[str, Mapping[str, int]]]) -> Cost:
        """The bills of prompts that are compared with nothing, from their paths and tokens."""
        entries = (self.new_entry(path, tokens) for path, tokens in counted)
        return self.cost(entries, compared=False)

    def new_entry(self, path: str, tokens: Mapping[str, int]) -> Entry:
        """The bills of a prompt that is compared with nothing."""
        bills = (bill(tariff, None, tokens[tariff.tokenizer]) for tariff in self.tariffs)
        return Entry(path, tuple(bills))

    def cost(self, entries: Iterable[Entry], *, compared: bool) -> Cost:
        """All bills and their sums; `compared` says whether they have a before."""
        entries = tuple(entries)
        totals = (
            together(tariff, (entry.bills[at] for entry in entries), compared=compared)
            for at, tariff in enumerate(self.tariffs)
        )
        return Cost(self, entries, tuple(totals))


@frozen
class Cost:
    """The bills of a run: of each prompt, and of all together, with each model."""

    plan: Plan
    entries: tuple[Entry, ...]
    totals: tuple[Bill, ...]

    def headline(self, quote: Callable[[str], str]) -> str:
        """The sums in a few words, such as `+1.9 cents on 1,000 calls of gpt-5`."""
        return money_report.headline(self, quote)

    def lines(self, shown: int | None = None) -> Iterator[str]:
        """A table for a terminal, with the first files or all; the sums are those of all."""
        return money_report.as_table(self, shown)

    def markdown(self, shown: int | None = None) -> Iterator[str]:
        """The same as Markdown, escaped."""
        return money_report.as_markdown(self, shown)

    def as_json(self, shown: int | None = None) -> dict[str, Any]:
        """What programs read."""
        return money_report.as_json(self, shown)


def plan(config: Config, loader: Loader, today: date | None = None) -> Plan | None:
    """The tariffs that a configuration and the command line ask for; None where they ask nothing.

    Raises PriceError and TokenizerError.
    """
    models, calls = tuple(dict.fromkeys(config.models)), config.calls
    if not models and calls is None:
        return None
    if calls is None:
        raise PriceError(
            f"{models[0]} has a price, but for how many calls? Say --calls N, or calls = N in the "
            "configuration: no volume is made up"
        )
    if not models:
        raise PriceError(
            f"{counted(calls, 'call')} of which model? Say --model NAME, or models = [NAME] in the "
            "configuration: no model is made up"
        )
    today = today or datetime.now(UTC).date()
    rates = (rate_of(model, config.prices.get(model), today) for model in models)
    return Plan(calls, tuple(_tariff(rate, calls, config, loader) for rate in rates))


def rate_of(model: str, own: Price | None, today: date) -> Rate:
    """What a model charges: as the configuration says, and otherwise as the price data does.

    Raises PriceError.
    """
    if own is not None and own.input is not None:
        return _own_rate(model, own, own.input)
    from dataclasses import replace

    from tokenlint.prices.catalogue import catalogue

    rate = catalogue().rate(model, today)
    if own is None:
        return rate
    return replace(rate, context=own.context or rate.context, tokenizer=own.tokenizer)


def _own_rate(model: str, own: Price, given: float) -> Rate:
    return Rate(
        model=model,
        input=_exact(given),
        cached=None if own.cached_input is None else _exact(own.cached_input),
        currency=own.currency,
        context=own.context,
        source="price of the configuration" + (f" of {own.date}" if own.date else ", undated"),
        tokenizer=own.tokenizer,
    )


def _exact(amount: float) -> Tiered:
    """The number that stands in the file: the shortest that means this float."""
    from decimal import Decimal

    return Tiered(Decimal(repr(amount)))


def _tariff(rate: Rate, calls: int, config: Config, loader: Loader) -> Tariff:
    if rate.tokenizer is not None:
        loader.require(rate.tokenizer)
        return Tariff(rate, calls, rate.tokenizer)
    from tokenlint.prices.tokenizers import tokenizer_of

    name = rate.model if rate.model in loader.tables else tokenizer_of(rate.model)
    if name is None:
        why = f"the tokenizer of {rate.model} is not known here"
        return Tariff(rate, calls, config.tokenizers[0], why)
    loaded = loader.get(name)
    if isinstance(loaded, TokenizerError):
        return Tariff(rate, calls, config.tokenizers[0], str(loaded))
    return Tariff(rate, calls, name)


def _tokens(counts: Mapping[str, int] | None, tariff: Tariff) -> int:
    return 0 if counts is None else counts[tariff.tokenizer]
