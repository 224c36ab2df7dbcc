"""One file of a comparison: its figures before and after, and what is said of it."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from tokenlint.commands.diff_reading import LeftOut
from tokenlint.patterns import nfc
from tokenlint.reports.diff_values import File

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.commands.diff_pairs import Opened
    from tokenlint.commands.diff_sources import Pair
    from tokenlint.reports.diff_values import Figures, Share, Status, When


def row(
    opened: Opened,
    before: Figures | None,
    after: Figures | None,
    shares: tuple[Share, ...] = (),
    notes: tuple[str, ...] = (),
    uncounted: tuple[When, ...] = (),
) -> File:
    """The row of a file in the reports."""
    pair = opened.pair
    is_other = pair.before and pair.before.shown != pair.item.shown
    old_path = pair.before.shown if pair.before and is_other else None
    said = "; ".join([*_uncounted(uncounted), *_notes(opened), *notes])
    figures = (before, after, said, shares, uncounted)
    return File(pair.item.shown, _status(opened), old_path, *figures)


def _uncounted(states: tuple[When, ...]) -> Iterator[str]:
    if states:
        when = " and ".join("now" if state == "after" else state for state in states)
        yield f"could not be counted {when}, so no sum has it"


def _status(opened: Opened) -> Status:
    before, after = opened.pair.before, opened.pair.after
    if before is None:
        return "added"
    if after is None:
        return "deleted"
    if before.shown != after.shown and not opened.pair.is_given:
        return "renamed"
    return "unchanged" if opened.is_same_text else "modified"


def _notes(opened: Opened) -> Iterator[str]:
    yield from _about_names(opened.pair)
    before, after = opened.pair.before, opened.pair.after
    for when, content in (("before", opened.before), ("now", opened.after)):
        if isinstance(content, LeftOut):
            yield f"{when} left out: {content.reason}"
    if before and after and before.mode != after.mode and opened.left_out is None:
        yield f"mode {before.mode} to {after.mode}"


def _about_names(pair: Pair) -> Iterator[str]:
    """A name can look the same and be another."""
    if pair.before and pair.after and not pair.is_given and pair.before.name != pair.after.name:
        old, new = pair.before.name, pair.after.name
        if nfc(old) == nfc(new):
            yield f"its name looks the same: only its form changed, {_form(old)} to {_form(new)}"


def _form(name: str) -> str:
    for form in ("NFC", "NFD"):
        if unicodedata.is_normalized(form, name):
            return form
    return "mixed"
