"""`tokenlint check`: every rule on every file, fixes where asked, and what it came to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenlint import fix, progress
from tokenlint.commands import baseline, premiums
from tokenlint.commands.ahead import limits_of, read_ahead
from tokenlint.diagnostic import Diagnostic, place
from tokenlint.errors import TokenlintError
from tokenlint.files import Found, absolute
from tokenlint.frozen import frozen
from tokenlint.linter import lint
from tokenlint.reports.text import Cost
from tokenlint.tokens import Document, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tokenlint.commands.ledger import Ledger
    from tokenlint.commands.session import Scope, Session, Stdin
    from tokenlint.commands.unchanged import Unchanged
    from tokenlint.rules import Finding, Rule
    from tokenlint.tokens import ColumnUnit

_MOST_PASSES = 10
_FEWEST = 200  # files of a run that notes are kept of: fewer are read while the notes would be


@frozen
class Request:
    """What was asked of a check."""

    paths: Sequence[str] = (".",)
    stdin: Stdin | None = None
    budgets_only: bool = False
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    column_unit: ColumnUnit = "code-point"
    baseline: Path | None = None
    use_baseline: bool = True
    write_baseline: Path | None = None
    prune_baseline: bool = False


@dataclass(eq=False, repr=False)
class Outcome:
    """What a check came to. `problems` are what the user must put right: exit code 2.

    `accepted` counts the findings that baselines accept, `ledgers` are those baselines at work;
    `clean` are the files that were checked and have no finding.
    """

    diagnostics: list[Diagnostic] = field(default_factory=list)
    checked: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    fixed: int = 0
    diffs: list[str] = field(default_factory=list)
    fixed_stdin: str | None = None
    costs: dict[str, Cost] = field(default_factory=dict)
    accepted: int = 0
    clean: list[str] = field(default_factory=list)
    ledgers: dict[Path, Ledger] = field(default_factory=dict)

    @property
    def said(self) -> tuple[int, ...]:
        """How much was said so far: nothing more is said of a clean file."""
        return len(self.diagnostics), len(self.problems), len(self.notes), self.skipped.total()

    def add_cost(self, tokenizer: str, as_is: int, composed: int) -> None:
        """Add what decomposed text of one file costs with a tokenizer."""
        sum_ = self.costs.get(tokenizer, Cost(tokenizer, 0, 0))
        self.costs[tokenizer] = Cost(tokenizer, sum_.as_is + as_is, sum_.composed + composed)


def run(request: Request, session: Session) -> Outcome:
    """Check what was asked.

    Raises ConfigError, and TokenlintError for a baseline that cannot be used. A file that cannot
    be read, a tokenizer that cannot be loaded and the like are problems in the outcome, and
    everything else is still checked.
    """
    outcome = Outcome()
    if request.stdin is not None:
        _check_stdin(request, request.stdin, session, outcome)
    else:
        _check_files(request, session, outcome)
    for scope in session.scopes:
        outcome.problems += scope.unknown_tokenizers()
        outcome.problems += map(str, scope.loader.failures)
        outcome.notes += [*scope.budgets.notes, *scope.remarks]
    baseline.finish(request, session, outcome)
    outcome.diagnostics.sort(key=lambda d: (d.path, d.location, d.code, d.end_location))
    return outcome


def _check_stdin(request: Request, stdin: Stdin, session: Session, outcome: Outcome) -> None:
    path = session.working_folder / stdin.name
    if session.config.force_exclude and session.excludes(path):
        outcome.skipped["excluded"] += 1
        outcome.fixed_stdin = stdin.raw.decode(errors="surrogateescape") if request.fix else None
        return
    file = _file(Found(path, stdin.name, named=True), request, session, outcome)
    document = file.check(stdin.document(), can_write=False)
    if request.fix and isinstance(document, Document):
        outcome.fixed_stdin = ("\ufeff" if document.bom else "") + document.text


def _check_files(request: Request, session: Session, outcome: Outcome) -> None:
    from tokenlint.commands import totals

    baseline.ledger_for(session.scope(session.config), request, session, outcome)
    listing = totals.find_budgeted(session) if request.budgets_only else session.find(request.paths)
    if not listing.found:
        outcome.notes.append(f"there is no file to check in {', '.join(request.paths)}")
    outcome.skipped.update(skipped.reason for skipped in listing.skipped)
    known = _known(request, session, len(listing.found))
    changes = request.fix or request.diff
    for found, document in read_ahead(listing.found, session, may_change=changes):
        file = _file(found, request, session, outcome)
        if file.ledger is not None and absolute(found.path) == absolute(file.ledger.file):
            outcome.skipped["baseline"] += 1  # paths stand in it, and may hold what rules find
        elif known is None or file.ledger is not None or document is not None:
            file.check(session.read(found) if document is None else document)
        else:
            file.check_unless_known(known, session)
    if known is not None:
        known.keep()
    totals.check(request, listing, session, outcome)


def _known(request: Request, session: Session, files: int) -> Unchanged | None:
    """What is known from earlier runs, where it is of use: most runs are about a few files."""
    if session.counts.cache is None or request.budgets_only or request.fix or request.diff:
        return None
    if files < _FEWEST:
        return None
    from tokenlint.commands.unchanged import unchanged

    return unchanged()


def _file(found: Found, request: Request, session: Session, outcome: Outcome) -> _File:
    scope = session.scope_for(found.file)
    if scope.minds_paths:
        premiums.expect(found, scope, session, outcome.problems)
    ledger = baseline.ledger_for(scope, request, session, outcome)
    return _File(found, scope, request, outcome, ledger)


@dataclass(eq=False, repr=False)
class _File:
    """One file on its way through a check."""

    found: Found
    scope: Scope
    request: Request
    outcome: Outcome
    ledger: Ledger | None = None

    def check(
        self, document: Document | Unreadable, *, can_write: bool = True
    ) -> Document | Unreadable:
        """Lint, fix where asked, and record; returns the document as it then is."""
        if self.scope.minds_paths:
            self._tell()
        findings = self._lint(document)
        if isinstance(document, Unreadable):
            self._skip(document, findings, self._settle(document))
            return document
        if self.request.fix or self.request.diff:
            document, findings = self._fix(document, findings, can_write=can_write)
        self.outcome.checked += 1
        self._settle(document)
        if findings:
            self._price(document, findings)
            self._record(document, findings)
        else:
            self.outcome.clean.append(document.path)
        return document

    def check_unless_known(self, known: Unchanged, session: Session) -> None:
        """Check the file, unless it was found clean before and is the same."""
        if self.scope.minds_paths:
            self._tell()
        state = known.state_of(self.found, self.scope)
        if state == known.CLEAN:
            progress.step()
            self.outcome.checked += 1
            self.outcome.clean.append(self.found.shown)
            return
        before = self.outcome.said, len(self.scope.remarks)
        self.check(session.read(self.found))
        if state is not None and before == (self.outcome.said, len(self.scope.remarks)):
            known.note(self.found, self.scope, state)

    def _tell(self) -> None:
        """Let the scope know what holds for the file by its path."""
        scope, found = self.scope, self.found
        scope.knows(found.path, found.shown)
        limits_of(found, scope)
        if (trust := scope.config.trust_of(found.path)) is not None:
            scope.trusts[found.shown] = trust

    @property
    def rules(self) -> Iterable[Rule]:
        """The rules for this file; only those about budgets where only they were asked for."""
        config = self.scope.config
        rules = config.rules_for(self.found.path) if config.per_file_ignores else config.rules
        if self.request.budgets_only:
            return [rule for rule in rules if rule.code.startswith("TL3")]
        return rules

    def _lint(self, document: Document | Unreadable) -> tuple[Finding, ...]:
        config = self.scope.config
        linted = lint(document, self.rules, self.scope.context, directives=config.inline_directives)
        self.outcome.problems += linted.problems
        if self.ledger is None:
            return linted.findings
        return self.ledger.judge(self.found.path, linted.findings, document)

    def _settle(self, document: Document | Unreadable) -> int:
        """Stand by what the baseline says of the file as it now is; how many it accepts."""
        if self.ledger is None:
            return 0
        readable = isinstance(document, Document)
        looked = (rule.check if readable else rule.check_unreadable for rule in self.rules)
        codes = [r.code for r, look in zip(self.rules, looked, strict=True) if look is not None]
        self.ledger.look_at(self.found.path, codes)
        return self.ledger.settle()

    def _record(self, document: Document | Unreadable, findings: Iterable[Finding]) -> None:
        unit = self.request.column_unit
        self.outcome.diagnostics += (place(finding, document, unit) for finding in findings)

    def _skip(self, file: Unreadable, findings: tuple[Finding, ...], accepted: int) -> None:
        self.outcome.skipped[file.reason] += 1
        self._record(file, findings)
        if self.found.named and not findings and not accepted:
            self.outcome.problems.append(file.message)

    def _fix(
        self, document: Document, findings: tuple[Finding, ...], *, can_write: bool
    ) -> tuple[Document, tuple[Finding, ...]]:
        fixed, now = 0, document
        for _ in range(_MOST_PASSES):
            mendable = fix.fixable(findings, unsafe=self.request.unsafe_fixes)
            if not mendable:
                break
            fixed += len(mendable)
            text = fix.apply(now.text, mendable)
            now = Document(now.path, text, now.bom, len(now.encode(text)))
            findings = self._lint(now)
        if fixed and not self._keep(document, now, fixed, can_write=can_write):
            return document, self._lint(document)
        return now, findings

    def _keep(self, before: Document, after: Document, fixed: int, *, can_write: bool) -> bool:
        """Write or show what changed; whether that worked."""
        if self.request.diff:
            from tokenlint.commands.patch import patch, reach

            self.outcome.diffs.append(patch(before, after))
            self.outcome.notes += reach(before.path)
        elif can_write:
            try:
                fix.write(self.found.path, before, after.text)
            except OSError as error:
                why = error.strerror or str(error)
                self.outcome.problems.append(f"{before.path}: not fixed: {why}")
                return False
        self.outcome.fixed += fixed
        return True

    def _price(self, document: Document, findings: Iterable[Finding]) -> None:
        """What the decomposed text that is still there costs, where tokens are asked about."""
        mendable = [f for f in findings if f.code == "TL101" and f.fix is not None]
        if not mendable or not any(rule.code.startswith("TL30") for rule in self.rules):
            return
        composed = Document(document.path, fix.apply(document.text, mendable), document.bom)
        count = self.scope.context.count  # knows what a budget has counted already
        for name in self.scope.config.tokenizers:
            try:
                as_is, in_nfc = count(document, name), count(composed, name)
            except TokenlintError as error:
                self.outcome.problems.append(f"{document.path}: {error}")
                continue
            if as_is is not None and in_nfc is not None:
                self.outcome.add_cost(name, as_is, in_nfc)
