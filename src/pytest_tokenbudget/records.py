"""What was judged, as values that travel in test reports from a worker to the controller."""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pytest_tokenbudget.keys import SEEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

Kind = Literal[
    "token_budget",
    "fertility_limit",
    "byte_budget",
    "character_budget",
    "token_budget_total",
    "premium_limit",
]


@dataclass(frozen=True, order=True)
class Record:
    """One value that was held to one limit; `unit` is what the value counts, in the singular.

    `recorded` says that the lock file knows the subject under the name that it has here.
    """

    subject: str
    kind: Kind
    tokenizer: str
    value: float
    maximum: float
    warn_at: float
    tokens: int
    unit: str = "token"
    recorded: bool = True

    @property
    def share(self) -> float:
        """The value as a part of its limit: 1 is all of it."""
        return self.value / self.maximum

    @property
    def is_over(self) -> bool:
        """Whether the limit is broken; a value equal to it is within it."""
        return self.value > self.maximum

    @property
    def is_near(self) -> bool:
        """Whether the limit is kept, but only just."""
        return self.warn_at * self.maximum <= self.value <= self.maximum

    @property
    def percent(self) -> int:
        """The share in whole percent: 100 or less where the limit is kept, more where not."""
        return max(101, round(100 * self.share)) if self.is_over else int(100 * self.share)


def packed(records: Iterable[Record]) -> list[tuple[Any, ...]]:
    """Records as plain values, which any report can carry."""
    return [astuple(record) for record in records]


def unpacked(values: Iterable[Iterable[Any]]) -> list[Record]:
    """The records that were packed."""
    return [Record(*value) for value in values]


def keep(item: pytest.Item) -> list[tuple[Any, ...]]:
    """Take what an item judged, as plain values; into its properties too, where that is wanted.

    Texts that hypothesis makes up differ in every run, so the lock file does not know them.
    """
    seen = item.config.stash[SEEN]
    if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
        seen[:] = [replace(record, recorded=False) for record in seen]
    if item.config.getini("tokenbudget_junit"):
        item.user_properties += [
            (f"token_budget.{record.kind}.{record.subject}.{record.tokenizer}", f"{record.value:g}")
            for record in seen
        ]
    values = packed(seen)
    seen.clear()
    return values
