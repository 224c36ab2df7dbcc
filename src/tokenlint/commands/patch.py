"""What `check --diff` shows: the change of a file as a patch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenlint.tokens import Document


def patch(before: Document, after: Document) -> str:
    """A unified diff of two states of a document, which `git apply` and `patch -p1` apply."""
    from difflib import unified_diff

    def lines(document: Document) -> list[str]:
        text = "\ufeff" * document.bom + document.text
        return [line for line in re.split(r"(?<=\n)", text) if line]  # as git ends them

    names = _name(f"a/{before.path}"), _name(f"b/{after.path}")
    return "".join(_with_newline(unified_diff(lines(before), lines(after), *names)))


def reach(path: str) -> list[str]:
    """What to note of a path that no patch can name."""
    if not path.startswith(("../", "/")):
        return []
    why = f"{path} lies outside of the working folder, where git apply changes nothing"
    return [f"{why}: run this from a folder above it"]


def _name(path: str) -> str:
    """A path in the header of a patch as git writes it: in quotes where it needs escapes.

    A tab ends a name with a space in it, for programs that would take it for the end.
    """
    if _UNSAFE.search(path) is None:
        return f"{path}\t" if " " in path else path
    return '"' + _UNSAFE.sub(lambda match: _escaped(match[0]), path) + '"'


_UNSAFE = re.compile(r'[\x00-\x1f\x7f"\\]')


def _escaped(char: str) -> str:
    return f"\\{char}" if char in '"\\' else f"\\{ord(char):03o}"


def _with_newline(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
