r"""Text that is written in characters which no screen shows.

Two alphabets are invisible and complete. Tag characters (U+E0000 to U+E007F) repeat ASCII: a
sentence in them can stand behind any letter of a prompt. The 256 variation selectors stand for
the values of a byte: any text, and any file, fits behind one emoji. Most models read both, which
makes them the usual way to smuggle instructions into a page, an issue or a rules file, and to
carry data out in an answer.

Reported is each run of tag characters, and each run of more than one variation selector. The
message shows what the run spells, in ASCII with escapes, cut after 60 characters.

Not reported: the flags of parts of a country, which are a black flag (U+1F3F4), two to seven tags
that name the region (`gbsct`) and U+E007F; and a single variation selector, which is a matter of
TL401.

The fix removes the run. It is unsafe, because somebody should know what was there and how it got
there before it is gone; it is not offered where a control string would come to life by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Finding, Rule
from tokenlint.rules.invisibles import NO_FIX, hidden_runs, may_hide, removal, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.tokens import Document

_TAGS = 0xE0000
_SELECTORS = 0xFE00
_MORE_SELECTORS = 0xE0100  # VARIATION SELECTOR-17, which stands for byte 16


def check(document: Document, context: Context) -> Iterator[Finding]:
    """One finding for each run, with the text that it spells."""
    for span in hidden_runs(document):
        fix = removal(document.text, span, context)
        message = _message(document.text[slice(*span)]) + ("" if fix else NO_FIX)
        yield RULE.finding(document.path, message, span, fix=fix)


def _message(run: str) -> str:
    tags = ord(run[0]) in range(_TAGS, _TAGS + 0x80)
    spelled = "".join(chr(ord(char) - _TAGS) for char in run) if tags else _from_bytes(run)
    what = "Unicode tag character" if tags else "variation selector"
    number = f"{len(run):,} {what}s decode" if len(run) > 1 else f"1 {what} decodes"
    return f"hidden text: {number} to {shown(spelled)}"


def _from_bytes(run: str) -> str | bytes:
    raw = bytes(map(_byte, run))
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _byte(selector: str) -> int:
    code = ord(selector)
    return code - _MORE_SELECTORS + 16 if code >= _MORE_SELECTORS else code - _SELECTORS


RULE = Rule(
    code="TL403",
    name="hidden-text",
    summary="tag characters or variation selectors that spell text which nobody sees",
    doc=__doc__,
    check=check,
    may_find=lambda document, look, _context: may_hide(document, look),
    asks_for_suspects=True,
    fixable="unsafe",
)
