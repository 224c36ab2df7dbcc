"""What all files of a comparison come to, and which of them no sum can have."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenlint.commands.diff_reading import LeftOut
from tokenlint.reports.diff_values import Figures

if TYPE_CHECKING:
    from tokenlint.commands.diff_limits import Both
    from tokenlint.reports.diff_values import When
    from tokenlint.tokens import Document


@dataclass
class Total:
    """The sums of files in both states."""

    before: Figures = field(default_factory=Figures)
    after: Figures = field(default_factory=Figures)
    files_before: int = 0
    files_after: int = 0
    files: int = 0

    def add(self, before: Figures | None, after: Figures | None) -> None:
        """Add a file; None where it is not there."""
        self.files += 1
        if before is not None:
            self.before, self.files_before = self.before + before, self.files_before + 1
        if after is not None:
            self.after, self.files_after = self.after + after, self.files_after + 1


def as_text(content: Document | LeftOut | None) -> Document | LeftOut | None:
    """A link or a submodule has no text, so a file that became one is gone."""
    return None if isinstance(content, LeftOut) and content.is_no_file else content


def uncounted_in(both: Both, before: Figures | None, after: Figures | None) -> tuple[When, ...]:
    """The states in which there is a text that could not be counted."""
    states: tuple[tuple[When, Figures | None], ...] = (("before", before), ("after", after))
    return tuple(
        when
        for text, (when, figures) in zip(both, states, strict=True)
        if text is not None and figures is None
    )
