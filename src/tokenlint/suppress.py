"""What the user accepted: inline directives and per-file ignores take findings out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.rules.directives import directives

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenlint.rules import Finding
    from tokenlint.rules.directives import Directive
    from tokenlint.tokens import Document


def matches(word: str, code: str, name: str) -> bool:
    """Whether a code, a name or a prefix of a code means a rule."""
    return word in ("ALL", name) or (word.startswith("TL") and code.startswith(word))


def unsuppressed(document: Document, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings that no directive of the document covers."""
    found = list(directives(document))
    for finding in findings:
        if not any(_covers(directive, finding, document) for directive in found):
            yield finding


def _covers(directive: Directive, finding: Finding, document: Document) -> bool:
    if not any(matches(word, finding.code, finding.name) for word, _ in directive.words):
        return False
    if directive.kind == "ignore-file":
        return True
    row = document.location(finding.start).row
    return row == directive.row + (directive.kind == "ignore-next-line")
