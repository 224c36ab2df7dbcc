"""What a command has to say, before anybody says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.asked import CLEAN
from tokenlint.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@frozen
class Report:
    """Lines that go to standard output, or to a file, which is written whole or not at all.

    With `append` the file is added to and not replaced. `raw` is text that is no list of lines,
    such as a diff or a mended file, and is written as it is.
    """

    lines: Iterable[str] = ()
    file: Path | None = None
    append: bool = False
    raw: str | None = None


@frozen
class Answer:
    """The reports of a command, its exit code, and what is said on stderr around the reports."""

    code: int = CLEAN
    reports: tuple[Report, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def notes_and_errors(notes: Iterable[str], problems: Iterable[str]) -> tuple[str, ...]:
    """What stands on stderr before a report; the same sentence is said once."""
    return (
        *(f"note: {note}" for note in dict.fromkeys(notes)),
        *(f"error: {problem}" for problem in dict.fromkeys(problems)),
    )
