r"""A string that becomes decomposed text once its escapes are read.

`"cafe\u0301"` in a JSON file is plain ASCII, so nothing that looks at the file's characters sees
decomposed text. The program that reads the file gets `cafe` and a combining accent, and pays for
it as described in TL101: a different string than `café`, with more tokens. Most often a program
wrote the file from decomposed text, with escapes for everything that is not ASCII.

Escapes are read in JSON (.json .jsonl .ndjson .ipynb .jsonc .json5 .geojson .webmanifest), in
double-quoted strings of YAML, and in basic strings of TOML. Each sequence that NFC composes and
that holds an escape is one finding:

    "cafe\u0301"            a letter and an escaped mark
    "caf\u0065\u0301"       both escaped
    "\u1112\u1161\u11ab"    Hangul jamo

Not found: raw decomposed text, which is TL101 in these files too; marks that no composed
character takes; and escapes in source code or Markdown, which are no text yet.

There is no fix: it would have to choose between the composed character and its escape. Write the
file again from text in NFC.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Finding, Rule
from tokenlint.rules.escapes import reading, shown, unescaped
from tokenlint.rules.nfc import Change, changes, code_points
from tokenlint.rules.views import is_free
from tokenlint.tokens.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(document: Document, _context: Context) -> Iterator[Finding]:
    """One finding for each sequence that composes and that holds an escape."""
    view = unescaped(document)
    if view is None or view.text.isascii():
        return
    composed = [one for one in changes(Document("", view.text)) if one.kind == "decomposed"]
    origins = view.origins((one.start, one.end) for one in composed)
    escaped = [pair for pair in zip(composed, origins, strict=True) if pair[1].touched]
    if not escaped:
        return
    raw = [(one.start, one.end) for one in changes(document) if one.kind == "decomposed"]
    for change, origin in escaped:
        span = (origin.start, origin.stop)
        if is_free(span, raw):
            written = document.text[origin.start : origin.stop]
            message = f"decomposed text {reading(document.path)}: {_what(change, written)}"
            yield RULE.finding(document.path, message, span)


def _what(change: Change, written: str) -> str:
    if change.is_too_long:
        return f"{len(change.found):,} characters in a run that is not NFC"
    became = code_points(change.nfc)
    if len(change.nfc) == 1:
        became += f" {unicodedata.name(change.nfc)}"
    return f'"{shown(written)}" is {became} in NFC'


RULE = Rule(
    code="TL104",
    name="decomposed-escape",
    summary="a string that is decomposed (NFD) once its escapes are read",
    doc=__doc__,
    check=check,
)
