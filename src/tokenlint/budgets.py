"""Configured budgets become the limits of a file, and the totals of a group."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen, replace
from tokenlint.patterns import PathPatterns, anchored, is_literal, plain_path, relative_to
from tokenlint.tokens import WARN_AT, Limit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenlint.growth import MaxIncrease
    from tokenlint.tokens.extract import Extract
    from tokenlint.tokens.measure import Quantity

    _About = tuple[Quantity, str | None, Extract | None, bool]
    "What a limit is about: limits about different things all hold."


@frozen
class Budget:
    """One `[[tool.tokenlint.budgets]]` table; `files` are globs from the configuration's folder."""

    files: tuple[str, ...]
    max_tokens: int | None = None
    max_total: int | None = None
    max_bytes: int | None = None
    max_characters: int | None = None
    max_each: int | None = None
    max_increase: MaxIncrease | None = None
    max_total_increase: MaxIncrease | None = None
    max_fertility: float | None = None
    tokenizers: tuple[str, ...] | None = None
    warn_at: float | None = None
    extract: Extract | None = None

    @property
    def origin(self) -> str:
        """How messages name the budget."""
        return ", ".join(self.files)

    @property
    def variables(self) -> Path | None:
        """The file with the values of the templates, beside `extract` in the table."""
        return None if self.extract is None else self.extract.variables

    def names(self, path: Path, root: Path) -> bool:
        """Whether the budget names a file outright, with no wildcard."""
        literal = map(plain_path, filter(is_literal, self.files))
        return plain_path(relative_to(path, root)) in literal


@frozen
class Budgets:
    """All budgets of a configuration, asked about one file at a time."""

    entries: tuple[Budget, ...]
    root: Path
    tokenizers: tuple[str, ...]
    warn_at: float = WARN_AT
    notes: list[str] = field(default_factory=list, compare=False)

    @cached_property
    def patterns(self) -> list[tuple[Budget, PathPatterns]]:
        """Each budget with the patterns of its files."""
        return [(entry, PathPatterns(self.root, anchored(entry.files))) for entry in self.entries]

    def limits_for(self, path: Path) -> tuple[Limit, ...]:
        """The limits of a file, one for each quantity and tokenizer.

        Where two budgets limit the same, one that names the file holds before a wildcard, and
        of two alike the smaller holds; `notes` says so.
        """
        held: dict[_About, tuple[bool, Limit]] = {}
        for budget, patterns in self.patterns:
            if patterns.match(path):
                named = budget.names(path, self.root)
                for limit in self._limits(budget):
                    self._hold(held, path, limit, named=named)
        return tuple(limit for _, limit in held.values())

    def covers(self, path: Path) -> bool:
        """Whether any budget is about a file."""
        return any(patterns.match(path) for _, patterns in self.patterns)

    def groups(self) -> Iterator[tuple[Budget, PathPatterns]]:
        """The budgets that limit a total, and the patterns of their files."""
        return (pair for pair in self.patterns if pair[0].max_total is not None)

    def totals_of(self, budget: Budget) -> Iterator[Limit]:
        """The total limit of a budget for each of its tokenizers."""
        for tokenizer in budget.tokenizers or self.tokenizers:
            yield self._limit(budget, "tokens", budget.max_total or 0, tokenizer)

    def _hold(
        self,
        held: dict[_About, tuple[bool, Limit]],
        path: Path,
        limit: Limit,
        *,
        named: bool,
    ) -> None:
        key = (limit.quantity, limit.tokenizer, limit.extract, limit.each)
        if key not in held:
            held[key] = (named, limit)
            return
        other_named, other = held[key]
        if named == other_named:
            self._note(path, limit, other)
        if (not named, limit.maximum) < (not other_named, other.maximum):
            held[key] = (named, limit)

    def _note(self, path: Path, one: Limit, other: Limit) -> None:
        low, high = sorted((one, other), key=lambda limit: limit.maximum)
        self.notes.append(
            f"{relative_to(path, self.root)} has two budgets of {low.quantity}: {low.maximum:g} "
            f"({low.origin}) and {high.maximum:g} ({high.origin}); {low.maximum:g} holds"
        )

    def _limits(self, budget: Budget) -> Iterator[Limit]:
        for tokenizer in budget.tokenizers or self.tokenizers:
            if budget.max_tokens is not None:
                yield self._limit(budget, "tokens", budget.max_tokens, tokenizer)
            if budget.max_each is not None:
                yield replace(self._limit(budget, "tokens", budget.max_each, tokenizer), each=True)
            if budget.max_fertility is not None:
                yield self._limit(budget, "fertility", budget.max_fertility, tokenizer)
        if budget.max_bytes is not None:
            yield self._limit(budget, "bytes", budget.max_bytes, None)
        if budget.max_characters is not None:
            yield self._limit(budget, "characters", budget.max_characters, None)

    def _limit(
        self, budget: Budget, quantity: Quantity, maximum: float, tokenizer: str | None
    ) -> Limit:
        warn_at = budget.warn_at or self.warn_at
        return Limit(quantity, maximum, budget.origin, tokenizer, warn_at, budget.extract)
