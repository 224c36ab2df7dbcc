"""A path expression and a file: each part says truly where it stands.

The first byte chooses the suffix, the first line is the expression, the rest the file.
"""

from __future__ import annotations

from tokenlint.errors import TokenlintError
from tokenlint.tokens import Document, decode, read_document
from tokenlint.tokens.extract import Extract, Extractor
from tokenlint.tokens.rendering import Renderer

NAMES = ("a.json", "a.jsonl", "a.yaml", "a.toml", "a.md")
EXTRACTOR = Extractor(read_document, Renderer())


def target(raw: bytes) -> None:
    """One expression on one file."""
    said, _, content = raw[1:].partition(b"\n")
    document = decode(NAMES[raw[0] % len(NAMES)] if raw else "a.json", content)
    if not isinstance(document, Document):
        return
    try:
        how = Extract.parse(said.decode(errors="replace"))
        parts = () if how.kind == "jinja" else EXTRACTOR.parts(document, how)
    except TokenlintError:
        return
    for part in parts:
        assert 0 <= part.start <= part.end <= len(document.text), part
        if part.is_literal:
            assert part.text == document.text[part.start : part.end], part
        places = [part.span(at, at + 1) for at in range(len(part.text))]
        assert places == sorted(places), part
        assert all(part.start <= start <= stop <= part.end for start, stop in places), part
