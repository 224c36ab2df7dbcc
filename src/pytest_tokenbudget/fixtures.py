"""What tests hold in their hands: the objects behind the fixtures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from pytest_tokenbudget.errors import Mistake, TokenBudgetExceeded, mistakes_fail
from pytest_tokenbudget.markers import closest, strings, whole
from pytest_tokenbudget.measuring import measure_of

if TYPE_CHECKING:
    import os

    import pytest

    from pytest_tokenbudget.enforcing import Held
    from pytest_tokenbudget.failures import Failure
    from pytest_tokenbudget.markers import Key, LimitMark


@final
@dataclass(frozen=True)
class CountTokens:
    """What the fixture `count_tokens` gives: a call returns the count as a plain int."""

    _config: pytest.Config = field(repr=False)

    def __call__(
        self, text: str | os.PathLike[str], *, tokenizer: str | list[str] | None = None
    ) -> int:
        """The tokens of a text, or of the file at a path; of several tokenizers, the most."""
        with mistakes_fail():
            named = () if tokenizer is None else strings("count_tokens: tokenizer", tokenizer)
            measure = measure_of(self._config)
            return measure.count(measure.text(text), named or measure.tokenizers)


@final
@dataclass(frozen=True)
class TokenBudget:
    """What the fixture `token_budget` gives a test: texts are held to the marks without files."""

    _config: pytest.Config = field(repr=False)
    _held: Held = field(repr=False)

    @property
    def limit(self) -> int | None:
        """The most tokens that a text of this test may have by its marks; None without one."""
        with mistakes_fail():
            held = closest(self._held.on_texts, measure_of(self._config).tokenizers)
        budgets = [int(mark.maximum) for (kind, _), mark in held.items() if kind == "token_budget"]
        return min(budgets, default=None)

    def check(
        self,
        text: str | os.PathLike[str],
        *,
        max_tokens: int | None = None,
        tokenizer: str | list[str] | None = None,
        label: str | None = None,
    ) -> int:
        """The token count of a text, or of the file at a path, which keeps every limit.

        Raises TokenBudgetExceeded where it does not.
        """
        __tracebackhide__ = True
        with mistakes_fail():
            count, failure = self._judge(text, max_tokens, tokenizer, label)
        if failure:
            raise TokenBudgetExceeded(str(failure))
        return count

    def _judge(
        self, source: object, max_tokens: object, tokenizer: object, label: str | None
    ) -> tuple[int, Failure]:
        named = () if tokenizer is None else strings("token_budget.check: tokenizer", tokenizer)
        most = None if max_tokens is None else whole("token_budget.check: max_tokens", max_tokens)
        measure = measure_of(self._config)
        text = measure.text(source, label)
        held = self._marks_for(named, measure.tokenizers)
        limits: dict[Key, float] = {key: mark.maximum for key, mark in held.items()}
        if most is not None:
            own = named or _tokenizers(held, "token_budget") or measure.tokenizers
            limits |= {("token_budget", name): most for name in own}
        _require(limits, named)
        self._held.serve(_tokenizers(limits), named or measure.tokenizers)
        return measure.count(text, _tokenizers(limits)), measure.judge(text, limits)

    def _marks_for(self, named: tuple[str, ...], default: tuple[str, ...]) -> dict[Key, LimitMark]:
        held = closest(self._held.on_texts, named or default)
        return {key: mark for key, mark in held.items() if not named or key[1] in named}


def _tokenizers(limits: dict[Key, LimitMark] | dict[Key, float], kind: str = "") -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for its_kind, name in limits if kind in ("", its_kind)))


def _require(limits: dict[Key, float], named: tuple[str, ...]) -> None:
    """Each tokenizer that a call names needs a limit, and a call that names none needs one."""
    missing = [name for name in named if name not in _tokenizers(limits)]
    if missing or not limits:
        by = f" for {', '.join(missing)}" if missing else ""
        raise Mistake(
            f"token_budget.check: no budget{by}; give max_tokens=..., or mark the test with "
            "@pytest.mark.token_budget(...)"
        )
