"""Group budgets: the files of each on disk, and what they come to."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from tokenlint.commands import ahead, baseline, premiums
from tokenlint.diagnostic import place
from tokenlint.errors import ConfigError, TokenizerError, TokenlintError
from tokenlint.files import Found, Listing, absolute
from tokenlint.patterns import PathPatterns, shown_path
from tokenlint.rules import over_premium, over_total_budget
from tokenlint.rules.base import Total
from tokenlint.tokens import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tokenlint.budgets import Budget
    from tokenlint.commands.check import Outcome, Request
    from tokenlint.commands.ledger import Ledger
    from tokenlint.commands.session import Scope, Session
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


def check(request: Request, listing: Listing, session: Session, outcome: Outcome) -> None:
    """Hold each group that the run touches to its total, whatever files were passed."""
    session.scope(session.config)  # it may have budgets, and no file that was found
    for scope in session.scopes:
        if not (scope.config.budgets or scope.config.premiums or scope.config.extract):
            continue  # listing a large tree once more takes as long as linting it
        root = scope.config.root
        named = (_contains(session.working_folder / path, root) for path in request.paths)
        whole = request.budgets_only or any(named)
        ledger = baseline.ledger_for(scope, request, session, outcome)
        files = _Files(scope, session, ledger)
        if whole and any(rule.code.startswith("TL30") for rule in scope.config.rules):
            outcome.problems += _dead(scope, files)
            outcome.notes += _idle(scope, files)
        if whole and over_premium.RULE in scope.config.rules:
            outcome.problems += premiums.dead(scope, files.all())
        if over_total_budget.RULE in scope.config.rules:
            if whole and ledger is not None:
                ledger.look_at(_stands_at(scope), [over_total_budget.RULE.code])
            for budget, patterns in scope.budgets.groups():
                if whole or any(patterns.match(found.path) for found in listing.found):
                    _check_group(budget, patterns, files, outcome)


def _contains(path: Path, root: Path) -> bool:
    # Path.is_dir raises where a name is too long.
    return os.path.isdir(path) and root.is_relative_to(absolute(path))  # noqa: PTH112


class _Files:
    """The files that a configuration governs, listed once and only when asked for.

    What was passed is no help: it may name files that are excluded, and belong to no group. The
    baseline is no prompt, and grows when it is written.
    """

    def __init__(self, scope: Scope, session: Session, ledger: Ledger | None) -> None:
        self.scope, self.session, self.ledger = scope, session, ledger

    @cached_property
    def _found(self) -> list[Found]:
        scope, session = self.scope, self.session
        listing = session.find([str(scope.config.root)])
        baseline = None if self.ledger is None else absolute(self.ledger.file)
        files = (found for found in listing.found if found.path != baseline)
        return [found for found in files if session.scope_for(found.path) is scope]

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
                f"{budget.origin}; {_remedy(budget, scope.config.root)}"
            )


def _remedy(budget: Budget, root: Path) -> str:
    """What to do about a budget without a file, which may be there under the very name."""
    for name in budget.files:
        if "[" in name and os.path.lexists(root / name):
            return f"in a pattern [ begins a set of characters: write {name.replace('[', '[[]')}"
    return "correct the pattern or remove the budget"


def _idle(scope: Scope, files: _Files) -> Iterator[str]:
    """A sentence for each glob of the table `extract` that no file matches: it may be mistyped."""
    for glob in scope.config.extract:
        if not glob.startswith("!") and not files.matching(
            PathPatterns(scope.config.root, (glob,))
        ):
            yield f'{scope.config.path}: extract."{glob}" matches no file'


def _check_group(budget: Budget, patterns: PathPatterns, files: _Files, outcome: Outcome) -> None:
    scope, session, ledger = files.scope, files.session, files.ledger
    try:
        counts = _count_group(budget, files.matching(patterns), scope, session)
    except TokenlintError as error:
        outcome.problems.append(f"{error}; so the total of {budget.origin} is unknown")
        return
    path = shown_path(_stands_at(scope), session.working_folder)
    for limit, by_path in counts.items():
        findings = tuple(over_total_budget.check_total(Total(path, limit, by_path)))
        if ledger is not None:
            findings = ledger.judge(_stands_at(scope), findings, None)
            ledger.settle()
        outcome.diagnostics += (place(finding, None) for finding in findings)


def _stands_at(scope: Scope) -> Path:
    """The file that a finding about a group is reported in."""
    return scope.config.path or scope.config.root


def _count_group(
    budget: Budget, files: Iterable[Found], scope: Scope, session: Session
) -> dict[Limit, dict[str, int]]:
    """Tokens by path for each total limit whose tokenizer could be loaded."""
    counts = {limit: dict[str, int]() for limit in scope.budgets.totals_of(budget)}
    names = [limit.tokenizer or "" for limit in counts if limit.extract is None]
    for document in ahead.documents(files, names, scope, session):
        if isinstance(document, Unreadable):
            raise TokenlintError(document.message)
        for limit, by_path in counts.items():
            try:
                count = scope.context.count(document, limit.tokenizer, limit)
                by_path[document.path] = count or 0
            except TokenlintError as error:
                raise TokenlintError(f"{document.path}: {error}") from None
    loader = scope.loader
    return {
        limit: by_path
        for limit, by_path in counts.items()
        if limit.tokenizer and not isinstance(loader.get(limit.tokenizer), TokenizerError)
    }
