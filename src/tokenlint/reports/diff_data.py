"""`tokenlint diff` for programs: JSON, JSON Lines and CSV."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokenlint.reports.escaping import csv_path
from tokenlint.reports.json_report import as_json
from tokenlint.reports.printable import printable
from tokenlint.reports.tables import csv_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenlint.reports.diff_values import Difference, Figures, File, Group, Report, Share


def json_lines(report: Report) -> list[str]:
    """The JSON report."""
    facts = {
        **_states(report),
        "tokenizers": list(report.tokenizers),
        "files": [_file(file, report) for file in report.files],
        "total": _total(report),
        "groups": list(map(_group, report.groups)),
        "findings": list(map(as_json, report.findings)),
        "skipped": [{"path": one.path, "reason": one.reason} for one in report.skipped],
        "cost": None if report.cost is None else report.cost.as_json(),
    }
    return json.dumps(facts, indent=2).splitlines()


def jsonl_lines(report: Report) -> Iterator[str]:
    """A file a line, then groups, findings and the total; `kind` says which it is."""
    for file in report.files:
        yield json.dumps({"kind": "file", **_file(file, report)})
    for group in report.groups:
        yield json.dumps({"kind": "group", **_group(group)})
    for finding in report.findings:
        yield json.dumps({"kind": "finding", **as_json(finding)})
    yield json.dumps({"kind": "total", **_states(report), **_total(report)})


_COLUMNS = (
    *("path", "old_path", "status", "tokenizer", "before", "after", "change", "text"),
    *("decomposed", "other", "max_tokens", "budget_before", "budget_after"),
)


def csv(report: Report) -> list[str]:
    """A row for each file and tokenizer, the figures without separators."""
    rows = (_row(file, name) for file in report.files for name in report.tokenizers)
    return csv_lines([_COLUMNS, *rows])


def _row(file: File, name: str) -> list[str | float | None]:
    shares = [share for share in file.shares if share.tokenizer == name]
    nearest = max(shares, key=lambda share: share.percent or 0, default=None)
    return [
        csv_path(file.path),
        "" if file.old_path is None else csv_path(file.old_path),
        file.status,
        printable(name),
        *(None if one is None else one.tokens.get(name, 0) for one in (file.before, file.after)),
        *_changes(file, name),
        *((nearest.maximum, nearest.before, nearest.after) if nearest else (None, None, None)),
    ]


def _changes(file: File, name: str) -> tuple[int | None, ...]:
    if not file.is_counted:
        return (None,) * 4
    one = file.difference(name)
    return one.change, one.text, one.decomposed, one.other


def _states(report: Report) -> dict[str, Any]:
    return {
        "base": report.base.name,
        "base_commit": report.base.commit,
        "base_reason": report.base.why or None,
        "head": report.head.name,
        "head_commit": report.head.commit,
    }


def _file(file: File, report: Report) -> dict[str, Any]:
    names = report.tokenizers
    return {
        "path": file.path,
        "old_path": file.old_path,
        "status": file.status,
        "before": None if file.before is None else _figures(file.before, names),
        "after": None if file.after is None else _figures(file.after, names),
        "counted": file.is_counted,
        "change": {name: _change(file.difference(name)) for name in names}
        if file.is_counted
        else None,
        "budgets": list(map(_share, file.shares)),
        "note": file.note or None,
    }


def _figures(figures: Figures, names: Sequence[str]) -> dict[str, Any]:
    return {
        "bytes": figures.bytes,
        "characters": figures.characters,
        "words": figures.words,
        "tokens": {name: figures.tokens.get(name, 0) for name in names},
    }


def _change(one: Difference) -> dict[str, int]:
    """What was added, and what it consists of."""
    return {
        "tokens": one.change,
        "text": one.text,
        "decomposed": one.decomposed,
        "other": one.other,
    }


def _share(share: Share) -> dict[str, Any]:
    return {
        "tokenizer": share.tokenizer,
        "max_tokens": share.maximum,
        "origin": share.origin,
        "before": share.before,
        "after": share.after,
        "percent_before": share.percent_before,
        "percent_after": share.percent,
    }


def _total(report: Report) -> dict[str, Any]:
    return {
        "of": "changed" if report.unchanged is None else "all",
        "unchanged": report.unchanged,
        "uncounted": report.uncounted,
        "files_before": report.files_before,
        "files_after": report.files_after,
        "before": _figures(report.total_before, report.tokenizers),
        "after": _figures(report.total_after, report.tokenizers),
        "change": {one.tokenizer: _change(one) for one in report.totals},
    }


def _group(group: Group) -> dict[str, Any]:
    one = group.difference
    return {
        "origin": group.origin,
        "tokenizer": one.tokenizer,
        "before": one.before,
        "after": one.after,
        "change": one.change,
        "files_before": group.files_before,
        "files_after": group.files_after,
        "uncounted": group.uncounted,
        "max_total": group.maximum,
    }
