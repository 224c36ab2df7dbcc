"""A group of files that is over its total.

    [[tool.tokenlint.budgets]]
    files = ["prompts/system/*.md"]
    max-total = 8000

The total is always that of the whole group on disk, whatever files were passed on the command
line or by pre-commit, and files that git ignores do not count. The finding stands at the
configuration file, because no one file is to blame; it names the largest. From `warn-at` on it is
a warning. A file of the group that cannot be read makes the run fail, because the total would be
too small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.rules.base import Finding, Measured, Rule
from tokenlint.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.rules.base import Total


def check_total(total: Total) -> Iterator[Finding]:
    """At most one finding about a group's total."""
    limit, value = total.limit, sum(total.counts.values())
    amount = _amount(len(total.counts), value)
    by = f"({limit.tokenizer}; {limit.origin}); {_largest(total)}"
    about = ("total", limit.origin, *([] if limit.extract is None else [str(limit.extract)]))
    measured = Measured(value, about, limit.tokenizer)
    if limit.is_over(value):
        over = f"{value - limit.maximum:,.0f} over the total budget of {limit.maximum:,.0f}"
        yield RULE.finding(total.path, f"{amount}, {over} {by}", measured=measured)
    elif limit.is_near(value):
        share = f"{int(100 * value / limit.maximum)} % of the total budget of {limit.maximum:,.0f}"
        message = f"{amount}, {share} {by}"
        yield RULE.finding(total.path, message, level="warning", measured=measured)


def _amount(files: int, tokens: int) -> str:
    together = "1 file is" if files == 1 else f"{counted(files, 'file')} together are"
    return f"{together} {counted(tokens, 'token')}"


def _largest(total: Total, most: int = 3) -> str:
    ranked = sorted(total.counts.items(), key=lambda item: (-item[1], item[0]))[:most]
    return "largest: " + ", ".join(f"{path} {count:,}" for path, count in ranked)


RULE = Rule(
    code="TL302",
    name="over-total-budget",
    summary="a group of files over its total budget",
    doc=__doc__,
    check_total=check_total,
)
