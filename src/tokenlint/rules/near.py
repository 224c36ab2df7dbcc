"""What stands beside the suspects of a text: in most places no rule has anything to say there.

A joiner in Persian, a selector behind an emoji and a nukta under its letter are suspects, and
harmless where they stand. The same few surroundings come again and again, in one file and from
file to file, so what was said of one is remembered.
"""

from __future__ import annotations

import itertools
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from tokenlint.rules import unicode_ranges as ranges
from tokenlint.rules.escapes import read_quickly
from tokenlint.rules.needed import is_needed
from tokenlint.rules.nfc import LONGEST
from tokenlint.rules.quick import can_compose, has_marks, is_invisible, suspects_of
from tokenlint.rules.search import quick_search
from tokenlint.rules.touching import compatible, is_ignorable
from tokenlint.rules.unicode_ranges import member

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.rules.base import Context
    from tokenlint.rules.quick import Look
    from tokenlint.rules.touching import Neighbours
    from tokenlint.tokens import Document

_MOST = 50_000  # surroundings that are remembered
_LONGEST = 32  # suspects in a row: what is longer is looked at by the rules
_NEVER = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufffd")


def calmed(document: Document, look: Look, context: Context) -> Look:
    """A first look without the suspects, and the escapes, that no rule has anything to say of."""
    chosen = context.control_strings
    if chosen.tokenizers or not all(map(str.isascii, chosen.extra)):
        return look
    search = quick_search(chosen)
    if search.stands_after:
        return look
    if look.has_escapes:
        read = None if chosen.extra else read_quickly(document)
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
            changes = is_ignorable(char) or compatible(char) != char
            known = (changes and self._neighbours.may_hold(char)) or _is_asked_for(char)
            self._matters[char] = known
        return known

    def _is_harmless(self, text: str, char: str, suspects: frozenset[str]) -> bool:
        known, at, end = self._harmless, text.find(char), 0
        while at >= 0:
            if at >= end:
                start, end = at, at + 1
                while text[start - 1 : start] in suspects:
                    start -= 1
                while text[end : end + 1] in suspects:
                    end += 1
                near = text[start - 1 : end + 1] if start else ""
                verdict = known.get(near)
                if verdict is None:
                    verdict = len(near) == end - start + 2 and self._judge(near)
                    if len(known) > _MOST:
                        known.clear()
                    known[near] = verdict
                if not verdict:
                    return False
            at = text.find(char, at + 1)
        return True

    def _judge(self, near: str) -> bool:
        """Whether suspects in a row are harmless between the two characters around them."""
        inside = near[1:-1]
        if len(inside) > _LONGEST or not _NEVER.isdisjoint(inside) or _may_hide(inside):
            return False
        if any(map(can_compose, inside)) and (
            unicodedata.combining(near[0]) or not unicodedata.is_normalized("NFC", near)
        ):
            return False
        invisible = (at for at, char in enumerate(near) if is_invisible(char))
        return all(is_needed(near, at) for at in invisible) and not any(
            self._neighbours.may_touch(near, char, became) for char, became in _undone(inside)
        )


@cache
def _is_asked_for(char: str) -> bool:
    """Whether a rule asks for a character as it is, and not for what it stands for."""
    return can_compose(char) or is_invisible(char) or char in _NEVER


def _may_hide(run: str) -> bool:
    """Whether there are tags in a run, or two selectors side by side."""
    is_selector = [bool(member(ranges.SELECTORS)(char)) for char in run]
    return any("\U000e0000" <= char <= "\U000e007f" for char in run) or any(
        map(all, itertools.pairwise(is_selector))
    )


def _undone(run: str) -> Iterator[tuple[str, str]]:
    """The characters of a run that some step removes or changes, and what then stands there."""
    for char in dict.fromkeys(run):
        if is_ignorable(char):
            yield char, ""
        elif (became := compatible(char)) != char:
            yield char, became
