"""Amounts, prices that a configuration gives, and which tokenizer a model has."""

from __future__ import annotations

import datetime
import math
import tomllib
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from tokenlint.errors import ConfigError
from tokenlint.prices.amounts import change, in_words, money, plain, rate
from tokenlint.prices.bills import Side, Tariff, bill, together
from tokenlint.prices.own import CALLS, MODELS, PRICES, Price
from tokenlint.prices.rates import Rate, Tiered
from tokenlint.prices.tokenizers import tokenizer_of

AMOUNTS = st.decimals(0, 10**9, allow_nan=False, allow_infinity=False, places=9)


@pytest.mark.parametrize(
    ("amount", "shown", "words"),
    [
        ("0", "$0", "$0"),
        ("0.00", "$0", "$0"),
        ("0.0000000123", "$0.000000012", "$0.000000012"),
        ("0.00099", "$0.00099", "$0.00099"),
        ("0.001", "$0.001", "0.1 cents"),
        ("0.0099", "$0.0099", "0.99 cents"),
        ("0.01", "$0.01", "1 cent"),
        ("0.019", "$0.019", "1.9 cents"),
        ("0.0194", "$0.019", "1.9 cents"),
        ("0.01951", "$0.02", "2 cents"),
        ("0.1", "$0.10", "10 cents"),
        ("0.5", "$0.50", "50 cents"),
        ("0.994", "$0.99", "99 cents"),
        ("0.995", "$1.00", "$1.00"),
        ("0.9999", "$1.00", "$1.00"),
        ("1", "$1.00", "$1.00"),
        ("12.344", "$12.34", "$12.34"),
        ("12.345", "$12.35", "$12.35"),
        ("1234.5", "$1,234.50", "$1,234.50"),
        (
            "1234567890123456789012345678901.239",
            *["$1,234,567,890,123,456,789,012,345,678,901.24"] * 2,
        ),
        ("-0.019", "-$0.019", "-1.9 cents"),
        ("-1234.5", "-$1,234.50", "-$1,234.50"),
    ],
)
def test_amounts_are_short_and_never_nothing(amount: str, shown: str, words: str) -> None:
    assert money(Decimal(amount)) == shown
    assert in_words(Decimal(amount)) == words


@pytest.mark.parametrize(
    ("amount", "currency", "shown", "words"),
    [
        ("0.019", "EUR", "\u20ac0.019", "1.9 cents (EUR)"),
        ("2", "EUR", "\u20ac2.00", "\u20ac2.00"),
        ("-0.5", "GBP", "-\u00a30.50", "-\u00a30.50"),
        ("1234.5", "JPY", "JPY 1,234.50", "JPY 1,234.50"),
        ("-0.019", "CHF", "-CHF 0.019", "-CHF 0.019"),
    ],
)
def test_other_currencies_keep_their_name(
    amount: str, currency: str, shown: str, words: str
) -> None:
    assert money(Decimal(amount), currency) == shown
    assert in_words(Decimal(amount), currency) == words


@pytest.mark.parametrize(
    ("amount", "expected"),
    [("0.019", "+$0.019"), ("-1.5", "-$1.50"), ("0", "$0"), ("0.0", "$0"), ("-0.0", "$0")],
)
def test_a_change_has_its_sign(amount: str, expected: str) -> None:
    assert change(Decimal(amount)) == expected


@pytest.mark.parametrize(
    ("amount", "shown", "exact"),
    [
        ("1.25", "$1.25", "1.25"),
        ("0.125", "$0.125", "0.125"),
        ("0.3", "$0.30", "0.3"),
        ("15", "$15", "15"),
        ("1500.50", "$1,500.50", "1500.5"),
        ("1E+3", "$1,000", "1000"),
        ("1E-7", "$0.0000001", "0.0000001"),
        ("0", "$0", "0"),
        ("0.000", "$0", "0"),
        ("100", "$100", "100"),
    ],
)
def test_the_price_of_a_million_tokens_is_exact(amount: str, shown: str, exact: str) -> None:
    assert rate(Decimal(amount)) == shown
    assert plain(Decimal(amount)) == exact


@given(AMOUNTS)
def test_what_is_shown_is_near_and_not_zero_where_something_is_paid(amount: Decimal) -> None:
    shown = Decimal(money(amount).removeprefix("$").replace(",", ""))
    assert abs(shown - amount) <= max(amount * Decimal("0.05"), Decimal(0))
    assert (shown == 0) == (amount == 0)
    assert Decimal(plain(amount)) == amount


FULL = {
    "input": 1.25,
    "cached-input": 0.125,
    "currency": "EUR",
    "context": 128_000,
    "tokenizer": "o200k_base",
    "date": "2026-11-01",
}


@pytest.mark.parametrize(
    ("said", "price"),
    [
        (FULL, Price(1.25, 0.125, "EUR", 128_000, "o200k_base", "2026-11-01")),
        ({"input": 0}, Price(0)),
        ({"input": 3}, Price(3)),
        ({"tokenizer": "./t.json"}, Price(tokenizer="./t.json")),
        ({"context": 1}, Price(context=1)),
        ({"input": 1, "date": datetime.date(2026, 11, 1)}, Price(1, date="2026-11-01")),
    ],
)
def test_prices_that_a_configuration_can_give(said: dict[str, Any], price: Price) -> None:
    assert PRICES("prices", {"my-model": said}) == {"my-model": price}


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({}, "says nothing; give input = what a million input tokens cost"),
        (1.25, "expected a table, found a number"),
        ({"cached-input": 1}, "has cached-input but no input: what a million input tokens cost"),
        ({"currency": "EUR"}, "has currency but no input: what a million input tokens cost"),
        (
            {"date": "2026-11-01", "context": 1},
            "has date but no input: what a million input tokens cost",
        ),
    ],
)
def test_tables_that_give_no_price(said: object, sentence: str) -> None:
    with pytest.raises(ConfigError) as raised:
        PRICES("prices", {"m": said})
    assert str(raised.value) == f'prices."m": {sentence}'


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("input", -1, "expected what a million tokens cost, 0 or more, found -1"),
        ("input", math.inf, "expected what a million tokens cost, 0 or more, found inf"),
        ("input", math.nan, "expected what a million tokens cost, 0 or more, found nan"),
        ("input", "1.25", "expected what a million tokens cost, 0 or more, found '1.25'"),
        ("input", True, "expected what a million tokens cost, 0 or more, found True"),
        ("currency", "usd", "expected the three capital letters of a currency, found 'usd'"),
        ("currency", "USD\n", "expected the three capital letters of a currency, found 'USD\\n'"),
        ("currency", 1, "expected the three capital letters of a currency, found 1"),
        ("context", 0, "expected a whole number above 0, found 0"),
        ("date", "2026-11", "expected a date such as \"2026-11-01\", found '2026-11'"),
        ("date", "2026-13-01", "expected a date such as \"2026-11-01\", found '2026-13-01'"),
        ("date", 20261101, 'expected a date such as "2026-11-01", found 20261101'),
        (
            "date",
            datetime.datetime(2026, 11, 1),
            'expected a date such as "2026-11-01", found datetime.datetime(2026, 11, 1, 0, 0)',
        ),
        (
            "output",
            1,
            "unknown key; known keys: cached-input, context, currency, date, input, tokenizer",
        ),
    ],
)
def test_values_that_are_no_prices(key: str, value: object, sentence: str) -> None:
    with pytest.raises(ConfigError) as raised:
        PRICES("prices", {"m": {**FULL, key: value}})
    assert str(raised.value) == f'prices."m".{key}: {sentence}'


def test_the_schema_says_the_same() -> None:
    validator = Draft7Validator(PRICES.schema)
    good = [FULL, {"input": 0}, {"tokenizer": "x"}]
    bad = [{}, {"cached-input": 1}, {"input": -1}, {**FULL, "output": 1}, {**FULL, "date": "1"}]
    assert [validator.is_valid({"m": one}) for one in good] == [True] * len(good)
    assert [validator.is_valid({"m": one}) for one in bad] == [False] * len(bad)


def test_models_and_calls() -> None:
    assert MODELS("models", []) == ()
    assert MODELS("models", ["b", "a"]) == ("b", "a")
    assert CALLS("calls", tomllib.loads("calls = 100_000")["calls"]) == 100_000
    with pytest.raises(ConfigError, match="calls: expected a whole number above 0, found 0"):
        CALLS("calls", 0)


@pytest.mark.parametrize(
    ("model", "tokenizer"),
    [
        ("claude-sonnet-4-5", None),
        ("gemini-2.5-pro", None),
        ("mistral-large-latest", None),
        ("deepseek-chat", None),  # another model from time to time
        ("deepseek-r1-distill-llama-70b", None),
        ("deepseek-v2", None),
        ("qwen3-32b", None),
        ("qwen2.5-vl-72b-instruct", None),
        ("eva-qwen-2.5-32b", None),
        ("gpt-oss", None),
        ("", None),
        ("gpt-5", "o200k_base"),
        ("gpt-4o-2024-08-06", "o200k_base"),
        ("azure/gpt-4", "cl100k_base"),
        ("ft:gpt-4o-mini:org::id", "o200k_base"),
        ("o3", "o200k_base"),
        ("gpt-oss-120b", "o200k_harmony"),
        ("groq/openai/gpt-oss-20b", "o200k_harmony"),
        ("qwen2.5", "qwen2.5"),
        ("Qwen/Qwen2.5-72B-Instruct", "qwen2.5"),
        ("openrouter/qwen/qwen-2.5-coder-32b-instruct:free", "qwen2.5"),
        ("qwen2.5-0.5b", "qwen2.5"),
        ("deepseek-v3", "deepseek-v3"),
        ("deepseek-ai/DeepSeek-V3-0324", "deepseek-v3"),
        ("deepseek/deepseek-v3.2", "deepseek-v3"),
        ("deepseek-r1-0528", "deepseek-v3"),
        ("deepseek-v4-flash", "deepseek-v3"),
    ],
)
def test_the_tokenizer_of_a_model_where_it_is_certain(model: str, tokenizer: str | None) -> None:
    assert tokenizer_of(model) == tokenizer


FLAT = Rate("m", Tiered(Decimal("1.25")), "somewhere", Tiered(Decimal("0.125")), context=1000)
STEPPED = Rate("m", Tiered(Decimal(3), ((200, Decimal(6)), (500, Decimal(9)))), "somewhere")


@pytest.mark.parametrize(
    ("tokens", "cost"),
    [(0, "0"), (199, "597"), (200, "600"), (201, "1206"), (500, "3000"), (501, "4509")],
)
def test_a_step_is_the_price_of_all_tokens_of_a_longer_call(tokens: int, cost: str) -> None:
    made = bill(Tariff(STEPPED, 1_000_000, "t"), None, tokens)
    assert (made.after.cost, made.after.cached, made.after.share) == (Decimal(cost), None, None)
    assert (made.before, made.change) == (None, None)


def test_the_steps_of_a_sum_are_those_of_its_prompts() -> None:
    tariff = Tariff(STEPPED, 1_000_000, "t")
    whole = together(tariff, [bill(tariff, 0, 150), bill(tariff, 201, 150)], compared=True)
    assert whole.after.cost == 2 * 150 * 3
    assert whole.before is not None
    assert whole.before.cost == 201 * 6
    assert whole.change == 900 - 1206


def test_a_sum_of_nothing_compares_nothing_with_nothing() -> None:
    whole = together(Tariff(FLAT, 7, "t"), [], compared=True)
    assert whole.before == whole.after
    assert whole.after == Side(0, Decimal(0), Decimal(0))
    assert whole.change == 0


COUNTS = st.integers(0, 10**18)


@given(COUNTS, COUNTS, st.integers(1, 10**18))
def test_bills_are_exact(before: int, after: int, calls: int) -> None:
    made = bill(Tariff(FLAT, calls, "t"), before, after)
    assert Fraction(made.after.cost) == Fraction(after * calls * 125, 10**8)
    assert made.after.cached is not None
    assert Fraction(made.after.cached) == Fraction(after * calls * 125, 10**9)
    assert made.change is not None
    assert Fraction(made.change) == Fraction((after - before) * calls * 125, 10**8)
    assert made.after.share == after / 1000


@given(st.lists(COUNTS, max_size=5), st.lists(COUNTS, max_size=5))
def test_a_sum_does_not_care_how_it_is_taken(some: list[int], others: list[int]) -> None:
    tariff = Tariff(FLAT, 1000, "t")
    apart = [
        together(tariff, [bill(tariff, None, each) for each in part], compared=False).after.cost
        for part in (some, others)
    ]
    whole = [bill(tariff, None, each) for each in (*others, *some)]
    cost = together(tariff, whole, compared=False).after.cost
    assert Fraction(cost) == sum(map(Fraction, apart))
