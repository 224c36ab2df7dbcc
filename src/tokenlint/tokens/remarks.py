"""What a reader of a count has to know of a file, because it is counted otherwise than it looks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokenlint.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenlint.tokens.document import Document

_LONE = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")


def about_body(document: Document) -> str:
    """That front matter begins and never ends, so that all of it is prompt; else empty."""
    from tokenlint.tokens.extract.front_matter import unclosed

    fence = unclosed(document.text)
    if fence is None:
        return ""
    return (
        f"{document.path}: no line closes the front matter that {fence} opens on line 1, so the "
        "whole file counts as its body"
    )


def about_surrogates(path: str, texts: Sequence[str]) -> str:
    """That texts hold what is no character; else empty."""
    lone = sum(len(_LONE.findall(text)) for text in texts)
    if not lone:
        return ""
    return f"{path}: {counted(lone, 'lone surrogate')}, which every tokenizer reads as U+FFFD"
