"""Each format for people and forges, whole, for a few findings; and its limits."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from markup import page
from tokenlint.diagnostic import Diagnostic, PlacedEdit, PlacedFix
from tokenlint.reports import formats
from tokenlint.reports.checked import Checked, Place
from tokenlint.reports.comment import MOST, fitted, size
from tokenlint.reports.text import Cost, Summary
from tokenlint.reports.text import left_out as said_of
from tokenlint.rules import RULES
from tokenlint.tokens import Location

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGES = "https://github.com/tokenlint/pytest-tokenbudget/blob/main/docs/rules"
NFC = PlacedFix("safe", "Write U+1EA1", (PlacedEdit("\u1ea1", Location(1, 2), Location(1, 4)),))
ONE = (Location(1, 2), Location(1, 4))
ERROR = Diagnostic("a.md", *ONE, "TL101", "decomposed", "error", "decomposed", NFC, "Ba\u0323n")
WARNING = Diagnostic(
    "b|c.md", Location(2, 1), Location(3, 5), "TL301", "over-budget", "warning", "95 % of it"
)
MINE = Diagnostic(
    "a.md", Location(4, 1), Location(4, 1), "MC001", "mine", "error", "<b>", help="Go"
)
SUMMARY = Summary(3, Counter({"binary": 1}), costs=(Cost("o200k_base", 9, 7),))
FILES = "Checked 3 files, skipped 1 (1 binary)."
COST = "Decomposed text, o200k_base: 9 tokens as it is, 7 in NFC (-2, -22.2 %)."


def lines(
    name: str, findings: Sequence[Diagnostic] = (), problems: Sequence[str] = ()
) -> list[str]:
    place = Place("/repo/sub", "/repo")
    checked = Checked(findings, SUMMARY, problems, RULES, place=place)
    return list(formats.lines(name, checked))


# For people


@pytest.mark.parametrize(
    ("lines_found", "left_out"), [(5, ""), (6, "1 more TL101 finding on"), (7, "2")]
)
def test_many_alike_in_one_file_are_cut_short(lines_found: int, left_out: str) -> None:
    found = [
        Diagnostic("a|b\n.md", *(Location(row, 1),) * 2, "TL101", "decomposed", "error", "d")
        for row in range(1, lines_found + 1)
    ]
    shown = lines("full", found)
    places = [line for line in shown if line.startswith("  -->")]
    assert places == [f"  --> a|b\\x0a.md:{row}:1" for row in range(1, 6)]
    more = [line for line in shown if "on other lines" in line]
    start = f"a|b\\x0a.md: {left_out}"
    assert [line.startswith(start) for line in more] == [True] * bool(left_out)


@pytest.mark.parametrize(("size", "cut"), [(300, ""), (301, "..."), (5000, "...")])
def test_a_long_finding_shows_its_beginning(size: int, cut: str) -> None:
    places = Location(1, 101), Location(1, 101 + size)
    text = "a" * 100 + "b" * size
    long = Diagnostic("a.md", *places, "TL403", "hidden-text", "error", "d", line=text)
    assert lines("full", [long])[:6] == [
        "TL403 d",
        "  --> a.md:1:101",
        "  |",
        f"1 | {text[:400]}{cut}",
        f"  | {' ' * 100}{'^' * 300}",
        "",
    ]


@pytest.mark.parametrize("name", ["full", "concise", "github"])
def test_a_quiet_report_has_findings_only(name: str) -> None:
    checked = Checked([ERROR], SUMMARY, quiet=True)
    whole = list(formats.lines(name, replace(checked, quiet=False)))
    closing = [COST, "Found 1 finding.", "[*] 1 fixable with --fix.", FILES]
    assert [*formats.lines(name, checked), *closing] == whole


# GitHub


def test_annotations() -> None:
    assert lines("github", [WARNING, ERROR, MINE], ["c.md: no permission to read it"]) == [
        "::error title=tokenlint::c.md: no permission to read it",
        "::error file=sub/a.md,line=1,endLine=1,col=2,endColumn=4,title=TL101 decomposed::"
        "a.md:1:2: TL101 decomposed",
        "::error file=sub/a.md,line=4,endLine=4,title=MC001 mine::a.md:4:1: MC001 <b>%0Ahelp: Go",
        "::warning file=sub/b|c.md,line=2,endLine=3,title=TL301 over-budget::"
        "b|c.md:2:1: TL301 95 %25 of it",
        COST,
        "Found 3 findings, 1 of them warning.",
        "[*] 1 fixable with --fix.",
        "Checked 3 files, skipped 1 (1 binary).",
    ]


LEFT_OFF = "::notice title=tokenlint::GitHub shows 10 errors and 10 warnings of a step; {}"


@pytest.mark.parametrize(
    ("errors", "warnings", "problems", "said"),
    [
        (10, 10, 0, []),
        (11, 0, 0, ["1 more error can be read in its log only."]),
        (9, 0, 2, ["1 more error can be read in its log only."]),
        (12, 1_011, 0, ["2 more errors and 1,001 more warnings can be read in its log only."]),
    ],
)
def test_what_github_does_not_show(
    errors: int, warnings: int, problems: int, said: list[str]
) -> None:
    shown = lines("github", [WARNING] * warnings + [ERROR] * errors, ["broken"] * problems)
    assert [line for line in shown if line.startswith("::notice")] == list(
        map(LEFT_OFF.format, said)
    )
    levels = [line.split()[0] for line in shown if re.match("::(error|warning)", line)]
    assert levels == ["::error"] * (errors + problems) + ["::warning"] * warnings


# GitLab


def test_the_severities_and_paths_of_gitlab() -> None:
    assert "".join(lines("gitlab", [])) == "[]"
    text = "\n".join(lines("gitlab", [ERROR, WARNING]))
    assert re.findall(r'"(?:severity|path|begin)": (.*?),?\n', text) == [
        '"major"', '"sub/a.md"', "1", '"minor"', '"sub/b|c.md"', "2",
    ]  # fmt: skip


# JUnit


@pytest.mark.parametrize(
    ("skipped", "said"),
    [
        ({"binary": 2, "over the size limit": 1}, "skipped 3 (2 binary, 1 over the size limit)"),
        ({"symbolic link": 1, "a directory": 1}, "skipped 2 (1 a directory, 1 symbolic link)"),
        ({"symbolic link": 2, "submodule": 3}, "skipped 5 (3 submodules, 2 symbolic links)"),
        ({"missing": 1200}, "skipped 1,200 (1,200 missing)"),
        ({"not a regular file": 2}, "skipped 2 (2 no regular files)"),
    ],
)
def test_why_files_are_left_out(skipped: dict[str, int], said: str) -> None:
    assert said_of(Counter(skipped)) == said


def test_junit_of_nothing_is_one_case_that_passes() -> None:
    assert lines("junit") == [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<testsuites name="tokenlint" tests="1" failures="0" errors="0">',
        '  <testsuite name="tokenlint" tests="1" failures="0" errors="0" skipped="0">',
        '    <testcase classname="tokenlint" name="Checked 3 files, skipped 1 (1 binary).">',
        "    </testcase>",
        "  </testsuite>",
        "</testsuites>",
    ]


def test_junit_whole() -> None:
    text = "\n".join(lines("junit", [ERROR, MINE, WARNING], ["c.md: missing"]))
    assert text.split("\n")[1:] == [
        '<testsuites name="tokenlint" tests="3" failures="1" errors="1">',
        '  <testsuite name="tokenlint" tests="3" failures="1" errors="1" skipped="0">',
        '    <testcase classname="tokenlint" name="a.md">',
        '      <failure type="finding" message="2 findings: TL101, MC001">'
        "a.md:1:2: TL101 decomposed",
        "a.md:4:1: MC001 &#60;b&#62;</failure>",
        "    </testcase>",
        '    <testcase classname="tokenlint" name="b|c.md">',
        "      <system-out>b|c.md:2:1: TL301 95 % of it</system-out>",
        "    </testcase>",
        '    <testcase classname="tokenlint" name="tokenlint">',
        '      <error type="problem" message="1 problem">c.md: missing</error>',
        "    </testcase>",
        "  </testsuite>",
        "</testsuites>",
    ]


def test_junit_with_the_names_of_clean_files() -> None:
    checked = Checked([ERROR], clean=["clean.md"])
    cases = [line for line in formats.lines("junit", checked) if "<testcase" in line]
    assert [re.findall('name="([^"]*)"', case)[1] for case in cases] == ["a.md", "clean.md"]


# Markdown


def test_markdown_of_nothing() -> None:
    assert lines("markdown") == [
        "<!-- tokenlint:check -->",
        "### tokenlint: nothing found",
        "",
        "Checked 3 files, skipped 1 (1 binary).",
    ]


def test_markdown_of_a_check_that_could_not_look() -> None:
    assert lines("markdown", problems=["c.md: no permission to read it"])[1:] == [
        "### tokenlint: incomplete, 1 problem",
        "",
        "Not everything could be checked:",
        "",
        "- **error:** c.md: no permission to read it",
        "",
        "Checked 3 files, skipped 1 (1 binary).",
    ]


def test_markdown_whole() -> None:
    assert lines("markdown", [ERROR, MINE, WARNING]) == [
        "<!-- tokenlint:check -->",
        "### tokenlint: 2 errors and 1 warning in 2 files, 1 fixable with `--fix`",
        "",
        "| rule | what it finds | errors | warnings | files | fixable |",
        "| --- | --- | --: | --: | --: | --: |",
        "| MC001 mine |  | 1 | 0 | 1 | 0 |",
        f"| [TL101]({PAGES}/TL101.md) decomposed | decomposed (NFD) text that looks like NFC and "
        "costs more tokens | 1 | 0 | 1 | 1 |",
        f"| [TL301]({PAGES}/TL301.md) over-budget | a file over its budget of tokens, bytes or "
        "characters, or near it | 0 | 1 | 1 | 0 |",
        "",
        f"{COST}  ",
        "Checked 3 files, skipped 1 (1 binary).  ",
        "",
        "<details>",
        "<summary>All 3 findings</summary>",
        "",
        "| place | rule | level | what |",
        "| --- | --- | --- | --- |",
        "| `a.md:1:2` | TL101 | error | decomposed |",
        "| `a.md:4:1` | MC001 | error | &#60;b&#62; |",
        "| <code>b&#124;c&#46;md&#58;2&#58;1</code> | TL301 | warning | 95 % of it |",
        "",
        "</details>",
    ]


@pytest.mark.parametrize("message", ["decomposed", "\U0001f600" * 90, "|" * 499, "x" * 9_999])
def test_a_comment_that_would_be_too_long_says_what_it_leaves_out(message: str) -> None:
    found = [
        Diagnostic(
            f"{at}.md", Location(1, 1), Location(1, 1), "TL101", "decomposed", "error", message
        )
        for at in range(3_000)
    ]
    text = "\n".join(lines("markdown", found, ["broken " * 999] * 999))
    assert MOST - 5_000 < len(text.encode("utf-16-le")) // 2 <= MOST
    assert text.endswith("\n</details>")
    [number] = re.findall(r"^([\d,]+) more findings left out: a comment holds 65,536 ", text, re.M)
    read = page(text)
    shown = len(read.tables[-1]) - 1
    assert shown + int(number.replace(",", "")) == len(found)
    assert "989 more problems" in read.text


def test_a_comment_that_just_fits_leaves_nothing_out() -> None:
    rows = ["row"] * 10
    exact = size(["head", *rows, "tail"])

    def more(number: int) -> list[str]:
        return [f"{number} more"]

    assert list(fitted(["head"], rows, ["tail"], more, most=exact)) == ["head", *rows, "tail"]
    cut = list(fitted(["head"], rows, ["tail"], more, most=exact - 1))
    assert cut == ["head", *rows[:7], "3 more", "tail"]
    assert size(cut) <= exact - 1
