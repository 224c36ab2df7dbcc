"""The price data of genai-prices: its own arithmetic is the judge of ours."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest
from genai_prices import Usage
from genai_prices.data import providers
from genai_prices.data_snapshot import DataSnapshot
from genai_prices.types import (
    ClauseContains,
    ClauseEquals,
    ClauseStartsWith,
    ConditionalPrice,
    ModelInfo,
    ModelPrice,
    Provider,
    StartDateConstraint,
    Tier,
    TieredPrices,
    TimeOfDateConstraint,
)

from tokenlint.errors import PriceError
from tokenlint.prices.bills import Tariff, bill
from tokenlint.prices.catalogue import Catalogue, catalogue
from tokenlint.prices.rates import Rate, Tiered

DAY = date(2026, 11, 15)
NOON = datetime.combine(DAY, time(12), UTC)


def of_hours(model: ModelInfo) -> bool:
    prices = model.prices if isinstance(model.prices, list) else []
    return any(isinstance(each.constraint, TimeOfDateConstraint) for each in prices)


def thresholds(rate: Rate) -> list[int]:
    steps = [start for start, _ in rate.input.steps]
    return [0, 1, 12_345, *(at + more for at in steps for more in (0, 1))]


@pytest.mark.parametrize("provider", providers, ids=lambda provider: provider.id)
def test_every_price_is_the_one_that_the_data_calculates(provider: Provider) -> None:
    checked = 0
    for model in provider.models:
        price = model.get_prices(NOON)
        only = Catalogue(DataSnapshot([Provider("p", "P", "p", models=[model])], False), "0")
        only.snapshot.find_provider_model = lambda *_, known=model: (provider, known)  # type: ignore[method-assign]
        if price.input_mtok is None or of_hours(model):
            continue
        rate = only.rate(model.id, DAY)
        for tokens in thresholds(rate):
            made = bill(Tariff(rate, 1, "t"), None, tokens)
            assert made.after.cost == price.calc_price(Usage(input_tokens=tokens))["input_price"]
            if rate.cached is not None:
                usage = Usage(input_tokens=tokens, cache_read_tokens=tokens)
                assert made.after.cached == price.calc_price(usage)["input_price"]
            checked += 1
    assert checked or provider.id in ("elevenlabs",), provider.id


@pytest.mark.parametrize(
    ("name", "priced_as", "given", "cached", "window"),
    [
        ("gpt-5", "openai/gpt-5", "1.25", "0.125", 400_000),
        ("gpt-4o-2024-08-06", "openai/gpt-4o", "2.5", "1.25", 128_000),
        ("openai/gpt-4o", "openai/gpt-4o", "2.5", "1.25", 128_000),
        ("azure/gpt-4o", "azure/gpt-4o", "2.5", "1.25", 128_000),
        ("o3", "openai/o3", "2", "0.5", 200_000),
        ("anthropic/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5", "3", "0.3", 200_000),
        ("openrouter/openai/gpt-4o", "openrouter/openai/gpt-4o", "2.5", "1.25", 128_000),
    ],
)
def test_published_prices(name: str, priced_as: str, given: str, cached: str, window: int) -> None:
    rate = catalogue().rate(name, DAY)
    assert rate.cached is not None
    assert (rate.model, rate.priced_as, rate.input.base) == (name, priced_as, Decimal(given))
    assert (rate.cached.base, rate.context) == (Decimal(cached), window)


def test_the_longer_calls_of_claude_sonnet_cost_twice_as_much() -> None:
    rate = catalogue().rate("claude-sonnet-4-5", DAY)
    assert rate.input == Tiered(Decimal(3), ((200_000, Decimal(6)),))


def test_an_early_day_has_the_price_of_its_time() -> None:
    assert catalogue().rate("o3", date(2025, 6, 9)).input == Tiered(Decimal(10))
    assert catalogue().rate("o3", date(2025, 6, 10)).since == "2025-06-10"


def conditional(*prices: tuple[object, str]) -> list[ConditionalPrice]:
    return [
        ConditionalPrice(limit, prices=ModelPrice(input_mtok=Decimal(price)))  # type: ignore[arg-type]
        for limit, price in prices
    ]


NIGHT = TimeOfDateConstraint(time(22, tzinfo=UTC), time(4, tzinfo=UTC))
OWN = Provider(
    "acme",
    "Acme",
    "https://acme",
    model_match=ClauseStartsWith("acme-"),
    models=[
        ModelInfo(
            "acme-plain", ClauseEquals("acme-plain"), prices=ModelPrice(input_mtok=Decimal(2))
        ),
        ModelInfo(
            "acme-night",
            ClauseEquals("acme-night"),
            prices=conditional((None, "4"), (NIGHT, "1")),
        ),
        ModelInfo(
            "acme-dated",
            ClauseContains("acme-dated"),
            deprecated=True,
            prices=conditional(
                (None, "8"),
                (StartDateConstraint(date(2026, 3, 1)), "6"),
                (StartDateConstraint(date(2026, 12, 24)), "6"),
                (StartDateConstraint(date(2027, 1, 1)), "5"),
            ),
        ),
        ModelInfo(
            "acme-search",
            ClauseEquals("acme-search"),
            prices=ModelPrice(
                input_mtok=TieredPrices(Decimal(1), [Tier(100, Decimal("2.5"))]),
                cache_read_mtok=Decimal("0.1"),
                requests_kcount=Decimal(12),
            ),
        ),
        ModelInfo(
            "acme-voice", ClauseEquals("acme-voice"), prices=ModelPrice(output_mtok=Decimal(2))
        ),
    ],
)
OTHERS = [
    Provider(name, name, name, models=[ModelInfo("llama-9", ClauseEquals("llama-9"))])
    for name in ("north", "south", "east", "west")
]
SMALL = Catalogue(DataSnapshot([OWN, *OTHERS], from_auto_update=False), "9.9")


@pytest.mark.parametrize(
    ("name", "sentence", "notes"),
    [
        (
            "acme-plain",
            "acme-plain as acme/acme-plain: $2 for a million input tokens; "
            "genai-prices 9.9 (newest price: 2026-03-01)",
            (),
        ),
        (
            "acme-night",
            "acme-night as acme/acme-night: $4 for a million input tokens; "
            "genai-prices 9.9 (newest price: 2026-03-01)",
            ("acme-night: the dearest price of the day; at other hours it is $1",),
        ),
        (
            "acme/acme-dated",
            "acme/acme-dated: $6 for a million input tokens, in force since 2026-03-01; "
            "genai-prices 9.9 (newest price: 2026-03-01)",
            (
                "acme/acme-dated: from 2027-01-01 on it is $5",
                "acme/acme-dated: its provider calls it deprecated",
            ),
        ),
        (
            "acme-search",
            "acme-search as acme/acme-search: $1, $2.50 above 100 tokens (cached $0.10) for a "
            "million input tokens; genai-prices 9.9 (newest price: 2026-03-01)",
            ("acme-search: a thousand requests cost $12 besides, which is left out here",),
        ),
    ],
)
def test_a_price_says_what_it_is_of(name: str, sentence: str, notes: tuple[str, ...]) -> None:
    rate = SMALL.rate(name, DAY)
    assert (rate.sentence, rate.notes) == (sentence, notes)


RULES = (
    "Models have the names of genai-prices 9.9, with PROVIDER/ in front where several sell them; "
    "a price of your own goes under [tool.tokenlint.prices."
)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("zebra", f"no price is known for the model 'zebra'. {RULES}\"zebra\"]"),
        (
            "acme-plane",
            "no price is known for the model 'acme-plane'; did you mean acme-plain or acme-dated? "
            f'{RULES}"acme-plane"]',
        ),
        (
            "Llama-9",
            "no price is known for the model 'Llama-9'; did you mean north/Llama-9 or "
            f'south/Llama-9 or east/Llama-9? {RULES}"Llama-9"]',
        ),
        ("nobody/acme", f"no price is known for the model 'nobody/acme'. {RULES}\"nobody/acme\"]"),
        ("ft:x", f"no price is known for the model 'ft:x'. {RULES}\"ft:x\"]"),
        ("", f"no price is known for the model ''. {RULES}\"\"]"),
        ('a"]\n', f'no price is known for the model \'a"]\\n\'. {RULES}"a\\"]\\n"]'),
        (
            "acme-voice",
            "acme-voice: genai-prices 9.9 knows no price of its input; a price of your own goes "
            'under [tool.tokenlint.prices."acme-voice"]',
        ),
    ],
)
def test_a_model_without_a_price(name: str, sentence: str) -> None:
    with pytest.raises(PriceError) as raised:
        SMALL.rate(name, DAY)
    assert str(raised.value) == sentence


def test_a_day_before_every_dated_price_has_no_newest() -> None:
    assert SMALL.source(date(2026, 2, 28)) == "genai-prices 9.9"


def test_the_names_that_are_offered_are_understood() -> None:
    with pytest.raises(PriceError) as raised:
        catalogue().rate("gpt5", DAY)
    offered = str(raised.value).partition("did you mean ")[2].partition("?")[0].split(" or ")
    assert offered
    assert all(catalogue().rate(name, DAY).input.base for name in offered)


def test_without_the_extra_one_sentence_says_how_to_get_it() -> None:
    code = (
        "import sys; sys.modules['genai_prices'] = None\n"
        "from tokenlint.prices.catalogue import catalogue\n"
        "try: catalogue()\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "PriceError prices of models come with the extra cost: pip install "
        "'pytest-tokenbudget[cost]'; a price of your own goes under "
        '[tool.tokenlint.prices."MODEL"]\n'
    )


def test_prices_come_without_a_connection() -> None:
    code = (
        "import socket\n"
        "def refuse(*_): raise SystemExit('a connection was asked for')\n"
        "socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse\n"
        "from datetime import date\n"
        "from tokenlint.prices.catalogue import catalogue\n"
        "print(catalogue().rate('gpt-5', date(2026, 11, 15)).input.base)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("1.25\n", "")
