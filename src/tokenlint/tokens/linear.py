"""Which regular expressions of a tokenizer surely take linear time, whatever the text.

A branch can waste time only where an unbounded repetition has gone through much text and what
follows then fails. So it must not be able to fail: behind the first unbounded repetition only
what may be left out is allowed. Then a branch that fails has looked at a few characters, and one
that matches has taken all that it looked at. White space may besides be cut the way that nearly
all published patterns do, which come back to no place twice because the last branch takes the
rest of the run. A pattern that is not of this form may still be harmless; nobody has shown it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_CLASS = (
    r"\[\^?+\]?+(?:\\\D|[^\\\[\]&]|&(?!&))++\]"  # neither one in another nor `&&`
    r"|\\[pP]\{\^?\w+\}|\\[pP][A-Z]|\\[dwshDWSHnrtfv]|\\x[0-9A-Fa-f]{2}|\\[^\w\s]"
    r"|[^\\()\[\]{}*+?|^$]"
)
_SHORT = rf"(?:{_CLASS})(?:\?|\{{\d(?:,\d)?\}}|(?![*+?{{]))"
_WORDS = rf"\((?:\?i?:)?(?:(?:{_CLASS})(?![*+?{{])|\|)*\)\??(?![*+{{])"
_BEGINNING = rf"(?:{_SHORT}|{_WORDS}|\^|\\b|\\[AZz])*+"
_ENDLESS = rf"(?:{_CLASS})(?:[*+][?+]?|\{{\d,\}})"
_LEFT_OUT = rf"(?:(?:{_CLASS})[*?]|{_WORDS}(?<=\?))*+"
_BRANCH = re.compile(f"{_BEGINNING}(?:{_ENDLESS}{_LEFT_OUT})?")
_SPACES = ((r"\s*[\r\n]+", r"\s*[\r\n]", r"\s*(?:\r\n|[\r\n])"), r"\s+(?!\S)", r"\s+")
"What cuts white space, in this order at the end of a pattern."

_TEKKEN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_BLOOM = " ?[^(\\s|[.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c])]+"
_TRAINED = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)  # that of cl100k_base, as `tokenlint train` writes it
PUBLISHED = (_TEKKEN, _BLOOM, _TRAINED)
"Patterns of other form whose time the tests measure."

LONGEST, MOST_CHOICES, MOST_EXPRESSIONS = 1_000, 1_000, 20
"What even a linear pattern may have at most, or each character would take too long."


def is_linear(pattern: str) -> bool:
    """Whether a pattern surely takes linear time; False says only that nobody knows."""
    from tokenlint.tokens.long_runs import COMPARED

    if pattern in COMPARED or pattern in PUBLISHED:
        return True
    if len(pattern) > LONGEST:
        return False
    branches = list(_branches(pattern))
    if branches[-1] == _SPACES[2]:
        branches = _without_spaces(branches)
    return all(_choices(b) <= MOST_CHOICES and _BRANCH.fullmatch(b) for b in branches)


def _choices(branch: str) -> int:
    """In how many ways at most a branch can be tried at one place."""
    ranges = len(re.findall(r"\{\d,\d\}", branch))
    alternatives = (1 + branch.count("|")) ** branch.count("(")
    return int(2 ** branch.count("?") * 10**ranges * alternatives)


def _without_spaces(branches: list[str]) -> list[str]:
    """The branches before those that cut white space as nearly all patterns do."""
    *branches, _ = branches
    if branches and branches[-1] == _SPACES[1]:
        branches.pop()
    if branches and branches[-1].replace("\r", r"\r").replace("\n", r"\n") in _SPACES[0]:
        branches.pop()
    return branches


_PART = re.compile(r"\\.|\[\^?+\]?+(?:\\.|[^\\\]])*+\]|.", re.DOTALL)


def are_linear(patterns: Iterable[str]) -> bool:
    """Whether these patterns, one after the other, surely take linear time."""
    known = tuple(patterns)
    return len(known) <= MOST_EXPRESSIONS and all(map(is_linear, known))


def _branches(pattern: str) -> Iterator[str]:
    """The alternatives of a pattern."""
    depth, start = 0, 0
    for part in _PART.finditer(pattern):
        depth += {"(": 1, ")": -1}.get(part[0], 0)
        if part[0] == "|" and depth == 0:
            yield pattern[start : part.start()]
            start = part.end()
    yield pattern[start:]


def expressions(state: Any) -> Iterable[str]:
    """The regular expressions in the JSON of a normaliser or a pre-tokenizer."""
    waiting = [state]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.values()
            if isinstance(said := one.get("Regex"), str):
                yield said
        elif isinstance(one, list):
            waiting += one
