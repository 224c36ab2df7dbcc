"""What a comparison came to, in sentences and in cells that several formats share."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from tokenlint.reports.printable import printable
from tokenlint.reports.text import counted, left_out
from tokenlint.wording import precise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenlint.reports.diff_values import (
        Difference,
        Figures,
        File,
        Group,
        Report,
        Share,
        When,
    )

    Quote = Callable[[str], str]
    "How a format sets a path or a name."


def compared(report: Report) -> str:
    """Which two states were compared, and why with this base."""
    return f"{report.head} compared with {report.base}"


def headline(report: Report, quote: Quote) -> str:
    """The sentence that a busy reader takes away."""
    return "; ".join(
        filter(
            None,
            (
                _change(report, quote),
                _uncounted(report),
                _nearest(report, quote),
                *_also(report, quote),
            ),
        )
    )


def _change(report: Report, quote: Quote) -> str:
    moving = [file for file in report.files if report.moves(file)]
    if not moving:
        return _no_change(report, quote)
    first, *others = report.totals
    more = ", ".join(f"{signed(one.change)} with {quote(one.tokenizer)}" for one in others)
    return (
        f"{signed(first.change)} token{'s' * (abs(first.change) != 1)}{_percent(first, report)} in "
        f"{_where(moving, quote)} with {quote(first.tokenizer)}{f' ({more})' if more else ''}"
    )


def _no_change(report: Report, quote: Quote) -> str:
    """Said of what could be counted alone, if anything could."""
    if report.uncounted and not report.together:
        return ""
    known = " in what could be counted" if report.uncounted else ""
    return f"No change in tokens{known}{_below(report, quote)}{_renamed(report)}"


def _below(report: Report, quote: Quote) -> str:
    return f" below {quote(report.folder)}" if report.folder else ""


def _uncounted(report: Report) -> str:
    number = report.uncounted
    return f"{counted(number, 'file')} could not be counted" if number else ""


def _renamed(report: Report) -> str:
    renamed = sum(file.status == "renamed" for file in report.files)
    return f", {counted(renamed, 'file')} renamed" if renamed else ""


def _percent(total: Difference, report: Report) -> str:
    if total.percent is None:
        return ""
    several = report.unchanged is not None and report.together > 1
    of = f" of all {report.together:,} files" if several else ""
    return f" ({percent(total)}{of})"


def _where(files: list[File], quote: Quote) -> str:
    """The file, or how many there are and the folder that holds them all."""
    if len(files) == 1:
        return quote(files[0].path)
    folders = [file.path.split("/")[:-1] for file in files]
    steps = takewhile(lambda names: len(set(names)) == 1, zip(*folders, strict=False))
    common = "/".join(names[0] for names in steps)
    inside = f" below {quote(common)}" if common.strip("./") else ""
    return f"{len(files):,} files{inside}"


def _nearest(report: Report, quote: Quote) -> str:
    """The file that takes most of its budget, where the change made it more and it is much."""
    grown = (
        (share.percent or 0, file.path)
        for file in report.files
        for share in file.shares
        if share.is_near and (share.before is None or (share.after or 0) > share.before)
    )
    percent, path = max(grown, default=(0, ""))
    return f"{quote(path)} is at {percent:,} % of its budget" if path else ""


def _also(report: Report, quote: Quote) -> Iterator[str]:
    if report.findings:
        over = len(report.findings)
        yield f"{counted(over, 'increase')} over {'its' if over == 1 else 'their'} limit"
    if report.cost is not None:
        yield report.cost.headline(quote)


def signed(number: int) -> str:
    """A difference with its sign; no difference has none."""
    return f"{number:+,}" if number else "0"


def percent(difference: Difference) -> str:
    """The change in percent of what was there."""
    return "-" if difference.percent is None else f"{precise(difference.percent)} %"


def cells(one: Difference) -> dict[str, str]:
    """The figures of a row."""
    return {
        "before": f"{one.before:,}",
        "after": f"{one.after:,}",
        "change": signed(one.change),
        "%": percent(one),
        "text": signed(one.text),
        "noise": signed(one.noise),
    }


def cells_of(file: File, tokenizer: str) -> dict[str, str]:
    """The figures of a file's row; a dash is what it does not have, or what nobody knows."""
    row = cells(file.difference(tokenizer))
    if not file.is_counted:
        row = dict.fromkeys(row, "-")
    states: tuple[tuple[When, Figures | None], ...]
    states = (("before", file.before), ("after", file.after))
    for when, figures in states:
        row[when] = "-" if figures is None else f"{figures.tokens.get(tokenizer, 0):,}"
        if when in file.uncounted:
            row[when] = "not counted"
    return row


def share(file: File, tokenizer: str) -> str:
    """How much of its budget a file took and takes: of the one that is nearest to its end."""
    shares = [one for one in file.shares if one.tokenizer == tokenizer]
    if not shares:
        return "-"
    return _share(max(shares, key=lambda one: (one.percent or 0, one.percent_before or 0)))


def _share(one: Share) -> str:
    if one.percent is None:
        return "-"
    moved = one.percent_before not in (None, one.percent)
    return f"{one.percent_before:,} % to {one.percent:,} %" if moved else f"{one.percent:,} %"


def noise(report: Report) -> Iterator[str]:
    """What the change of the total consists of, for each tokenizer that noise costs something."""
    for one in report.totals:
        if one.decomposed or one.other:
            yield (
                f"Of the {signed(one.change)} with {one.tokenizer}, {signed(one.text)} are text, "
                f"{signed(one.decomposed)} decomposed text and {signed(one.other)} other noise."
            )


def group(one: Group, quote: Quote) -> str:
    """What the files of a budget are together."""
    difference, files = one.difference, counted(one.files_after, "file")
    moved = f"{signed(difference.change)}, {percent(difference)}; {difference.tokenizer}"
    return (
        f"{quote(one.origin)}, {files} together: {difference.before:,} to "
        f"{counted(difference.after, 'token')} ({moved}){_of_total(one)}{_missing(one)}"
    )


def _of_total(one: Group) -> str:
    if one.maximum is None:
        return ""
    before, after = (
        int(100 * value / one.maximum) for value in (one.difference.before, one.difference.after)
    )
    return f", {before:,} % to {after:,} % of the total budget of {one.maximum:,}"


def _missing(one: Group) -> str:
    return f", {counted(one.uncounted, 'file')} not counted" if one.uncounted else ""


def closing(report: Report) -> str:
    """Every file's whereabouts."""
    differ = sum(file.status != "unchanged" for file in report.files)
    below = "" if report.files else _below(report, printable)
    said = [f"{counted(differ, 'file')} differ{'s' * (differ == 1)}{below}"]
    if same := len(report.files) - differ:
        said.append(f"{counted(same, 'file')} by mode only")
    if report.unchanged is not None:
        said.append(f"{report.unchanged:,} unchanged")
    if report.skipped:
        said.append(left_out(report.reasons))
    return ", ".join(said) + "."
