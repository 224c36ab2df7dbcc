"""A pattern and a path: matching agrees with a matcher that is plainly right, and slow."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from tokenlint.patterns import PathPatterns

ROOT = Path("/r")
PLAIN = set("ab*?/")
"What the plain matcher knows; other patterns must only not fail."


def target(raw: bytes) -> None:
    """One pattern on one path."""
    said, _, name = os.fsdecode(raw).partition("\n")
    if "\0" in raw.decode("latin-1"):
        return
    path = os.path.normpath(f"/r/{name}")
    if not path.startswith("/r/"):
        return
    found = PathPatterns(ROOT, (said,)).match(Path(path))
    if set(said) <= PLAIN and set(name) <= PLAIN - set("*?") and said.strip("/"):
        assert found == expected(said, path[3:].split("/")), (said, path)


def expected(pattern: str, parts: list[str]) -> bool:
    """Whether git would leave a path out, by the pattern itself or by a folder on the way."""
    only_folders, glob = pattern.endswith("/"), pattern.removesuffix("/")
    is_name, glob = "/" not in glob, glob.removeprefix("/")
    for end in range(1, len(parts) + 1):
        if only_folders and end == len(parts):
            continue
        text = parts[end - 1] if is_name else "/".join(parts[:end])
        if glob and wild(glob, text):
            return True
    return False


def wild(glob: str, text: str) -> bool:
    """`wildmatch` of git, for `*`, `?` and folders of any depth."""

    @cache
    def at(i: int, j: int) -> bool:
        if i == len(glob):
            return j == len(text)
        if glob[i] != "*":
            fits = j < len(text) and (glob[i] == text[j] or (glob[i] == "?" and text[j] != "/"))
            return fits and at(i + 1, j + 1)
        stars = len(glob[i:]) - len(glob[i:].lstrip("*"))
        after = i + stars
        alone = stars > 1 and (i == 0 or glob[i - 1] == "/")
        if alone and after == len(glob):
            return j < len(text)
        if alone and glob[after] == "/":
            starts = [j, *(k + 1 for k in range(j, len(text)) if text[k] == "/")]
            return any(at(after + 1, k) for k in starts)
        stop = text.find("/", j)
        return any(at(after, k) for k in range(j, (len(text) if stop < 0 else stop) + 1))

    return at(0, 0)
