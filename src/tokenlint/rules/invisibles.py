"""What the rules about invisible characters share: which are there, their names, their removal."""

from __future__ import annotations

import itertools
import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tokenlint.rules import unicode_ranges as ranges
from tokenlint.rules.base import Context, Edit, Fix
from tokenlint.rules.needed import emoji_style
from tokenlint.rules.quick import is_invisible, look_at, once
from tokenlint.rules.search import find
from tokenlint.rules.unicode_ranges import char_class

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.rules.quick import Look
    from tokenlint.tokens import Document

_AROUND = 100  # characters on either side that may belong to one control string
_LONGEST = 62  # characters that are shown of a text, with the quotes around it
_SHOWN = 3  # names in a message before the others are counted

# Controls have no name in `unicodedata`; these are the aliases that the standard gives them.
_LOW = (
    "NULL|START OF HEADING|START OF TEXT|END OF TEXT|END OF TRANSMISSION|ENQUIRY|ACKNOWLEDGE|ALERT|"
    "BACKSPACE|CHARACTER TABULATION|LINE FEED|LINE TABULATION|FORM FEED|CARRIAGE RETURN|SHIFT OUT|"
    "SHIFT IN|DATA LINK ESCAPE|DEVICE CONTROL ONE|DEVICE CONTROL TWO|DEVICE CONTROL THREE|"
    "DEVICE CONTROL FOUR|NEGATIVE ACKNOWLEDGE|SYNCHRONOUS IDLE|END OF TRANSMISSION BLOCK|CANCEL|"
    "END OF MEDIUM|SUBSTITUTE|ESCAPE|INFORMATION SEPARATOR FOUR|INFORMATION SEPARATOR THREE|"
    "INFORMATION SEPARATOR TWO|INFORMATION SEPARATOR ONE"
)
_HIGH = (
    "DELETE|PADDING CHARACTER|HIGH OCTET PRESET|BREAK PERMITTED HERE|NO BREAK HERE|INDEX|NEXT LINE|"
    "START OF SELECTED AREA|END OF SELECTED AREA|CHARACTER TABULATION SET|"
    "CHARACTER TABULATION WITH JUSTIFICATION|LINE TABULATION SET|PARTIAL LINE FORWARD|"
    "PARTIAL LINE BACKWARD|REVERSE LINE FEED|SINGLE SHIFT TWO|SINGLE SHIFT THREE|"
    "DEVICE CONTROL STRING|PRIVATE USE ONE|PRIVATE USE TWO|SET TRANSMIT STATE|CANCEL CHARACTER|"
    "MESSAGE WAITING|START OF GUARDED AREA|END OF GUARDED AREA|START OF STRING|"
    "SINGLE GRAPHIC CHARACTER INTRODUCER|SINGLE CHARACTER INTRODUCER|CONTROL SEQUENCE INTRODUCER|"
    "STRING TERMINATOR|OPERATING SYSTEM COMMAND|PRIVACY MESSAGE|APPLICATION PROGRAM COMMAND"
)

BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"Embeddings, overrides, isolates and what closes them: the matter of TL402."


def present(document: Document) -> frozenset[str]:
    """The invisible and control characters that a document holds."""
    return frozenset(char for char in look_at(document).suspects if is_invisible(char))


@lru_cache(maxsize=64)
def one_of(chars: frozenset[str]) -> re.Pattern[str]:
    """Any of a few characters: twice as fast as any of all that are invisible."""
    return re.compile(f"[{''.join(map(re.escape, sorted(chars)))}]")


@cache
def invisible() -> re.Pattern[str]:
    """Any character that one of TL401, TL402 and TL403 may report."""
    return re.compile(char_class(ranges.DEFAULT_IGNORABLE, ranges.CONTROLS, ranges.ANNOTATIONS))


@cache
def hidden() -> re.Pattern[str]:
    """Tags or selectors in a row as the group `run`, and the flags that are made of tags."""
    # A flag: a black flag, the tags of a region and a part of it (gbsct), and the closing tag.
    letter, other = "[\U000e0061-\U000e007a]", "[\U000e0030-\U000e0039\U000e0061-\U000e007a]"
    flag = f"\U0001f3f4(?:{letter}{{2}}|[\U000e0030-\U000e0039]{{3}}){other}{{1,4}}\U000e007f"
    tags, selectors = char_class(ranges.TAGS), char_class(ranges.SELECTORS)
    return re.compile(f"{flag}|(?P<run>{tags}+|{selectors}{{2,}})")


@once
def hidden_runs(document: Document) -> tuple[tuple[int, int], ...]:
    """The ranges of tag characters and of variation selectors in a row: what TL403 reports."""
    return tuple(_hidden_runs(document.text)) if may_hide(document, look_at(document)) else ()


def may_hide(document: Document, look: Look) -> bool:
    """Whether there are tags, or two selectors in a row: an emoji has one."""
    hiding = [char for char in look.suspects if char >= "\ufe00" and is_invisible(char)]
    if any(char >= "\U000e0000" for char in hiding):
        return True
    pairs = itertools.product(hiding, hiding)
    return any(f"{first}{second}" in document.text for first, second in pairs)


def _hidden_runs(text: str) -> Iterator[tuple[int, int]]:
    for match in hidden().finditer(text):
        if match["run"]:
            # ❤ + U+FE0F + U+FE0F: the first is right where it stands, and only the rest is not
            start = match.start() + emoji_style(text, match.start())
            if text[start] >= "\U000e0000" or match.end() - start > 1:
                yield start, match.end()


@lru_cache(maxsize=1024)
def named(char: str) -> str:
    """`U+200B ZERO WIDTH SPACE`."""
    return f"U+{ord(char):04X} {_name(char)}"


def _name(char: str) -> str:
    if char < " ":
        return _LOW.split("|")[ord(char)]
    if "\x7f" <= char < "\xa0":
        return _HIGH.split("|")[ord(char) - 0x7F]
    if char == "\ufeff":
        return "BYTE ORDER MARK"  # an alias; its first name is of a use that it lost to U+2060
    return unicodedata.name(char, "(unassigned)")


def listed(chars: str) -> str:
    """The names of the different characters in a text, the first few of them."""
    different = list(dict.fromkeys(chars))
    names = ", ".join(map(named, different[:_SHOWN]))
    more = len(different) - _SHOWN
    return names if more <= 0 else f"{names} and {more} more"


def shown(text: str | bytes) -> str:
    """A text in quotes, as printable ASCII, cut where it is long."""
    quoted = ascii(text)
    return quoted if len(quoted) <= _LONGEST else f"{quoted[:_LONGEST]}..."


def removal(text: str, span: tuple[int, int], context: Context) -> Fix | None:
    """The fix that removes a range, or None where a control string would come to life by it."""
    start, end = span
    before = invisible().sub("", text[max(0, start - _AROUND) : start])
    after = invisible().sub("", text[end : end + _AROUND])
    for first, last, _ in find(before + after, context.control_strings):
        if first < len(before) < last:
            return None
    return Fix(f"Remove {listed(text[start:end])}", (Edit(start, end, ""),), "unsafe")


NO_FIX = "; no fix, because without it the text is a control string"
"What a message adds where `removal` gives none."
