"""Text that NFC changes without composing anything.

Three kinds, named in the message:

- `singleton`: a character that is another character's twin, such as U+212B ANGSTROM SIGN for
  `Å` or a CJK compatibility ideograph. NFC replaces it, and whatever it told apart is gone.
- `excluded`: a composed character that NFC takes apart, such as U+0958 DEVANAGARI LETTER QA.
  NFC is the longer form there, and can cost more tokens.
- `mark-order`: marks in another order than the canonical one.

The rule is off by default, because dictionaries, e-books and old encodings hold such characters
on purpose. Switch it on with `extend-select = ["TL102"]` where all text must be NFC; then TL101
and TL102 together find nothing exactly where the text is NFC.

Where only some of them matter, name those; a text that must keep its nukta letters but no twins
has

    [tool.tokenlint]
    extend-select = ["TL102"]
    not-nfc = ["singleton", "mark-order"]    # default: all three

The fix writes the NFC form of the reported characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Edit, Finding, Fix, Rule
from tokenlint.rules.nfc import Change, changes, code_points

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.tokens import Document

_WHY = {
    "singleton": "a twin of another character",
    "excluded": "a composed character that NFC writes in parts",
    "mark-order": "marks that are not in canonical order",
}


def check(document: Document, context: Context) -> Iterator[Finding]:
    """One finding for each change of the chosen kinds that NFC makes."""
    for change in changes(document):
        if change.kind in context.not_nfc:
            yield _finding(document.path, change)


def _finding(path: str, change: Change) -> Finding:
    became = code_points(change.nfc)
    message = (
        f"not NFC ({change.kind}): {code_points(change.found)} is {_WHY[change.kind]}; "
        f"NFC writes {became}"
    )
    edit = Edit(change.start, change.end, change.nfc)
    return RULE.finding(
        path, message, (change.start, change.end), fix=Fix(f"Write {became}", (edit,))
    )


RULE = Rule(
    code="TL102",
    name="not-nfc",
    summary="what else NFC changes: singletons, excluded characters, mark order",
    doc=__doc__,
    check=check,
    default=False,
    fixable="safe",
)
