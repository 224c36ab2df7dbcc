"""`tokenlint explain --merges` for people: from bytes to tokens, a line a merge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.reports.explain_visible import as_named, visible
from tokenlint.reports.printable import printable, width
from tokenlint.wording import counted as plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenlint.reports.explain_text import View
    from tokenlint.tokens.merges import Piece, WordMerges


def render(by_tokenizer: Sequence[tuple[str, Sequence[WordMerges]]], view: View) -> Iterator[str]:
    """The merges of each word, with every tokenizer."""
    for number, (name, words) in enumerate(by_tokenizer):
        if number:
            yield ""
        for word in words:
            yield from _word(name, word, view)


def _word(name: str, word: WordMerges, view: View) -> Iterator[str]:
    merges = plural(len(word.steps), "merge")
    whole = visible(word.raw, view.marks)
    made = f"{plural(len(word.raw), 'byte')}, {merges}, {plural(len(word.ids), 'token')}"
    yield f"{printable(name)}, {whole}: {made}"
    lines = [("rank", "merge", "pieces"), ("", "", _joined(word.letters, view))]
    for step in word.steps:
        merge = " + ".join(_piece(piece, view) for piece in (step.left, step.right))
        lines.append((str(step.rank), merge, _joined(step.pieces, view)))
    lines.append(("", "ids", view.marks.separator.join(map(str, word.ids))))
    sizes = [max(width(line[column]) for line in lines) for column in (0, 1)]
    for rank, merge, pieces in lines:
        yield f"  {rank:>{sizes[0]}}  {merge}{' ' * (sizes[1] - width(merge))}  {pieces}"
    if word.whole and len(word.letters) > 1:
        yield f"  {_TAKEN_WHOLE if word.steps else _UNREACHED}"


_TAKEN_WHOLE = "The vocabulary has the word: it is taken at once, and these merges are behind it."
_UNREACHED = "The vocabulary has the word, and it is taken at once: no merges lead to it."


def _joined(pieces: Iterable[Piece], view: View) -> str:
    return view.marks.separator.join(_piece(piece, view) for piece in pieces)


def _piece(piece: Piece, view: View) -> str:
    return as_named(piece.printed, view.marks) if view.raw else visible(piece.raw, view.marks)
