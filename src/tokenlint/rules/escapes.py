r"""The text of a file as its parser would read it: with the escapes of its strings undone.

Which escapes a file has is decided by its suffix alone. In JSON a backslash stands nowhere but in
a string, so escapes are read wherever they stand, and a broken file is no harder than a whole
one. YAML and TOML have strings and comments in which `\u003c` is six characters: see literals.py.
"""

from __future__ import annotations

import os.path
import re
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen
from tokenlint.rules.literals import toml_strings, yaml_strings
from tokenlint.rules.nfc import code_points
from tokenlint.rules.quick import once
from tokenlint.rules.views import Replacement, View, matches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokenlint.tokens import Document

_SHOWN = 40  # characters that a message shows of either end of a long text

_HEX = "[0-9a-fA-F]"
_PAIR = rf"u[dD][89abAB]{_HEX}{{2}}\\u[dD][c-fC-F]{_HEX}{{2}}"
_U4 = rf"u{_HEX}{{4}}"
_U8 = rf"U{_HEX}{{8}}"
_X2 = rf"x{_HEX}{{2}}"
_BREAK = r"\n(?:[ \t]*\r?\n)*[ \t]*"
# Each way begins with a character of its own: so the search skips to it, six times as fast.
_FOLD = "|".join(
    (
        _BREAK,
        rf"\r{_BREAK}",
        rf" (?<![ \t] )[ \t]*\r?{_BREAK}",  # from the first space of a run on only: linear
        rf"\t(?<![ \t]\t)[ \t]*\r?{_BREAK}",
    )
)


class _Meanings(dict[str, str]):
    """What each escape as it is written stands for; those with numbers are worked out once."""

    def __missing__(self, escape: str) -> str:
        self[escape] = meaning = _meaning(escape)
        return meaning


def _meaning(escape: str) -> str:
    if "\n" in escape:  # the end of a line, alone or escaped
        return "" if escape[0] == "\\" else "\n" * (escape.count("\n") - 1) or " "
    if escape[1] not in "uUx":
        return escape[1:]
    code = int(escape[2:6] if escape[1] == "u" else escape[2:], 16)
    if len(escape) == 12:  # two surrogates
        code = 0x10000 + ((code & 0x3FF) << 10) + (int(escape[8:], 16) & 0x3FF)
    return chr(code) if code <= 0x10FFFF else escape


@frozen
class Format:
    """A file format: what an escape looks like in it, what it means, and where it stands."""

    name: str
    escape: str
    meanings: dict[str, str] = field(hash=False)
    strings: Callable[[str], Iterator[tuple[int, int]]] | None = None

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What an escape looks like; compiled for the first file that has this format."""
        return re.compile(self.escape)

    def read(self, text: str) -> str:
        """A text with every escape read."""
        if self.strings is None:
            return self._read(text)
        parts: list[str] = []
        at = 0
        for start, stop in self.strings(text):
            parts += (text[at:start], self._read(text[start:stop]))
            at = stop
        return "".join((*parts, text[at:]))

    def _read(self, string: str) -> str:
        return self.pattern.sub(lambda match: self.meanings[match[0]], string)

    def replacements(self, text: str) -> Iterator[Replacement]:
        """Every escape in a text, in order, and what it means."""
        spans = self.strings(text) if self.strings else ((0, len(text)),)
        for span in spans:
            yield from matches(text, self.pattern, self.meanings.__getitem__, span)


def _format(
    name: str,
    *numbers: str,
    letters: dict[str, str],
    strings: Callable[[str], Iterator[tuple[int, int]]] | None = None,
    unescaped: str = "",
) -> Format:
    names = f"[{re.escape(''.join(letters))}]"
    escape = rf"\\(?:{'|'.join((*numbers, names))}){unescaped and '|' + unescaped}"
    meanings = _Meanings({f"\\{letter}": meaning for letter, meaning in letters.items()})
    return Format(name, escape, meanings, strings)


_COMMON = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}
_SLASH = {"/": "/"}
_JSON = _format("JSON", _PAIR, _U4, letters=_COMMON | _SLASH)
_JSON5 = _format(
    "JSON5", _PAIR, _U4, _X2, r"\r?\n", r"[^\dux\r\n]", letters=_COMMON | {"v": "\v", "0": "\0"}
)
_YAML = _format(
    "YAML", _PAIR, _U4, _U8, _X2, r"\r?\n[ \t]*",
    letters=_COMMON | _SLASH | {
        "0": "\0", "a": "\a", "v": "\v", "e": "\x1b", " ": " ", "\t": "\t",
        "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
    },
    strings=yaml_strings, unescaped=_FOLD,
)  # fmt: skip
_TOML = _format(
    "TOML", _U4, _U8, _X2, r"[ \t]*\r?\n\s*", letters=_COMMON | {"e": "\x1b"}, strings=toml_strings
)
_FORMATS = {
    **dict.fromkeys((".json", ".jsonl", ".ndjson", ".ipynb", ".webmanifest", ".geojson"), _JSON),
    ".jsonc": _JSON,
    ".json5": _JSON5,
    ".yaml": _YAML,
    ".yml": _YAML,
    ".toml": _TOML,
}


def format_of(path: str) -> Format | None:
    """The format whose escapes a file has, by the suffix of its path; None for other files."""
    return _FORMATS.get(os.path.splitext(path)[1].lower())  # noqa: PTH122


@once
def unescaped(document: Document) -> View | None:
    """A document with its escapes read, or None where there is nothing to read."""
    kind, text = format_of(document.path), document.text
    if kind is None or "\\" not in text:
        return None
    read = kind.read(text)
    return None if read == text else View(text, read, lambda: kind.replacements(text))


def read_quickly(document: Document) -> str | None:
    """What a document of JSON in ASCII reads as, or None where only a slower way can tell.

    Python reads its own escapes ten times as fast, and those of JSON are among them.
    """
    text = document.text
    if format_of(document.path) is not _JSON or not text.isascii() or _NOT_PYTHON.search(text):
        return None
    try:
        read = document.raw.decode("unicode_escape")
        return read.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeError:  # half an escape, or half a pair
        return None


_NOT_PYTHON = re.compile(r'\\[^"\\bfnrtu]')
_NUMBER = re.compile(rf"\\(?:{_PAIR}|{_U4})")
_HEX4 = re.compile(f"{_HEX}{{4}}").fullmatch
_ALONE = re.compile(r"(?![dD][89a-fA-F])[0-9a-fA-F]{4}").fullmatch
_ESCAPED = re.compile(r"\\([\s\S])")
_PLAIN = frozenset('"\\/abefnrtv0')  # what stands for a control character, or for itself


@once
def numbered(document: Document) -> dict[str, str] | None:
    """Every escape by number in a document and what it means, or None where that is not sure.

    It is sure for JSON, where every escape is a matter of one character, and for the others where
    no escape is by number.
    """
    kind, text = format_of(document.path), document.text
    if kind is None or "\\" not in text:
        return {}
    if kind is _JSON:
        return {escape: kind.meanings[escape] for escape in _numbers(text)}
    return {} if kind is not _JSON5 and _PLAIN.issuperset(_ESCAPED.findall(text)) else None


def _numbers(text: str) -> Iterable[str]:
    """Every escape by number that is in a text of JSON."""
    codes = {rest[:4] for rest in text.split("\\u")[1:]}  # twice as fast as an expression
    if all(map(_ALONE, codes)):
        return {f"\\u{code}" for code in codes}
    return set(_NUMBER.findall(text))  # surrogates, or no number at all


def some_numbered(document: Document, step: int) -> Iterator[str]:
    """One in so many of the characters that are escaped by number in JSON, half pairs too."""
    for rest in document.text.split("\\u")[1::step]:
        if _HEX4(rest[:4]):
            yield chr(int(rest[:4], 16))


def reads_alone(path: str) -> bool:
    """Whether every escape of a file's format is read by itself, and line ends stay line ends."""
    return format_of(path) is _JSON


def reading(path: str) -> str:
    """How a message names what `unescaped` did."""
    kind = format_of(path)
    return f"once {kind.name} escapes are read" if kind else ""


def shown(written: str) -> str:
    """A text as it is written, in one line of ASCII that is not too long."""
    if len(written) > 2 * _SHOWN:
        return f"{shown(written[:_SHOWN])}...{shown(written[-_SHOWN:])}"
    return "".join(char if " " <= char <= "~" else f"<{code_points(char)}>" for char in written)
