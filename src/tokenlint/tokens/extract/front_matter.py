"""Front matter: what stands between two fences at the very top of a file, and is no prompt."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

_FENCE = re.compile(r"(---|\+\+\+)[ \t]*(?:\r\n|\r|\n)")
_CLOSING = {
    "---": re.compile(r"(?:\A|(?<=[\r\n]))(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|\Z)"),
    "+++": re.compile(r"(?:\A|(?<=[\r\n]))\+\+\+[ \t]*(?:\r\n|\r|\n|\Z)"),
}


# A rule at the top of a page and another one further down enclose text, and no keys.
_KEYS = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?[\r\n]+)*+(?:\Z|[^\r\n]*:(?:\s|\Z))")


_KEY = re.compile(r"[ \t]*[\w.\"'-]+[ \t]*[:=](?:\s|\Z)")


class FrontMatter(NamedTuple):
    """The language of front matter, where it stands, and where the body begins."""

    language: Literal["YAML", "TOML"]
    start: int
    end: int
    body: int


def front_matter(text: str) -> FrontMatter | None:
    """The front matter of a text: YAML between `---` lines, TOML between `+++` lines.

    A fence that nothing closes is none: it is a line of the text. So is one that a line without a
    key follows. YAML may end with `...` as well.
    """
    opening = _FENCE.match(text)
    if opening is None:
        return None
    start = opening.end()
    closing = _CLOSING[opening[1]].search(text, start)
    if closing is None:
        return None
    if opening[1] == "---" and not _KEYS.match(text[start : closing.start()]):
        return None
    language: Literal["YAML", "TOML"] = "YAML" if opening[1] == "---" else "TOML"
    return FrontMatter(language, start, closing.start(), closing.end())


def unclosed(text: str) -> str | None:
    """The fence at the top of a text with a key below it and no end; None where there is none."""
    opening = _FENCE.match(text)
    if opening is None or _CLOSING[opening[1]].search(text, opening.end()) is not None:
        return None
    return opening[1] if _KEY.match(text, opening.end()) else None
