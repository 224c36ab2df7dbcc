"""`tokenlint explain` for people: pieces over their ids, and in words what is odd about them."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Final

from tokenlint.frozen import frozen
from tokenlint.reports.explain_visible import Marks, as_named, visible
from tokenlint.reports.explain_words import (
    by_turn,
    counted,
    in_forms,
    left_out,
    of_characters,
    of_controls,
    of_special,
    size,
    some,
    told,
)
from tokenlint.reports.printable import printable, width
from tokenlint.wording import counted as plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenlint.tokens.cutting import Cut, Token
    from tokenlint.tokens.explanation import Explained, Explanation, Pair

_COLORS: Final = {
    "even": "30;106",
    "odd": "30;103",
    "special": "4;30;105",
    "control": "1;97;45",
    "frame": "30;47",
}


@frozen
class View:
    """How pieces are shown; with `raw` they are called as Hugging Face's vocabularies do.

    With `quiet` nothing is said about them.
    """

    marks: Marks = field(default_factory=Marks)
    color: bool = False
    width: int = 80
    raw: bool = False
    quiet: bool = False

    def piece(self, token: Token) -> str:
        """A token as it is shown."""
        if self.raw:
            return as_named(token.printed, self.marks)
        return visible(token.raw, self.marks)


def render(explanations: Sequence[Explanation], view: View) -> Iterator[str]:
    """Every text with every tokenizer, one under another."""
    for number, explanation in enumerate(explanations):
        if number:
            yield ""
        yield size(explanation)
        for explained in explanation.by_tokenizer:
            yield ""
            yield counted(explained, explanation.words)
            yield from _cut(explained, view)


def _cut(explained: Explained, view: View) -> Iterator[str]:
    yield from rows(explained.cut.tokens, view, labels=explained.request is not None)
    if explained.cut.tokens and explained.cut.left_out:
        yield left_out(explained.cut.left_out)
    if not view.quiet:
        yield from _remarks(explained, view)


def _remarks(explained: Explained, view: View) -> Iterator[str]:
    yield from told(explained)
    if explained.request is not None:
        yield from some(map(printable, of_controls(explained.cut)))
        yield from _turns(by_turn(explained.request))
        return
    yield from some(of_characters(explained.cut, view.marks))
    yield from some(map(printable, of_special(explained.cut)))
    yield from _decomposed(explained, view)


def _turns(lines: list[tuple[str, str, str]]) -> Iterator[str]:
    first, second, third = (max(map(width, column)) for column in zip(*lines, strict=True))
    for role, content, frame in lines:
        yield f"  {role}{' ' * (first - width(role))}  {content:>{second}}  {frame:>{third}}"


def rows(tokens: Sequence[Token], view: View, *, labels: bool = False) -> Iterator[str]:
    """Pieces over their ids, in lines; with `labels`, over what each is in a request as well."""
    line: list[tuple[Token, list[str], int]] = []
    used = 0
    for token in tokens:
        cell = [view.piece(token), str(token.id), *[_label(token)][: 1 if labels else 0]]
        columns = max(map(width, cell))
        if line and used + columns + 1 > view.width - 1:
            yield from _line(line, view)
            line, used = [], 0
        line.append((token, cell, columns))
        used += columns + 1
        if b"\n" in token.raw:
            yield from _line(line, view)
            line, used = [], 0
    if line:
        yield from _line(line, view)


def _line(cells: list[tuple[Token, list[str], int]], view: View) -> Iterator[str]:
    separator = " " if view.color else view.marks.separator
    for row in range(len(cells[0][1])):
        parts = []
        for at, (token, cell, columns) in enumerate(cells):
            padding = " " * (columns - width(cell[row]))
            text = _painted(cell[row], token, at, view) if row == 0 else cell[row]
            parts.append(text + padding)
        end = "" if view.color else separator
        yield (separator * (not view.color) + separator.join(parts) + end).rstrip(" ")


def _painted(text: str, token: Token, at: int, view: View) -> str:
    if _is_from_right(token.text or "") and view.marks.encoding.lower().startswith("utf"):
        text += "\u200e"  # or a terminal would show the pieces of the line from right to left
    if not view.color or not text:
        return text
    return f"\x1b[{_COLORS[_kind(token) or ('odd' if at % 2 else 'even')]}m{text}\x1b[0m"


def _is_from_right(text: str) -> bool:
    import unicodedata

    return not text.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL") for c in text)


def _kind(token: Token) -> str:
    if token.special is not None:
        return "control" if token.special.control else "special"
    return "frame" if token.content is False else ""


def _label(token: Token) -> str:
    kind = _kind(token)
    if kind == "control" and token.content:
        return "control!"
    return kind if kind in ("control", "frame") else "content" * bool(token.content)


def _decomposed(explained: Explained, view: View) -> Iterator[str]:
    """The counts in NFC and NFD, and some words side by side."""
    if explained.forms is None:
        return
    yield in_forms(explained)
    pairs = [("as written", "", "in NFC", ""), *(_cells(p, view) for p in explained.forms.words)]
    widths = [max(map(width, column)) for column in zip(*pairs, strict=True)]
    for left, tokens, right, fewer in pairs:
        first = left + " " * (widths[0] - width(left))
        second = right + " " * (widths[2] - width(right))
        yield f"  {first}  {tokens:>{widths[1]}}  {second}  {fewer:>{widths[3]}}".rstrip()
    if explained.forms.words_left_out:
        yield f"  ... and {plural(explained.forms.words_left_out, 'more word')}"


def _cells(pair: Pair, view: View) -> tuple[str, str, str, str]:
    return (*_word(pair.written, view), *_word(pair.composed, view))


def _word(cut: Cut, view: View) -> tuple[str, str]:
    return view.marks.separator.join(map(view.piece, cut.tokens)), str(cut.total)
