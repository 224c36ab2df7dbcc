"""A baseline at work in a run: which findings it accepts, and what of it is still needed."""

from __future__ import annotations

import os
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.baseline import Entry, entry_of, gathered
from tokenlint.frozen import frozen, replace
from tokenlint.patterns import nfc, shown_path

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from tokenlint.rules import Finding
    from tokenlint.tokens import Document, Unreadable

    Codes = Callable[[Path], Collection[str]]
    "The rules that would have looked at a file, if it were still there."


@frozen
class Verdict:
    """What a baseline says of the findings in one file.

    Those that are not new come as entries, each with the entry that accepts it, or None where
    everything is accepted. `grown` are the entries whose figure is no longer kept to.
    """

    new: tuple[Finding, ...] = ()
    accepted: tuple[tuple[Entry, Entry | None], ...] = ()
    grown: tuple[Entry, ...] = ()


@dataclass
class Ledger:
    """The entries of one baseline, and which of them a run has met.

    Paths start at the folder of the file. With `accepts_all` nothing is new: what is there is
    about to be written down.
    """

    file: Path
    working_folder: Path
    entries: tuple[Entry, ...] = ()
    accepts_all: bool = False
    met: list[tuple[Entry, Entry | None]] = field(default_factory=list)
    _pending: Verdict = field(default_factory=Verdict)
    _used: Counter[Entry] = field(default_factory=Counter)
    _grown: set[Entry] = field(default_factory=set)
    _looked: dict[str, set[str]] = field(default_factory=dict)
    _gone: dict[str, bool] = field(default_factory=dict)
    _folders: dict[Path, Path] = field(default_factory=dict)

    @cached_property
    def folder(self) -> Path:
        """Where the paths of entries start."""
        return Path(os.path.realpath(self.file.parent))

    @cached_property
    def by_key(self) -> dict[tuple[str, ...], Entry]:
        """The entries by what they are about."""
        return {entry.key: entry for entry in self.entries}

    @cached_property
    def by_likeness(self) -> dict[tuple[str, ...], list[Entry]]:
        """The entries whose content would be known in another place as well."""
        found: dict[tuple[str, ...], list[Entry]] = {}
        for entry in self.entries:
            if entry.likeness:
                found.setdefault(entry.likeness, []).append(entry)
        return found

    def path_of(self, path: Path | str) -> str:
        """A file as entries name it, whatever links lead to the folder that it is in."""
        absolute = Path(os.path.abspath(self.working_folder / path))  # noqa: PTH100  (links stay)
        folder = absolute.parent
        if folder not in self._folders:
            self._folders[folder] = Path(os.path.realpath(folder))
        return nfc(shown_path(self._folders[folder] / absolute.name, self.folder))

    def look_at(self, path: Path, codes: Iterable[str]) -> None:
        """Note that these rules look at a file, so that what they do not find there is gone."""
        self._looked.setdefault(self.path_of(path), set()).update(codes)

    def judge(
        self, path: Path, findings: Sequence[Finding], document: Document | Unreadable | None
    ) -> tuple[Finding, ...]:
        """The findings of a file that are new: of several alike, the first ones are accepted.

        What was said of the same file before, and is not settled, no longer counts.
        """
        self._pending = self._verdict(path, findings, document) if findings else Verdict()
        return self._pending.new

    def settle(self) -> int:
        """Stand by the last verdict: what it needed accepts nothing else. How many it accepted."""
        verdict, self._pending = self._pending, Verdict()
        self.met += verdict.accepted
        self._used.update(by for _, by in verdict.accepted if by is not None)
        self._grown.update(verdict.grown)
        return len(verdict.accepted)

    def _verdict(
        self, path: Path, findings: Sequence[Finding], document: Document | Unreadable | None
    ) -> Verdict:
        own = self.path_of(path)
        entries = [entry_of(finding, document, own, self.path_of) for finding in findings]
        if self.accepts_all:
            return Verdict((), tuple((entry, None) for entry in entries))
        found = _Matching(self, self._used.copy()).of(entries)
        judged = list(zip(findings, entries, found, strict=True))
        new = [(finding, self._known(entry)) for finding, entry, by in judged if by is None]
        return Verdict(
            tuple(_explained(finding, known) for finding, known in new),
            tuple((entry, by) for _, entry, by in judged if by is not None),
            tuple(known for _, known in new if known is not None),
        )

    def is_gone(self, path: str) -> bool:
        """Whether no file has the path of an entry any more, composed or decomposed."""
        if path in self._looked:
            return False
        if path not in self._gone:
            decomposed = unicodedata.normalize("NFD", path)  # as some file systems keep names
            known = (os.path.lexists(self.folder / name) for name in (path, decomposed))
            self._gone[path] = not any(known)
        return self._gone[path]

    def absent(self, codes: Codes) -> float:
        """How many accepted findings and figures the run should have met and did not."""
        return sum(self._left(entry) for entry in self.entries if self._judged(entry, codes))

    def shrunk(self) -> int:
        """How many recorded figures have become smaller."""
        return sum(by is not None and by.amount > e.amount for e, by in self.met if e.of)

    def renewed(self, codes: Codes) -> tuple[Entry, ...]:
        """The entries as they are now: what was met, and what this run could not judge."""
        kept = {
            entry.key: entry
            for entry in self.entries
            if entry in self._grown or not (self._used[entry] or self._judged(entry, codes))
        }
        met = {entry.key: entry for entry in gathered(entry for entry, _ in self.met)}
        return gathered((kept | met).values())

    def _known(self, entry: Entry) -> Entry | None:
        """What a figure was."""
        return self.by_key.get(entry.key) if entry.of else None

    def _judged(self, entry: Entry, codes: Codes) -> bool:
        if self.is_gone(entry.path):
            return entry.code in codes(self.folder / entry.path)
        return entry.code in self._looked.get(entry.path, ())

    def _left(self, entry: Entry) -> float:
        used = self._used[entry]
        if entry.of:
            return float(not used and entry not in self._grown)
        return entry.amount - used


def _explained(finding: Finding, known: Entry | None) -> Finding:
    """A finding, with what its figure was."""
    if known is None:
        return finding
    figure = f"{known.amount:,}" if known.amount % 1 == 0 else f"{known.amount:.6g}"
    return replace(finding, message=f"{finding.message}; the baseline has {figure}")


@frozen
class _Matching:
    """Entries for the findings of one file, found in three rounds: the surest first."""

    ledger: Ledger
    used: Counter[Entry]

    def of(self, entries: Sequence[Entry]) -> list[Entry | None]:
        """The entry that accepts each finding, or None."""
        found: list[Entry | None] = [None] * len(entries)
        for candidates in (self._alike_here, self._of_the_name, self._alike_gone):
            for at, entry in enumerate(entries):
                if found[at] is None:
                    found[at] = self._take(candidates(entry), entry)
        return found

    def _take(self, candidates: Iterable[Entry], entry: Entry) -> Entry | None:
        for known in candidates:
            if known.covers(entry) if entry.of else self.used[known] < known.amount:
                self.used[known] += 1
                return known
        return None

    def _alike_here(self, entry: Entry) -> Iterable[Entry]:
        """The same text in the same file; a prompt that moved in it takes its figure along."""
        if not entry.of:
            return self._known(entry)
        alike = self.ledger.by_likeness.get(entry.likeness, ())
        here = [known for known in alike if known.path == entry.path and not self.used[known]]
        return sorted(here, key=lambda known: known.name != entry.name)

    def _of_the_name(self, entry: Entry) -> Iterable[Entry]:
        """The figure of the same prompt, whose text may be another one by now."""
        return self._known(entry) if entry.of else ()

    def _known(self, entry: Entry) -> Iterable[Entry]:
        known = self.ledger.by_key.get(entry.key)
        return () if known is None else (known,)

    def _alike_gone(self, entry: Entry) -> Iterator[Entry]:
        """The same text in a file that is gone, because it was renamed, moved or split."""
        for known in self.ledger.by_likeness.get(entry.likeness, ()):
            is_free = not (known.of and self.used[known])
            if is_free and known.path != entry.path and self.ledger.is_gone(known.path):
                yield known
