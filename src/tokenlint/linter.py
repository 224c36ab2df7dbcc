"""Ask each rule about a document, and sort the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenlint.errors import TokenlintError
from tokenlint.suppress import unsuppressed
from tokenlint.tokens import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenlint.rules import Context, Finding, Rule
    from tokenlint.tokens import Document


@dataclass(frozen=True)
class Linted:
    """The findings in one file, and what kept a rule from looking."""

    findings: tuple[Finding, ...]
    problems: tuple[str, ...] = ()


def lint(
    document: Document | Unreadable,
    rules: Iterable[Rule],
    context: Context,
    *,
    directives: bool = True,
) -> Linted:
    """What the rules find in a document, in order of place; directives hold unless told not to."""
    if isinstance(document, Unreadable):
        return Linted(tuple(_of_unreadable(document, rules)))
    findings: list[Finding] = []
    problems: list[str] = []
    for rule in rules:
        if rule.check is None:
            continue
        try:
            findings += rule.check(document, context)
        except TokenlintError as error:
            problems.append(f"{document.path}: {error}")
    kept = unsuppressed(document, findings) if directives else findings
    return Linted(tuple(sorted(kept)), tuple(problems))


def _of_unreadable(file: Unreadable, rules: Iterable[Rule]) -> Iterator[Finding]:
    for rule in rules:
        if rule.check_unreadable is not None:
            yield from rule.check_unreadable(file)
