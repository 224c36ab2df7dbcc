"""Exact counts of texts on which tiktoken's split pattern runs out of stack.

That happens on about a million white-space characters in a row. The `regex` module splits such
a text by the same pattern; the pieces then go to tiktoken's own merge, which has no such limit.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.equivalence import _VERIFIED

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tiktoken

COMPARED = {encoding.pattern for encoding in ENCODINGS.values()} | {*_VERIFIED.values()}
"Patterns on which the two engines split alike; somebody's own may mean two things to them."

# All that these patterns ask of one character.
_CLASSES = (
    *(rf"\p{{{name}}}" for name in ("Lu", "Lt", "Ll", "Lm", "Lo", "M", "N", "P", "S")),
    r"\s",
    "(?i:[sdmtlver])",
)


def is_safe(pattern: str, text: str) -> bool:
    """Whether `regex` and tiktoken must split a text alike.

    They know different versions of Unicode, so both are asked for the class of every character.
    """
    if pattern not in COMPARED:
        return False
    if text.isascii():
        return True
    import regex

    characters = "".join(set(text))
    return all(
        "".join(regex.findall(kind, characters)) == _found_by_tiktoken(kind, characters)
        for kind in _CLASSES
    )


def _found_by_tiktoken(kind: str, characters: str) -> str:
    # Every byte is a token here, so the ids are the bytes of what the pattern matched.
    return bytes(_classifier(kind).encode(characters, disallowed_special=())).decode()


@cache
def _classifier(kind: str) -> tiktoken.Encoding:
    from tiktoken import Encoding

    byte_ranks = {bytes([byte]): byte for byte in range(256)}
    return Encoding(kind, pat_str=kind, mergeable_ranks=byte_ranks, special_tokens={})


def split(pattern: str, text: str) -> Iterator[str]:
    """The pieces of a text under a tokenizer's split pattern."""
    import regex

    compiled = regex.compile(pattern, flags=regex.VERSION1)
    for match in compiled.finditer(text):
        yield match.group()
