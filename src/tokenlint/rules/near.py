"""What stands beside the suspects of a text: in most places no rule has anything to say there.

A joiner in Persian, a selector behind an emoji and a nukta under its letter are suspects, and
harmless where they stand. The same few surroundings come again and again, in one file and from
file to file, so what was said of one is remembered.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from tokenlint.rules.escapes import read_quickly
from tokenlint.rules.invisibles import BIDI_CONTROLS, hidden
from tokenlint.rules.needed import is_needed
from tokenlint.rules.quick import LONGEST, can_compose, has_marks, is_invisible, suspects_of
from tokenlint.rules.search import search_by_neighbours

if TYPE_CHECKING:
    from tokenlint.rules.base import Context
    from tokenlint.rules.quick import Look
    from tokenlint.rules.touching import Neighbours
    from tokenlint.tokens import Document

_MOST = 50_000  # surroundings that are remembered
_LONGEST = 32  # suspects in a row: what is longer is looked at by the rules
_NEVER = BIDI_CONTROLS | {"\ufffd"}


def calmed(document: Document, look: Look, context: Context) -> Look:
    """A first look without the suspects, and the escapes, that no rule has anything to say of."""
    search = search_by_neighbours(context.control_strings)
    if search is None:
        return look
    if look.has_escapes:
        read = None if context.special_tokens.extra else read_quickly(document)
        if read is None or has_marks(read, LONGEST) or search.may_hold(read):
            return look
        harmless = search.surroundings.are_harmless(read, suspects_of(read))
        return look._replace(has_escapes=False) if harmless else look
    harmless = search.surroundings.are_harmless(document.text, look.suspects)
    return look._replace(suspects=_NONE) if harmless else look


_NONE = frozenset[str]()


class Surroundings:
    """What is known of characters and of what they stand between, for one search."""

    def __init__(self, neighbours: Neighbours) -> None:
        self._neighbours = neighbours
        self._matters: dict[str, bool] = {}
        self._harmless: dict[str, bool] = {}

    def are_harmless(self, text: str, suspects: frozenset[str]) -> bool:
        """Whether no rule finds anything where the suspects of a text stand."""
        return not any(
            self._matter(char) and not self._is_harmless(text, char, suspects) for char in suspects
        )

    def _matter(self, char: str) -> bool:
        known = self._matters.get(char)
        if known is None:
            known = _is_asked_for(char) or any(self._neighbours.changed(char))
            self._matters[char] = known
        return known

    def _is_harmless(self, text: str, char: str, suspects: frozenset[str]) -> bool:
        at = text.find(char)
        while at >= 0:
            near, end = _run_around(text, at, suspects)
            known = self._harmless.get(near)
            if not (self._remembered(near) if known is None else known):
                return False
            at = text.find(char, end)
        return True

    def _remembered(self, near: str) -> bool:
        """The verdict on a run of suspects between two characters, for the next time as well."""
        if len(self._harmless) > _MOST:
            self._harmless.clear()
        self._harmless[near] = verdict = near != "" and self._judge(near)
        return verdict

    def _judge(self, near: str) -> bool:
        """Whether suspects in a row are harmless between the two characters around them."""
        inside = near[1:-1]
        if len(inside) > _LONGEST or not _NEVER.isdisjoint(inside) or hidden().search(inside):
            return False
        if any(map(can_compose, inside)) and (
            unicodedata.combining(near[0]) or not unicodedata.is_normalized("NFC", near)
        ):
            return False
        if self._neighbours.may_touch_undone(near, dict.fromkeys(inside)):
            return False
        return all(is_needed(near, at) for at, char in enumerate(near) if is_invisible(char))


def _run_around(text: str, at: int, suspects: frozenset[str]) -> tuple[str, int]:
    """The run of suspects that a place is in, with the characters around it, and where it ends.

    At an end of the text there is none on one side, and then it comes back empty.
    """
    start, end = at, at + 1
    while text[start - 1 : start] in suspects:
        start -= 1
    while text[end : end + 1] in suspects:
        end += 1
    return (text[start - 1 : end + 1] if start > 0 and end < len(text) else ""), end


@cache
def _is_asked_for(char: str) -> bool:
    """Whether a rule asks for a character as it is, and not for what it stands for."""
    return can_compose(char) or is_invisible(char) or char in _NEVER
