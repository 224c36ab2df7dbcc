"""NFC and NFD in linear time, whatever the text.

`unicodedata.normalize` puts the marks after a letter in order by exchanging neighbours, which takes
quadratic time: a megabyte of two marks in turn, which nobody writes but an attacker, takes hours.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import regex

_LONG = 100
"Marks in a row that are put in order here; no real text has so many."


def normalized(form: Literal["NFC", "NFD"], text: str) -> str:
    """What `unicodedata.normalize` gives, to the letter."""
    if len(text) > _LONG and not text.isascii() and not unicodedata.is_normalized(form, text):
        text = _long_runs().sub(lambda run: _in_order(run[0]), text)
    return unicodedata.normalize(form, text)


def _in_order(marks: str) -> str:
    """Marks decomposed and in canonical order: sorted by class, those of a class as they stood."""
    alone = "".join(unicodedata.normalize("NFD", mark) for mark in marks)
    runs = groupby(alone, lambda mark: unicodedata.combining(mark) > 0)
    return "".join(
        "".join(sorted(run, key=unicodedata.combining) if may_move else run)
        for may_move, run in runs
    )


@cache
def _long_runs() -> regex.Pattern[str]:
    import regex

    return regex.compile(rf"\p{{M}}{{{_LONG},}}+")
