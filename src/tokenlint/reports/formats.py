"""The formats of reports by name, and the one place that knows who writes which."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tokenlint.reports.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokenlint.reports.checked import Checked

FORMATS: Mapping[str, str] = {
    "full": "full_report",
    "concise": "concise_report",
    "json": "json_report",
    "jsonl": "jsonl_report",
    "csv": "csv_report",
    "sarif": "sarif_report",
    "github": "github_report",
    "gitlab": "gitlab_report",
    "junit": "junit_report",
    "markdown": "markdown_report",
}
"The formats of `check`, each with its module, which is imported only where it is asked for."

IN_UTF_16 = ("json", "jsonl", "sarif")
"The formats that can count columns as editors do."

TABLES = ("table", "json", "jsonl", "csv", "markdown")
"The formats of what is a table: counts and comparisons."


def lines(name: str, checked: Checked, style: Style | None = None) -> Iterable[str]:
    """A check in a format, line by line."""
    module = import_module(f"tokenlint.reports.{FORMATS[name]}")
    report: Iterable[str] = module.lines(checked, style or Style())
    return report
