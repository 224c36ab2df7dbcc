"""Where a tokenizer would cut control strings out of a text: added tokens and their flags."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from tokenlint.frozen import frozen
from tokenlint.tokens.equivalence import is_blank
from tokenlint.tokens.trie import any_of

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from tokenizers import AddedToken

    from tokenlint.tokens.tokenizer import Tokenizer


class ControlSpan(NamedTuple):
    """A control string where it stands in a text.

    `string` is how the vocabulary spells it, `special` its flag there; `takes_space` says that
    white space beside it vanishes with it.
    """

    start: int
    end: int
    string: str
    special: bool = True
    takes_space: bool = False


@frozen
class Added:
    """A string that has an id of its own, with the flags that a tokenizer.json knows."""

    string: str
    special: bool = True
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False

    def takes_space(self, text: str, start: int, end: int) -> bool:
        """Whether white space beside this string vanishes with it."""
        before, after = text[max(0, start - 1) : start], text[end : end + 1]
        return (self.lstrip and before.isspace()) or (self.rstrip and after.isspace())

    def stands(self, text: str, start: int, end: int) -> bool:
        """Whether the string counts there: one of a single word does not inside of another."""
        if not self.single_word:
            return True
        around = text[max(0, start - 1) : start], text[end : end + 1]
        return not any(map(_word_character().match, around))


@frozen
class ControlStrings:
    """The added tokens of a tokenizer, as it looks for them: the leftmost, and there the longest.

    White space that is no special token is left out: it is ordinary text to its tokenizer.
    """

    added: tuple[Added, ...]

    @cached_property
    def _by_string(self) -> dict[str, Added]:
        kept = (one for one in self.added if not is_blank(one.string, special=one.special))
        return {one.string: one for one in kept if one.string}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return any_of(list(self._by_string))

    def spans(self, text: str) -> Iterator[ControlSpan]:
        """Every control string in a text, in order."""
        for match in self._pattern.finditer(text):
            one, (start, end) = self._by_string[match[0]], match.span()
            if one.stands(text, start, end):
                takes_space = one.takes_space(text, start, end)
                yield ControlSpan(start, end, one.string, one.special, takes_space)


@cache
def _word_character() -> re.Pattern[str]:
    """What the engine's own `\\w` is; that of `re` knows no marks."""
    import regex

    return regex.compile(r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]")  # type: ignore[return-value]


def added_tokens(tokens: Iterable[AddedToken]) -> tuple[Added, ...]:
    """The added tokens of a tokenizer.json, in the order of their ids."""
    return tuple(
        Added(
            token.content,
            token.special,
            token.single_word,
            token.lstrip,
            token.rstrip,
            token.normalized,
        )
        for token in tokens
    )


@dataclass(frozen=True, eq=False)
class ControlSource:
    """A tokenizer as a source of control strings. It is equal to itself only, and has a hash."""

    tokenizer: Tokenizer

    @property
    def name(self) -> str:
        """The name that the tokenizer goes by."""
        return self.tokenizer.name

    def id_of(self, string: str) -> int | None:
        """The id of a control string, if it is one."""
        return self.tokenizer.special_tokens.get(string)

    def spans(self, text: str) -> Iterator[ControlSpan]:
        """Where the control strings stand in a text, in order; no two overlap.

        A tokenizer whose strings have flags knows better itself.
        """
        own = getattr(self.tokenizer, "control_spans", None)
        found: Iterator[ControlSpan] = own(text) if own else self._plain.spans(text)
        return found

    @cached_property
    def _plain(self) -> ControlStrings:
        return ControlStrings(tuple(map(Added, self.tokenizer.special_tokens)))
