"""A first look at a document that rules most rules out: most files have nothing for most of them.

One pass finds every character that any rule asks for, and control strings are looked for by how
they begin. A rule that may still find something looks at the whole text, the slow way; what this
look rules out, that way would not find.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from unicodedata import combining

from tokenlint.rules import unicode_ranges as ranges
from tokenlint.rules.unicode_ranges import char_class, member

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenlint.tokens import Document

_About = TypeVar("_About")
_Answer = TypeVar("_Answer")

_CONTROLS = bytes({*range(0x20), 0x7F} - {0x09, 0x0A, 0x0C, 0x0D})
_NO_CONTROLS = bytes({*range(0x80)} - {*_CONTROLS})
_MARKUP = b"<>|[]_~ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # what control strings have more of than texts
_NO_SKELETON = bytes({*range(0x100)} - {*_MARKUP})
_NONE = frozenset[str]()


class Look(NamedTuple):
    """What a document has for rules.

    `suspects` are its characters beyond ASCII that some rule may ask for, and its control
    characters; `has_escapes` says whether its format has escapes, and it a backslash.
    """

    suspects: frozenset[str]
    has_escapes: bool = False
    has_long_run: bool = False


def once(function: Callable[[_About], _Answer]) -> Callable[[_About], _Answer]:
    """Remember the last answer: several rules ask about the same document, one after the other.

    What was asked about is known by its identity, because hashing a text takes as long as a look.
    """
    last: list[tuple[Any, _Answer]] = []

    def remembered(about: _About) -> _Answer:
        for asked, answer in last:  # one at most; read as a pair, because threads may ask too
            if asked is about:
                return answer
        answer = function(about)
        last[:] = [(about, answer)]
        return answer

    return remembered


@once
def look_at(document: Document) -> Look:
    """The first look at a document."""
    text = document.text
    has_escapes = "\\" in text and has_escaped_strings(document.path)
    if text.isascii():
        # Bytes are deleted many times as fast as characters are compared.
        controls = document.raw.translate(None, _NO_CONTROLS)
        return Look(frozenset(controls.decode()) if controls else _NONE, has_escapes)
    return Look(suspects_of(text), has_escapes, has_marks(text, LONGEST))


def has_escaped_strings(path: str) -> bool:
    """Whether a file has strings with escapes, by the suffix of its path."""
    return path.lower().endswith(ESCAPED)


ESCAPED = (
    *(".json", ".jsonl", ".ndjson", ".ipynb", ".webmanifest", ".geojson", ".jsonc", ".json5"),
    *(".yaml", ".yml", ".toml"),
)
"The suffixes of the formats whose escapes are read; escapes.py knows how."


def suspects_of(text: str) -> frozenset[str]:
    """The characters of a text that some rule may ask for."""
    return frozenset(_suspect().findall(text))


def skeleton_of(string: str) -> str:
    """The ASCII punctuation and capitals of a string, as far as control strings have them.

    All else is left out, whatever it is: what a text holds, its skeleton holds the skeleton of.
    """
    return string.encode(errors="surrogatepass").translate(None, _NO_SKELETON).decode()


@cache
def _suspect() -> re.Pattern[str]:
    """A character that some rule may ask for.

    It is said as what it is not: common characters are then decided in one step of the engine.
    """
    return re.compile(f"[^{char_class(ranges.COMMON)[1:-1]}]")


LONGEST = 500
"Characters that are normalised as one: Python sorts a run of marks in quadratic time."


def has_marks(text: str, step: int) -> bool:
    """Whether so many marks may stand in a row: then one of them is among every so many."""
    if len(text) < step or not any(map(combining, text[::step])):
        return False
    places = (at for at in range(0, len(text), step) if combining(text[at]))
    return any(all(map(combining, side)) for at in places for side in _sides(text, at))


def _sides(text: str, at: int) -> tuple[str, str]:
    """Some characters before a place and some behind it: of a long run, one side is all marks."""
    return text[max(0, at - _SIDE) : at] or "-", text[at + 1 : at + 1 + _SIDE] or "-"


_SIDE = 8


@cache
def can_compose(char: str) -> bool:
    """Whether NFC can change more than the order of marks because of a character."""
    return member(ranges.NFC_CHANGES)(char) is not None


@cache
def is_invisible(char: str) -> bool:
    """Whether a character is a matter of TL401, TL402 or TL403."""
    kinds = (ranges.DEFAULT_IGNORABLE, ranges.CONTROLS, ranges.ANNOTATIONS)
    return any(member(kind)(char) for kind in kinds)
