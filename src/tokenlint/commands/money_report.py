"""Bills as people and programs read them: lines of a table, cells of Markdown, JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenlint.prices.amounts import change, in_words, money, plain
from tokenlint.reports.escaping import markdown_cell, markdown_code
from tokenlint.reports.printable import printable, width
from tokenlint.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from decimal import Decimal

    from tokenlint.commands.money import Cost, Plan
    from tokenlint.prices.bills import Bill, Side, Tariff
    from tokenlint.prices.rates import Tiered

_NEW = ("tokens", "cost", "cached", "of context")
_COMPARED = (
    *("tokens before", "tokens after", "cost before", "cost after"),
    *("change", "cached", "of context"),
)
_ALL = "total"


def is_compared(cost: Cost) -> bool:
    """Whether the bills have a before."""
    return any(total.before is not None for total in cost.totals)


def header(*, compared: bool) -> tuple[str, ...]:
    """The names of the columns, which `cells` fills."""
    return ("file", "model", *(_COMPARED if compared else _NEW), "counted with")


def cells(path: str, bill: Bill) -> tuple[str, ...]:
    """One bill as a row; what is not known is a hyphen."""
    tariff, after, before = bill.tariff, bill.after, bill.before
    currency = tariff.rate.currency
    cached = "-" if after.cached is None else money(after.cached, currency)
    figures = [f"{after.tokens:,}", money(after.cost, currency)]
    if before is not None:
        figures = [
            f"{before.tokens:,}",
            f"{after.tokens:,}",
            money(before.cost, currency),
            money(after.cost, currency),
            change(bill.change, currency) if bill.change is not None else "-",
        ]
    return (path, tariff.rate.model, *figures, cached, share(after), tariff.counted_with)


def share(side: Side) -> str:
    """The part of the model's context window that a prompt fills."""
    if side.share is None:
        return "-"
    percent = side.share * 100
    if percent and percent < 0.1:
        return "under 0.1 %"
    return f"{percent:,.1f} %"


def rows(cost: Cost, shown: int | None = None) -> Iterator[tuple[str, ...]]:
    """Every bill, model by model, and the sums where there is more than one file."""
    for at, total in enumerate(cost.totals):
        for entry in cost.entries[:shown]:
            yield cells(entry.path, entry.bills[at])
        if len(cost.entries) != 1:
            yield cells(_ALL, total)


def as_table(cost: Cost, shown: int | None = None) -> Iterator[str]:
    """The bills in columns, and under them what they are of."""
    lines = [header(compared=is_compared(cost)), *rows(cost, shown)]
    lines = [tuple(map(printable, line)) for line in lines]
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    last = len(widths) - 1
    for line in lines:
        padded = (
            _padded(cell, size, right=1 < at < last)
            for at, (cell, size) in enumerate(zip(line, widths, strict=True))
        )
        yield "  ".join(padded).rstrip()
    yield ""
    yield from map(printable, sentences(cost.plan))


def as_markdown(cost: Cost, shown: int | None = None) -> Iterator[str]:
    """The bills as a Markdown table, and under it what they are of."""
    names = header(compared=is_compared(cost))
    yield f"| {' | '.join(names)} |"
    yield f"|{'|'.join(['---', '---', *['---:'] * (len(names) - 3), '---'])}|"
    for path, model, *figures, tokenizer in rows(cost, shown):
        first = path if path == _ALL else markdown_code(path)
        words = (first, markdown_cell(model), *figures, markdown_cell(tokenizer))
        yield f"| {' | '.join(words)} |"
    yield ""
    for sentence in sentences(cost.plan):
        yield f"- {markdown_cell(sentence)}"


def sentences(plan: Plan) -> list[str]:
    """What bills are of, each price and its date, and what a reader must know of it."""
    said = [
        f"Input of {counted(plan.calls, 'call')} of each file, sent by itself; output is left out."
    ]
    if any(tariff.rate.cached is not None for tariff in plan.tariffs):
        said.append("cached: where all of it is read from the provider's cache.")
    for tariff in plan.tariffs:
        said += [f"{tariff.rate.sentence}.", *(f"{note}." for note in tariff.rate.notes)]
        if tariff.estimate is not None:
            said.append(
                f"{tariff.rate.model}: an estimate, counted with {tariff.tokenizer}: "
                f"{tariff.estimate}"
            )
    return said


def headline(cost: Cost, quote: Callable[[str], str]) -> str:
    """The change of the whole in a few words, such as `+1.9 cents on 1,000 calls of gpt-5`.

    `quote` sets a name as the format needs it: whoever changes the configuration can make one up.
    """
    changes = []
    for total in cost.totals:
        tariff = total.tariff
        more = total.after.cost if total.change is None else total.change
        sign = "+" if total.before is not None and more > 0 else ""
        amount = sign + in_words(more, tariff.rate.currency)
        if "$" in amount:  # two of them on a line are a formula to some
            amount = quote(amount)
        estimate = "" if tariff.estimate is None else " (estimate)"
        model = quote(tariff.rate.model)
        changes.append(f"{amount} on {counted(tariff.calls, 'call')} of {model}{estimate}")
    return ", ".join(changes)


def as_json(cost: Cost, shown: int | None = None) -> dict[str, Any]:
    """The bills for programs: amounts are exact and stand as strings."""
    return {
        "calls": cost.plan.calls,
        "models": [
            {
                **_tariff_json(total.tariff),
                "files": [
                    {"path": entry.path, **_bill_json(entry.bills[at])}
                    for entry in cost.entries[:shown]
                ],
                "total": _bill_json(total),
            }
            for at, total in enumerate(cost.totals)
        ],
    }


def _tariff_json(tariff: Tariff) -> dict[str, Any]:
    rate = tariff.rate
    return {
        "model": rate.model,
        "priced_as": rate.priced_as,
        "currency": rate.currency,
        "input": _tiered_json(rate.input),
        "cached_input": None if rate.cached is None else _tiered_json(rate.cached),
        "source": rate.source,
        "since": rate.since,
        "context_window": rate.context,
        "tokenizer": tariff.tokenizer,
        "estimate": tariff.estimate,
        "notes": list(rate.notes),
    }


def _tiered_json(price: Tiered) -> dict[str, Any]:
    return {
        "per_million": plain(price.base),
        "steps": [{"above": start, "per_million": plain(each)} for start, each in price.steps],
    }


def _bill_json(bill: Bill) -> dict[str, Any]:
    return {
        "before": None if bill.before is None else _side_json(bill.before),
        "after": _side_json(bill.after),
        "change": _plain(bill.change),
    }


def _side_json(side: Side) -> dict[str, Any]:
    return {
        "tokens": side.tokens,
        "cost": plain(side.cost),
        "cached_cost": _plain(side.cached),
        "context_share": side.share,
    }


def _plain(amount: Decimal | None) -> str | None:
    return None if amount is None else plain(amount)


def _padded(cell: str, size: int, *, right: bool) -> str:
    blank = " " * (size - width(cell))
    return blank + cell if right else cell + blank
