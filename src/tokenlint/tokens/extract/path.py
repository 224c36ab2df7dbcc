"""Paths into parsed files: `prompts.*.system`, `messages[-1].content`, `$.a["key with.dots"]`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tokenlint.errors import ExtractError

_BARE = r"""[^.\[\]"'*\s](?:[^.\[\]"'*]*[^.\[\]"'*\s])?"""
_QUOTED = r""""(?:[^"\\]|\\["'\\])*"|'(?:[^'\\]|\\["'\\])*'"""
_KEY = rf"(?:(?P<every>\*)|(?P<bare>{_BARE}))(?=[.\[]|\Z)"
_BRACKET = rf"\[\s*(?:(?P<all>\*)|(?P<index>-?[0-9]{{1,15}})|(?P<quoted>{_QUOTED}))\s*\]"
_BRACKET_ONLY = re.compile(_BRACKET)
_FIRST = re.compile(_KEY)
_NEXT = re.compile(rf"\.{_KEY}")
_ROOT = re.compile(r"\$(?=[.\[]|\Z)")
_INDEX = re.compile(r"-?[0-9]{1,15}")
_ESCAPE = re.compile(r"""\\(["'\\])""")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: a key, an index, either of the two, or, with neither, all there is."""

    key: str | None = None
    index: int | None = None


EVERY = Step()


@lru_cache(maxsize=64)
def steps(path: str) -> tuple[Step, ...]:
    """The steps of a path; raises ExtractError, whose sentence names the column of a mistake."""
    root = _ROOT.match(path)
    at = root.end() if root else 0
    key, found = (_NEXT if root else _FIRST), list[Step]()
    while at < len(path) or not (root or found):
        match = _BRACKET_ONLY.match(path, at) or key.match(path, at)
        if match is None:
            raise ExtractError(f"{shown(path)} is no path, column {_mistake(path, at)}")
        found.append(_step(match.groupdict()))
        at, key = match.end(), _NEXT
    return tuple(found)


def _step(said: dict[str, str | None]) -> Step:
    if quoted := said.get("quoted"):
        return Step(key=_ESCAPE.sub(r"\1", quoted[1:-1]))
    name = said.get("bare") or said.get("index")
    if name is None:
        return EVERY
    return Step(name, int(name) if _INDEX.fullmatch(name) else None)


@lru_cache(maxsize=256)
def below(key: str) -> str:
    """What leads to a key from the path above it, as a user would write it."""
    # A key of digits alone would be an index in a list; quotes say that it is none.
    if re.fullmatch(_BARE, key) and not _INDEX.fullmatch(key) and key.isprintable():
        return f".{key}"
    escaped = re.sub(r'(["\\])', r"\\\1", key)
    return f'["{escaped}"]'


def shown(name: str) -> str:
    """A key or a path in quotes, in one printable line that is not too long."""
    return repr(name if len(name) <= _SHOWN else f"{name[:_SHOWN]}...")


def _mistake(path: str, at: int) -> str:
    """The column of a mistake, and what to write instead."""
    rest = path[at:]
    if rest.startswith("["):
        return f"{at + 1}: {_in_brackets(rest)}"
    if rest.startswith(".."):
        return f"{at + 1}: '..' (at any depth) is not read; name each key on the way, or write *"
    if rest.startswith(".["):
        return f"{at + 1}: no dot stands before a bracket"
    if at and rest[0] not in ".]":
        return f"{at + 1}: a dot is missing before a key"
    at += rest.startswith(".") and at > 0
    rest = path[at:]
    if not rest or rest[0] == ".":
        return f"{at + 1}: a key is missing here"
    return _unwritable(path, at)


def _unwritable(path: str, at: int) -> str:
    """What is wrong with a key that does not stand in quotes."""
    if path[at] == "*":
        return f"{at + 1}: * stands alone, for all of a list or of a mapping"
    bare = re.compile(_BARE).match(path, at)
    column = (bare.end() if bare else at) + 1
    sign = path[column - 1]
    if sign == "]":
        return f"{column}: ']' closes no bracket"
    if sign == "*":
        return f"{column}: * stands alone, for all of a list or of a mapping"
    what = "a space at either end of a key" if sign.isspace() else f"{sign} in a key"
    return f'{column}: {what} is written in brackets and quotes, such as ["a key"]'


def _in_brackets(rest: str) -> str:
    inside, closed, _ = rest[1:].partition("]")
    inside = inside.strip()
    if not closed:
        return "'[' is never closed"
    if not inside:
        return "an index, a key in quotes or * is missing between the brackets"
    if inside[0] == "?":
        return "filters are not read; write * and have one path for each kind"
    if inside[0] in "\"'":
        return (
            "a key in quotes ends with the same quote, and a backslash stands before \\ or a quote"
        )
    if ":" in inside:
        return "slices are not read; write * or one index"
    if "," in inside:
        return "one index or one key stands in brackets; write * for all"
    if re.fullmatch(r"-?[0-9]+", inside):
        return "an index of more than 15 digits is none"
    return f'a key in brackets has quotes, such as ["{inside}"]'
