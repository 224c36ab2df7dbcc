"""Texts and findings that try to break a report, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from tokenlint.diagnostic import Diagnostic, PlacedEdit, PlacedFix
from tokenlint.reports.printable import printable
from tokenlint.tokens import Location

FRAGMENTS = (
    "|", "`", "``", "```", "\\", "\\|", "\n", "\r\n", "\r", "\t", "]]>", "<![CDATA[", "::",
    "::error::", "##[error]", "%", "%0A", "%25", "\x1b[31m", "\x07", "\0", "<script>",
    "</details>", "&amp;", "&", "<!--", "-->", "@someone", "#12", "GH-7", ":tada:", "$x$",
    "http://a.b", "www.a.b", "a@b.c", "[a](b)", "](", "{0}", "{{1}}", "}", "__init__", "_a_",
    "*b*", "~~c~~", "![i](u)", "\u202e", "\u2066", "\u2028", "\u200b", "e\u0301", "\udce9",
    "\ud800", "\ufffe", "\ufeff", "\U000e0041", '"', "'", ",", ";", "=", "=1+1", "-", "+", "- ",
    "1. ", "> ", "# ", "    ", " ", "\u00a0", "\u3000", "---", "../", "C:/", "//",
)  # fmt: skip
"Pieces that mean something to one format or another."

CHARACTERS = st.characters()  # all of Unicode, lone surrogates included
TEXTS = st.lists(st.one_of(st.sampled_from(FRAGMENTS), CHARACTERS), max_size=6).map("".join)
PATHS = TEXTS.filter(lambda text: text not in ("", "-"))
"What may be a file name; `/` and NUL among them, because a report must not care."


def _after(start: Location) -> st.SearchStrategy[Location]:
    same_row = st.integers(0, 50).map(lambda more: Location(start.row, start.column + more))
    below = st.builds(Location, st.integers(start.row + 1, start.row + 9), st.integers(1, 99))
    return st.one_of(same_row, below)


LOCATIONS = st.builds(Location, st.integers(1, 9_999), st.integers(1, 999))
RANGES = LOCATIONS.flatmap(lambda start: st.tuples(st.just(start), _after(start)))
EDITS = st.builds(lambda content, places: PlacedEdit(content, *places), TEXTS, RANGES)
FIXES = st.builds(
    PlacedFix,
    st.sampled_from(["safe", "unsafe"]),
    TEXTS,
    st.lists(EDITS, max_size=1).map(tuple),
)
RULES = st.sampled_from([("TL101", "decomposed"), ("TL201", "special-token"), ("MC001", "mine")])


@st.composite
def diagnostics(draw: st.DrawFn) -> Diagnostic:
    """A finding of any text, in a file of any name."""
    (start, end), (code, name) = draw(RANGES), draw(RULES)
    return Diagnostic(
        draw(PATHS),
        start,
        end,
        code,
        name,
        draw(st.sampled_from(["error", "warning"])),
        draw(TEXTS),
        draw(st.none() | FIXES),
        draw(TEXTS),
        1,
        draw(st.just("") | TEXTS),
    )


FINDINGS = st.lists(diagnostics(), max_size=3)


def paired(text: str) -> str:
    """Text whose halves of surrogate pairs that meet are one character, as JSON reads them."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def harmful(text: str) -> set[str]:
    """What of a text could act on a terminal or forge a line."""
    return {char for char in text if printable(char) != char}
