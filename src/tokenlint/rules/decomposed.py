"""Text that is written decomposed (NFD) and looks the same as the composed form (NFC).

`ệ` can be one character, U+1EC7, or three: `e`, a dot below and a circumflex. Both look alike,
but they are different strings, and a tokenizer that does not normalise cuts the second into two
to three times the tokens. Decomposed text comes from macOS file names, from PDF files, and from
some keyboards and converters; search, comparison and caching fail on it as well.

Each sequence that NFC composes, or composes otherwise, is one finding with its code points:
Latin and Vietnamese letters with marks, Hangul jamo, Indic vowels of two parts.

Flagged:

    cafe + U+0301           becomes café with U+00E9
    o + U+031B + U+0323     becomes ợ, U+1EE3: one finding for both marks

Not flagged: marks that no composed character takes (Yoruba, Igbo, IPA, tone marks on ɛ), the
nukta letters of Devanagari and Bengali that NFC itself writes with two characters, emoji
sequences, and escapes such as `\\u0301` in source code. What else NFC changes is TL102.

The fix writes the NFC form of the reported sequences and leaves every other byte as it is. It is
safe, but for two cases that are only reported: a base that is ASCII punctuation (`>` + U+0338
becomes `≯`), because it may close a tag or a marker, and a base that is part of an escape (the `n`
of `\\n` in JSON).

NFC does not always cost less: the summary of the report gives the difference in tokens, with its
sign, for the configured tokenizers. Tokenizers that apply NFC themselves (Qwen) show none.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from string import punctuation
from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Edit, Finding, Fix, Rule
from tokenlint.rules.nfc import Change, changes, code_points, may_compose
from tokenlint.rules.quick import can_compose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.rules.quick import Look
    from tokenlint.tokens import Document


def may_find(document: Document, look: Look, _context: Context) -> bool:
    return look.has_long_run or may_compose(document.text, filter(can_compose, look.suspects))


def check(document: Document, _context: Context) -> Iterator[Finding]:
    """One finding for each sequence that NFC composes or recomposes."""
    for change in changes(document):
        if change.kind == "decomposed":
            span = (change.start, change.end)
            fix = None if _ends_an_escape(document.text, change.start) else _fix(change)
            yield RULE.finding(document.path, _message(change), span, fix=fix)


def _message(change: Change) -> str:
    if change.is_too_long:
        return f"decomposed text: {len(change.found):,} characters in a run that is not NFC"
    return _composing(change.found, change.nfc)


@lru_cache(maxsize=2048)
def _composing(found: str, nfc: str) -> str:
    became = code_points(nfc)
    if len(nfc) == 1:
        became += f" {unicodedata.name(nfc)}"
    return f"decomposed text: {code_points(found)} is {became} in NFC"


_ESCAPE = re.compile(r"\\(?:x[0-9a-f]?|u[0-9a-f]{0,3}|U[0-9a-f]{0,7})?\Z", re.IGNORECASE)


def _ends_an_escape(text: str, start: int) -> bool:
    r"""Whether the base belongs to an escape: of `\n` and a mark, NFC would make `\ñ`."""
    near = max(0, start - 9)
    return text.find("\\", near, start) >= 0 and _ESCAPE.search(text, near, start) is not None


def _fix(change: Change) -> Fix | None:
    if change.is_too_long or change.found[0] in punctuation:
        return None
    edit = Edit(change.start, change.end, change.nfc)
    return Fix(_writing(change.nfc), (edit,))


@lru_cache(maxsize=2048)
def _writing(nfc: str) -> str:
    return f"Write {code_points(nfc)}"


RULE = Rule(
    code="TL101",
    name="decomposed",
    summary="decomposed (NFD) text that looks like NFC and costs more tokens",
    doc=__doc__,
    check=check,
    may_find=may_find,
    asks_for_suspects=True,
    fixable="safe",
)
