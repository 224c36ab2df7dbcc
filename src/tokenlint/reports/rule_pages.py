"""The pages of rules: where they stand on the web, and their text as Markdown."""

from __future__ import annotations

import re

PROJECT = "https://github.com/tokenlint/pytest-tokenbudget"


def url_of(code: str) -> str | None:
    """The page of a rule; a rule of a plugin, whose code never begins with TL, has none here."""
    return f"{PROJECT}/blob/main/docs/rules/{code}.md" if code.startswith("TL") else None


_CODE = re.compile(r"(`[^`]*`)")
_MARKUP = re.compile(r"[<*\\|]")


def markdown_page(doc: str) -> str:
    """A rule's docstring as Markdown: what is no code must not be read as HTML or emphasis."""
    return "".join(map(_line, doc.strip().splitlines(keepends=True)))


def _line(line: str) -> str:
    """What is indented is code in both."""
    if line.startswith("    "):
        return line
    parts = _CODE.split(line)
    return "".join(p if p.startswith("`") else _MARKUP.sub(r"\\\g<0>", p) for p in parts)
