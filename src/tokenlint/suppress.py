"""What the user accepted: inline directives and per-file ignores take findings out."""

from __future__ import annotations

from string import digits
from typing import TYPE_CHECKING

from tokenlint.rules.directives import directives
from tokenlint.rules.trust import is_by_stranger

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenlint.rules import Finding
    from tokenlint.rules.base import Trust
    from tokenlint.rules.directives import Directive
    from tokenlint.tokens import Document


def matches(word: str, code: str, name: str) -> bool:
    """Whether a code, a name or a prefix of a code means a rule; a prefix has all its letters."""
    if word in ("ALL", name):
        return True
    return code.startswith(word) and word.rstrip(digits) == code.rstrip(digits)


def unsuppressed(
    document: Document, findings: Iterable[Finding], trust: Trust | None = None
) -> Iterator[Finding]:
    """The findings that no directive of the document covers, or that none can silence.

    `trust` says who was declared to write the document.
    """
    covering = _by_row(_heeded(document, trust))
    for finding in findings:
        row = document.location(finding.start).row if len(covering) > 1 else 0
        words = covering[None] | covering.get(row, set())
        if finding.firm or not any(matches(word, finding.code, finding.name) for word in words):
            yield finding


def _heeded(document: Document, trust: Trust | None) -> Iterator[Directive]:
    """The directives that hold: what a stranger wrote silences no rule."""
    if trust == "outside":
        return
    for directive in directives(document):
        if trust == "owner" or not is_by_stranger(document, directive.span):
            yield directive


def _by_row(found: Iterable[Directive]) -> dict[int | None, set[str]]:
    """The words of directives by the row that they cover; None stands for the whole file."""
    covering: dict[int | None, set[str]] = {None: set()}
    for directive in found:
        row = None if directive.kind == "ignore-file" else directive.row
        if row is not None and directive.kind == "ignore-next-line":
            row += 1
        covering.setdefault(row, set()).update(word for word, _ in directive.words)
    return covering
