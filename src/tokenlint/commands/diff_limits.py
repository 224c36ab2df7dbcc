"""What a change does to budgets: shares of them, groups of files, and increases over a limit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tokenlint.commands.diff_reading import LeftOut as Unknown
from tokenlint.errors import TokenizerError, TokenlintError
from tokenlint.patterns import shown_path
from tokenlint.reports.diff_values import Difference, Group, Share
from tokenlint.rules import over_growth
from tokenlint.rules.over_growth import Growth, check_growth
from tokenlint.suppress import unsuppressed
from tokenlint.tokens import Document, Limit
from tokenlint.walking import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tokenlint.budgets import Budget
    from tokenlint.commands.diff_counting import Counting
    from tokenlint.commands.session import Scope, Session
    from tokenlint.growth import MaxIncrease
    from tokenlint.patterns import PathPatterns
    from tokenlint.rules import Finding


class Both(NamedTuple):
    """The text of a file before and after, or why nobody knows it; None where there is none."""

    before: Document | Unknown | None
    after: Document | Unknown | None


class Counts(NamedTuple):
    """The tokens of a file before and after, None where it has none.

    They are not `is_known` where one of the two has a text that could not be counted. `lost` is
    why, for one that could be counted before.
    """

    before: int | None
    after: int | None
    is_known: bool = True
    lost: str = ""


@dataclass
class Limits:
    """The budgets of all configurations that a comparison meets."""

    session: Session
    counting: Counting
    problems: list[str]
    _groups: dict[tuple[int, int], _Group] = field(default_factory=dict)

    def shares(self, file: Path, both: Both) -> Iterator[Share]:
        """How much of each of its budgets of tokens a file takes."""
        scope = self.session.scope_for(file)
        for limit in scope.budgets.limits_for(file):
            if limit.quantity == "tokens":
                counts = self._counts(both, limit, scope)
                if counts[:2] != (None, None):
                    name = limit.tokenizer or ""
                    figures = (counts.before, counts.after, limit.warn_at)
                    yield Share(name, limit.maximum, limit.origin, *figures)

    def check_file(self, file: Path, shown: str, both: Both) -> Iterator[Finding]:
        """The findings about a file that grew more than it may.

        One that could not be counted before is held to its limits as a new one is.
        """
        scope = self.session.scope_for(file)
        if over_growth.RULE not in scope.config.rules_for(file) or both.after is None:
            return
        findings = [
            finding
            for budget, allowed in _holding(scope, file)
            for growth in self._growths((budget, scope), allowed, shown, both)
            for finding in check_growth(growth)
        ]
        if scope.config.inline_directives and isinstance(both.after, Document):
            findings = list(unsuppressed(both.after, findings, scope.config.trust_of(file)))
        yield from findings

    def _growths(
        self, held: tuple[Budget, Scope], allowed: MaxIncrease, shown: str, both: Both
    ) -> Iterator[Growth]:
        budget, scope = held
        for limit in _each_tokenizer(budget, scope):
            before, after, _, lost = self._counts(both, limit, scope)
            if lost:
                self.problems.append(unheld(shown, lost))
            if after is not None:
                name = limit.tokenizer or ""
                yield Growth(shown, allowed, name, before or 0, after, budget.origin)

    def _counts(self, both: Both, limit: Limit, scope: Scope) -> Counts:
        """The tokens that a limit is about; a state that has no such prompt has none."""
        earlier: list[str] = []  # the prompt may stand in another place than it did
        before, was_known = self._counted(both.before, limit, scope, earlier, before=True)
        after, is_known = self._counted(both.after, limit, scope, self.problems)
        is_lost = before is not None and isinstance(both.after, Unknown)
        lost = both.after.reason if is_lost and isinstance(both.after, Unknown) else ""
        return Counts(before, after, was_known and is_known, lost)

    def _counted(
        self,
        text: Document | Unknown | None,
        limit: Limit,
        scope: Scope,
        problems: list[str],
        *,
        before: bool = False,
    ) -> tuple[int | None, bool]:
        if not isinstance(text, Document):
            return None, text is None
        try:
            return self.counting.limited(text, limit, scope, before=before), True
        except TokenlintError as error:
            problems.append(f"{text.path}: {error}")
            return None, False

    def groups_of(self, file: Path) -> list[_Group]:
        """The groups that a file belongs to."""
        scope = self.session.scope_for(file)
        return [
            group
            for at, (budget, patterns) in enumerate(scope.budgets.patterns)
            if _is_group(budget)
            if (group := self._group(at, budget, patterns, scope)).has(file)
        ]

    def add(self, both: Both, groups: Iterable[_Group], shown: str) -> None:
        """Add a file to groups, which may be the same before and after."""
        for group in groups:
            for limit in group.limits:
                group.add(limit, self._counts(both, limit, group.scope), shown)

    def touched(self) -> list[_Group]:
        """The groups that have a file which differs."""
        return [group for group in self._groups.values() if group.touched]

    def groups(self) -> Iterator[Group]:
        """What the groups came to that the change touches."""
        for group in self.touched():
            yield from group.results()

    def check_groups(self) -> Iterator[Finding]:
        """The findings about groups that grew more than they may."""
        for group in self.touched():
            allowed = group.budget.max_total_increase
            if allowed is None or over_growth.RULE not in group.scope.config.rules:
                continue
            self.problems += group.lost
            config = group.scope.config
            path = shown_path(config.path or config.root, self.session.working_folder)
            for result in group.results():
                one = result.difference
                said = (allowed, one.tokenizer, one.before, one.after, result.origin)
                yield from check_growth(Growth(path, *said, result.files_after))

    def _group(self, at: int, budget: Budget, patterns: PathPatterns, scope: Scope) -> _Group:
        key = (id(scope), at)
        if key not in self._groups:
            left_out = LeftOut(scope.config.root, self.session.excludes)
            limits = tuple(_each_tokenizer(budget, scope))
            self._groups[key] = _Group(budget, patterns, scope, limits, left_out)
        return self._groups[key]


def unheld(shown: str, reason: str) -> str:
    """What is said where a limit can no longer be looked at."""
    return (
        f"{shown}: it could be counted before and cannot be now ({reason}), so that its increase "
        "cannot be held to the limit; make a text of it that can be counted, or delete it"
    )


def _is_group(budget: Budget) -> bool:
    return budget.max_total is not None or budget.max_total_increase is not None


def _holding(scope: Scope, file: Path) -> list[tuple[Budget, MaxIncrease]]:
    """The budgets that hold for a file: those that name it outright, else all that match it."""
    matching = [
        (budget, budget.max_increase)
        for budget, patterns in scope.budgets.patterns
        if budget.max_increase is not None and patterns.match(file)
    ]
    return [one for one in matching if one[0].names(file, scope.config.root)] or matching


def _each_tokenizer(budget: Budget, scope: Scope) -> Iterator[Limit]:
    """What a budget counts, with each of its tokenizers that can be had."""
    for name in budget.tokenizers or scope.config.tokenizers:
        if not isinstance(scope.loader.get(name), TokenizerError):
            yield Limit("tokens", 0, budget.origin, name, extract=budget.extract)


@dataclass
class _Group:
    """The files of a budget together, as they are added up."""

    budget: Budget
    patterns: PathPatterns
    scope: Scope
    limits: tuple[Limit, ...]
    left_out: LeftOut
    touched: bool = False
    before: Counter[Limit] = field(default_factory=Counter)
    after: Counter[Limit] = field(default_factory=Counter)
    files_before: Counter[Limit] = field(default_factory=Counter)
    files_after: Counter[Limit] = field(default_factory=Counter)
    uncounted: Counter[Limit] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)

    def has(self, file: Path) -> bool:
        """Whether a file is one of them."""
        root = self.scope.config.root
        below = file.is_relative_to(root) and file != root
        return below and self.patterns.match(file) and not self.left_out(file)

    def add(self, limit: Limit, counts: Counts, shown: str) -> None:
        """Add the tokens of a file to both sums, or to neither."""
        if counts.lost:
            self.lost.append(unheld(shown, counts.lost))
        if not counts.is_known:
            self.uncounted[limit] += 1
            return
        for sums, files, value in (
            (self.before, self.files_before, counts.before),
            (self.after, self.files_after, counts.after),
        ):
            if value is not None:
                sums[limit] += value
                files[limit] += 1

    def results(self) -> Iterator[Group]:
        """The sums, one for each tokenizer."""
        for limit in self.limits:
            one = Difference(limit.tokenizer or "", self.before[limit], self.after[limit])
            files = (self.files_before[limit], self.files_after[limit])
            rest = (self.budget.max_total, self.uncounted[limit])
            yield Group(self.budget.origin, one, *files, *rest)
