"""The forms of a text: as it is, composed (NFC), decomposed (NFD), and plain.

*Plain* is without diacritics: the text in NFD, without the marks that stand above, below or
through a letter, with đ written d and Đ written D, in NFC. What goes is told by the canonical
combining class of a mark (Unicode, section 4.3), and only where a letter bears it:

- Vietnamese, Latin, Greek, Cyrillic: accents, tone marks, hooks and horns go (ệ is e, ё is е,
  й is и). Letters that are one code point in NFD too stay, apart from đ: ø, ł, ħ, ı.
- Arabic: tashkeel goes (vowel signs, tanween, shadda, sukun, the small alef), and so do the hamza
  and madda of composed letters (أ and آ are ا). Dots are part of a letter and stay.
- Hebrew and Syriac: points go. Hangul comes back composed, because its letters are no marks.
- Devanagari, Bengali, Tamil and their relatives, Thai, Lao, Khmer, Burmese, Tibetan: vowel signs,
  virama, nukta and tone marks stay, because without them other words would stand there.
- Japanese: the voicing marks stay (が is no か).
- Other scripts whose marks stand above or below (N'Ko, Adlam, Ethiopic) lose them.
- Symbols keep their marks: ≠ does not become =, and a keycap stays an emoji.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args

from tokenlint.tokens.canonical import normalized

if TYPE_CHECKING:
    import regex

Form = Literal["as-is", "nfc", "nfd", "plain"]

FORMS: tuple[Form, ...] = get_args(Form)
"Every form, in the order of reports."

# Classes between these are nukta (7), kana voicing (8), virama (9), and the vowel signs, length
# marks and tone marks of Indic and South-East Asian scripts (84 to 132): parts of a word.
_OVERLAY, _POINTS, _ATTACHED = 1, range(10, 37), 200


def in_form(text: str, form: Form) -> str:
    """A text in one of its forms."""
    if text.isascii() or form == "as-is":
        return text
    if form == "plain":
        return plain(text)
    return normalized("NFC" if form == "nfc" else "NFD", text)


def plain(text: str) -> str:
    """A text without diacritics; see the module for what that means in each script."""
    bare = _letter_with_marks().sub(
        lambda match: "".join(char for char in match.group() if not _goes(char)),
        normalized("NFD", text),
    )
    return normalized("NFC", bare.translate({0x111: "d", 0x110: "D"}))


def _goes(char: str) -> bool:
    place = unicodedata.combining(char)
    return place == _OVERLAY or place in _POINTS or place >= _ATTACHED


@cache
def _letter_with_marks() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"\p{L}\p{M}+")
