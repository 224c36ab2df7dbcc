"""One regular expression for many strings, which stays fast however many they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def any_of(strings: Sequence[str]) -> re.Pattern[str]:
    """A regular expression for the leftmost of some strings, and there the longest."""
    return re.compile(_branches(strings) or r"(?!)")


def _branches(strings: Sequence[str]) -> str:
    """A regular expression for the longest of some strings that decides letter by letter."""
    if len(strings) == 1:
        return re.escape(strings[0])
    rest: dict[str, list[str]] = {}
    for string in dict.fromkeys(strings):
        rest.setdefault(string[:1], []).append(string[1:])
    optional = rest.pop("", None) is not None
    choices = [re.escape(first) + _branches(more) for first, more in rest.items()]
    if len(choices) <= 1 and not optional:
        return "".join(choices)
    return f"(?:{'|'.join(choices)}){'?' if optional else ''}" if choices else ""
