"""U+FFFD, which a decoder writes where it could not read a byte.

The text was damaged before it came here: a file in another encoding was read as UTF-8, or a
character was cut in two. What stood there is gone from this file, the model gets a rare token in
its place, and the word around it is broken. Each run is one finding.

There is no fix, because only the source knows what was lost. Restore the text from it, and read
it there with its own encoding. Where a page is about U+FFFD, write it as an escape, or silence
the line with `tokenlint: ignore[TL404]` in a comment on it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Finding, Rule
from tokenlint.rules.invisibles import named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.tokens import Document

_REPLACEMENT = "\ufffd"
_RUN = re.compile(f"{_REPLACEMENT}+")


def check(document: Document, _context: Context) -> Iterator[Finding]:
    """One finding for each run of U+FFFD."""
    for match in _RUN.finditer(document.text):
        number = len(match.group())
        what = named(_REPLACEMENT) if number == 1 else f"{number:,} x {named(_REPLACEMENT)}"
        message = f"{what}: text was lost here; restore it from its source"
        yield RULE.finding(document.path, message, match.span())


RULE = Rule(
    code="TL404",
    name="replacement-character",
    summary="U+FFFD: the text was already damaged",
    doc=__doc__,
    check=check,
    may_find=lambda _document, look, _context: _REPLACEMENT in look.suspects,
    asks_for_suspects=True,
)
