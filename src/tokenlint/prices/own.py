"""Prices that the configuration gives, and the kinds of values that say them."""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Any

from tokenlint import schema
from tokenlint.frozen import frozen
from tokenlint.schema import Kind, kind

if TYPE_CHECKING:
    from datetime import date


@frozen
class Price:
    """One `[tool.tokenlint.prices.MODEL]` table; amounts are for a million tokens.

    Without `input` the price is that of the price data, and the rest is said on top of it.
    """

    input: float | None = None
    cached_input: float | None = None
    currency: str = "USD"
    context: int | None = None
    tokenizer: str | None = None
    date: str | None = None


_CURRENCY = r"^[A-Z]{3}$"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


@kind({"type": "number", "minimum": 0})
def _amount(key: str, value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not isfinite(value) or value < 0:  # type: ignore[arg-type,operator]
        schema.fail(key, f"expected what a million tokens cost, 0 or more, found {value!r}")
    return value  # type: ignore[return-value]


@kind({"type": "string", "pattern": _CURRENCY})
def _currency(key: str, value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(_CURRENCY, value):
        schema.fail(key, f"expected the three capital letters of a currency, found {value!r}")
    return value


@kind({"type": "string", "format": "date", "pattern": _DATE})
def _date(key: str, value: object) -> str:
    day: date | None = None
    if type(value).__name__ == "date":  # TOML has dates without quotes
        return str(value)
    if isinstance(value, str) and re.fullmatch(_DATE, value):
        day = _day(value)
    if day is None:
        schema.fail(key, f'expected a date such as "2026-11-01", found {value!r}')
    return day.isoformat()


def _day(text: str) -> date | None:
    from datetime import date

    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


_PRICE = schema.table(
    {
        "input": _amount.about("What a million input tokens cost; default: the price data's."),
        "cached-input": _amount.about("What a million input tokens cost that come from a cache."),
        "currency": _currency.about("The currency of both amounts, such as EUR."),
        "context": schema.natural.about("The tokens that the model's context window holds."),
        "tokenizer": schema.string.about("The tokenizer of the model."),
        "date": _date.about("The day from which you have the price."),
    },
    minProperties=1,
    dependencies={name: ["input"] for name in ("cached-input", "currency", "date")},
)


@kind(_PRICE.schema)
def _price(key: str, value: object) -> Price:
    said = _PRICE(key, value)
    if not said:
        schema.fail(key, "says nothing; give input = what a million input tokens cost")
    for name in ("cached_input", "currency", "date"):
        if name in said and "input" not in said:
            shown = name.replace("_", "-")
            schema.fail(key, f"has {shown} but no input: what a million input tokens cost")
    return Price(**said)


PRICES: Kind[dict[str, Any]] = schema.mapping_of(_price)
"The table `prices`: the name of a model, and what it costs."

MODELS = schema.strings
"The list `models`."

CALLS = schema.natural
"The number `calls`."
