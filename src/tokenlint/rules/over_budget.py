"""A file that is over its budget, or near it.

Budgets stand in the configuration. Where a vendor limits bytes or characters and not tokens,
those can be limited as well:

    [[tool.tokenlint.budgets]]
    files = ["prompts/system/*.md"]
    max-tokens = 1200
    max-bytes = 16000
    max-characters = 12000
    tokenizers = ["o200k_base"]     # default: the tokenizers of the configuration
    warn-at = 0.9                   # the share of a limit from which a warning is given

The whole file is counted, front matter and inline directives included, as plain text: a control
string costs what its characters cost. A leading byte order mark is not counted, and CRLF counts
as LF. A file at its limit is within it. From `warn-at` on, 90 % by default, the finding is a
warning, which does not make the run fail.

Where two budgets limit the same file, one that names the file outright holds before one that
matches it by a wildcard, and of two alike the smaller holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Finding, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.tokens import Document, Limit


def check(document: Document, context: Context) -> Iterator[Finding]:
    """One finding for each limit that the file breaks or nears."""
    for limit in context.limits_for(document.path):
        if limit.quantity != "fertility":
            yield from _judge(document, limit, context)


def _judge(document: Document, limit: Limit, context: Context) -> Iterator[Finding]:
    value = _measure(document, limit, context)
    if value is None:
        return
    if limit.is_over(value):
        over = f"{value - limit.maximum:,.0f} over the budget of {limit.maximum:,.0f}"
        yield RULE.finding(document.path, f"{_amount(value, limit)}, {over} {_by(limit)}")
    elif limit.is_near(value):
        share = f"{int(100 * value / limit.maximum)} % of the budget of {limit.maximum:,.0f}"
        message = f"{_amount(value, limit)}, {share} {_by(limit)}"
        yield RULE.finding(document.path, message, level="warning")


def _measure(document: Document, limit: Limit, context: Context) -> int | None:
    if limit.quantity == "bytes":
        return document.size
    if limit.quantity == "characters":
        return len(context.countable(document))
    return context.count(document, limit.tokenizer)


def _amount(value: float, limit: Limit) -> str:
    unit = limit.quantity if value != 1 else limit.quantity[:-1]
    return f"{value:,.0f} {unit}"


def _by(limit: Limit) -> str:
    return f"({limit.tokenizer}; {limit.origin})" if limit.tokenizer else f"({limit.origin})"


RULE = Rule(
    code="TL301",
    name="over-budget",
    summary="a file over its budget of tokens, bytes or characters, or near it",
    doc=__doc__,
    check=check,
)
