"""`--output-format sarif`: SARIF 2.1.0, for code scanning on GitHub and for editors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenlint import __version__
from tokenlint.reports.escaping import uri_path
from tokenlint.reports.fingerprints import fingerprints
from tokenlint.reports.printable import printable
from tokenlint.reports.rule_pages import PROJECT, markdown_page, url_of
from tokenlint.reports.text import left_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenlint.diagnostic import Diagnostic, PlacedFix
    from tokenlint.reports.checked import Checked, Place
    from tokenlint.reports.style import Style
    from tokenlint.rules import Rule
    from tokenlint.tokens import Location

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
ROOT = "%SRCROOT%"
FINGERPRINT = "tokenlint/v1"
_COLUMN_KINDS = {"code-point": "unicodeCodePoints", "utf-16": "utf16CodeUnits"}
_PLACEHOLDER = re.compile(r"\{\d+\}")
_LINK = re.compile(r"(\\*)\]\(")


def lines(checked: Checked, _style: Style) -> list[str]:
    """The log: one run with its rules, its results, and what kept it from looking."""
    rules = [*map(_rule, checked.rules), *_rules_unheard_of(checked)]
    index = {rule["id"]: at for at, rule in enumerate(rules)}
    marks = fingerprints(checked.diagnostics, checked.place)
    run = {
        "tool": {"driver": _driver(rules)},
        "columnKind": _COLUMN_KINDS[checked.column_unit],
        "newlineSequences": ["\r\n", "\n", "\r"],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository."}}},
        "invocations": [_invocation(checked)],
        "results": [
            _result(diagnostic, index, mark, checked.place)
            for diagnostic, mark in zip(checked.diagnostics, marks, strict=True)
        ],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2).splitlines()


def _driver(rules: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": "tokenlint",
        "version": __version__,
        "informationUri": PROJECT,
        "rules": rules,
    }


def _rule(rule: Rule) -> dict[str, Any]:
    page = rule.doc.strip()
    described = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": _plain(rule.summary)},
        "fullDescription": {"text": _plain(page.partition("\n\n")[0].replace("\n", " "))},
        "help": {"text": _plain(page), "markdown": _without_placeholders(markdown_page(page))},
        "defaultConfiguration": {"enabled": rule.default, "level": "error"},
    }
    url = url_of(rule.code)
    return described if url is None else described | {"helpUri": url}


def _rules_unheard_of(checked: Checked) -> list[dict[str, Any]]:
    """What is known of rules that only their findings tell of."""
    known = {rule.code for rule in checked.rules}
    names = {d.code: d.name for d in checked.diagnostics if d.code not in known}
    return [{"id": code, "name": name} for code, name in names.items()]


def _result(
    diagnostic: Diagnostic, index: dict[str, int], mark: str, place: Place
) -> dict[str, Any]:
    artifact = _artifact(place.from_root(diagnostic.path))
    region = _region(diagnostic.location, diagnostic.end_location)
    result = {
        "ruleId": diagnostic.code,
        "ruleIndex": index[diagnostic.code],
        "level": diagnostic.level,
        "message": {"text": _plain(_sentence(diagnostic))},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
        "partialFingerprints": {FINGERPRINT: mark},
    }
    if diagnostic.fix is not None and diagnostic.fix.edits:
        result["fixes"] = [_fix(diagnostic.fix, artifact)]
    return result


def _sentence(diagnostic: Diagnostic) -> str:
    message = printable(diagnostic.message)
    return f"{message}\n{printable(diagnostic.help)}" if diagnostic.help else message


def _artifact(path: str) -> dict[str, str]:
    if Path(path).is_absolute():
        return {"uri": f"file:///{uri_path(path.lstrip('/'))}"}
    return {"uri": uri_path(path), "uriBaseId": ROOT}


def _region(start: Location, end: Location) -> dict[str, int]:
    return {
        "startLine": start.row,
        "startColumn": start.column,
        "endLine": end.row,
        "endColumn": end.column,
    }


def _fix(fix: PlacedFix, artifact: dict[str, str]) -> dict[str, Any]:
    replacements = [
        {
            "deletedRegion": _region(edit.location, edit.end_location),
            "insertedContent": {"text": edit.content},
        }
        for edit in fix.edits
    ]
    what = f"{fix.message} ({fix.applicability} fix)"
    return {
        "description": {"text": _plain(printable(what))},
        "artifactChanges": [{"artifactLocation": artifact, "replacements": replacements}],
    }


def _invocation(checked: Checked) -> dict[str, Any]:
    notices = [_notice("error", problem) for problem in checked.problems]
    if checked.summary.skipped:
        notices.append(_notice("note", left_out(checked.summary.skipped)))
    return {
        "executionSuccessful": not checked.problems,
        "exitCode": checked.exit_code,
        "toolExecutionNotifications": notices,
    }


def _notice(level: str, text: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": _plain(printable(text))}}


def _plain(text: str) -> str:
    """Text as a plain message of SARIF, where `{0}` is a placeholder and `[a](b)` is a link."""
    return _LINK.sub(r"\1\1\\](", _without_placeholders(text))


def _without_placeholders(text: str) -> str:
    """Other braces stay single: the viewers in use show them as they stand."""
    return _PLACEHOLDER.sub(r"{\g<0>}", text)
