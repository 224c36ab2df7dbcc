"""The formats of `tokenlint diff` by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tokenlint.reports import formats
from tokenlint.reports.formats import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenlint.reports.checked import Checked
    from tokenlint.reports.diff_values import Report

_OF_FINDINGS = ("github", "sarif", "gitlab", "junit")
"The formats of `check` that tell a machine which increases are over their limits."

NAMES = (*TABLES, *_OF_FINDINGS)
"Every format; a module is imported only where its format is asked for."

_WRITERS = {
    "table": ("diff_table", "lines"),
    "json": ("diff_data", "json_lines"),
    "jsonl": ("diff_data", "jsonl_lines"),
    "csv": ("diff_data", "csv"),
    "markdown": ("diff_markdown", "lines"),
}


def lines(name: str, report: Report, checked: Checked) -> Iterable[str]:
    """A comparison in a format; `checked` has its findings as reports of `check` take them."""
    if name in _OF_FINDINGS:
        return formats.lines(name, checked)
    module, function = _WRITERS[name]
    written: Iterable[str] = getattr(import_module(f"tokenlint.reports.{module}"), function)(report)
    return written
