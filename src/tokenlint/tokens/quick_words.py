"""Words of ASCII text, counted without asking for the properties of any character."""

from __future__ import annotations

WORTH_IT = 20_000
"Characters, in one text or in many, from which long texts and short ones are counted in bits."


def _kind(char: str) -> str:
    if char.isalpha():
        return "l"
    return "n" if char.isdigit() else "a" if char == "'" else "o"


_KINDS = "".join(_kind(chr(byte)) for byte in range(128)).ljust(256, "o").encode()


def ascii_words(text: str) -> int:
    """The words of ASCII text: runs of letters and digits, which an apostrophe may join."""
    # One letter for the kind of each character, behind two others, so that every start is seen.
    kinds = b"oo" + text.encode("ascii").translate(_KINDS)
    return sum(map(kinds.count, (b"ol", b"on", b"an", b"oal", b"aal")))


def ascii_letters(text: str) -> int:
    """The ASCII letters of a text."""
    return len(text.encode("ascii", "ignore").translate(None, _NO_LETTERS))


_NO_LETTERS = bytes(byte for byte in range(128) if not chr(byte).isalpha())

_met = 0  # characters so far


def is_worth_it(text: str) -> bool:
    """Whether enough characters were met, in a text or before it."""
    global _met
    _met += len(text)
    return _met >= WORTH_IT
