"""The end of a run: the lock file first, then reports, then what the terminal says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_tokenbudget import lock, settings, summary
from pytest_tokenbudget.errors import Mistake
from pytest_tokenbudget.records import Record, unpacked
from pytest_tokenbudget.verdicts import LOCK_NAME
from tokenlint.printable import logged, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pytest_tokenbudget.tally import Tally

PARTIAL = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "stepwise", "maxfail")
"Options with which a run may leave out tests that exist."

MOST_NAMED = 3


def finish(tally: Tally, exitstatus: int) -> tuple[list[str], bool]:
    """The lines for the terminal, and whether something that was asked for could not be done."""
    records = unpacked(tally.values)
    lines: list[str] = []
    mistakes: list[str] = []
    try:
        lines += _lock(tally, records, exitstatus)
    except Mistake as mistake:
        mistakes.append(f"tokenbudget: {mistake}")
    rows = summary.rows(records)
    for request in tally.requests:
        try:
            lines += summary.report(request, rows, tally.config.invocation_params.dir)
        except OSError as error:
            why = error.strerror or type(error).__name__
            mistakes.append(f"tokenbudget: {request.path}: not written: {why}")
    lines += _near(rows)
    return [logged(printable(line)) for line in (*lines, *mistakes)], bool(mistakes)


def _near(rows: Iterable[Record]) -> Iterator[str]:
    near = [row for row in rows if row.is_near]
    if near:
        named = ", ".join(f"{row.subject} {row.percent} %" for row in near[:MOST_NAMED])
        rest = f" and {len(near) - MOST_NAMED} more" if len(near) > MOST_NAMED else ""
        yield f"tokenbudget: near the limit: {named}{rest}"


def _lock(tally: Tally, records: Iterable[Record], exitstatus: int) -> Iterator[str]:
    counted = counts(records)
    path = settings.lock_path(tally.config)
    before = lock.read(path)
    if tally.updates:
        gone = set() if is_partial(tally, exitstatus) else _gone(before or {}, tally)
        if lock.update(path, counted, gone):
            yield f"tokenbudget: {LOCK_NAME} updated: {_changes(before or {}, counted, gone)}"
    elif before is not None:
        known = {key: before[key] for key in counted.keys() & before.keys()}
        fallen = [key for key, count in known.items() if counted[key] < count]
        new = len(counted.keys() - before.keys())
        said = [f"{len(fallen)} fell" * bool(fallen), f"{new} new" * bool(new)]
        if any(said):
            what = ", ".join(filter(None, said))
            yield f"tokenbudget: beside {LOCK_NAME}: {what}; --tokenbudget-update records them"


def counts(records: Iterable[Record]) -> dict[lock.Entry, int]:
    """The tokens by subject and tokenizer; of several texts under one name, the most."""
    counted: dict[lock.Entry, int] = {}
    for record in records:
        if record.recorded:
            key = (record.subject, record.tokenizer)
            counted[key] = max(record.tokens, counted.get(key, 0))
    return counted


def is_partial(tally: Tally, exitstatus: int) -> bool:
    """Whether a run may have left out tests that exist."""
    config = tally.config
    return (
        tally.is_partial
        or exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        or config.args_source is pytest.Config.ArgsSource.ARGS
        or any(config.getoption(name, None) for name in PARTIAL)
    )


def _gone(before: Mapping[lock.Entry, int], tally: Tally) -> set[str]:
    """The subjects whose file or test is no more, in a run that left nothing out."""
    root: Path = tally.config.rootpath
    nodes = set(map(lock.subject, tally.nodes))
    return {name for name, _ in before if not _exists(name, root, nodes)}


def _exists(name: str, root: Path, nodes: set[str]) -> bool:
    """Whether a subject is still there; of a test that is so unless others of its file were met."""
    path, is_test, _ = name.partition("::")
    if not (root / path).exists():
        return not path.isascii()  # the disk may have the name in NFD
    met = [node for node in nodes if node.startswith(f"{path}::")] if is_test else []
    return not met or any(name == node or name.startswith(f"{node} (") for node in met)


def _changes(
    before: Mapping[lock.Entry, int], counted: Mapping[lock.Entry, int], gone: set[str]
) -> str:
    known = [(count, before[key]) for key, count in counted.items() if key in before]
    numbers = {
        "new": len(counted.keys() - before.keys()),
        "grew": sum(count > was for count, was in known),
        "fell": sum(count < was for count, was in known),
        "gone": sum(name in gone for name, _ in before),
    }
    return ", ".join(f"{number} {word}" for word, number in numbers.items() if number)
