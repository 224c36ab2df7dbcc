"""A first look at a document that rules most rules out: most files have nothing for most of them.

Bytes are deleted many times as fast as characters are compared. So control strings are looked for
in the little that is left of a text once all but their markup is deleted, and one pass finds every
character beyond ASCII that any rule asks for. A rule that may still find something looks at the
whole text, the slow way; what this look rules out, that way would not find.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tokenlint.rules import unicode_ranges as ranges
from tokenlint.rules.unicode_ranges import char_class, member

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenlint.tokens import Document

_About = TypeVar("_About")
_Answer = TypeVar("_Answer")

_MARKUP = b"<>|[]_~ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # what control strings have more of than texts
_CONTROLS = bytes({*range(0x20), 0x7F} - {0x09, 0x0A, 0x0C, 0x0D})
_DULL = bytes({*range(0x80)} - {*_MARKUP, *_CONTROLS})
_NO_SKELETON = bytes({*range(0x100)} - {*_MARKUP})
_NONE = frozenset[str]()


class Look(NamedTuple):
    """What a document has for rules.

    `suspects` are its characters beyond ASCII that some rule may ask for, and its control
    characters; `skeleton` is its ASCII punctuation and capitals as far as control strings have
    them, with all else left out, whatever it is and however it is disguised.
    """

    suspects: frozenset[str]
    skeleton: str
    has_long_run: bool = False


def once(function: Callable[[_About], _Answer]) -> Callable[[_About], _Answer]:
    """Remember the last answer: several rules ask about the same document, one after the other.

    What was asked about is known by its identity, because hashing a text takes as long as a look.
    """
    last: list[Any] = [None, None]

    def remembered(about: _About) -> _Answer:
        if last[0] is not about:
            last[:] = about, function(about)
        answer: _Answer = last[1]
        return answer

    return remembered


@once
def look_at(document: Document) -> Look:
    """The first look at a document."""
    text = document.text
    if not text.isascii():
        skeleton = document.raw.translate(None, _NO_SKELETON).decode()
        return Look(frozenset(_suspect().findall(text)), skeleton, has_marks(text, _RUN))
    left = document.raw.translate(None, _DULL)
    controls = left.translate(None, _MARKUP)
    if not controls:
        return Look(_NONE, left.decode())
    return Look(frozenset(controls.decode()), left.translate(None, _CONTROLS).decode())


def skeleton_of(string: str) -> str:
    """What the skeleton of a text that holds a string holds for it."""
    return string.encode(errors="surrogatepass").translate(None, _NO_SKELETON).decode()


@cache
def _suspect() -> re.Pattern[str]:
    """A character that some rule may ask for.

    It is said as what it is not: common characters are then decided in one step of the engine.
    """
    return re.compile(f"[^{char_class(ranges.COMMON)[1:-1]}]")


_RUN = 500  # marks in a row that are too many to be normalised


def has_marks(text: str, step: int) -> bool:
    """Whether so many marks may stand in a row: then one of them is among every so many."""
    from unicodedata import combining

    return len(text) >= step and any(map(combining, text[::step]))


@cache
def can_compose(char: str) -> bool:
    """Whether NFC can change more than the order of marks because of a character."""
    return member(ranges.NFC_CHANGES)(char) is not None


@cache
def is_invisible(char: str) -> bool:
    """Whether a character is a matter of TL401, TL402 or TL403."""
    kinds = (ranges.DEFAULT_IGNORABLE, ranges.CONTROLS, ranges.ANNOTATIONS)
    return any(member(kind)(char) for kind in kinds)
