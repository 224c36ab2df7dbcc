"""Which characters the engine of the extra `fast` surely knows as tiktoken does.

The judges are tiktoken, `regex`, Python's own tables, and the tables inside of the engine.
"""

from __future__ import annotations

import struct
import sys
import unicodedata
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import regex

from tokenlint.tokens import long_runs
from tokenlint.tokens.fast_classes import FAR, UNSURE, is_sure

if TYPE_CHECKING:
    from collections.abc import Iterator

needs_extra = pytest.mark.skipif(
    find_spec("toktok") is None,
    reason="the extra fast is not installed: pip install 'pytest-tokenbudget[fast]'",
)

MARKS = r"\p{Lm}\p{Lo}\p{M}"
KINDS = (r"\p{L}", r"\p{N}", r"\s", rf"[\p{{Lu}}\p{{Lt}}{MARKS}]", rf"[\p{{Ll}}{MARKS}]")
"All that the patterns of o200k and cl100k ask of a character; of cl100k the first three."

EVERY = [chr(number) for number in range(sys.maxunicode + 1) if not 0xD800 <= number < 0xE000]
SURE = "".join(char for char in EVERY if is_sure(char))


def numbers(ranges: str) -> Iterator[int]:
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


@pytest.mark.parametrize("ranges", [UNSURE, FAR], ids=["unsure", "far"])
def test_the_lists_are_in_order(ranges: str) -> None:
    listed = list(numbers(ranges))
    assert listed == sorted(set(listed))


@pytest.mark.parametrize(
    "text",
    [
        *("", "plain", "\x00\x1b\x7f", "Ti\u1ebfng Vi\u1ec7t", "e\u0323\u0302", "\u4f60\u597d"),
        *("\u0928\u092e\u0938\u094d\u0924\u0947", "\u20b9 5", "\u1200\u10d0\u0561", "\ufffd\ue000"),
        *("\U0001f469\u200d\U0001f4bb", "\U0001f1fb\U0001f1f3", "\U0001fa77", "\U00020000 a"),
    ],
)
def test_what_is_sure(text: str) -> None:
    assert is_sure(text)


@pytest.mark.parametrize(
    "char",
    [
        *("\u017f", "\u0295", "\u0378", "\u088f", "\u1acf", "\ua7ce", "\uffff"),
        *("\ud800", "\U00010000", "\U0001c000", "\U000323b0", "\U0010ffff"),
    ],
)
def test_one_that_is_not(char: str) -> None:
    for text in (char, f"plain {char}", f"{char} \u1ec7", f"\U0001f600{char}\U0001f600"):
        assert not is_sure(text)


def test_nothing_is_sure_that_python_does_not_know_except_for_emoji() -> None:
    """The oldest Python that this package allows has the tables of Unicode 14."""
    known = {char for char in SURE if unicodedata.category(char) != "Cn"}
    assert all(0x1F300 <= ord(char) <= 0x1FAFF for char in set(SURE) - known)
    assert len(known) > 130_000


@pytest.mark.parametrize("kind", KINDS)
def test_tiktoken_regex_and_python_agree(kind: str) -> None:
    by_tiktoken = long_runs._found_by_tiktoken(kind, SURE)
    assert by_tiktoken == "".join(regex.findall(kind, SURE, regex.VERSION1))
    if kind != r"\s":
        letters = set(regex.findall(r"(?<=p\{)\w+", kind))
        assert by_tiktoken == "".join(
            char for char in SURE if not letters.isdisjoint(names(unicodedata.category(char)))
        )


def names(category: str) -> tuple[str, str]:
    return category[0], category


# --- the tables inside of the engine: of ranges, as numbers of four bytes, behind how many they are

LETTERS = struct.pack("<6I", *map(ord, "AZaz\u00aa\u00aa"))
"What a table of letters begins with."


def tables() -> Iterator[list[set[int]]]:
    inside = Path(import_module("toktok._toktok").__file__ or "").read_bytes()
    at = inside.find(LETTERS)
    while at >= 0:
        yield list(read(inside, at - 4))
        at = inside.find(LETTERS, at + 1)


def read(inside: bytes, at: int) -> Iterator[set[int]]:
    for _ in KINDS:
        (size,) = struct.unpack_from("<I", inside, at)
        if not 0 < size < 5_000:
            return
        bounds = struct.unpack_from(f"<{2 * size}I", inside, at + 4)
        if list(bounds) != sorted(bounds):
            return
        pairs = zip(bounds[::2], bounds[1::2], strict=True)
        yield {number for first, last in pairs for number in range(first, last + 1)}
        at += 4 + 8 * size


@needs_extra
def test_the_tables_inside_of_the_engine_agree() -> None:
    found = list(tables())
    assert {len(table) for table in found} == {3, 5}  # cl100k, and o200k
    judged = [set(map(ord, long_runs._found_by_tiktoken(kind, SURE))) for kind in KINDS]
    sure = set(map(ord, SURE))
    for table in found:
        assert [kind & sure for kind in table] == judged[: len(table)]
