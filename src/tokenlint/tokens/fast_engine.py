"""Counts of long texts several times as fast as tiktoken's: the engine of the extra `fast`.

It is toktok, whose vocabularies are compiled in. What it says is what tiktoken says, or it is not
asked:

- Only versions are used whose split and merge the tests compare with tiktoken's.
- Once it is loaded, its tokens are compared, one by one, with those that tiktoken would be given.
- Texts with characters that the two may know otherwise are cut, and those parts go to tiktoken.

It takes 0.2 s longer to load than tiktoken, so it is left until enough is there to be counted.
"""

from __future__ import annotations

import os
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, cast

from tokenlint.errors import TokenizerError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    class _Engine(Protocol):
        """What is used of `toktok.Tokenizer`."""

        def count_batch(self, texts: list[str], threads: int) -> list[int]: ...

        def token_byte_values(self) -> list[bytes]: ...


VARIABLE = "TOKENLINT_ENGINE"
"The environment variable that says `tiktoken` for never, and `fast` for always, or else fail."

PROVEN = frozenset({"0.3.0"})
"The versions that the tests were run with."

VOCABULARIES = frozenset({"o200k_base", "cl100k_base"})
"What it counts with, under the same names as here."

WORTH_IT = 1_000_000
"Characters, in one text or together, from which it pays."

_AT_ONCE = 1 << 20  # characters that are given to the engine in one go, copied twice,
_LARGE = 1 << 16  # those that each of its threads takes, and is looked through for unsure ones,
_SMALL = 1 << 12  # and those that an unsure one takes with it

# The engine remembers pieces of words, in 16 MB for each of its threads and 32 MB in all, and keeps
# that for the threads to come; a third thread would do without, at a third of the speed. Threads
# of Python would hold on to it. So it always runs in two of its own, which it only makes for two
# texts or more, and for one caller at a time.
_THREADS = 2


class FastEngine:
    """Counts with a vocabulary once that pays; `tokens` come in order of their ranks."""

    def __init__(
        self, vocabulary: str, pattern: str, tokens: Callable[[], Sequence[bytes]]
    ) -> None:
        """Nothing is imported or loaded before there is enough to count.

        Raises TokenizerError where it is demanded and cannot be had.
        """
        self._vocabulary, self._pattern, self._tokens = vocabulary, pattern, tokens
        self._seen = self._longest = 0
        self._loading, self._busy = Lock(), Lock()
        self._made: _Engine | str | None = None
        self._demanded = os.environ.get(VARIABLE) == "fast"
        if self._demanded and (why := _refusal()) is not None:
            raise _error(why)

    def expect(self, characters: int) -> None:
        """Note that a text of so many characters is to be counted in parts."""
        self._longest = max(self._longest, characters)

    def count(self, text: str, otherwise: Callable[[str], int]) -> int | None:
        """The number of tokens, or None where all of it is left to tiktoken.

        `otherwise` counts the parts that are.
        """
        self._seen += len(text)
        if not self._demanded and max(self._seen, self._longest) < WORTH_IT:
            return None
        engine = self._get()
        if engine is None:
            return None
        from tokenlint.tokens.cuts import spans

        whole = spans(text, self._pattern, _AT_ONCE)
        return sum(self._count(engine, text[span], otherwise) for span in whole)

    def _count(self, engine: _Engine, text: str, otherwise: Callable[[str], int]) -> int:
        """The sum of all parts: those that are sure at once, the others by themselves."""
        sure, unsure = list[str](), list[str]()
        self._sort(text, _LARGE, sure, unsure)
        with self._busy:
            total = sum(engine.count_batch([*sure, ""], _THREADS))
        return total + sum(map(otherwise, unsure))

    def _sort(self, text: str, size: int, sure: list[str], unsure: list[str]) -> None:
        """Cut a text into parts that are sure, and as little as can be that is not."""
        from tokenlint.tokens.cuts import spans
        from tokenlint.tokens.fast_classes import is_sure

        for span in spans(text, self._pattern, size):
            if is_sure(part := text[span]):
                sure.append(part)
            elif size > _SMALL:
                self._sort(part, _SMALL, sure, unsure)
            else:
                unsure.append(part)

    @property
    def description(self) -> str:
        """What counts long texts, for people."""
        if (why := _refusal()) is not None:
            return f"not used: {why}"
        often = "always" if self._demanded else f"from {WORTH_IT:,} characters on"
        return f"toktok {_version()}, {often}"

    def _get(self) -> _Engine | None:
        """The engine, or None where it cannot be used and need not be."""
        if self._made is None:
            with self._loading:
                if self._made is None:
                    self._made = self._load()
        if not isinstance(self._made, str):
            return self._made
        if self._demanded:
            raise _error(self._made)
        return None

    def _load(self) -> _Engine | str:
        """The engine, or why it is not used."""
        if (why := _refusal()) is not None:
            return why
        made = cast("_Engine", import_module("toktok")._encoding(self._vocabulary))  # noqa: SLF001
        if made.token_byte_values() == self._tokens():
            return made
        return f"toktok {_version()} has other tokens for {self._vocabulary} than OpenAI published"


def is_allowed() -> bool:
    """Whether the environment allows another engine than tiktoken.

    Raises TokenizerError where it says something else.
    """
    said = os.environ.get(VARIABLE, "")
    if said not in ("", "fast", "tiktoken"):
        raise TokenizerError(f"{VARIABLE}={said}: no such engine; set it to tiktoken or fast")
    return said != "tiktoken"


def _refusal() -> str | None:
    """Why toktok is not used, as far as can be seen without loading a vocabulary."""
    version = _version()
    if version is None:
        return "the extra fast is not installed"
    if version in PROVEN:
        return None
    return f"toktok {version} was not compared with tiktoken, only {', '.join(sorted(PROVEN))} was"


def _version() -> str | None:
    try:
        return str(import_module("toktok").__version__)  # of the compiled part
    except (ImportError, AttributeError):
        return None


def _error(why: str) -> TokenizerError:
    return TokenizerError(
        f"{VARIABLE}=fast: {why}; install it with: pip install 'pytest-tokenbudget[fast]', or "
        "unset the variable"
    )
