"""Group budgets: the files of each on disk, and what they come to."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from tokenlint.commands import premiums
from tokenlint.diagnostic import place
from tokenlint.errors import ConfigError, TokenizerError, TokenlintError, UncountableTextError
from tokenlint.files import Found, Listing, absolute
from tokenlint.patterns import shown_path
from tokenlint.rules import over_premium, over_total_budget
from tokenlint.rules.base import Total
from tokenlint.tokens import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tokenlint.budgets import Budget
    from tokenlint.commands.check import Outcome
    from tokenlint.commands.session import Scope, Session
    from tokenlint.patterns import PathPatterns
    from tokenlint.tokens import Limit


def find_budgeted(session: Session) -> Listing:
    """Every file that a budget or a premium of the configuration that governs it is about.

    Raises ConfigError where there is no budget: a hook that checks nothing is a defect.
    """
    config = session.config
    session.scope(config)
    listing = session.find([str(config.root)])
    found = [
        Found(file.path, file.shown, named=True)
        for file in listing.found
        if _is_limited(file.path, session.scope_for(file.path))
    ]
    if not any(scope.config.budgets or scope.config.premiums for scope in session.scopes):
        where = f"{config.path}: " if config.path else "no configuration file was found, so "
        raise ConfigError(
            f"{where}no budgets to check; add a [[tool.tokenlint.budgets]] table with files "
            "and max-tokens"
        )
    return Listing(found, [])


def _is_limited(path: Path, scope: Scope) -> bool:
    return scope.budgets.covers(path) or scope.premiums.covers(path)


def check(
    paths: Sequence[str],
    listing: Listing,
    session: Session,
    outcome: Outcome,
    *,
    always: bool = False,
) -> None:
    """Hold each group that the run touches to its total, whatever files were passed."""
    session.scope(session.config)  # it may have budgets, and no file that was found
    for scope in session.scopes:
        if not (scope.config.budgets or scope.config.premiums):
            continue  # listing a large tree once more takes as long as linting it
        root = scope.config.root
        whole = always or any(_contains(session.working_folder / path, root) for path in paths)
        files = _Files(scope, session)
        if whole and any(rule.code.startswith("TL30") for rule in scope.config.rules):
            outcome.problems += _dead(scope, files)
        if whole and over_premium.RULE in scope.config.rules:
            outcome.problems += premiums.dead(scope, files.all())
        if over_total_budget.RULE in scope.config.rules:
            for budget, patterns in scope.budgets.groups():
                if whole or any(patterns.match(found.path) for found in listing.found):
                    _check_group(budget, files.matching(patterns), scope, session, outcome)


def _contains(path: Path, root: Path) -> bool:
    # Path.is_dir raises where a name is too long.
    return os.path.isdir(path) and root.is_relative_to(absolute(path))  # noqa: PTH112


class _Files:
    """The files that a configuration governs, listed once and only when asked for.

    What was passed is no help: it may name files that are excluded, and belong to no group.
    """

    def __init__(self, scope: Scope, session: Session) -> None:
        self._scope, self._session = scope, session

    @cached_property
    def _found(self) -> list[Found]:
        scope, session = self._scope, self._session
        listing = session.find([str(scope.config.root)])
        return [found for found in listing.found if session.scope_for(found.path) is scope]

    def all(self) -> list[Found]:
        """Every file, in order."""
        return self._found

    def matching(self, patterns: PathPatterns) -> list[Found]:
        """The files that patterns match, in order."""
        return [found for found in self.all() if patterns.match(found.path)]


def _dead(scope: Scope, files: _Files) -> Iterator[str]:
    for at, (budget, patterns) in enumerate(scope.budgets.patterns):
        if not files.matching(patterns):
            yield (
                f"{scope.config.path}: budgets[{at}] checks nothing: no file matches "
                f"{budget.origin}; correct the pattern or remove the budget"
            )


def _check_group(
    budget: Budget, files: Iterable[Found], scope: Scope, session: Session, outcome: Outcome
) -> None:
    try:
        counts = _count_group(budget, files, scope, session)
    except TokenlintError as error:
        outcome.problems.append(f"{error}; so the total of {budget.origin} is unknown")
        return
    path = shown_path(scope.config.path or scope.config.root, session.working_folder)
    for limit, by_path in counts.items():
        findings = over_total_budget.check_total(Total(path, limit, by_path))
        outcome.diagnostics += (place(finding, None) for finding in findings)


def _count_group(
    budget: Budget, files: Iterable[Found], scope: Scope, session: Session
) -> dict[Limit, dict[str, int]]:
    """Tokens by path for each total limit whose tokenizer could be loaded."""
    counts = {limit: dict[str, int]() for limit in scope.budgets.totals_of(budget)}
    for found in files:
        document = session.read(found)
        if isinstance(document, Unreadable):
            raise TokenlintError(document.message)
        for limit, by_path in counts.items():
            try:
                by_path[document.path] = scope.context.count(document, limit.tokenizer) or 0
            except UncountableTextError as error:
                raise TokenlintError(f"{document.path}: {error}") from None
    loader = scope.loader
    return {
        limit: by_path
        for limit, by_path in counts.items()
        if limit.tokenizer and not isinstance(loader.get(limit.tokenizer), TokenizerError)
    }
