"""Group budgets: the files of each on disk, and what they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.diagnostic import place
from tokenlint.errors import ConfigError, TokenizerError, TokenlintError
from tokenlint.files import Found, Listing, absolute, shown_path
from tokenlint.rules import over_total_budget
from tokenlint.rules.base import Total
from tokenlint.tokens import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tokenlint.budgets import Budget
    from tokenlint.commands.check import Outcome
    from tokenlint.commands.session import Scope, Session
    from tokenlint.files import PathPatterns
    from tokenlint.tokens import Limit


def find_budgeted(session: Session) -> Listing:
    """Every file that a budget of the working folder's configuration is about.

    Raises ConfigError where there is no budget: a hook that checks nothing is a defect.
    """
    config = session.config
    if not config.budgets:
        where = config.path or "no configuration file was found, so"
        raise ConfigError(
            f"{where}: no budgets to check; add a [[tool.tokenlint.budgets]] table with files "
            "and max-tokens"
        )
    listing = session.find([str(config.root)])
    budgets = session.scope(config).budgets
    found = [
        Found(file.path, file.shown, named=True)
        for file in listing.found
        if budgets.covers(file.path)
    ]
    return Listing(found, [])


def check(
    paths: Sequence[str],
    listing: Listing,
    session: Session,
    outcome: Outcome,
    *,
    always: bool = False,
) -> None:
    """Hold each group that the run touches to its total, whatever files were passed."""
    for scope in session.scopes:
        root = scope.config.root
        whole = always or any(_contains(session.working_folder / path, root) for path in paths)
        files = _Files(scope, session, listing if whole else None)
        if whole and any(rule.code.startswith("TL30") for rule in scope.config.rules):
            outcome.problems += _dead(scope, files)
        if over_total_budget.RULE in scope.config.rules:
            for budget, patterns in scope.budgets.groups():
                if whole or any(patterns.match(found.path) for found in listing.found):
                    _check_group(budget, files.matching(patterns), scope, session, outcome)


def _contains(path: Path, root: Path) -> bool:
    return path.is_dir() and root.is_relative_to(absolute(path))


class _Files:
    """The files below a configuration's folder, listed once and only when asked for."""

    def __init__(self, scope: Scope, session: Session, listing: Listing | None) -> None:
        self._scope, self._session, self._listing = scope, session, listing

    def matching(self, patterns: PathPatterns) -> list[Found]:
        """The files that patterns match, in order."""
        if self._listing is None:
            self._listing = self._session.find([str(self._scope.config.root)])
        return [found for found in self._listing.found if patterns.match(found.path)]


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
            by_path[document.path] = scope.context.count(document, limit.tokenizer) or 0
    loader = scope.loader
    return {
        limit: by_path
        for limit, by_path in counts.items()
        if limit.tokenizer and not isinstance(loader.get(limit.tokenizer), TokenizerError)
    }
