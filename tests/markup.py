"""Markdown as a reader sees it: rendered by markdown-it-py and read back from the HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from markdown_it import MarkdownIt

_RENDERER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@dataclass
class Page(HTMLParser):
    """The tables, tags, comments and stretches of plain text of a page."""

    tables: list[list[list[str]]] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    comments: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    text: str = ""
    _in_code: int = 0
    _in_cell: bool = False

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._in_code += tag == "code"
        self.links += [value or "" for name, value in attrs if name == "href"]
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self._in_cell = True

    def handle_endtag(self, tag: str) -> None:
        self._in_code -= tag == "code"
        if tag in ("td", "th"):
            self._in_cell = False

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._in_cell:
            self.tables[-1][-1][-1] += data
        if not self._in_code:
            self.plain.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data.strip())

    @property
    def references(self) -> list[str]:
        """What a forge would make a mention, an issue, a formula or an emoji of."""
        found = (re.findall(r"[@#]\w|\$\S+\$|\bGH-\d|:[\w+-]+:", text, re.A) for text in self.plain)
        return [reference for several in found for reference in several]


def page(markdown: str) -> Page:
    """A document of Markdown, rendered and read."""
    read = Page()
    read.feed(_RENDERER.render(markdown))
    read.close()
    return read
