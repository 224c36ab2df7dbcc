"""Prices from the data that genai-prices ships; its updater, which uses the network, is not run."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from functools import cache, cached_property
from json import dumps
from typing import TYPE_CHECKING

from tokenlint.errors import PriceError
from tokenlint.frozen import frozen
from tokenlint.prices.amounts import rate
from tokenlint.prices.rates import Rate, Tiered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genai_prices.data_snapshot import DataSnapshot
    from genai_prices.types import ModelInfo, ModelPrice, Provider


@cache
def catalogue() -> Catalogue:
    """The price data of this installation.

    Raises PriceError where it is not installed.
    """
    from importlib.metadata import version

    try:
        from genai_prices.data import providers
        from genai_prices.data_snapshot import DataSnapshot
    except ImportError:
        raise PriceError(
            "prices of models come with the extra cost: pip install 'pytest-tokenbudget[cost]'; "
            + _own("MODEL")
        ) from None
    return Catalogue(DataSnapshot(providers, from_auto_update=False), version("genai-prices"))


@frozen
class Catalogue:
    """All prices of one version of genai-prices."""

    snapshot: DataSnapshot
    version: str

    def rate(self, name: str, today: date) -> Rate:
        """What a model charges on a day.

        Raises PriceError, which names the nearest models that have a price.
        """
        provider, model = self._find(name)
        price = _Day(model, today).dearest
        given = _tiered(price, "input_mtok")
        if given is None:
            raise PriceError(
                f"{name}: genai-prices {self.version} knows no price of its input; {_own(name)}"
            )
        return Rate(
            model=name,
            input=given,
            cached=_tiered(price, "cache_read_mtok"),
            context=model.context_window,
            source=self.source(today),
            priced_as=f"{provider.id}/{model.id}",
            since=_Day(model, today).since,
            notes=tuple(_notes(name, model, price, today)),
        )

    def source(self, today: date) -> str:
        """The version of the data, and the newest day on which a price in it begins."""
        starts = (start for provider in self.snapshot.providers for start in _starts(provider))
        newest = max((start for start in starts if start <= today), default=None)
        until = "" if newest is None else f" (newest price: {newest})"
        return f"genai-prices {self.version}{until}"

    def _find(self, name: str) -> tuple[Provider, ModelInfo]:
        """A model by its name, or by that of a provider and its name there."""
        provider, _, rest = name.partition("/")
        ways: list[tuple[str | None, str]] = [(None, name)]
        if rest:
            ways.append((provider, rest))
        if name.startswith("ft:"):  # the data has fine-tuned models only of this provider
            ways.append(("openai", name))
        for provider_id, model in ways:
            try:
                return self.snapshot.find_provider_model(model, None, provider_id, None)
            except LookupError:
                continue
        raise PriceError(self._unknown(name))

    def _unknown(self, name: str) -> str:
        near = self._nearest(name)
        return (
            f"no price is known for the model {name!r}"
            + (f"; did you mean {' or '.join(near)}?" if near else ".")
            + f" Models have the names of genai-prices {self.version}, with PROVIDER/ in front "
            f"where several sell them; {_own(name)}"
        )

    def _nearest(self, name: str) -> list[str]:
        """Who sells a model of this name; otherwise the names that are spelled most like it."""
        sold = [f"{provider.id}/{name}" for provider in self._sellers(name)]
        if sold:
            return sold[:3]
        from difflib import get_close_matches

        names = {known.lower(): known for known in self._names}
        close = get_close_matches(name.lower(), names, n=3, cutoff=0.7)
        return [names[known] for known in close]

    def _sellers(self, name: str) -> list[Provider]:
        return [each for each in self.snapshot.providers if each.find_model(name) is not None]

    @cached_property
    def _names(self) -> list[str]:
        """A name of every model: the short one where that is understood."""
        return [
            model.id if self._is_enough(provider, model.id) else f"{provider.id}/{model.id}"
            for provider in self.snapshot.providers
            for model in provider.models
        ]

    def _is_enough(self, provider: Provider, name: str) -> bool:
        return provider.model_match is not None and provider.model_match.is_match(name)


@frozen
class _Day:
    """The prices of a model in the course of one day (UTC), which some providers change by hour."""

    model: ModelInfo
    day: date

    @cached_property
    def prices(self) -> list[ModelPrice]:
        moments = {time(0), *(limit for each in self._constraints for limit in _hours(each))}
        return [
            self.model.get_prices(datetime.combine(self.day, moment, moment.tzinfo or UTC))
            for moment in sorted(moments, key=lambda moment: moment.replace(tzinfo=None))
        ]

    @property
    def dearest(self) -> ModelPrice:
        """The price at the dearest time of the day, so that no bill is understated."""
        return max(self.prices, key=_base)

    @property
    def cheapest(self) -> ModelPrice:
        return min(self.prices, key=_base)

    @property
    def since(self) -> str | None:
        """The day on which the price of this day began, where the data knows it."""
        begun = [start for start in _starts_of(self.model) if start <= self.day]
        return str(max(begun)) if begun else None

    @property
    def _constraints(self) -> list[object]:
        prices = self.model.prices
        return [each.constraint for each in prices] if isinstance(prices, list) else []


def _own(name: str) -> str:
    return f"a price of your own goes under [tool.tokenlint.prices.{dumps(name)}]"


def _hours(constraint: object) -> Iterator[time]:
    from genai_prices.types import TimeOfDateConstraint

    if isinstance(constraint, TimeOfDateConstraint):
        yield from (constraint.start_time, constraint.end_time)


def _starts(provider: Provider) -> Iterator[date]:
    for model in provider.models:
        yield from _starts_of(model)


def _starts_of(model: ModelInfo) -> Iterator[date]:
    from genai_prices.types import StartDateConstraint

    for each in model.prices if isinstance(model.prices, list) else []:
        if isinstance(each.constraint, StartDateConstraint):
            yield each.constraint.start_date


def _tiered(price: ModelPrice, key: str) -> Tiered | None:
    from genai_prices.types import TieredPrices

    value = getattr(price, key)
    if isinstance(value, TieredPrices):
        return Tiered(value.base, tuple((tier.start, tier.price) for tier in value.tiers))
    return None if value is None else Tiered(value)


def _base(price: ModelPrice) -> tuple[bool, object]:
    given = _tiered(price, "input_mtok")
    return (given is not None, given.base if given is not None else 0)


def _notes(name: str, model: ModelInfo, price: ModelPrice, today: date) -> Iterator[str]:
    """What a reader of the bill must know: other hours, later days, and other charges."""
    given, cheap = _tiered(price, "input_mtok"), _tiered(_Day(model, today).cheapest, "input_mtok")
    if given != cheap and cheap is not None:
        yield f"{name}: the dearest price of the day; at other hours it is {cheap.shown('USD')}"
    for start in sorted({start for start in _starts_of(model) if start > today}):
        later = _tiered(_Day(model, start).dearest, "input_mtok")
        if later is not None and later != given:
            yield f"{name}: from {start} on it is {later.shown('USD')}"
            break
    if price.requests_kcount is not None:
        each = rate(price.requests_kcount, "USD")  # type: ignore[arg-type]
        yield f"{name}: a thousand requests cost {each} besides, which is left out here"
    if model.deprecated:
        yield f"{name}: its provider calls it deprecated"
