"""The page of `tokenlint explain`: it stands alone, and nothing of a text becomes markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.cli import main
from tokenlint.reports import explain_html
from tokenlint.reports.explain_visible import Marks, visible
from tokenlint.tokens import load_tokenizer
from tokenlint.tokens.explanation import explained, explanation
from tokenlint.tokens.merges import merges_of

if TYPE_CHECKING:
    from pathlib import Path

KNOWN = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "bdi", "br"}
KNOWN |= {"table", "tr", "th", "td", "details", "summary"}
"Every element that a page may have; none of them loads anything."

VOID = {"meta", "br"}


class Page(HTMLParser):
    """What a browser would make of a page: elements that are closed, pieces, and their titles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.in_piece = False
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.pieces: list[str] = []
        self.titles: list[str] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)
        self.in_piece = tag == "bdi" and "p" in self.open and "title" in dict(attrs)
        if self.in_piece:
            self.titles.append(dict(attrs)["title"] or "")
            self.pieces.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.in_piece = False

    def handle_data(self, data: str) -> None:
        self.text.append(data)
        if self.in_piece:
            self.pieces[-1] += data


def page_of(text: str, label: str = "the text") -> Page:
    tokenizers = [load_tokenizer(name) for name in ("cl100k_base", "o200k_base")]
    told = [explained(text, tokenizer) for tokenizer in tokenizers]
    return Page(explain_html.render([explanation(label, text, told)]))


MARKUP = ("<script>", "</p>", "</style>", "&lt;", "<!--", "]]>", '" onclick="', "\u202e", "\x1b[m")
ANY_TEXT = st.lists(st.one_of(st.text(), st.sampled_from(MARKUP))).map("".join)
HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@given(text=ANY_TEXT, label=ANY_TEXT)
def test_nothing_of_a_text_becomes_markup(text: str, label: str) -> None:
    page = page_of(text, label)
    assert page.open == []
    assert page.tags <= KNOWN
    assert page.attributes <= {"lang", "charset", "name", "content", "http-equiv", "class", "title"}
    shown = "".join(page.text)
    assert not re.search(
        "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", shown
    )


@given(text=ANY_TEXT)
def test_every_token_is_a_piece_with_its_id_and_its_bytes(text: str) -> None:
    tokens = [
        token
        for name in ("cl100k_base", "o200k_base")
        for token in explained(text, load_tokenizer(name)).cut.tokens
    ]
    page = page_of(text)
    assert [title.splitlines()[:2] for title in page.titles] == [
        [f"id {token.id}", f"bytes {token.raw.hex(' ')}"] for token in tokens
    ]
    assert page.pieces == [visible(token.raw, Marks()) for token in tokens]


def test_a_page_asks_for_nothing() -> None:
    told = explained("one", load_tokenizer("o200k_base"))
    page = explain_html.render([explanation("x", "one", [told])])
    assert "default-src 'none'; style-src 'unsafe-inline'" in page
    assert not re.search(r"https?:|//|url\(|@import|src=|href=|<script", page)
    assert "color-scheme: light dark" in page
    assert "prefers-color-scheme: dark" in page


def test_what_is_said_about_pieces_stands_on_the_page() -> None:
    shown = "".join(page_of("Tie\u0302\u0301ng \u1ebd <|endoftext|>").text)
    for sentence in (
        "\\xe1\\xba + \\xbd is \u1ebd U+1EBD LATIN SMALL LETTER E WITH TILDE",
        '"<|endoftext|>" is text here: 6 tokens; as a control token it would be 100257',
        "Not in NFC: ",
        "as written",
    ):
        assert sentence in shown


def test_merges_on_a_page() -> None:
    words = merges_of(load_tokenizer("cl100k_base"), "<b>\u0111\u1ebfn</b>")
    page = Page(explain_html.merges([("<cl100k_base>", words)]))
    assert page.open == []
    assert page.tags <= KNOWN
    shown = "".join(page.text)
    assert "<cl100k_base>: " in shown
    assert "71348" in shown


def test_the_command_line_writes_the_page(tmp_path: Path) -> None:
    out = tmp_path / "cut.html"
    assert main(["explain", "--text", "a <b>", "--output-format", "html", "-o", str(out)]) == 0
    page = Page(out.read_text("utf-8"))
    assert page.pieces[0] == "a"
    assert len(page.pieces) == 4


@pytest.mark.parametrize("raw", [True, False])
def test_raw_names(raw: bool) -> None:
    told = explained(" ch\u00e0o", load_tokenizer("cl100k_base"))
    page = Page(explain_html.render([explanation("x", " ch\u00e0o", [told])], raw=raw))
    assert page.pieces[0] == ("\u0120ch" if raw else "\u00b7ch")
