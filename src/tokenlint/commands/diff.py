"""`tokenlint diff`: the tokens of files before and after a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.commands import diff_reading, diff_sources
from tokenlint.commands.diff_counting import Counting
from tokenlint.commands.diff_limits import Both, Limits, unheld
from tokenlint.commands.diff_pairs import differing, opened
from tokenlint.commands.diff_reading import LeftOut
from tokenlint.commands.diff_rows import row
from tokenlint.commands.diff_totals import Total, as_text, uncounted_in
from tokenlint.commands.diff_variables import States
from tokenlint.commands.diff_wanted import Everything, Wanted
from tokenlint.diagnostic import place
from tokenlint.errors import TokenlintError
from tokenlint.frozen import frozen
from tokenlint.git import Blobs
from tokenlint.patterns import shown_path
from tokenlint.reports.diff_values import Report, Skipped
from tokenlint.rules import over_growth
from tokenlint.rules.over_growth import Growth, check_growth
from tokenlint.tokens import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tokenlint.commands import money
    from tokenlint.commands.diff_pairs import Opened
    from tokenlint.commands.diff_sources import Item, Pair, Source
    from tokenlint.commands.session import Session
    from tokenlint.growth import MaxIncrease
    from tokenlint.reports.diff_values import Cost, Figures, File
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
    with Blobs(source.top) as blobs:
        counting = Counting(session, tuple(names), States(source, session, blobs))
        comparison = _Comparison(request, session, source, wanted, counting, blobs)
        comparison.compare()
    return comparison.outcome(plan)


def _plan(session: Session) -> money.Plan | None:
    """The prices of the models that were named; nobody else pays for the import."""
    config = session.config
    if not config.models and config.calls is None:
        return None
    from tokenlint.commands import money

    return money.plan(config, session.scope(config).loader)


class _Comparison:
    """A comparison on its way."""

    def __init__(
        self,
        request: Request,
        session: Session,
        source: Source,
        wanted: Wanted | Everything,
        counting: Counting,
        blobs: Blobs,
    ) -> None:
        self.session, self.source, self.wanted = session, source, wanted
        self.counting, self.blobs = counting, blobs
        self.problems: list[str] = []
        self.limits = Limits(session, counting, self.problems)
        self.files: list[File] = []
        self.findings: list[Finding] = []
        self.skipped: list[Skipped] = []
        self.total, self.differing = Total(), set[str]()
        self.allowed = request.max_increase or session.config.diff.max_increase
        self.is_asked = request.max_increase is not None
        # Five percent of all files can only be said where all files are known.
        self.whole = request.whole or bool(self.allowed and self.allowed.percent)
        is_limited = self.is_asked or over_growth.RULE in session.config.rules
        self.is_limited = is_limited and self.allowed is not None
        self.folder = "" if request.no_index or request.paths else _below(source, session)
        self.unchanged = 0

    def compare(self) -> None:
        """Count what differs, then what does not where somebody needs it."""
        pairs = opened(self._pairs(), self._read, self._readings)
        for one in self.counting.ahead(pairs, self.wanted.has):
            self._differing(one)
        if self.whole or self.limits.touched():
            items = list(filter(self._is_needed, self.source.unchanged(self.differing)))
            for item, document in self.counting.read_ahead(items, self._read):
                self._unchanged(item, document)
        self.problems += self.wanted.missing(self.source.top, (self.source.base, self.source.head))

    def _pairs(self) -> Iterator[Pair]:
        for pair in differing(self.source, self._concerns):
            self.differing.add(pair.item.name)
            yield pair

    def _concerns(self, file: Path) -> bool:
        return self.wanted.has(file) or bool(self.limits.groups_of(file))

    def _read(self, item: Item) -> Document | LeftOut:
        return diff_reading.read(item, self.session, self.blobs)

    def _readings(self, item: Item, most: int) -> tuple[str, ...]:
        return diff_reading.readings(item, self.blobs, most)

    def _differing(self, one: Opened) -> None:
        if one.is_only_touched:
            self.differing.discard(one.pair.item.name)
            return
        file, both = one.pair.item.file, Both(as_text(one.before), as_text(one.after))
        groups = [] if one.pair.is_given else self.limits.groups_of(file)
        for group in groups:
            group.touched = group.touched or self.wanted.has(file)
        self.limits.add(both, groups, one.pair.item.shown)
        if not self.wanted.has(file):
            return
        self._left_out(one)
        if any(isinstance(text, Document) for text in both):
            self._row(one, both)

    def _row(self, one: Opened, both: Both) -> None:
        item = one.pair.item
        notes: list[str] = []
        before = self._figures(both.before, one.pair.before, notes, before=True)
        after = self._figures(both.after, one.pair.after, self.problems)
        uncounted = uncounted_in(both, before, after)
        if not uncounted:
            self.total.add(before, after)
        elif before is not None and isinstance(both.after, LeftOut) and self.is_limited:
            self.problems.append(unheld(item.shown, both.after.reason))
        shares = tuple(self.limits.shares(item.file, both))
        self.findings += self.limits.check_file(item.file, item.shown, both)
        self.files.append(row(one, before, after, shares, tuple(notes), uncounted))

    def _figures(
        self,
        document: Document | LeftOut | None,
        item: Item | None,
        problems: list[str],
        *,
        before: bool = False,
    ) -> Figures | None:
        if not isinstance(document, Document) or item is None:
            return None
        try:
            return self.counting.figures(document, item.file, before=before)
        except TokenlintError as error:
            problems.append(f"{document.path}: {error}")
            return None

    def _left_out(self, one: Opened) -> None:
        """Name what has no text; of two files that were given, either must have one."""
        sides = ((one.pair.before, one.before), (one.pair.after, one.after))
        for item, content in sides:
            if item and isinstance(content, LeftOut) and one.pair.is_given:
                self._skip(content, item, is_named=True)
        if one.left_out is not None and not one.pair.is_given:
            is_now, item = one.after is one.left_out, one.pair.item
            self._skip(one.left_out, item, is_named=is_now and self.wanted.named(item.file))

    def _skip(self, left_out: LeftOut, item: Item, *, is_named: bool) -> None:
        is_missed = is_named or not left_out.is_by_nature
        self.skipped.append(Skipped(item.shown, left_out.reason, is_missed))
        if left_out.problem:
            self.problems.append(left_out.problem)
        elif left_out.detail and is_named:
            self.problems.append(left_out.detail)

    def _is_needed(self, item: Item) -> bool:
        is_wanted = self.whole and self.wanted.has(item.file)
        return is_wanted or any(group.touched for group in self.limits.groups_of(item.file))

    def _unchanged(self, item: Item, document: Document | LeftOut) -> None:
        groups = [group for group in self.limits.groups_of(item.file) if group.touched]
        is_wanted = self.whole and self.wanted.has(item.file)
        if not isinstance(document, Document):
            self._skip(document, item, is_named=is_wanted and self.wanted.named(item.file))
            return
        self.limits.add(Both(document, document), groups, item.shown)
        if not is_wanted:
            return
        if (figures := self._figures(document, item, self.problems)) is None:
            self.skipped.append(Skipped(item.shown, "not countable", is_missed=True))
        else:
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
            self.folder,
        )
        notes = dict.fromkeys((*self.session.remarks, *self.counting.states.remarks))
        return Outcome(report, tuple(notes), tuple(dict.fromkeys(self.problems)))

    def _order(self, file: File) -> tuple[bool, int, str]:
        """What nobody can judge comes first, then what changed most with the first tokenizer."""
        change = abs(file.difference(self.session.config.tokenizers[0]).change)
        return file.is_counted, -change, file.path

    def _check_whole(self) -> Iterator[Finding]:
        """The findings about all files together: what the command line says holds in any case."""
        config = self.session.config
        if self.allowed is None or not self.is_limited:
            return
        for name in config.tokenizers:
            before = self.total.before.tokens.get(name, 0)
            after = self.total.after.tokens.get(name, 0)
            where, files = self._blamed(name), self.total.files
            yield from check_growth(Growth(where, self.allowed, name, before, after, files=files))

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
            if file.is_counted
        )
        return Priced(plan.cost(entries, compared=True))


def _below(source: Source, session: Session) -> str:
    """The folder of the repository that is looked at, where it is not the whole of it."""
    here, top = session.working_folder, source.top
    return here.relative_to(top).as_posix() if here != top and here.is_relative_to(top) else ""
