"""The baselines of a run: read before they are asked, told about or written after the last file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.errors import TokenlintError
from tokenlint.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tokenlint.baseline import Entry
    from tokenlint.commands.check import Outcome, Request
    from tokenlint.commands.ledger import Ledger
    from tokenlint.commands.session import Scope, Session


def ledger_for(scope: Scope, request: Request, session: Session, outcome: Outcome) -> Ledger | None:
    """The baseline that holds for the files of a configuration, if there is one.

    Raises TokenlintError where it is missing or broken: that must never look like no findings.
    """
    file = request.write_baseline or request.baseline or _configured(scope, request)
    if file is None:
        return None
    if file not in outcome.ledgers:
        from tokenlint.commands.ledger import Ledger  # nobody else needs it

        writes = request.write_baseline is not None
        entries = _read(file, may_be_missing=writes)
        outcome.ledgers[file] = Ledger(file, session.working_folder, entries, writes)
    return outcome.ledgers[file]


def _configured(scope: Scope, request: Request) -> Path | None:
    """What the configuration says, from its own folder on."""
    config = scope.config
    if not config.baseline or not request.use_baseline:
        return None
    file = config.folder / config.baseline
    if (why := config.boundary.refusal(file)) is not None:
        raise TokenlintError(f"{file}: {why}")
    return file


def _read(file: Path, *, may_be_missing: bool) -> tuple[Entry, ...]:
    from tokenlint.baseline import parse
    from tokenlint.small_files import BASELINE, read_small

    try:
        return parse(read_small(file, BASELINE))
    except FileNotFoundError:
        if may_be_missing:
            return ()
        raise TokenlintError(
            f"{file}: there is no such baseline; make it with --write-baseline, or correct the name"
        ) from None
    except OSError as error:
        raise TokenlintError(f"{file}: {error.strerror or error}") from None
    except TokenlintError as error:
        raise TokenlintError(f"{file}: {error}") from None


def finish(request: Request, session: Session, outcome: Outcome) -> None:
    """Tell what is no longer needed, or write what there is now.

    Raises TokenlintError where there is nothing to prune.
    """
    if request.prune_baseline and not outcome.ledgers:
        raise TokenlintError("--prune-baseline: there is no baseline; name it with --baseline FILE")
    writes = request.write_baseline is not None or request.prune_baseline
    for file, ledger in outcome.ledgers.items():
        outcome.accepted += len(ledger.met)
        codes = _Codes(request, session)
        if writes and outcome.problems:
            outcome.problems.append(f"{file}: not written, because not everything was checked")
        elif writes:
            _write(file, ledger.renewed(codes), ledger.entries, outcome)
        elif not outcome.problems:
            outcome.notes += _notes(ledger, codes, file)


def _notes(ledger: Ledger, codes: _Codes, file: Path) -> Iterator[str]:
    absent, shrunk = int(ledger.absent(codes)), ledger.shrunk()
    said = []
    if absent:
        said.append(f"{absent:,} accepted finding{'s are' if absent > 1 else ' is'} gone")
    if shrunk:
        said.append(f"{shrunk:,} recorded figure{'s have' if shrunk > 1 else ' has'} shrunk")
    if said:
        yield f"{file}: {' and '.join(said)}; --prune-baseline writes down what is left"


def _write(
    file: Path, entries: tuple[Entry, ...], before: tuple[Entry, ...], outcome: Outcome
) -> None:
    from tokenlint.atomic import make_folder_for, replace_file
    from tokenlint.baseline import written

    if set(entries) != set(before) or not file.exists():
        try:
            make_folder_for(file)
            replace_file(file, written(entries).encode())
        except OSError as error:
            why = error.strerror or type(error).__name__
            outcome.problems.append(f"{file}: the baseline cannot be written: {why}")
            return
    now = f"{len(entries):,} entr{'y' if len(entries) == 1 else 'ies'}"
    outcome.notes.append(f"{file}: {now} now, {len(before):,} before")


@frozen
class _Codes:
    """The rules that would have looked at a file that is gone: none where the run did not go."""

    request: Request
    session: Session

    def __call__(self, path: Path) -> Collection[str]:
        if not any(path.is_relative_to(folder) for folder in self._walked()):
            return ()
        config = self.session.scope_for(path).config
        rules = (rule.code for rule in config.rules_for(path))
        return {code for code in rules if code[:3] == "TL3" or not self.request.budgets_only}

    def _walked(self) -> Iterator[Path]:
        """The folders that were named; a name may be a link, and entries know none."""
        if self.request.budgets_only:
            yield Path(os.path.realpath(self.session.config.root))
        elif self.request.stdin is None:
            for path in self.request.paths:
                real = os.path.realpath(self.session.working_folder / path)
                if os.path.isdir(real):  # noqa: PTH112  (Path.is_dir raises for a long name)
                    yield Path(real)
