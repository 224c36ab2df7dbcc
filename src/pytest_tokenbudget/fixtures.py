"""What tests hold in their hands: the objects behind the fixtures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

from pytest_tokenbudget.errors import Mistake, TokenBudgetExceeded, fail, mistakes_fail
from pytest_tokenbudget.explaining import remember
from pytest_tokenbudget.markers import closest, extract_of, strings, whole
from pytest_tokenbudget.measuring import Measure, measure_of

if TYPE_CHECKING:
    import os
    from pathlib import Path

    import pytest

    from pytest_tokenbudget.enforcing import Held
    from pytest_tokenbudget.failures import Failure
    from pytest_tokenbudget.markers import Key, LimitMark
    from pytest_tokenbudget.verdicts import Text
    from tokenlint.tokens import Tokenizer
    from tokenlint.tokens.extract import Extract
    from tokenlint.tokens.prompts import Prompt

    Named = str | list[str] | Tokenizer | None
    "How a call says which tokenizer counts: by name, by several names, or itself."


@final
@dataclass(frozen=True)
class RunTokenizer:
    """What the fixture `tokenizer` gives unless it is overridden: the run's own, loaded late.

    It is the first tokenizer of the run; the other fixtures count with all of them.
    """

    _config: pytest.Config = field(repr=False)

    def __getattr__(self, name: str) -> Any:
        """Whatever a tokenizer has: `name`, `count`, `encode`, `decode`, `pieces` and the rest."""
        if name.startswith("_"):  # copying and pickling ask for these
            raise AttributeError(name)
        with mistakes_fail():
            measure = measure_of(self._config)
            return getattr(measure.loader.require(measure.tokenizers[0]), name)


def names_of(what: str, chosen: object, measure: Measure) -> tuple[str, ...]:
    """The tokenizers that a call or the fixture `tokenizer` means.

    Raises Mistake.
    """
    if isinstance(chosen, RunTokenizer):
        return measure.tokenizers
    name, count = getattr(chosen, "name", None), getattr(chosen, "count", None)
    if isinstance(name, str) and callable(count) and hasattr(chosen, "encode"):
        measure.loader.loaded[name] = chosen  # type: ignore[assignment]  # it is a Tokenizer
        return (name,)
    return strings(what, chosen)


@final
@dataclass(frozen=True)
class CountTokens:
    """What the fixture `count_tokens` gives: a call returns the count as a plain int."""

    _config: pytest.Config = field(repr=False)
    _tokenizer: object = field(repr=False)

    def __call__(
        self,
        text: str | os.PathLike[str],
        *,
        tokenizer: Named = None,
        label: str | None = None,
        extract: str | None = None,
        variables: str | os.PathLike[str] | None = None,
    ) -> int:
        """The tokens of a text, or of the file at a path; of several tokenizers, the most.

        `extract` says what of the file is the prompt, `variables` the values of a template.
        """
        with mistakes_fail():
            measure = measure_of(self._config)
            chosen = self._tokenizer if tokenizer is None else tokenizer
            names = names_of("count_tokens: tokenizer", chosen, measure)
            how = extract_of("count_tokens", extract, variables)
            return remember(self._config, measure, measure.text(text, label, how=how), names)


@final
@dataclass(frozen=True)
class TokensPerWord:
    """What the fixture `fertility` gives: a call returns tokens per word."""

    _config: pytest.Config = field(repr=False)
    _tokenizer: object = field(repr=False)

    def __call__(self, text: str | os.PathLike[str], *, tokenizer: Named = None) -> float:
        """The tokens per word of a text, or of the file at a path; of several, the most."""
        with mistakes_fail():
            measure = measure_of(self._config)
            chosen = self._tokenizer if tokenizer is None else tokenizer
            names = names_of("fertility: tokenizer", chosen, measure)
            counted = measure.text(text)
            values = [measure.per_word(counted, name)[0] for name in names]
        found = [value for value in values if value is not None]
        return max(found) if found else fail(f"{counted.label}: no words, so no fertility")


@final
@dataclass(frozen=True)
class PromptFile:
    """What the argument `prompt_file` is: one of the files that @pytest.mark.prompt_files names."""

    path: Path
    _config: pytest.Config = field(repr=False, compare=False)
    _how: Extract | None = field(default=None, repr=False)

    def __fspath__(self) -> str:
        """The path, so that the fixtures take the file itself."""
        return str(self.path)

    def __str__(self) -> str:
        """The path from the rootdir."""
        root = self._config.rootpath
        inside = self.path.is_relative_to(root)
        return self.path.relative_to(root).as_posix() if inside else str(self.path)

    @property
    def text(self) -> str:
        """The text as it is counted: no byte order mark, and lines that end in LF.

        Of several prompts in the file, one after the other.
        """
        return self._read().content

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """The prompts in the file, each with its `name` and `text`; one where it is the whole."""
        return self._read().prompts

    def count(self, tokenizer: Named = None) -> int:
        """The tokens of the prompts in the file; of several tokenizers, the most."""
        with mistakes_fail():
            measure = measure_of(self._config)
            names = measure.tokenizers
            if tokenizer is not None:
                names = names_of("prompt_file.count: tokenizer", tokenizer, measure)
            return remember(self._config, measure, self._read(), names)

    def _read(self) -> Text:
        with mistakes_fail():
            return measure_of(self._config).read(self.path, how=self._how)


@final
@dataclass(frozen=True)
class TokenBudget:
    """What the fixture `token_budget` gives a test: texts are held to the marks without files."""

    _config: pytest.Config = field(repr=False)
    _held: Held = field(repr=False)
    _tokenizer: object = field(repr=False)

    @property
    def limit(self) -> int | None:
        """The most tokens that a text of this test may have by its marks; None without one."""
        with mistakes_fail():
            measure = measure_of(self._config)
            held = closest(self._held.on_texts, self._default(measure))
        budgets = [int(mark.maximum) for (kind, _), mark in held.items() if kind == "token_budget"]
        return min(budgets, default=measure.maximum)

    def check(
        self,
        text: str | os.PathLike[str],
        *,
        max_tokens: int | None = None,
        tokenizer: Named = None,
        label: str | None = None,
        extract: str | None = None,
        variables: str | os.PathLike[str] | None = None,
    ) -> int:
        """The token count of a text, or of the file at a path, which keeps every limit.

        `extract` says what of the file is the prompt, `variables` the values of a template.
        Raises TokenBudgetExceeded where it does not.
        """
        __tracebackhide__ = True
        with mistakes_fail():
            how = extract_of("token_budget.check", extract, variables)
            count, failure = self._judge(text, max_tokens, tokenizer, label, how)
        if failure:
            raise TokenBudgetExceeded(str(failure))
        return count

    def _judge(
        self,
        source: object,
        max_tokens: object,
        tokenizer: Named,
        label: str | None,
        how: Extract | None,
    ) -> tuple[int, Failure]:
        most = None if max_tokens is None else whole("token_budget.check: max_tokens", max_tokens)
        measure = measure_of(self._config)
        named: tuple[str, ...] = ()
        if tokenizer is not None:
            named = names_of("token_budget.check: tokenizer", tokenizer, measure)
        text = measure.text(source, label, self._held.item.nodeid, how)
        default = self._default(measure)
        held = self._marks_for(named, default)
        limits: dict[Key, float] = {key: mark.maximum for key, mark in held.items()}
        if most is None and not _tokenizers(held, "token_budget"):
            most = measure.maximum
        if most is not None:
            own = named or _tokenizers(held, "token_budget") or default
            limits |= {("token_budget", name): most for name in own}
        _require(limits, named)
        self._held.serve(_tokenizers(limits), named or default)
        return measure.count(text, _tokenizers(limits)), measure.judge(text, limits)

    def _default(self, measure: Measure) -> tuple[str, ...]:
        return names_of("the fixture tokenizer", self._tokenizer, measure)

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
