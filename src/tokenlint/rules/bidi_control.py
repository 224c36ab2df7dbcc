r"""A control that makes text show in another order than it is read.

U+202E RIGHT-TO-LEFT OVERRIDE shows `exe.txt` as `txt.exe`; isolates and embeddings can make code
look like a comment and a comment like code ("Trojan Source", CVE-2021-42574). A person approves
what the screen shows, and a model reads what is stored.

Reported are overrides (U+202D, U+202E) always, and embeddings (U+202A, U+202B, U+202C) and
isolates (U+2066 to U+2069) unless they are what a writer of Hebrew, Arabic or Persian uses them
for and cannot mislead anybody. That is so where all of this holds for a pair:

- it is closed on its own line, by the control that belongs to it;
- what stands in it has the direction that the control says: its first letter is right-to-left in
  U+202B and U+2067, and is not in U+202A and U+2066 (U+2068 takes the direction of its content);
- there is right-to-left text in it or among the 100 characters on either side.

Such a pair shows its content in the order that the letters have by themselves. It keeps a Latin
name with its punctuation in place inside a Hebrew sentence, and does nothing else.

The marks U+200E, U+200F and U+061C belong to TL401: they reorder nothing but the punctuation
beside them.

There is no fix: without the control, the text shows in another order than somebody saw when they
approved it, and a person should look at both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Finding, Rule
from tokenlint.rules.invisibles import BIDI_CONTROLS, named, present
from tokenlint.rules.needed import has_right_to_left, near_right_to_left
from tokenlint.rules.unicode_ranges import RIGHT_TO_LEFT, member

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.tokens import Document

_PDF, _PDI, _FSI = "\u202c", "\u2069", "\u2068"
_ISOLATES = frozenset("\u2066\u2067\u2068")
_OVERRIDES = frozenset("\u202d\u202e")
_RIGHT_TO_LEFT = frozenset("\u202b\u2067")
_DEEPEST = 125  # levels that the bidirectional algorithm knows; what lies deeper it ignores

# A paragraph ends what was opened in it.
_STEP = re.compile(r"[\u202a-\u202e\u2066-\u2069]|[\n\r\x1c-\x1e\x85\u2029]")
_LETTER = re.compile(r"[^\W\d_]")

_OPEN = "is not closed on its line"
_ALONE = "closes nothing on its line"


def check(document: Document, _context: Context) -> Iterator[Finding]:
    """One finding for each bidirectional control but those of harmless pairs."""
    if present(document).isdisjoint(BIDI_CONTROLS):
        return
    for at, why in sorted(_reported(document.text)):
        message = f"bidirectional control {named(document.text[at])} {why}"
        yield RULE.finding(document.path, message, (at, at + 1))


@dataclass(eq=False, repr=False)
class _Line:
    """The controls that are open at a place, innermost last, and how many are isolates."""

    text: str
    opened: list[int] = field(default_factory=list)
    isolates: int = 0

    def open(self, at: int) -> None:
        """Note an opening control."""
        self.opened.append(at)
        self.isolates += self.text[at] in _ISOLATES

    def close(self, at: int) -> Iterator[tuple[int, str]]:
        """The findings that a closing control settles."""
        depth = self._depth(at)
        if depth is None:
            yield at, _ALONE
            return
        opener, *unclosed = self.opened[depth:]
        del self.opened[depth:]
        self.isolates -= self.text[at] == _PDI
        yield from ((other, _OPEN) for other in unclosed)
        if why := _wrong(self.text, opener, at, depth):
            yield opener, why
            yield at, f"closes the U+{ord(self.text[opener]):04X} before it"

    def _depth(self, at: int) -> int | None:
        """Where what a control closes stands: U+2069 the last isolate, U+202C what is in it."""
        depth = len(self.opened) - 1
        if self.text[at] == _PDF:
            return depth if self.opened and self.text[self.opened[-1]] not in _ISOLATES else None
        if not self.isolates:
            return None
        while self.text[self.opened[depth]] not in _ISOLATES:
            depth -= 1
        return depth

    def end(self) -> Iterator[tuple[int, str]]:
        """The findings that the end of a line settles."""
        yield from ((opener, _OPEN) for opener in self.opened)
        self.opened, self.isolates = [], 0


def _reported(text: str) -> Iterator[tuple[int, str]]:
    line = _Line(text)
    for match in _STEP.finditer(text):
        at, char = match.start(), match.group()
        if char in (_PDF, _PDI):
            yield from line.close(at)
        elif char in BIDI_CONTROLS:
            line.open(at)
        else:
            yield from line.end()
    yield from line.end()


def _wrong(text: str, opener: int, closer: int, depth: int) -> str | None:
    """Why a pair is reported, if it is."""
    control = text[opener]
    if control in _OVERRIDES:
        return "shows text in another order than it is read"
    if depth >= _DEEPEST:
        return f"is nested deeper than {_DEEPEST} levels, which nothing shows"
    letter = _LETTER.search(text, opener + 1, closer)
    begins = bool(letter and member(RIGHT_TO_LEFT)(letter.group()))
    if control != _FSI and begins != (control in _RIGHT_TO_LEFT):
        return "says another direction than its text has"
    if begins or has_right_to_left(text, opener + 1, closer):
        return None
    near = near_right_to_left(text, opener, closer + 1)
    return None if near else "has no right-to-left text in it or beside it"


RULE = Rule(
    code="TL402",
    name="bidi-control",
    summary="a bidirectional control that can show text in a false order",
    doc=__doc__,
    check=check,
    may_find=lambda _document, look, _context: not look.suspects.isdisjoint(BIDI_CONTROLS),
    asks_for_suspects=True,
)
