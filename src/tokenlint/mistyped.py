"""What to say of words of a command line that mean nothing there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tokenlint.nearest import did_you_mean, nearest
from tokenlint.printable import printable

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def choice(word: str, allowed: Collection[str], *, is_command: bool) -> str:
    """What is wrong with a word that is none of those allowed."""
    if is_command and os.path.lexists(word):
        return f"there is no command {word!r}; to lint that path: tokenlint check {printable(word)}"
    near = did_you_mean(word, allowed)
    if is_command:
        return f"there is no command {word!r}{near or f'; choose from {_listed(allowed)}'}"
    return f"invalid choice: {word!r}{near or f' (choose from {_listed(allowed)})'}"


def arguments(unknown: Sequence[str], options: Collection[str]) -> str:
    """What is wrong with arguments that nothing takes."""
    names = [word[2:].partition("=")[0] for word in unknown if word.startswith("--")]
    known = [option[2:] for option in options if option.startswith("--")]
    near = dict.fromkeys(filter(None, (nearest(name, known) for name in names)))
    hint = f"; did you mean {', '.join(f'--{name}' for name in near)}?" if near else ""
    return printable(f"unrecognized arguments: {' '.join(unknown)}{hint}")


def _listed(words: Collection[str]) -> str:
    return ", ".join(words)
