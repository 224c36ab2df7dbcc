"""What was probably meant by a word that is unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(word: str, known: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """The known word that is most like another one, or None where none is as like as that."""
    from difflib import get_close_matches  # only a mistake pays for the import

    by_lower = {each.lower(): each for each in known}
    near = get_close_matches(word.lower(), by_lower, n=1, cutoff=likeness)
    return by_lower[near[0]] if near else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The question to append to a sentence about an unknown word; empty where nothing is near."""
    near = nearest(word, known)
    return f"; did you mean {near}?" if near else ""
