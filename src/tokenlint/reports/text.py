"""What the reports for people share: codes, statistics, and what a run came to."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen
from tokenlint.reports.printable import printable
from tokenlint.wording import counted as counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenlint.diagnostic import Diagnostic
    from tokenlint.reports.style import Style


@frozen
class Cost:
    """What decomposed text costs with one tokenizer: tokens as it is, and once composed."""

    tokenizer: str
    as_is: int
    composed: int


@frozen
class Summary:
    """What a run did besides finding things."""

    checked: int
    skipped: Counter[str] = field(default_factory=Counter)
    fixed: int = 0
    problems: int = 0
    costs: Sequence[Cost] = ()
    accepted: int = 0


def code_of(diagnostic: Diagnostic, style: Style) -> str:
    """The code as people see it: coloured by level, with a mark where --fix mends it."""
    code = style.paint(diagnostic.code, "red" if diagnostic.is_error else "yellow")
    mark = f" [{style.paint('*', 'cyan')}]" if is_safe(diagnostic) else ""
    return f"{code}{mark}" + ("" if diagnostic.is_error else " warning:")


def statistics(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """How often each rule found something, the most frequent first."""
    found = list(diagnostics)
    counts = Counter((diagnostic.code, diagnostic.name) for diagnostic in found)
    fixable = {diagnostic.code for diagnostic in found if is_safe(diagnostic)}
    for (code, name), number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{number}\t{code}\t[{'*' if code in fixable else ' '}] {name}"


def closing(diagnostics: Sequence[Diagnostic], summary: Summary) -> Iterator[str]:
    """The last lines: findings, fixes, what decomposed text costs, and every file's whereabouts."""
    yield from costs(summary)
    yield from _found(diagnostics, summary)
    yield files(summary)


def files(summary: Summary) -> str:
    """Where every file went: `Checked 24 files, skipped 3 (2 binary, 1 UTF-16).`.

    What a baseline accepts is said as well: a run must not look cleaner than it is.
    """
    said = f"Checked {counted(summary.checked, 'file')}"
    if summary.skipped:
        said += f", {left_out(summary.skipped)}"
    if summary.accepted:
        said += f"; the baseline accepts {counted(summary.accepted, 'finding')}"
    return said + "."


def left_out(skipped: Counter[str]) -> str:
    """`skipped 3 (2 binary, 1 over the size limit)`: how many files, and why."""
    why = ", ".join(
        f"{number:,} {_plural(reason, number)}" for reason, number in sorted(skipped.items())
    )
    return f"skipped {skipped.total():,} ({why})"


def _plural(reason: str, number: int) -> str:
    """A reason of several files: most are said of a file, and some name what it is."""
    return reason if number == 1 else _SEVERAL.get(reason, reason)


_SEVERAL = {
    "Git LFS pointer": "Git LFS pointers",
    "a directory": "directories",
    "baseline": "baselines",
    "broken link": "broken links",
    "folder without permission": "folders without permission",
    "not a regular file": "no regular files",
    "submodule": "submodules",
    "symbolic link": "symbolic links",
}


def _found(diagnostics: Sequence[Diagnostic], summary: Summary) -> Iterator[str]:
    warnings = sum(not diagnostic.is_error for diagnostic in diagnostics)
    fixable = sum(is_safe(diagnostic) for diagnostic in diagnostics)
    unsafe = sum(d.fix is not None for d in diagnostics) - fixable
    total = len(diagnostics) + summary.fixed
    if not total:
        if summary.checked and not summary.problems:
            yield "Nothing new was found." if summary.accepted else "All checks passed!"
        return
    what = f"Found {counted(total, 'finding')}"
    if summary.fixed:
        what += f" ({summary.fixed:,} fixed, {len(diagnostics):,} remaining)"
    if warnings:
        what += f", {counted(warnings, 'of them warning')}"
    yield what + "."
    if fixable:
        yield f"[*] {fixable:,} fixable with --fix."
    if unsafe:
        yield f"{unsafe:,} fixable with --fix --unsafe-fixes."


def is_safe(diagnostic: Diagnostic) -> bool:
    """Whether --fix alone would mend it."""
    return diagnostic.fix is not None and diagnostic.fix.applicability == "safe"


def costs(summary: Summary) -> Iterator[str]:
    """What decomposed text costs with each tokenizer, in a sentence each."""
    return map(_cost, summary.costs)


def _cost(cost: Cost) -> str:
    change = cost.composed - cost.as_is
    as_is = counted(cost.as_is, "token")
    what = f"Decomposed text, {printable(cost.tokenizer)}: {as_is} as it is, "
    if change == 0:
        return what + "as many in NFC."
    share = f", {100 * change / cost.as_is:+.1f} %" if cost.as_is else ""
    return what + f"{cost.composed:,} in NFC ({change:+,}{share})."
