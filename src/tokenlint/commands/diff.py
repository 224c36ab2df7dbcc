"""`tokenlint diff`: the tokens of files before and after a change."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenlint.commands import diff_reading, diff_sources
from tokenlint.commands.diff_counting import Counting
from tokenlint.commands.diff_limits import Both, Limits
from tokenlint.commands.diff_pairs import opened
from tokenlint.commands.diff_rows import row
from tokenlint.commands.diff_wanted import Everything, Wanted
from tokenlint.diagnostic import place
from tokenlint.errors import TokenlintError
from tokenlint.frozen import frozen
from tokenlint.git import Blobs
from tokenlint.patterns import shown_path
from tokenlint.reports.diff_values import Figures, Report, Skipped
from tokenlint.rules import over_growth
from tokenlint.rules.over_growth import Growth, check_growth
from tokenlint.tokens import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tokenlint.commands import money
    from tokenlint.commands.diff_pairs import Opened
    from tokenlint.commands.diff_reading import LeftOut
    from tokenlint.commands.diff_sources import Item, Pair, Source
    from tokenlint.commands.session import Session
    from tokenlint.growth import MaxIncrease
    from tokenlint.reports.diff_values import Cost, File
    from tokenlint.rules import Finding


@frozen
class Request:
    """What was asked of a comparison. `whole` counts the files that do not differ as well."""

    revisions: Sequence[str] = ()
    paths: Sequence[str] = ()
    staged: bool = False
    no_index: bool = False
    whole: bool = False
    max_increase: MaxIncrease | None = None


@frozen
class Outcome:
    """What a comparison came to. `problems` are what the user must put right: exit code 2."""

    report: Report
    notes: Sequence[str] = ()
    problems: Sequence[str] = ()


def run(request: Request, session: Session) -> Outcome:
    """Compare two states of the files.

    Raises TokenlintError where there is nothing to compare with, or to count with.
    """
    scope = session.scope(session.config)
    plan = _plan(session)
    names = dict.fromkeys((*scope.config.tokenizers, *(plan.tokenizers if plan else ())))
    for name in names:
        scope.loader.require(name)
    if request.no_index and request.paths:
        raise TokenlintError("--no-index compares OLD and NEW as they are; leave other paths out")
    source = diff_sources.open_source(
        request.revisions, session, staged=request.staged, no_index=request.no_index
    )
    wanted = Everything() if request.no_index else Wanted(request.paths, session)
    comparison = _Comparison(request, session, source, wanted, Counting(session, tuple(names)))
    with Blobs(source.top) as comparison.blobs:
        comparison.compare()
    return comparison.outcome(plan)


def _plan(session: Session) -> money.Plan | None:
    """The prices of the models that were named; nobody else pays for the import."""
    config = session.config
    if not config.models and config.calls is None:
        return None
    from tokenlint.commands import money

    return money.plan(config, session.scope(config).loader)


@dataclass
class _Total:
    """The sums of files in both states."""

    before: Figures = field(default_factory=Figures)
    after: Figures = field(default_factory=Figures)
    files_before: int = 0
    files_after: int = 0

    def add(self, before: Figures | None, after: Figures | None) -> None:
        """Add a file; None where it is not there."""
        if before is not None:
            self.before, self.files_before = self.before + before, self.files_before + 1
        if after is not None:
            self.after, self.files_after = self.after + after, self.files_after + 1


class _Comparison:
    """A comparison on its way."""

    blobs: Blobs

    def __init__(
        self,
        request: Request,
        session: Session,
        source: Source,
        wanted: Wanted | Everything,
        counting: Counting,
    ) -> None:
        self.session, self.source, self.wanted, self.counting = session, source, wanted, counting
        self.problems: list[str] = []
        self.notes: list[str] = []
        self.limits = Limits(session, counting, self.problems)
        self.files: list[File] = []
        self.findings: list[Finding] = []
        self.skipped: list[Skipped] = []
        self.total, self.differing = _Total(), set[str]()
        self.allowed = request.max_increase or session.config.diff.max_increase
        self.is_asked = request.max_increase is not None
        # Five percent of all files can only be said where all files are known.
        self.whole = request.whole or bool(self.allowed and self.allowed.percent)
        self.unchanged = 0

    def compare(self) -> None:
        """Count what differs, then what does not where somebody needs it."""
        for one in opened(self._pairs(), self._read):
            self._differing(one)
        if self.whole or self.limits.touched():
            for item in self.source.unchanged(self.differing):
                self._unchanged(item)
        self.problems += self.wanted.missing(self.source.top, (self.source.base, self.source.head))

    def _pairs(self) -> Iterator[Pair]:
        for pair in self.source.changed():
            if self._concerns(pair.item.file) and self.source.differs(pair):
                self.differing.add(pair.item.name)
                yield pair

    def _concerns(self, file: Path) -> bool:
        return self.wanted.has(file) or bool(self.limits.groups_of(file))

    def _read(self, item: Item) -> Document | LeftOut:
        return diff_reading.read(item, self.session, self.blobs)

    def _differing(self, one: Opened) -> None:
        if one.is_only_touched:
            self.differing.discard(one.pair.item.name)
            return
        file, both = one.pair.item.file, Both(_document(one.before), _document(one.after))
        groups = self.limits.groups_of(file)
        for group in groups:
            group.touched = group.touched or self.wanted.has(file)
        self.limits.add(both, groups)
        if not self.wanted.has(file):
            return
        if one.left_out is not None:
            self._skip(one.left_out, one.pair.item, is_now=one.after is one.left_out)
        if both != Both(None, None):
            self._row(one, both)

    def _row(self, one: Opened, both: Both) -> None:
        item = one.pair.item
        notes: list[str] = []
        before = self._figures(both.before, one.pair.before, notes)
        after = self._figures(both.after, one.pair.after, self.problems)
        self.total.add(before, after)
        shares = tuple(self.limits.shares(item.file, both))
        self.findings += self.limits.check_file(item.file, item.shown, both)
        self.files.append(row(one, before, after, shares, tuple(notes)))

    def _figures(
        self, document: Document | None, item: Item | None, problems: list[str]
    ) -> Figures | None:
        if document is None or item is None:
            return None
        try:
            return self.counting.figures(document, item.file)
        except TokenlintError as error:
            problems.append(f"{document.path}: {error}")
            return None

    def _skip(self, left_out: LeftOut, item: Item, *, is_now: bool) -> None:
        self.skipped.append(Skipped(item.shown, left_out.reason))
        if left_out.problem:
            self.problems.append(left_out.problem)
        elif left_out.detail and is_now and self.wanted.named(item.file):
            self.problems.append(left_out.detail)

    def _unchanged(self, item: Item) -> None:
        groups = [group for group in self.limits.groups_of(item.file) if group.touched]
        is_wanted = self.whole and self.wanted.has(item.file)
        if not groups and not is_wanted:
            return
        document = self._read(item)
        if not isinstance(document, Document):
            self._skip(document, item, is_now=is_wanted)
            return
        self.limits.add(Both(document, document), groups)
        if is_wanted and (figures := self._figures(document, item, self.problems)) is not None:
            self.total.add(figures, figures)
            self.unchanged += 1

    def outcome(self, plan: money.Plan | None) -> Outcome:
        """What it came to."""
        scopes = self.session.scopes
        for scope in scopes:
            self.problems += [*scope.unknown_tokenizers(), *map(str, scope.loader.failures)]
        findings = [*self.findings, *self.limits.check_groups(), *self._check_whole()]
        report = Report(
            self.source.base,
            self.source.head,
            self.session.config.tokenizers,
            sorted(self.files, key=self._order),
            self.total.before,
            self.total.after,
            self.total.files_before,
            self.total.files_after,
            self.unchanged if self.whole else None,
            tuple(self.limits.groups()),
            tuple(place(finding, None) for finding in sorted(findings)),
            sorted(self.skipped, key=lambda skipped: skipped.path),
            None if plan is None else self._cost(plan),
        )
        return Outcome(report, self.notes, self.problems)

    def _order(self, file: File) -> tuple[int, str]:
        """What changed most with the first tokenizer comes first."""
        return -abs(file.difference(self.session.config.tokenizers[0]).change), file.path

    def _check_whole(self) -> Iterator[Finding]:
        """The findings about all files together: what the command line says holds in any case."""
        config = self.session.config
        if self.allowed is None or not (self.is_asked or over_growth.RULE in config.rules):
            return
        for name in config.tokenizers:
            before = self.total.before.tokens.get(name, 0)
            after = self.total.after.tokens.get(name, 0)
            files = self.total.files_after
            growth = Growth(self._blamed(name), self.allowed, name, before, after, files=files)
            yield from check_growth(growth)

    def _blamed(self, name: str) -> str:
        """Where a finding about all files stands: the configuration, or what grew most."""
        config = self.session.config
        if config.path is not None:
            return shown_path(config.root / config.path, self.session.working_folder)
        return max(self.files, key=lambda f: f.difference(name).change).path if self.files else "."

    def _cost(self, plan: money.Plan) -> Cost:
        from tokenlint.commands.diff_money import Priced

        entries = (
            plan.entry(
                file.path,
                None if file.before is None else file.before.tokens,
                None if file.after is None else file.after.tokens,
            )
            for file in sorted(self.files, key=self._order)
        )
        return Priced(plan.cost(entries, compared=True))


def _document(content: Document | LeftOut | None) -> Document | None:
    return content if isinstance(content, Document) else None
