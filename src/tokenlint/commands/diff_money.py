"""What a change costs, as the reports of a comparison take it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenlint.commands import money_report
from tokenlint.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokenlint.commands.money import Cost


@frozen
class Priced:
    """The bills of a change."""

    cost: Cost

    def headline(self, quote: Callable[[str], str]) -> str:
        """The difference in a few words."""
        return money_report.headline(self.cost, quote)

    def lines(self) -> Iterable[str]:
        """Lines for a terminal."""
        return money_report.as_table(self.cost)

    def markdown(self) -> Iterable[str]:
        """Lines of Markdown."""
        return money_report.as_markdown(self.cost)

    def as_json(self) -> Any:
        """What programs read."""
        return money_report.as_json(self.cost)
