"""Exact counts of texts on which tiktoken's split pattern runs out of stack.

That happens on about a million white-space characters in a row. The `regex` module splits such
a text by the same pattern; the pieces then go to tiktoken's own merge, which has no such limit.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_RECLASSIFIED = "\u0295"  # a letter whose case class differs between Unicode versions


def is_safe(text: str) -> bool:
    """Whether `regex` and tiktoken must class every character of a text alike.

    They know different versions of Unicode; characters that this Python already knows have
    kept their class since, except one letter.
    """
    if text.isascii():
        return True
    if _RECLASSIFIED in text:
        return False
    return all(unicodedata.category(char) != "Cn" for char in set(text))


def split(pattern: str, text: str) -> Iterator[str]:
    """The pieces of a text under a tokenizer's split pattern."""
    import regex

    compiled = regex.compile(pattern, flags=regex.VERSION1)
    for match in compiled.finditer(text):
        yield match.group()
