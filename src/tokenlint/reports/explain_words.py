"""What reports say about a cut in words."""

from __future__ import annotations

import unicodedata
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Final

from tokenlint.reports.explain_visible import visible
from tokenlint.reports.printable import printable
from tokenlint.tokens.cutting import split_characters
from tokenlint.wording import counted as plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenlint.reports.explain_visible import Marks
    from tokenlint.tokens.chat import Request
    from tokenlint.tokens.cutting import Cut
    from tokenlint.tokens.explanation import Explained, Explanation
    from tokenlint.tokens.words import Words


MOST_REMARKS: Final = 10
"Lines of one kind below the pieces; how many more there are is told."


def size(explanation: Explanation) -> str:
    """What the text is, before anybody cuts it."""
    words, text = explanation.words, explanation.text
    parts = ((len(text), "character"), (explanation.bytes, "byte"), (words.count, words.unit))
    return f"{printable(explanation.label)}: " + ", ".join(plural(*part) for part in parts)


def per_word(tokens: int, words: Words) -> float | None:
    """Tokens for each word, where there are words."""
    return tokens / words.count if words.count else None


def counted(explained: Explained, words: Words) -> str:
    """A tokenizer and its count."""
    cut, request = explained.cut, explained.request
    if request is not None:
        parts = f"{request.content:,} of content, {request.frame:,} of frame"
        total = plural(request.total, "token")
        return f"{printable(cut.tokenizer)}: {total}, {parts} ({printable(explained.frame)})"
    fertility = per_word(cut.total, words)
    tail = "" if fertility is None else f", {fertility:.2f} per {words.unit}"
    return f"{printable(cut.tokenizer)}: {plural(cut.total, 'token')}{tail}"


def left_out(number: int) -> str:
    """What a bounded report does not show."""
    return f"... and {plural(number, 'more token')} (--lines 3-7 shows those of some lines)"


def by_turn(request: Request) -> list[tuple[str, str, str]]:
    """The turns of a request in columns, with a header."""
    lines = [("turn", "content", "frame")]
    for turn in request.turns:
        frame = "-" if turn.frame is None else f"{turn.frame:,}"
        lines.append((printable(turn.role), f"{turn.content:,}", frame))
    return lines


def of_controls(cut: Cut) -> Iterator[str]:
    """The control tokens that the contents of a request become."""
    written = (token.special for token in cut.tokens if token.content and token.special)
    times = Counter((one.string, one.id) for one in written if one.control)
    for (string, id_), number in times.items():
        often = f", {number:,} times" if number > 1 else ""
        yield f'"{string}" in a content becomes the control token {id_}{often}'


def told(explained: Explained) -> Iterator[str]:
    """That the pieces are not those of the text as it was written."""
    name = printable(explained.cut.tokenizer)
    if explained.request is not None and not explained.cut.tokens:
        yield "There are only numbers to show: which tokens are sent is not known."
    if any(token.content is None for token in explained.cut.tokens[:1]):
        yield "Which tokens are content is not known: the template depends on what it is given."
    if explained.changed:
        yield f"{name} normalises the text before it is cut: the pieces are those of its own form."


def some(lines: Iterable[str]) -> Iterator[str]:
    """The first lines, and how many more there are."""
    found = iter(lines)
    yield from islice(found, MOST_REMARKS)
    if more := sum(1 for _ in found):
        yield f"... and {more:,} more like these"


def of_characters(cut: Cut, marks: Marks) -> Iterator[str]:
    """The characters that several tokens share, and the bytes that each token has of them."""
    times = Counter((split.character, split.parts) for split in split_characters(cut))
    for (character, parts), number in times.items():
        shared = " + ".join(visible(part, marks) for part in parts)
        shown = visible(character.encode(), marks)
        often = f" ({number:,} times)" if number > 1 else ""
        name = unicodedata.name(character, "")
        yield f"{shared} is {shown} U+{ord(character):04X} {name}".rstrip() + often


def of_special(cut: Cut) -> Iterator[str]:
    """Each special-token string that the text spells, with what it is and what it could be."""
    times = Counter((one.string, one.id) for one in cut.specials)
    for (string, id_), number in times.items():
        first = next(one for one in cut.specials if one.string == string)
        tokens = sum(token.special is first for token in cut.tokens)
        often = f", {number:,} times" if number > 1 else ""
        cost = f": {plural(tokens, 'token')}" if tokens else ""  # it may stand after what is shown
        yield f'"{string}" is text here{often}{cost}; as a control token it would be {id_}'


def in_forms(explained: Explained) -> str:
    """What composing a decomposed text would change."""
    forms, total = explained.forms, explained.cut.total
    if forms is None:
        return ""
    change = forms.nfc - total
    if change == 0:
        saved = "no difference"
    else:
        saved = f"{change:+,}" + (f", {100 * change / total:+.1f} %" if total else "")
    return (
        f"Not in NFC: {plural(total, 'token')} as written, {forms.nfc:,} in NFC ({saved}), "
        f"{forms.nfd:,} in NFD"
    )
