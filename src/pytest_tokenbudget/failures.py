"""What is told when a limit does not hold: one sentence first, then where the tokens are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenlint.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_tokenbudget.verdicts import Verdict

MOST_SENTENCES = 6
"With the details of the worst that is one screen, however many files are over."


@dataclass(frozen=True)
class Failure:
    """All that went wrong in one test: limits that were broken, and what could not be checked."""

    over: Sequence[Verdict] = ()
    unchecked: Sequence[str] = ()

    def __bool__(self) -> bool:
        """Whether anything went wrong."""
        return bool(self.over or self.unchecked)

    def __add__(self, other: Failure) -> Failure:
        """Both together."""
        return Failure([*self.over, *other.over], [*self.unchecked, *other.unchecked])

    def __str__(self) -> str:
        """A sentence for each, the worst first, and then the details of the worst."""
        worst_first = sorted(self.over, key=lambda over: -over.ratio)
        sentences = [*(over.sentence for over in worst_first), *self.unchecked]
        lines = list(map(printable, sentences[:MOST_SENTENCES]))
        if rest := len(sentences) - len(lines):
            lines.append(f"... and {rest} more")
        for over in worst_first[:1]:
            lines += map(printable, over.details(named=len(sentences) > 1))
        return "\n".join(lines)
