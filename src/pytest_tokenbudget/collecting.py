"""Configured limits become test items. Nothing is counted before an item runs."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from pytest_tokenbudget.errors import Mistake, fail, mistakes_fail
from pytest_tokenbudget.items import ByteLimit, PremiumLimit, Problem, TokenLimit, TotalLimit
from pytest_tokenbudget.keys import COLLECTED
from pytest_tokenbudget.measuring import measure_of
from tokenlint.printable import printable

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from pathlib import Path

    from pytest_tokenbudget.failures import Failure
    from pytest_tokenbudget.measuring import Measure
    from tokenlint.config import Config


class Held(Protocol):
    """A limit that an item stands for."""

    @property
    def name(self) -> str:
        """The last part of the node id."""

    @property
    def marks(self) -> tuple[pytest.MarkDecorator, ...]:
        """What `-m` selects the item by."""

    def judge(self, measure: Measure) -> Failure:
        """What does not keep the limit. Raises Mistake and TokenlintError."""


@dataclass(frozen=True)
class Plan:
    """Every item that the configuration asks for, by the file that it stands under."""

    config: pytest.Config

    @cached_property
    def items(self) -> dict[Path, list[Held]]:
        """The items of each file, files in order."""
        from tokenlint.errors import TokenlintError

        found: dict[Path, list[Held]] = {}
        try:
            for path, held in _planned(measure_of(self.config)):
                found.setdefault(path, []).append(held)
        except (Mistake, TokenlintError) as error:
            found = {_configuration(self.config): [Problem("token_budget", str(error))]}
        return dict(sorted(found.items()))


def _planned(measure: Measure) -> Iterator[tuple[Path, Held]]:
    config = measure.config
    if config.path is None or not (config.budgets or config.premiums):
        raise Mistake(
            f"{config.path or config.root}: no limits to collect; add a "
            "[[tool.tokenlint.budgets]] table with files and max-tokens"
        )
    files, budgets = config.files(), config.limits()
    for path in files:
        for limit in budgets.limits_for(path):
            if limit.quantity in ("tokens", "fertility"):
                yield path, TokenLimit(path, limit)
            else:
                yield path, ByteLimit(path, limit)
    yield from _of_translations(config, files)
    for held in _of_groups(config, files):
        yield config.path, held


def _of_groups(config: Config, files: Iterable[Path]) -> Iterator[Held]:
    """The totals, and a failing item for each budget that no file matches."""
    budgets = config.limits()
    times = Counter[str]()
    for at, (budget, patterns) in enumerate(budgets.patterns):
        group = tuple(path for path in files if patterns.match(path))
        times[budget.origin] += 1
        again = f"#{times[budget.origin]}" * (times[budget.origin] > 1)
        if not group:
            why = f"budgets[{at}] checks nothing: no file matches {budget.origin}"
            sentence = f"{config.path}: {why}; correct the pattern or remove the budget"
            yield Problem(f"token_budget[{budget.origin}{again}]", sentence)
        elif budget.max_total is not None:
            for limit in budgets.totals_of(budget):
                yield TotalLimit(f"{budget.origin}{again}", group, limit)


def _of_translations(config: Config, files: Iterable[Path]) -> Iterator[tuple[Path, Held]]:
    """The premiums, and a failing item for each that no file is held to."""
    premiums = config.translations()
    times: Counter[tuple[Path, str]] = Counter()
    for at, entry in enumerate(config.premiums):
        pairs = [(path, premiums.counterpart(entry, path)) for path in files]
        held = [(path, reference) for path, reference in pairs if reference is not None]
        for path, reference in held:
            for name in entry.tokenizers or config.tokenizers:
                times[path, name] += 1
                again = f"#{times[path, name]}" * (times[path, name] > 1)
                yield path, PremiumLimit(path, reference.path, entry.max_premium, name, again)
        if not held and config.path is not None:
            why = f"premiums[{at}] checks nothing: no file matches {entry.files}"
            sentence = f"{config.path}: {why}; correct the path or remove the premium"
            yield config.path, Problem(f"premium_limit[{entry.files}]", sentence)


def _configuration(config: pytest.Config) -> Path:
    """The file under which a configuration that cannot be used is reported."""
    from tokenlint.config import FILE_NAMES

    folders = (config.rootpath, *config.rootpath.parents)
    paths = (folder / name for folder in folders for name in FILE_NAMES)
    return next((path for path in paths if path.is_file()), config.rootpath / FILE_NAMES[0])


class BudgetItem(pytest.Item):
    """One limit as a test."""

    def __init__(self, *, held: Held, parent: pytest.File, **more: Any) -> None:
        # As a text: pytest 9.2 takes ids apart and, left to itself, would not see that what is
        # in brackets is a parameter; --lf would then not know the item again.
        name = printable(held.name)
        nodeid = f"{parent.nodeid}::{name}"
        super().__init__(name=name, parent=parent, nodeid=nodeid, **more)
        self.held = held
        self.stash[COLLECTED] = True
        self.extra_keyword_matches.add(self.nodeid)
        for mark in held.marks:
            self.add_marker(mark)
        for pattern, reason in _expected_failures(self.config):
            if pattern == self.nodeid or fnmatchcase(self.nodeid.partition("::")[0], pattern):
                self.add_marker(pytest.mark.xfail(reason=reason))

    def runtest(self) -> None:
        """Hold the file, or the group, to its limit."""
        with mistakes_fail():
            failure = self.held.judge(measure_of(self.config))
        if failure:
            fail(failure)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where the item stands: the heading of its failure is its node id."""
        return self.path, None, self.nodeid


class BudgetFile(pytest.File):
    """A file with limits; `extra` ones were not asked for by the arguments of pytest."""

    def __init__(
        self, *, plan: Plan, taken: dict[Path, BudgetFile], extra: bool = False, **more: Any
    ) -> None:
        shown = printable(os.fspath(more["path"]))
        if shown != os.fspath(more["path"]):  # a name that would act on a terminal
            root = f"{printable(os.fspath(more['parent'].config.rootpath))}{os.sep}"
            more["nodeid"] = shown.removeprefix(root).replace(os.sep, "/")
        super().__init__(**more)
        self.plan, self.taken, self.extra = plan, taken, extra

    def collect(self) -> list[pytest.Item]:
        """The items of the file, unless it is an extra one that was collected already."""
        first = self.taken.setdefault(self.path, self)
        if self.extra and first is not self:
            return []
        return [
            BudgetItem.from_parent(self, held=held) for held in self.plan.items.get(self.path, [])
        ]


@dataclass(eq=False)
class Collecting:
    """The hooks of a run that collects the configured limits."""

    config: pytest.Config
    plan: Plan = field(init=False)
    taken: dict[Path, BudgetFile] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Nothing is planned before pytest collects: the controller of xdist never does."""
        self.plan = Plan(self.config)

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> BudgetFile | None:
        """The limits of a file that pytest comes across, or that was named."""
        if file_path not in self.plan.items:
            return None
        return BudgetFile.from_parent(parent, path=file_path, plan=self.plan, taken=self.taken)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Add the files that pytest does not come across by itself, after all others."""
        report = yield
        if isinstance(collector, pytest.Session) and report.passed:
            extra = (
                BudgetFile.from_parent(
                    collector, path=path, plan=self.plan, taken=self.taken, extra=True
                )
                for path in self.wanted()
            )
            report.result = [*report.result, *extra]
        return report

    def wanted(self) -> list[Path]:
        """The files with limits that belong to a run.

        All, unless files or node ids are named. Of named paths those that hold files with limits
        bring these alone, and named test files bring none unless --tokenbudget was said.
        """
        files = list(self.plan.items)
        if self.config.args_source is not pytest.Config.ArgsSource.ARGS:
            return files
        arguments = list(map(str, self.config.args))
        if any("::" in argument for argument in arguments):
            return []
        named = [self.config.invocation_params.dir / argument for argument in arguments]
        inside = [path for path in files if any(path.is_relative_to(name) for name in named)]
        if inside:
            return inside
        said = self.config.getoption("tokenbudget") or all(name.is_dir() for name in named)
        return files if said else []


def _expected_failures(config: pytest.Config) -> Iterator[tuple[str, str]]:
    for line in config.getini("tokenbudget_xfail"):
        pattern, _, reason = line.partition(": ")
        yield pattern.strip(), reason.strip()
