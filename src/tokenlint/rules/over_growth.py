"""A change that adds more tokens than it may.

    [tool.tokenlint.diff]
    max-increase = "5%"             # all files together

    [[tool.tokenlint.budgets]]
    files = ["prompts/system/*.md"]
    max-increase = 50               # each of the files
    max-total-increase = "2%"       # the files together

`tokenlint diff` compares two states of the files and reports this; `tokenlint check` sees only one
state and never does. An increase is a number of tokens or a percentage of what was there before,
and one that is exactly as large is allowed. A percentage says nothing of a file that is new: limit
that by `max-tokens`, or by a number of tokens. A file that was renamed is compared with what it
was under its old name.

Each limit holds for each tokenizer by itself. Where budgets match a file by a wildcard and another
names it outright, only the latter holds. On the command line `--max-increase` takes the place of
the limit for all files together, and `--fail-on-increase` allows no increase at all.

The finding about a group, or about all files, stands at the configuration file; without one, at
the file that grew most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.frozen import frozen
from tokenlint.rules.base import Finding, Rule
from tokenlint.wording import counted, precise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.growth import MaxIncrease


@frozen
class Growth:
    """What a file or a group came to before and after a change, and how much it may grow.

    `files` is the number of files that are meant together; None for one file by itself.
    """

    path: str
    allowed: MaxIncrease
    tokenizer: str
    before: int
    after: int
    origin: str = ""
    files: int | None = None


def check_growth(growth: Growth) -> Iterator[Finding]:
    """At most one finding about a file, or about files together."""
    if growth.allowed.is_over(growth.before, growth.after):
        yield RULE.finding(growth.path, _message(growth))


def _message(growth: Growth) -> str:
    added = growth.after - growth.before
    share = f" ({precise(100 * added / growth.before)} %)" if growth.before else ""
    by = "; ".join(filter(None, (growth.tokenizer, growth.origin)))
    return (
        f"{_who(growth)}{counted(added, 'token')} more than the {growth.before:,} "
        f"before{share}, over the increase of {growth.allowed} that is allowed ({by})"
    )


def _who(growth: Growth) -> str:
    if growth.files is None:
        return ""
    return "1 file has " if growth.files == 1 else f"{counted(growth.files, 'file')} together have "


RULE = Rule(
    code="TL305",
    name="over-growth",
    summary="a change that adds more tokens to a file, a group or all files than it may",
    doc=__doc__,
)
