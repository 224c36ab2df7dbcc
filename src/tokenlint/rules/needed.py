"""Whether the text around an invisible character needs it: the exceptions that scripts make."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from tokenlint.rules import unicode_ranges as ranges
from tokenlint.rules.unicode_ranges import char_class, member

if TYPE_CHECKING:
    from collections.abc import Callable

_NEAR = 100  # characters on either side in which right-to-left text counts as beside
_ZWNJ, _ZWJ, _KEYCAP = "\u200c", "\u200d", "\u20e3"
_JOINERS = frozenset((_ZWNJ, _ZWJ))
_BREAKS = frozenset("\u200b\u2060")
_EMOJI_STYLE = frozenset("\ufe0e\ufe0f")
_BETWEEN_EMOJI = frozenset("\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_MONGOLIAN_SELECTORS = frozenset("\u180b\u180c\u180d\u180f")

# More than one joiner in a row is padding or a code, but for what the Unicode standard itself
# writes: joined forms without their ligature, and the old way to write Malayalam chillu letters.
_JOINER_RUNS = frozenset((_ZWNJ, _ZWJ, _ZWJ + _ZWNJ, _ZWJ + _ZWNJ + _ZWJ))


def is_needed(text: str, at: int) -> bool:
    """Whether the invisible character at an offset does there what Unicode gave it to do."""
    near = text[at - 1 : at + 2] if at else ""
    if (known := _VERDICTS.get(near)) is not None:
        return known
    test = _tests().get(text[at])
    verdict = test is not None and test(text, at)
    if len(near) == 3 and text[at] in _BY_NEIGHBOURS and not (_passes(near[0]) or _passes(near[2])):
        if len(_VERDICTS) > _MOST:
            _VERDICTS.clear()
        _VERDICTS[near] = verdict
    return verdict


_MOST = 10_000
_BY_NEIGHBOURS = _JOINERS | _EMOJI_STYLE
_VERDICTS: dict[str, bool] = {}
"""What was said of a character between two others, where nothing further away can matter."""


@cache
def _passes(char: str) -> bool:
    """Whether a test may look past a character at what stands behind it."""
    is_mark = unicodedata.category(char) in ("Mn", "Me")
    return is_mark or char in _JOINERS or char in _BETWEEN_EMOJI


@cache
def _tests() -> dict[str, Callable[[str, int], bool]]:
    table: dict[str, Callable[[str, int], bool]] = {
        "200C-200D": _joiner,
        "200B 2060": _line_break,
        "200E-200F 61C": near_right_to_left,
        "FE0E-FE0F": emoji_style,
        "FE00-FE06": _standardized,
        "E0100-E01EF": _ideographic,
        "34F": _grapheme_joiner,
        "180B-180D 180F": lambda text, at: bool(member(ranges.MONGOLIAN)(text[at - 1 : at])),
        "180E": _vowel_separator,
        "115F": lambda text, at: bool(member("1161-11A7 D7B0-D7C6")(text[at + 1 : at + 2])),
        "1160": _vowel_filler,
        "3164": _beside("3131-3163 3165-318E"),
        "FFA0": _beside("FFA1-FFDC"),
        "17B4-17B5": lambda text, at: bool(member("1780-17B3")(text[at - 1 : at])),
        "1BCA0-1BCA3": _beside("1BC00-1BC9F"),
        "1D173-1D17A": _beside("1D100-1D172 1D17B-1D1FF"),
    }
    return {
        chr(code): test
        for line, test in table.items()
        for first, last in (item.partition("-")[::2] for item in line.split())
        for code in range(int(first, 16), int(last or first, 16) + 1)
    }


def _beside(others: str) -> Callable[[str, int], bool]:
    def test(text: str, at: int) -> bool:
        is_other = member(others)
        return bool(is_other(text[at - 1 : at]) or is_other(text[at + 1 : at + 2]))

    return test


def _joiner(text: str, at: int) -> bool:
    start, end = at, at + 1
    while start and at - start < len(_JOINER_RUNS) and text[start - 1] in _JOINERS:
        start -= 1
    if text[start:end] not in _JOINER_RUNS:
        return False
    while text[end : end + 1] in _JOINERS and end - start < len(_JOINER_RUNS):
        end += 1
    return (
        _in_cursive(text, start, end)
        or _in_indic(text, start, end)
        or (text[start:end] == _ZWJ and _in_emoji(text, start))
    )


def _in_cursive(text: str, start: int, end: int) -> bool:
    """Beside a letter that joins (Joining_Type); U+200C also between a word and its suffix."""
    joins, before = member(ranges.JOINING), _before_marks(text, start)
    if joins(before):
        return True
    if not joins(_after_marks(text, end)):
        return False
    return text[start] == _ZWJ or bool(before and not before.isspace())


def _before_marks(text: str, end: int) -> str:
    """The character before an offset; marks (Joining_Type Transparent) do not count."""
    while end and unicodedata.category(text[end - 1]) in ("Mn", "Me"):
        end -= 1
    return text[end - 1 : end]


def _after_marks(text: str, start: int) -> str:
    while start < len(text) and unicodedata.category(text[start]) in ("Mn", "Me"):
        start += 1
    return text[start : start + 1]


def _in_indic(text: str, start: int, end: int) -> bool:
    """After a virama, before one, or between two Indic characters one of which is a sign."""
    before, after = text[start - 1 : start], text[end : end + 1]
    is_virama, is_indic = member(ranges.VIRAMAS), member(ranges.INDIC)
    if is_virama(before) or is_virama(after):
        return True
    if not (is_indic(before) and is_indic(after)):
        return False
    return _is_mark(before) or _is_mark(after) or bool(member(ranges.CHILLUS)(before))


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Mc")


def _in_emoji(text: str, at: int) -> bool:
    start, is_emoji = at, member(ranges.EMOJI)
    while text[start - 1 : start] in _BETWEEN_EMOJI:
        start -= 1
    return bool(is_emoji(text[start - 1 : start]) and is_emoji(text[at + 1 : at + 2]))


def _line_break(text: str, at: int) -> bool:
    """One chance to break a line, or its prohibition, in a script without spaces."""
    if text[at - 1 : at] in _BREAKS:
        return False
    return _beside(ranges.SPACELESS)(text, at)


def near_right_to_left(text: str, start: int, end: int | None = None) -> bool:
    """Whether a letter of a right-to-left script stands beside a place, outside of it."""
    end = start + 1 if end is None else end
    search = _right_to_left().search
    return bool(search(text, max(0, start - _NEAR), start) or search(text, end, end + _NEAR))


def has_right_to_left(text: str, start: int, end: int) -> bool:
    """Whether a letter of a right-to-left script stands in a stretch of text."""
    return _right_to_left().search(text, start, end) is not None


@cache
def _right_to_left() -> re.Pattern[str]:
    return re.compile(char_class(ranges.RIGHT_TO_LEFT))


def emoji_style(text: str, at: int) -> bool:
    """Whether U+FE0E or U+FE0F at an offset chooses the style of an emoji or a keycap."""
    if text[at] not in _EMOJI_STYLE:
        return False
    base = text[at - 1 : at]
    if base and base in "#*0123456789":
        return text[at + 1 : at + 2] == _KEYCAP
    return bool(member(ranges.EMOJI)(base))


def _standardized(text: str, at: int) -> bool:
    base = text[at - 1 : at]
    return bool(member(ranges.STANDARDIZED)(base) or member(ranges.IDEOGRAPHS)(base))


def _ideographic(text: str, at: int) -> bool:
    return bool(member(ranges.IDEOGRAPHS)(text[at - 1 : at]))


def _grapheme_joiner(text: str, at: int) -> bool:
    """U+034F keeps two marks in their order, or a mark from its letter."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return bool(before and after) and before.isprintable() and unicodedata.combining(after) != 0


def _vowel_separator(text: str, at: int) -> bool:
    is_letter, before = member(ranges.MONGOLIAN), at
    while text[before - 1 : before] in _MONGOLIAN_SELECTORS:
        before -= 1
    return bool(is_letter(text[before - 1 : before]) and is_letter(text[at + 1 : at + 2]))


def _vowel_filler(text: str, at: int) -> bool:
    """U+1160 stands for a missing vowel after an initial or before a final consonant."""
    initial = member("1100-115E A960-A97C")(text[at - 1 : at])
    return bool(initial or member("11A8-11FF D7CB-D7FB")(text[at + 1 : at + 2]))
