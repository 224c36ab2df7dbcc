r"""Text in which nothing hides: white space as marks, what has no shape of its own as escapes.

Characters are escaped as `\u200b`, bytes that are no whole character as `\xe1`. A backslash of the
text is doubled, and a mark or a separator that stands in the text itself is escaped, so that no
text can look like another.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from tokenlint.frozen import frozen
from tokenlint.reports.printable import printable

if TYPE_CHECKING:
    import re

_NAMED: Final = {"\t": "\\t", "\r": "\\r", "\\": "\\\\"}


@frozen
class Marks:
    """What stands for a space, for a newline, and between pieces; `encoding` is the output's."""

    space: str = "\u00b7"
    newline: str = "\u23ce"
    separator: str = "\u2502"
    encoding: str = "utf-8"


_PLAIN: Final = ("\\s", "\\n", "|")


def marks_for(encoding: str | None) -> Marks:
    """The marks that an output can show: plain ones where its encoding lacks the others."""
    marks = Marks(encoding=encoding or "utf-8")
    try:
        f"{marks.space}{marks.newline}{marks.separator}".encode(marks.encoding)
    except UnicodeEncodeError:
        return Marks(*_PLAIN, marks.encoding)
    return marks


def visible(raw: bytes, marks: Marks) -> str:
    """The bytes of a piece as text."""
    text = _hidden(marks.separator).sub(
        lambda match: _shown(match[0], marks), raw.decode(errors="surrogateescape")
    )
    return _encodable(text, marks.encoding)


def as_named(name: str, marks: Marks) -> str:
    """What a vocabulary calls a piece, in which only the separator could be mistaken."""
    text = printable(name).replace(marks.separator, escaped(marks.separator))
    return _encodable(text, marks.encoding)


def _encodable(text: str, encoding: str) -> str:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(_one_encodable(character, encoding) for character in text)
    return text


def _shown(character: str, marks: Marks) -> str:
    if character == " ":
        return marks.space
    if character == "\n":
        return marks.newline
    return _NAMED.get(character) or escaped(character)


def escaped(character: str) -> str:
    r"""A character as `\u200b`; what stands for a byte that could not be decoded as `\xe1`."""
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _one_encodable(character: str, encoding: str) -> str:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return escaped(character)
    return character


@cache
def _hidden(separator: str) -> re.Pattern[str]:
    """What is not shown as it is; a mark at the beginning would sit on what stands before it."""
    import regex

    hidden = r"\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u00b7\u23ce\\"
    return regex.compile(rf"[{hidden}{regex.escape(separator)}]|^\p{{M}}")  # type: ignore[return-value]
