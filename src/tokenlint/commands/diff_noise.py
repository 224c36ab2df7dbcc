"""A text without what costs tokens and says nothing: decomposed letters, invisible characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tokenlint import fix
from tokenlint.rules import hidden_text, invisible_character
from tokenlint.rules.nfc import changes
from tokenlint.tokens import Document

if TYPE_CHECKING:
    from tokenlint.rules import Context


class Cleaned(NamedTuple):
    """A text once its decomposed sequences are composed, and once all noise is gone."""

    composed: str
    clean: str


def cleaned(text: str, context: Context) -> Cleaned:
    """A text without noise, as the rules judge it.

    Decomposed is what TL101 reports. The rest of NFC (TL102), the invisible characters that TL401
    and TL403 would take out, CR and a byte order mark are the other noise, where they are counted.
    """
    composed = in_nfc(text, "decomposed")
    clean = in_nfc(composed).removeprefix("\ufeff")
    if "\r" in clean:
        clean = clean.replace("\r\n", "\n").replace("\r", "\n")
    for rule in (invisible_character, hidden_text):
        document = Document("", clean)
        clean = fix.apply(clean, rule.check(document, context))
    return Cleaned(composed, clean)


def in_nfc(text: str, kind: str | None = None) -> str:
    """The text composed, all of it or the changes of one kind.

    Not by `unicodedata.normalize` at once: a long run of marks would take it quadratic time.
    """
    parts, at = [], 0
    for change in changes(Document("", text)):
        if kind in (None, change.kind):
            parts += [text[at : change.start], change.nfc]
            at = change.end
    return "".join([*parts, text[at:]])
