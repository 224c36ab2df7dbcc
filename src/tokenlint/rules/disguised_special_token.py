r"""A control string that appears once something is undone that pipelines undo.

TL201 compares as tokenizers do, letter by letter. Whoever wants to get past such a comparison
writes the string so that some later step restores it: a JSON parser, a cleaner that removes
invisible characters, a normaliser. What reaches the model then is `<|im_start|>`, and nobody saw
it. This rule undoes what such steps undo, alone and together, and looks again:

    escapes in strings          \u003c|im_start|\u003e    .json .jsonl .ndjson .ipynb .jsonc
                                                          .json5 .geojson .webmanifest
                                "\x3c|im_start|\x3e"      .yaml .yml, double-quoted only
                                "\u003C|im_start|>"       .toml, basic strings only
    invisible characters        U+200B, U+00AD, U+2060, U+FE0F and all others that Unicode calls
                                default ignorable, inside the string
    NFC                         U+212A KELVIN SIGN, which becomes K
    NFKC                        full-width, mathematical, circled and other forms of ASCII

It needs no attacker: Python's json.dumps writes the markers of DeepSeek as `<\uff5cUser\uff5c>`,
and Go and Rails write every `<` as `\u003c`.

The same strings are looked for as by TL201, with the same options (`level`, `families`, `extra`),
and who wrote the text decides in the same way whether it is an error or a warning.
The message gives the text as it is written, with the code points of what is not ASCII, what it
becomes, and by what. What TL201 reports is not reported again, such as the full-width bars that
belong to the markers of DeepSeek, although NFKC turns those into bars of ASCII.

Not found:

    escapes in any other file             `\u003c` in Markdown or in Python is six characters
    escapes of escapes                    JSON that is kept as a string inside of JSON
    &lt;|im_start|&gt;                    how a careful page writes it
    <| im_start |>  <|IM_START|>          nothing restores these
    letters that only look alike          Cyrillic, Greek: no normaliser makes them Latin
    other case, accents on letters        only a tokenizer that folds them would restore these

To silence it, use `tokenlint: ignore[TL202]` in a comment on the line, or for files:

    [tool.tokenlint.per-file-ignores]
    "fixtures/*.json" = ["TL202"]
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Literal

from tokenlint.frozen import frozen, replace
from tokenlint.rules.base import Context, Finding, Rule, SpecialTokens
from tokenlint.rules.escapes import (
    numbered,
    reading,
    reads_alone,
    shown,
    unescaped,
)
from tokenlint.rules.nfc import changes, code_points
from tokenlint.rules.search import Search, find, search_by_neighbours
from tokenlint.rules.touching import is_ignorable
from tokenlint.rules.trust import spoken
from tokenlint.rules.unicode_ranges import COMPATIBLE, DEFAULT_IGNORABLE, char_class
from tokenlint.rules.views import Origin, Replacement, View, is_free, replaced, view_of
from tokenlint.tokens.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenlint.rules.quick import Look

_IGNORABLE = char_class(DEFAULT_IGNORABLE)[1:-1]

_COMPATIBLE = char_class(COMPATIBLE)[1:-1]

_TWINS = "\u037e\u1fef\u212a"
"The three characters that NFC writes as ASCII."


@cache
def _one_of(ranges: str) -> re.Pattern[str]:
    """One character of some ranges: `+` would make the search half as fast."""
    return re.compile(f"[{ranges}]")


_Form = Literal["NFC", "NFKC"]


@frozen
class _Undoing:
    """One thing undone: what the text is then, and how a message says it of a stretch."""

    view: View
    says: Callable[[str], str]
    form: _Form | None = None


@frozen
class _Hit:
    """A control string in what the undoings made of a text, traced back to where it stands.

    `by` names what changed the string itself, `near` what changed the character before it: a line
    may begin there only once an escape is read.
    """

    string: str
    start: int
    end: int
    by: tuple[str, ...] = ()
    near: tuple[str, ...] = ()


def may_find(document: Document, look: Look, context: Context) -> bool:
    """Whether anything is undone that a control string may touch, by its neighbours."""
    if not (look.suspects or look.has_escapes):
        return False
    search = search_by_neighbours(context.control_strings)
    if search is None or search.neighbours.may_touch_undone(document.text, look.suspects):
        return True
    return look.has_escapes and _may_be_escaped(document, look, search)


def _may_be_escaped(document: Document, look: Look, search: Search) -> bool:
    escaped, near = numbered(document), search.neighbours
    if escaped is None:
        return True
    matter = [escape for escape, char in escaped.items() if near.may_hold(char)]
    if matter and any(map(is_ignorable, look.suspects)):
        return True  # what is removed may stand between an escape and its neighbour
    if any(near.may_touch_escape(document.text, escaped, escape) for escape in matter):
        return True
    if "/" in near.chars and near.may_touch(document.text, "\\/", "/"):
        return True
    # Where a line ends in a string of YAML, it is read as a space: strings with one have a sign.
    return not reads_alone(document.path) and search.may_be_folded(document.text)


def check(document: Document, context: Context) -> Iterator[Finding]:
    """A finding for each control string that TL201 does not see, by the simplest undoing."""
    if document.text.isascii() and unescaped(document) is None:
        return
    for hit in _hits(document, context.control_strings):
        written = document.text[hit.start : hit.end]
        message = _message(written, hit)
        yield spoken(RULE, document, context, message, (hit.start, hit.end))


def _hits(document: Document, chosen: SpecialTokens) -> Iterator[_Hit]:
    taken: list[tuple[int, int]] | None = None
    for undoings in _ways(document, chosen):
        hits = [hit for hit in _traced(undoings, chosen) if hit.by or hit.near]
        if not hits:
            continue
        if taken is None:  # only now does it matter what TL201 reports
            taken = [(start, end) for start, end, _ in find(document.text, chosen)]
        fresh = [hit for hit in hits if is_free((hit.start, hit.end), taken)]
        yield from fresh
        taken = sorted([*taken, *((hit.start, hit.end) for hit in fresh)])


def _ways(document: Document, chosen: SpecialTokens) -> Iterator[tuple[_Undoing, ...]]:
    """Every way to undo something in a document that changes it, the simplest first.

    Escapes are read first in each: what they stand for can itself have to be undone.
    """
    text, read = document.text, tuple[_Undoing, ...]()
    if view := unescaped(document):
        once = reading(document.path)
        text, read = view.text, (_Undoing(view, lambda _: once),)
        yield read
    own = not all(map(str.isascii, chosen.extra))
    if text.isascii() or not (own or _one_of(_IGNORABLE + _COMPATIBLE).search(text)):
        return
    bare = _visible(text)
    if bare:
        yield (*read, bare)
    yield from ((*read, normal) for normal in _normalised(text, own))
    if bare:
        yield from ((*read, bare, normal) for normal in _normalised(bare.view.text, own))


def _visible(text: str) -> _Undoing | None:
    view = replaced(text, _one_of(_IGNORABLE), lambda _: "")
    return _Undoing(view, _removed) if view else None


def _removed(stretch: str) -> str:
    found = dict.fromkeys(_one_of(_IGNORABLE).findall(stretch))
    listed = ", ".join(map(code_points, list(found)[:3]))
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return f"once invisible characters{listed and f' ({listed}{more})'} are removed"


def _normalised(text: str, own: bool) -> Iterator[_Undoing]:
    """What NFC and NFKC write as ASCII; all of NFC where a string of one's own is not ASCII."""
    nfc = None
    if own:
        nfc = view_of(text, lambda: _composed(text))
    elif any(twin in text for twin in _TWINS):
        nfc = replaced(text, _one_of(_COMPATIBLE), _twin)
    if nfc:
        yield _Undoing(nfc, lambda _: "under NFC", "NFC")
    if nfkc := replaced(text, _one_of(_COMPATIBLE), _compatible):
        yield _Undoing(nfkc, lambda _: "under NFKC", "NFKC")


def _composed(text: str) -> Iterator[Replacement]:
    return (Replacement(one.start, one.end, one.nfc) for one in changes(Document("", text)))


def _twin(char: str) -> str:
    return _compatible(char) if char in _TWINS else char


@cache
def _compatible(char: str) -> str:
    return unicodedata.normalize("NFKC", char)


def _traced(undoings: tuple[_Undoing, ...], chosen: SpecialTokens) -> list[_Hit]:
    """The control strings in what the undoings made, in order, as they stand in the source."""
    *_, last = undoings
    hits = [
        _Hit(string, start, end)
        for start, end, string in find(last.view.text, chosen)
        if last.form is None or _survives(string, last.view.text[end : end + 32], last.form)
    ]
    for undoing in reversed(undoings):
        origins = undoing.view.origins((hit.start, hit.end) for hit in hits)
        hits = [_before(hit, origin, undoing) for hit, origin in zip(hits, origins, strict=True)]
    return hits


def _survives(string: str, following: str, form: _Form) -> bool:
    """Whether no mark that follows joins the end of a string: `>` + U+0338 is another character."""
    return following.isascii() or unicodedata.normalize(form, string + following).startswith(string)


def _before(hit: _Hit, origin: Origin, undoing: _Undoing) -> _Hit:
    """A hit as it stood before an undoing, which is named if it changed anything there."""
    hit = replace(hit, start=origin.start, end=origin.stop)
    says = undoing.says(undoing.view.source[origin.start : origin.stop])
    if origin.touched:
        return replace(hit, by=(says, *hit.by))
    return replace(hit, near=(says, *hit.near)) if origin.preceded else hit


def _message(written: str, hit: _Hit) -> str:
    how = ", ".join(hit.by or hit.near)
    return f'"{shown(written)}" becomes "{shown(hit.string)}" {how}'


RULE = Rule(
    code="TL202",
    name="disguised-special-token",
    summary="a control string once escapes, invisible characters or NFKC are undone",
    doc=__doc__,
    check=check,
    may_find=may_find,
)
