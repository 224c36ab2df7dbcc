"""`tokenlint explain --output-format html`: one page that needs nothing but itself.

Nothing of a text becomes markup: white space, controls, directions and marks without a letter
stand as what `explain_visible` writes for them, and all of it is escaped.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

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
from tokenlint.reports.printable import printable
from tokenlint.wording import counted as plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenlint.tokens.cutting import Cut, Token
    from tokenlint.tokens.explanation import Explained, Explanation, Pair
    from tokenlint.tokens.merges import Piece, WordMerges

_MARKS = Marks()

_STYLE = """\
:root { color-scheme: light dark; --even: #cfe8ff; --odd: #ffeab3; --special: #f6c8f0;
  --frame: #dddddd; --control: #7a1fa2; --ink: #111; }
@media (prefers-color-scheme: dark) { :root { --even: #173b57; --odd: #4d3c0c;
  --special: #5a2155; --frame: #3a3a3a; --control: #b45fd6; --ink: #f2f2f2; } }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
.cut { font-family: ui-monospace, monospace; line-height: 1.9; overflow-wrap: anywhere; }
.cut bdi { color: var(--ink); border-radius: .2rem; padding: .1rem .15rem; margin-right: 1px; }
.even { background: var(--even); } .odd { background: var(--odd); }
.frame { background: var(--frame); } .special { background: var(--special); }
.cut bdi.control { background: var(--control); color: #fff; }
.part { text-decoration: underline dotted; }
table { border-collapse: collapse; } td, th { padding: .15rem .6rem; text-align: left; }
td { font-family: ui-monospace, monospace; border-top: 1px solid; overflow-wrap: anywhere;
  border-color: color-mix(in srgb, currentColor 25%, transparent); }
.number { text-align: right; }"""


def render(explanations: Sequence[Explanation], *, raw: bool = False) -> str:
    """A page with every text and every tokenizer."""
    return page("How a text is cut", (line for one in explanations for line in _text(one, raw)))


def page(title: str, body: Iterable[str]) -> str:
    """A whole page that loads nothing, and says so to the browser."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{_STYLE}\n</style></head><body>",
            f"<h1>{escape(title)}</h1>",
            *body,
            "</body></html>",
        )
    )


def _text(explanation: Explanation, raw: bool) -> Iterator[str]:
    yield f"<h2>{escape(size(explanation))}</h2>"
    for explained in explanation.by_tokenizer:
        yield f"<h3>{escape(counted(explained, explanation.words))}</h3>"
        yield from pieces(explained.cut.tokens, raw=raw)
        yield from remarks(_remarks(explained))
        yield from _turns(explained)
        yield from _side_by_side(explained, raw)
        yield from _table(explained.cut)


def pieces(tokens: Sequence[Token], *, raw: bool = False) -> Iterator[str]:
    """The tokens one after the other, each with what it is under the pointer."""
    yield '<p class="cut">'
    for at, token in enumerate(tokens):
        yield _piece(token, at, raw) + ("<br>" if b"\n" in token.raw else "")
    yield "</p>"


def _piece(token: Token, at: int, raw: bool) -> str:
    shown = as_named(token.printed, _MARKS) if raw else visible(token.raw, _MARKS)
    part = " part" if token.text is None else ""
    title = escape(_title(token)).replace("\n", "&#10;")
    return f'<bdi class="{_kind(token, at)}{part}" title="{title}">{escape(shown)}</bdi>'


def _kind(token: Token, at: int) -> str:
    if token.special is not None:
        return "control" if token.special.control else "special"
    if token.content is False:
        return "frame"
    return "odd" if at % 2 else "even"


def _title(token: Token) -> str:
    lines = [f"id {token.id}", f"bytes {token.raw.hex(' ')}", f"named {printable(token.printed)}"]
    if token.special is not None:
        what = "control token" if token.special.control else "text that spells"
        lines.append(f"{what} {printable(token.special.string)} ({token.special.id})")
    return "\n".join(lines)


def remarks(lines: Iterable[str]) -> Iterator[str]:
    """Sentences below the pieces."""
    for line in lines:
        yield f"<p><bdi>{escape(line)}</bdi></p>"


def _remarks(explained: Explained) -> Iterator[str]:
    cut = explained.cut
    if cut.tokens and cut.left_out:
        yield left_out(cut.left_out)
    yield from told(explained)
    if explained.request is not None:
        yield "Filled: control tokens. Grey: frame. Blue and yellow: content."
        yield from some(map(printable, of_controls(cut)))
        return
    yield from some(of_characters(cut, _MARKS))
    yield from some(map(printable, of_special(cut)))


def _turns(explained: Explained) -> Iterator[str]:
    if explained.request is None:
        return
    header, *lines = by_turn(explained.request)
    yield f"<table><tr>{''.join(f'<th>{cell}</th>' for cell in header)}</tr>"
    for role, content, frame in lines:
        numbers = "".join(f'<td class="number">{number}</td>' for number in (content, frame))
        yield f"<tr><td><bdi>{escape(role)}</bdi></td>{numbers}</tr>"
    yield "</table>"


def _side_by_side(explained: Explained, raw: bool) -> Iterator[str]:
    if explained.forms is None:
        return
    yield from remarks([in_forms(explained)])
    yield "<table><tr><th>as written</th><th>tokens</th><th>in NFC</th><th>tokens</th></tr>"
    for pair in explained.forms.words:
        yield f"<tr>{''.join(_pair(pair, raw))}</tr>"
    yield "</table>"
    if explained.forms.words_left_out:
        yield from remarks([f"... and {plural(explained.forms.words_left_out, 'more word')}"])


def _pair(pair: Pair, raw: bool) -> Iterator[str]:
    for cut in (pair.written, pair.composed):
        shown = "".join(_piece(token, at, raw) for at, token in enumerate(cut.tokens))
        yield f'<td class="cut">{shown}</td><td class="number">{cut.total}</td>'


def _table(cut: Cut) -> Iterator[str]:
    yield "<details><summary>All of these tokens in a table</summary><table>"
    yield "<tr><th>id</th><th>bytes</th><th>text</th><th>named</th></tr>"
    for token in cut.tokens:
        cells = (token.raw.hex(" "), visible(token.raw, _MARKS), printable(token.printed))
        shown = "".join(f"<td><bdi>{escape(cell)}</bdi></td>" for cell in cells)
        yield f'<tr><td class="number">{token.id}</td>{shown}</tr>'
    yield "</table></details>"


def merges(by_tokenizer: Sequence[tuple[str, Sequence[WordMerges]]]) -> str:
    """A page with the merges of each word."""
    found = (line for name, words in by_tokenizer for word in words for line in _merges(name, word))
    return page("Merges, in the order of their ranks", found)


def _merges(name: str, word: WordMerges) -> Iterator[str]:
    yield f"<h2>{escape(printable(name))}: <bdi>{escape(visible(word.raw, _MARKS))}</bdi></h2>"
    yield "<table><tr><th>rank</th><th>merge</th><th>pieces</th></tr>"
    yield _row("", "", word.letters)
    for step in word.steps:
        merge = " + ".join(visible(piece.raw, _MARKS) for piece in (step.left, step.right))
        yield _row(str(step.rank), merge, step.pieces)
    yield "</table>"
    yield from remarks([f"ids {', '.join(map(str, word.ids))}"])


def _row(rank: str, merge: str, found: Sequence[Piece]) -> str:
    shown = "".join(
        f'<bdi class="{"odd" if at % 2 else "even"}">{escape(visible(piece.raw, _MARKS))}</bdi>'
        for at, piece in enumerate(found)
    )
    return (
        f'<tr><td class="number">{rank}</td><td><bdi>{escape(merge)}</bdi></td>'
        f'<td class="cut">{shown}</td></tr>'
    )
