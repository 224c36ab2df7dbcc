"""Lone surrogates: Python strings can hold them, UTF-8 and the engines cannot."""

from __future__ import annotations


def replace_surrogates(text: str) -> str:
    """The text with surrogate pairs combined and every lone surrogate as U+FFFD."""
    if text.isascii() or is_encodable(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def is_encodable(text: str) -> bool:
    """Whether UTF-8 can hold a text."""
    # Encoding runs at gigabytes a second; a regular expression for surrogates is far slower.
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
