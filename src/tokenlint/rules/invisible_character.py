r"""An invisible character that nothing around it needs.

Zero-width spaces, joiners, byte order marks and soft hyphens come from web pages, word processors
and PDF files, and from people who hide something. Nobody sees them; a model does. They cut words
into other and more tokens, keep a search from finding them, mark a text so that its copies can be
traced, and hide a control string from a filter (`<|im` + U+200B + `_start|>`).

Reported:

- every character that Unicode calls default-ignorable: U+200B ZERO WIDTH SPACE, U+2060 WORD
  JOINER, U+00AD SOFT HYPHEN, U+FEFF inside the text, Hangul fillers, invisible operators, joiners
  and variation selectors, ... where nothing needs it;
- interlinear annotation, U+FFF9 to U+FFFB;
- control characters other than tab, line feed, carriage return and form feed. An escape begins a
  terminal sequence, which can hide or forge what a person sees; the sequence is reported whole.

Not reported, because Unicode gave them this work:

- U+200C and U+200D beside letters that join (Arabic, Persian, Urdu, Syriac, N'Ko, ...; what
  decides is Joining_Type, not the script), after a virama and beside the vowel signs of Indic
  scripts, and U+200D between two emoji. A second joiner in a row does nothing and is reported;
- variation selectors after a base that takes them: U+FE0E and U+FE0F after an emoji or in a
  keycap, U+FE00 to U+FE06 after symbols and letters with standardized variants, U+E0100 and up
  after an ideograph, Mongolian ones after Mongolian letters;
- U+200B and U+2060 beside Thai, Lao, Khmer, Burmese, Tibetan, Japanese or Chinese, which have no
  spaces at which a line could break;
- U+200E, U+200F and U+061C with a right-to-left letter among the 100 characters on either side;
- U+034F before a mark, Hangul fillers in jamo, and the like for Khmer, Duployan and music;
- a byte order mark at the very start, and spaces that have a width.

What TL402 and TL403 report is not reported again here.

Soft hyphens are reported because no program breaks the lines of a prompt at them, while they cut
words into pieces. Where the same text is also printed, allow them:

    [tool.tokenlint]
    soft-hyphens = "allow"    # default: "report"

The fix removes the characters. It is unsafe, because a character may have been there on purpose,
and is not offered where a control string would come to life by it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Finding, Rule
from tokenlint.rules.invisibles import (
    BIDI_CONTROLS,
    NO_FIX,
    hidden_runs,
    listed,
    one_of,
    present,
    removal,
    shown,
)
from tokenlint.rules.needed import is_needed
from tokenlint.rules.quick import is_invisible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenlint.tokens import Document

_BOM, _ESCAPE, _SOFT_HYPHEN = "\ufeff", "\x1b", "\u00ad"

# ESC [ 31 m, and ESC ] ... with BEL or ESC \ at its end, which ECMA-48 calls CSI and OSC.
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\))?")


def check(document: Document, context: Context) -> Iterator[Finding]:
    """One finding for each invisible character that is not needed, or for each run of them."""
    wanted = frozenset(filter(_is_ours, present(document)))
    if context.soft_hyphens == "allow":
        wanted -= {_SOFT_HYPHEN}
    if not wanted:
        return
    for span in _joined(document.text, _unneeded(document, wanted)):
        fix = removal(document.text, span, context)
        message = _message(document.text[slice(*span)]) + ("" if fix else NO_FIX)
        yield RULE.finding(document.path, message, span, fix=fix)


def _is_ours(char: str) -> bool:
    """Whether a character is a matter of this rule; a tag is part of a flag or of hidden text."""
    return char not in BIDI_CONTROLS and not "\U000e0000" <= char <= "\U000e007f"


def _unneeded(document: Document, wanted: frozenset[str]) -> Iterator[tuple[int, int]]:
    text, end = document.text, 0
    hidden = {at for span in hidden_runs(document) for at in range(*span)}
    for match in one_of(wanted).finditer(text):
        char, at = match.group(), match.start()
        if at < end or at in hidden or is_needed(text, at):
            continue
        if at == 0 and char == _BOM and not document.bom:
            continue  # a text that was decoded elsewhere, with its byte order mark still on
        sequence = _SEQUENCE.match(text, at) if char == _ESCAPE else None
        end = sequence.end() if sequence else at + 1
        yield at, end


def _joined(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Ranges that touch become one; a terminal sequence stays by itself."""
    run: tuple[int, int] | None = None
    for start, end in spans:
        if run and start == run[1] and _ESCAPE not in (text[run[0]], text[start]):
            run = run[0], end
            continue
        if run:
            yield run
        run = start, end
    if run:
        yield run


def _message(found: str) -> str:
    if found[0] == _ESCAPE:
        what = f"control character {listed(_ESCAPE)}"
        return what if len(found) == 1 else f"{what} begins a terminal sequence: {shown(found)}"
    controls = all(unicodedata.category(char) == "Cc" for char in found)
    kind = "control character" if controls else "invisible character"
    number = "" if len(found) == 1 else f"{len(found):,} "
    return f"{number}{kind}{'s:' if number else ''} {listed(found)}"


RULE = Rule(
    code="TL401",
    name="invisible-character",
    summary="an invisible or control character that nothing around it needs",
    doc=__doc__,
    check=check,
    may_find=lambda _document, look, _context: any(map(is_invisible, look.suspects)),
    asks_for_suspects=True,
    fixable="unsafe",
)
