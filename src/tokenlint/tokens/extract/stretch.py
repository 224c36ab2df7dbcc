"""The part of a document that a parser reads, and sentences about places in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.errors import ExtractError
from tokenlint.frozen import frozen
from tokenlint.tokens.extract.path import shown

if TYPE_CHECKING:
    from tokenlint.tokens.document import Document


@frozen
class Stretch:
    """A part of a document; offsets into its text are `start` less than those of the document."""

    document: Document
    start: int
    end: int

    @property
    def text(self) -> str:
        """What stands there."""
        return self.document.text[self.start : self.end]

    def line(self, at: int) -> int:
        """The line of the document on which an offset into this stretch stands."""
        return self.document.location(self.start + at).row

    def error(self, at: int, sentence: str) -> ExtractError:
        """An error about a place in this stretch: the line comes first."""
        return ExtractError(f"line {self.line(at)}: {sentence}")

    def twice(self, key: str, at: int, first: int) -> ExtractError:
        """An error about a key that stands twice: parsers disagree on which of the two counts."""
        return self.error(
            at,
            f"the key {shown(key)} stands here a second time (first on line "
            f"{self.line(first)}); remove or rename one",
        )
