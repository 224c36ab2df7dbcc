"""Every report of a check, read back by a parser of its own, gives the same findings."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hostile import FINDINGS, TEXTS, harmful, paired
from markup import page
from tokenlint.reports import formats
from tokenlint.reports.checked import Checked
from tokenlint.reports.printable import printable
from tokenlint.reports.text import Cost, Summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenlint.diagnostic import Diagnostic

PROBLEMS = st.lists(TEXTS, max_size=2)


def report(name: str, findings: Sequence[Diagnostic], problems: Sequence[str] = ()) -> str:
    summary = Summary(3, Counter({"binary": 1}), costs=(Cost("##[error]x\x1b", 9, 7),))
    checked = Checked(findings, summary, problems, exit_code=2 if problems else 0)
    return "".join(f"{line}\n" for line in formats.lines(name, checked))


def place(finding: Diagnostic) -> tuple[int, int, int, int]:
    return (*finding.location, *finding.end_location)


@pytest.mark.parametrize("name", formats.FORMATS)
def test_a_report_of_nothing(name: str) -> None:
    assert report(name, []) is not None


@pytest.mark.parametrize("name", [name for name in formats.FORMATS if name != "full"])
@settings(max_examples=25)
@given(findings=FINDINGS, problems=PROBLEMS)
def test_no_report_holds_what_acts_on_a_terminal(
    name: str, findings: list[Diagnostic], problems: list[str]
) -> None:
    assert harmful(report(name, findings, problems)) <= {"\n"}


# JSON and CSV


def in_json(finding: Diagnostic) -> dict[str, Any]:
    start, end = finding.location, finding.end_location
    return {
        "code": finding.code,
        "name": finding.name,
        "level": finding.level,
        "message": paired(finding.message),
        "filename": paired(finding.path),
        "location": {"row": start.row, "column": start.column},
        "end_location": {"row": end.row, "column": end.column},
        "edits": [paired(edit.content) for edit in finding.fix.edits] if finding.fix else None,
    }


def from_json(read: dict[str, Any]) -> dict[str, Any]:
    fix, url = read.pop("fix"), read.pop("url")
    assert (url is None) == (not read["code"].startswith("TL"))
    return read | {"edits": None if fix is None else [edit["content"] for edit in fix["edits"]]}


@settings(max_examples=40)
@given(FINDINGS)
def test_json_and_json_lines(findings: list[Diagnostic]) -> None:
    whole = json.loads(report("json", findings))
    by_line = [json.loads(line) for line in report("jsonl", findings).splitlines()]
    assert [from_json(read) for read in whole] == [in_json(finding) for finding in findings]
    assert [from_json(read) for read in by_line] == [in_json(finding) for finding in findings]


@settings(max_examples=40)
@given(FINDINGS)
def test_csv(findings: list[Diagnostic]) -> None:
    rows = list(csv.DictReader(io.StringIO(report("csv", findings)), strict=True))
    assert [row["path"].removeprefix("./") for row in rows] == [
        printable(finding.path).removeprefix("./") for finding in findings
    ]
    names = ("row", "column", "end_row", "end_column")
    assert [tuple(int(row[name]) for name in names) for row in rows] == list(map(place, findings))
    assert [(row["code"], row["name"], row["level"], row["message"]) for row in rows] == [
        (finding.code, finding.name, finding.level, printable(finding.message))
        for finding in findings
    ]
    assert [row["fix"] for row in rows] == [
        finding.fix.applicability if finding.fix else "" for finding in findings
    ]


# Lines for people


@settings(max_examples=40)
@given(FINDINGS)
def test_concise(findings: list[Diagnostic]) -> None:
    shown = report("concise", findings).splitlines()
    for line, finding in zip(shown, findings, strict=False):
        row, column = finding.location
        start = f"{printable(finding.path)}:{row}:{column}: {finding.code}"
        assert line.startswith(start)
        assert line.endswith(f" {printable(finding.message)}")


# GitHub


def command(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command, as the runner reads a line."""
    assert line.startswith("::")
    head, found, data = line[2:].partition("::")
    assert found
    name, _, said = head.partition(" ")
    pairs = (one.split("=", 1) for one in said.split(",") if one)
    properties = {key: _value(value, "%3A", "%2C") for key, value in pairs}
    return name, properties, _value(data)


def _value(text: str, *also: str) -> str:
    for escape in ("%0D", "%0A", *also, "%25"):
        text = text.replace(escape, chr(int(escape[1:], 16)))
    return text


def in_a_command(text: str) -> str:
    return "".join(char if char in "\r\n" else printable(char) for char in text)


def annotation(finding: Diagnostic) -> tuple[str, dict[str, str], str]:
    row, column, end_row, end_column = place(finding)
    properties = {
        "file": in_a_command(finding.path),
        "line": str(row),
        "endLine": str(end_row),
        "title": f"{finding.code} {finding.name}",
    }
    if row == end_row and column < end_column:
        properties |= {"col": str(column), "endColumn": str(end_column)}
    said = f"{finding.path}:{row}:{column}: {finding.code} {finding.message}"
    more = f"\nhelp: {finding.help}" if finding.help else ""
    return finding.level, properties, in_a_command(said + more)


@settings(max_examples=40)
@given(FINDINGS, PROBLEMS)
def test_annotations_of_github(findings: list[Diagnostic], problems: list[str]) -> None:
    shown = report("github", findings, problems).split("\n")
    read = [command(line) for line in shown if line.lstrip().startswith("::")]
    broken = [("error", {"title": "tokenlint"}, in_a_command(problem)) for problem in problems]
    levels = sorted(findings, key=lambda finding: finding.level)
    assert read == [*broken, *map(annotation, levels)]
    assert not any("##[" in line for line in shown if not line.startswith("::"))


# GitLab


@settings(max_examples=40)
@given(FINDINGS)
def test_code_quality_of_gitlab(findings: list[Diagnostic]) -> None:
    issues = json.loads(report("gitlab", findings))
    json.dumps(issues, ensure_ascii=False).encode()  # raises for half a pair, which Ruby refuses
    for issue, finding in zip(issues, findings, strict=True):
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["description"] == printable(f"{finding.code} {finding.message}")
        assert issue["check_name"] == finding.code
        assert issue["severity"] == {"error": "major", "warning": "minor"}[finding.level]
        path = finding.path.encode("utf-8", "backslashreplace").decode()
        lines = {"begin": finding.location.row, "end": finding.end_location.row}
        assert issue["location"] == {"path": path, "lines": lines}
    assert len({issue["fingerprint"] for issue in issues}) == len(findings)


# JUnit


def in_xml(text: str) -> str:
    return re.sub("[\ufffe\uffff]", lambda found: f"\\u{ord(found[0]):04x}", printable(text))


@settings(max_examples=40)
@given(FINDINGS, PROBLEMS)
def test_junit(findings: list[Diagnostic], problems: list[str]) -> None:
    suites = ET.fromstring(report("junit", findings, problems))  # noqa: S314  (made here)
    [suite] = suites
    cases = list(suite)
    assert len(cases) == int(suite.attrib["tests"]) == int(suites.attrib["tests"])
    assert len(suite.findall("*/failure")) == int(suite.attrib["failures"])
    assert len(suite.findall("*/error")) == int(suite.attrib["errors"])
    for level, tag in (("error", "failure"), ("warning", "system-out")):
        lines = [line for one in suite.iter(tag) for line in (one.text or "").split("\n")]
        paths = sorted({finding.path for finding in findings})
        assert lines == [
            in_xml(f"{f.path}:{f.location.row}:{f.location.column}: {f.code} {f.message}")
            for path in paths
            for f in findings
            if f.level == level and f.path == path
        ]
    said = [line for one in suite.iter("error") for line in (one.text or "").split("\n")]
    assert said == [in_xml(problem) for problem in problems]


# Markdown


@settings(max_examples=40)
@given(FINDINGS, PROBLEMS)
def test_markdown(findings: list[Diagnostic], problems: list[str]) -> None:
    text = report("markdown", findings, problems)
    read = page(text)
    assert text.startswith("<!-- tokenlint:check -->\n")
    assert read.comments == ["tokenlint:check"]
    assert read.references == []
    assert read.tags <= TAGS
    assert all(link.startswith("https://github.com/tokenlint/") for link in read.links)
    details = read.tables[-1][1:] if findings else []
    assert details == [
        [
            printable(f"{f.path}:{f.location.row}:{f.location.column}"),
            f.code,
            f.level,
            printable(f.message),
        ]
        for f in findings
    ]
    for problem in problems:
        assert f"error: {printable(problem)}".strip() in read.text


TAGS = {"h3", "p", "ul", "li", "strong", "details", "summary", "code", "span", "a", "br"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td"}
