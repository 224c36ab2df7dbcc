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
from functools import lru_cache
from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Finding, Rule
from tokenlint.rules.escapes import (
    numbered,
    reading,
    shown,
    some_numbered,
    unescaped,
)
from tokenlint.rules.nfc import Change, changes, code_points, composes
from tokenlint.rules.quick import LONGEST, can_compose, has_marks
from tokenlint.rules.views import is_free
from tokenlint.tokens.document import Document

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from tokenlint.rules.quick import Look


def may_find(document: Document, look: Look, _context: Context) -> bool:
    """It takes an escape, and one of the characters that compose, raw or by its number."""
    if not look.has_escapes:
        return False
    escaped = numbered(document)
    if escaped is None:
        return True
    joining = {one: one for one in look.suspects if can_compose(one)}
    joining |= {escape: char for escape, char in escaped.items() if can_compose(char)}
    text = document.text
    return any(_may_join(text, *one, escaped) for one in joining.items()) or _may_be_long(
        document, escaped.values()
    )


def _may_join(text: str, written: str, char: str, escaped: Mapping[str, str]) -> bool:
    """Whether a character that composes may do so with one before it, one of them escaped."""
    at = text.find(written)
    while at >= 0:
        before = text[max(0, at - _ESCAPE) : at]
        # `\\u003c` may be an escape, and it may be a backslash and five letters.
        last = {before[-1:], escaped.get(before[-6:], ""), escaped.get(before, "")}
        if (written != char or "\\" in before) and any(composes(one, char) for one in last):
            return True
        at = text.find(written, at + 1)
    return False


_ESCAPE = 12  # characters of the longest escape


def _may_be_long(document: Document, escaped: Collection[str]) -> bool:
    """Whether marks, some of them escaped, may make a run that is too long to be normalised."""
    if len(document.text) < LONGEST or not any(map(unicodedata.combining, escaped)):
        return False
    half = LONGEST // 2  # of the raw ones, or of the escaped ones, there are so many in a row
    raw = document.raw.translate(None, bytes(range(0x80))).decode(errors="surrogatepass")
    return has_marks(raw, half) or any(
        unicodedata.combining(char) or "\ud800" <= char <= "\udfff"
        for char in some_numbered(document, half)
    )


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
    begins = f"decomposed text {reading(document.path)}: "
    for change, origin in escaped:
        span = (origin.start, origin.stop)
        if is_free(span, raw):
            written = document.text[origin.start : origin.stop]
            yield RULE.finding(document.path, begins + _what(change, written), span)


def _what(change: Change, written: str) -> str:
    if change.is_too_long:
        return f"{len(change.found):,} characters in a run that is not NFC"
    return _composing(written, change.nfc)


@lru_cache(maxsize=1024)
def _composing(written: str, nfc: str) -> str:
    became = code_points(nfc)
    if len(nfc) == 1:
        became += f" {unicodedata.name(nfc)}"
    return f'"{shown(written)}" is {became} in NFC'


RULE = Rule(
    code="TL104",
    name="decomposed-escape",
    summary="a string that is decomposed (NFD) once its escapes are read",
    doc=__doc__,
    check=check,
    may_find=may_find,
)
