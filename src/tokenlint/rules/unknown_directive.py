"""An inline directive that names a rule which does not exist.

`tokenlint: ignore[TL999]` silences nothing, and a typing error in it would go unnoticed for as
long as nobody looks. Codes (`TL201`), names (`special-token`) and prefixes of codes (`TL2`) are
known; anything else in a directive is reported, as a warning. So is a directive without rules in
brackets, and one with another verb, such as `tokenlint: disable[TL201]`: they silence nothing
either.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Finding, Rule
from tokenlint.rules.directives import directives

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.tokens import Document


_OTHER = re.compile(
    r"\btokenlint:[ \t]*(?!(?:ignore|ignore-next-line|ignore-file)[ \t]*\[)"
    r"(?P<verb>[a-z-]{1,40})[ \t]*\["
)


def check(document: Document, context: Context) -> Iterator[Finding]:
    """One warning for each directive, code or name in a directive that nobody knows."""
    if "tokenlint:" not in document.text:
        return
    for match in _OTHER.finditer(document.text):
        message = (
            f"unknown directive {match['verb']!r}: it silences nothing; "
            "write ignore, ignore-next-line or ignore-file"
        )
        yield RULE.finding(document.path, message, match.span("verb"), level="warning")
    for directive in directives(document):
        if not directive.words:
            message = f"{directive.kind} without rules in brackets silences nothing"
            yield RULE.finding(document.path, message, directive.span, level="warning")
        for word, span in directive.words:
            if not context.is_known_rule(word):
                message = f"unknown rule {word!a} in a tokenlint directive: it silences nothing"
                yield RULE.finding(document.path, message, span, level="warning")


RULE = Rule(
    code="TL902",
    name="unknown-directive",
    summary="an inline directive that names a rule which does not exist",
    doc=__doc__,
    check=check,
    may_find=lambda document, _look, _context: "tokenlint:" in document.text,
)
