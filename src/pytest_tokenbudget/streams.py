"""A text as a server sends it, token by token, for tests of what reads such streams."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, final, overload

from pytest_tokenbudget.errors import Mistake, mistakes_fail
from pytest_tokenbudget.fixtures import names_of
from pytest_tokenbudget.measuring import measure_of
from tokenlint.tokens.streaming import incremental
from tokenlint.tokens.streaming import naive as one_by_one

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    import pytest

    from pytest_tokenbudget.fixtures import Named

__all__ = ["TokenStream", "incremental"]


@final
@dataclass(frozen=True)
class TokenStream:
    """What the fixture `token_stream` gives: a call returns the tokens of a text, one by one."""

    _config: pytest.Config = field(repr=False)
    _tokenizer: object = field(repr=False)

    @overload
    def __call__(
        self,
        text: str | os.PathLike[str],
        tokenizer: Named = None,
        *,
        naive: Literal[False] = False,
    ) -> Iterator[bytes]: ...

    @overload
    def __call__(
        self, text: str | os.PathLike[str], tokenizer: Named = None, *, naive: Literal[True]
    ) -> Iterator[str]: ...

    def __call__(
        self,
        text: str | os.PathLike[str],
        tokenizer: Named = None,
        *,
        naive: bool = False,
    ) -> Iterator[bytes] | Iterator[str]:
        """The bytes of each token of a text, or of the file at a path.

        With `naive` the string that decoding each token by itself gives.
        """
        with mistakes_fail():
            pieces = self._pieces(text, tokenizer)
        return one_by_one(pieces) if naive else iter(pieces)

    @staticmethod
    def incremental(chunks: Iterable[bytes]) -> Iterator[str]:
        """Each chunk decoded as far as its characters are complete; see `incremental`."""
        return incremental(chunks)

    def _pieces(self, text: object, tokenizer: Named) -> list[bytes]:
        measure = measure_of(self._config)
        if tokenizer is None:
            name, *_ = names_of("the fixture tokenizer", self._tokenizer, measure)
        else:
            name, *more = names_of("token_stream: tokenizer", tokenizer, measure)
            if more:
                raise Mistake("token_stream: a stream is of one tokenizer; name a single one")
        return measure.loader.require(name).pieces(measure.text(text).content)
