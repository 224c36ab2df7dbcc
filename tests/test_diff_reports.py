"""The reports of `tokenlint diff`, read back by others, whatever files are called."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.diagnostic import place
from tokenlint.reports import diff_formats, diff_words
from tokenlint.reports.checked import Checked
from tokenlint.reports.comment import MOST
from tokenlint.reports.diff_values import (
    Difference,
    Figures,
    File,
    Group,
    Report,
    Share,
    Skipped,
    State,
)
from tokenlint.reports.printable import printable
from tokenlint.reports.text import Summary
from tokenlint.rules.over_growth import RULE

if TYPE_CHECKING:
    from collections.abc import Iterable

BASE = State("the merge base of main and HEAD", "1234567890abcdef", "the default branch")
HERE = State("the working tree")


def figures(o200k: int, cl100k: int = 0, decomposed: int = 0, other: int = 0) -> Figures:
    name = "o200k_base"
    tokens = {name: o200k, "cl100k_base": cl100k}
    return Figures(9, 8, 7, tokens, {name: decomposed}, {name: other})


def total(files: Iterable[File]) -> tuple[Figures, Figures]:
    before = after = Figures()
    for file in files:
        if file.is_counted:
            before, after = before + (file.before or Figures()), after + (file.after or Figures())
    return before, after


def report(*files: File, tokenizers: tuple[str, ...] = ("o200k_base",), **more: Any) -> Report:
    return Report(BASE, HERE, tokenizers, files, *total(files), len(files), len(files), **more)


def lines(form: str, report: Report) -> list[str]:
    checked = Checked(report.findings, Summary(len(report.files), report.reasons))
    return list(diff_formats.lines(form, report, checked))


def finding(path: str, message: str) -> Any:
    return place(RULE.finding(path, message), None)


SUPPORT = File(
    "prompts/system/support.md",
    "modified",
    before=figures(1000, 1100),
    after=figures(1152, 1300, decomposed=40, other=2),
    shares=(Share("o200k_base", 1200, "prompts/system/*.md", 1000, 1152),),
)
NEW = File("prompts/system/new.md", "added", after=figures(200, 210))
GONE = File(
    "prompts/old.md",
    "deleted",
    before=figures(50, 55),
    shares=(Share("o200k_base", 60, "prompts/*.md", 50, None),),
)
MOVED = File("b.md", "renamed", "a.md", figures(9, 9), figures(9, 9), "mode 100644 to 100755")
SAME = File("same.md", "modified", before=figures(7, 7), after=figures(7, 7))
LOST = File("lost.md", "modified", None, figures(8, 9), None, "why", uncounted=("after",))
BROKEN = File("broken.json", "modified", note="how", uncounted=("before", "after"))
GROUP = Group("prompts/system/*.md", Difference("o200k_base", 7412, 7764), 5, 6, 8000)
LEFT_OUT = (Skipped("a.bin", "binary"), Skipped("b.bin", "binary"))
OVER = finding("prompts/system/support.md", "152 tokens more than before")


# Headlines


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (report(), "No change in tokens."),
        (report(SAME), "No change in tokens."),
        (report(MOVED), "No change in tokens, 1 file renamed."),
        (report(LOST), "1 file could not be counted."),
        (
            report(LOST, BROKEN, skipped=(Skipped("lost.md", "not UTF-8", is_missed=True),)),
            "2 files could not be counted.",
        ),
        (
            report(LOST, SAME, MOVED),
            "No change in tokens in what could be counted, 1 file renamed; 1 file could not be "
            "counted.",
        ),
        (
            report(LOST, NEW),
            "+200 tokens in prompts/system/new.md with o200k_base; 1 file could not be counted.",
        ),
        (
            report(skipped=(Skipped("a.md", "not UTF-8", is_missed=True), *LEFT_OUT)),
            "1 file could not be counted.",
        ),
        (report(folder="prompts/vi"), "No change in tokens below prompts/vi."),
        (report(NEW), "+200 tokens in prompts/system/new.md with o200k_base."),
        (report(GONE), "-50 tokens (-100.0 %) in prompts/old.md with o200k_base."),
        (
            report(SUPPORT),
            "+152 tokens (+15.2 %) in prompts/system/support.md with o200k_base; "
            "prompts/system/support.md is at 96 % of its budget.",
        ),
        (
            report(SUPPORT, NEW, tokenizers=("o200k_base", "cl100k_base")),
            "+352 tokens (+35.2 %) in 2 files below prompts/system with o200k_base (+410 with "
            "cl100k_base); prompts/system/support.md is at 96 % of its budget.",
        ),
        (
            report(SUPPORT, MOVED, GONE, unchanged=100),
            "+102 tokens (+9.6 % of all 103 files) in 2 files below prompts with o200k_base; "
            "prompts/system/support.md is at 96 % of its budget.",
        ),
        (
            report(NEW, findings=(OVER,)),
            "+200 tokens in prompts/system/new.md with o200k_base; 1 increase over its limit.",
        ),
        (
            report(NEW, findings=(OVER, OVER)),
            "+200 tokens in prompts/system/new.md with o200k_base; 2 increases over their limit.",
        ),
        (
            report(File("a.md", "modified", before=figures(100_000), after=figures(100_001))),
            "+1 token (+0.001 %) in a.md with o200k_base.",
        ),
        (
            report(File("a.md", "modified", before=figures(5), after=figures(5, decomposed=1))),
            "0 tokens (0.0 %) in a.md with o200k_base.",
        ),
    ],
)
def test_headlines(made: Report, expected: str) -> None:
    assert lines("table", made)[2] == expected


def test_a_share_that_did_not_grow_is_no_headline() -> None:
    shares = (Share("o200k_base", 100, "*.md", 99, 98),)
    file = File("a.md", "modified", before=figures(99), after=figures(98), shares=shares)
    assert lines("table", report(file))[2] == "-1 token (-1.0 %) in a.md with o200k_base."


# Whole reports

ALL = report(
    SUPPORT,
    NEW,
    GONE,
    MOVED,
    SAME,
    groups=(GROUP,),
    findings=(OVER,),
    skipped=LEFT_OUT,
)


def test_the_table() -> None:
    assert lines("table", ALL) == [
        "the working tree compared with the merge base of main and HEAD (1234567890; the default "
        "branch):",
        "",
        "+302 tokens (+28.3 %) in 3 files below prompts with o200k_base; prompts/system/support.md "
        "is at 96 % of its budget; 1 increase over its limit.",
        "",
        "file                       status    before  after  change         %  text  noise        "
        "budget",
        "prompts/system/support.md  modified   1,000  1,152    +152   +15.2 %  +110    +42  "
        "83 % to 96 %",
        "prompts/system/new.md      added          -    200    +200         -  +200      0"
        "             -",
        "prompts/old.md             deleted       50      -     -50  -100.0 %   -50      0"
        "             -",
        "a.md -> b.md               renamed        9      9       0     0.0 %     0      0"
        "             -",
        "total                                 1,066  1,368    +302   +28.3 %  +260    +42",
        "",
        "Of the +302 with o200k_base, +260 are text, +40 decomposed text and +2 other noise.",
        "prompts/system/*.md, 6 files together: 7,412 to 7,764 tokens (+352, +4.7 %; o200k_base), "
        "92 % to 97 % of the total budget of 8,000.",
        "1 more file differs and has as many tokens as before.",
        "b.md: mode 100644 to 100755",
        "prompts/system/support.md:1:1: TL305 152 tokens more than before",
    ]


def test_markdown() -> None:
    assert lines("markdown", ALL) == [
        "<!-- tokenlint:diff -->",
        "### +302 tokens (+28.3 %) in 3 files below `prompts` with `o200k_base`; "
        "`prompts/system/support.md` is at 96 % of its budget; 1 increase over its limit",
        "",
        "- **TL305** `prompts/system/support.md`: 152 tokens more than before",
        "",
        "| file | status | before | after | change | % | text | noise | budget |",
        "| --- | --- | --: | --: | --: | --: | --: | --: | --: |",
        "| `prompts/system/support.md` | modified | 1,000 | 1,152 | +152 | +15.2 % | +110 | +42 | "
        "83 % to 96 % |",
        "| `prompts/system/new.md` | added | - | 200 | +200 | - | +200 | 0 | - |",
        "| `prompts/old.md` | deleted | 50 | - | -50 | -100.0 % | -50 | 0 | - |",
        "| `a.md` → `b.md` | renamed | 9 | 9 | 0 | 0.0 % | 0 | 0 | - |",
        "| 1 file with as many tokens as before |  |  |  |  |  |  |  |  |",
        "| **total** |  | **1,066** | **1,368** | **+302** | **+28.3 %** | **+260** | **+42** |  |",
        "",
        "<details>",
        "<summary>Details</summary>",
        "",
        "- the working tree compared with the merge base of main and HEAD (1234567890; the default "
        "branch)",
        "- 5 files differ, skipped 2 (2 binary).",
        "- Of the +302 with o200k_base, +260 are text, +40 decomposed text and +2 other noise.",
        "- `prompts/system/*.md`, 6 files together: 7,412 to 7,764 tokens (+352, +4.7 %; "
        "o200k_base), 92 % to 97 % of the total budget of 8,000",
        "- The total is that of the files that differ; `--all` counts the others too.",
        "- `b.md`: mode 100644 to 100755",
        "- `a.bin` left out: binary",
        "- `b.bin` left out: binary",
        "",
        "</details>",
    ]


def test_markdown_where_nothing_changed() -> None:
    made = lines("markdown", report())
    assert made[:3] == ["<!-- tokenlint:diff -->", "### No change in tokens", ""]
    assert not any(line.startswith("|") for line in made)


def test_json() -> None:
    made = json.loads("\n".join(lines("json", report(MOVED, groups=(GROUP,), skipped=LEFT_OUT))))
    nine = {"bytes": 9, "characters": 8, "words": 7, "tokens": {"o200k_base": 9}}
    none = {"o200k_base": {"tokens": 0, "text": 0, "decomposed": 0, "other": 0}}
    assert made == {
        "base": "the merge base of main and HEAD",
        "base_commit": "1234567890abcdef",
        "base_reason": "the default branch",
        "head": "the working tree",
        "head_commit": None,
        "tokenizers": ["o200k_base"],
        "files": [
            {
                "path": "b.md",
                "old_path": "a.md",
                "status": "renamed",
                "before": nine,
                "after": nine,
                "counted": True,
                "change": none,
                "budgets": [],
                "note": "mode 100644 to 100755",
            }
        ],
        "total": {
            "of": "changed",
            "unchanged": None,
            "uncounted": 0,
            "files_before": 1,
            "files_after": 1,
            "before": nine,
            "after": nine,
            "change": none,
        },
        "groups": [
            {
                "origin": "prompts/system/*.md",
                "tokenizer": "o200k_base",
                "before": 7412,
                "after": 7764,
                "change": 352,
                "files_before": 5,
                "files_after": 6,
                "uncounted": 0,
                "max_total": 8000,
            }
        ],
        "findings": [],
        "skipped": [
            {"path": "a.bin", "reason": "binary"},
            {"path": "b.bin", "reason": "binary"},
        ],
        "cost": None,
    }


def test_json_lines_are_the_same_facts() -> None:
    whole = json.loads("\n".join(lines("json", ALL)))
    rows = [json.loads(line) for line in lines("jsonl", ALL)]
    by_kind = {
        kind: [{k: v for k, v in row.items() if k != "kind"} for row in rows if row["kind"] == kind]
        for kind in ("file", "group", "finding", "total")
    }
    assert sum(map(len, by_kind.values())) == len(rows)
    assert by_kind["file"] == whole["files"]
    assert by_kind["group"] == whole["groups"]
    assert by_kind["finding"] == whole["findings"]
    (last,) = by_kind["total"]
    assert last == {key: whole[key] for key in last if key in whole} | whole["total"]


def test_csv() -> None:
    two = ("o200k_base", "cl100k_base")
    assert lines("csv", report(SUPPORT, GONE, MOVED, tokenizers=two)) == [
        "path,old_path,status,tokenizer,before,after,change,text,decomposed,other,max_tokens,"
        "budget_before,budget_after",
        "prompts/system/support.md,,modified,o200k_base,1000,1152,152,110,40,2,1200,1000,1152",
        "prompts/system/support.md,,modified,cl100k_base,1100,1300,200,200,0,0,,,",
        "prompts/old.md,,deleted,o200k_base,50,,-50,-50,0,0,60,50,",
        "prompts/old.md,,deleted,cl100k_base,55,,-55,-55,0,0,,,",
        "b.md,a.md,renamed,o200k_base,9,9,0,0,0,0,,,",
        "b.md,a.md,renamed,cl100k_base,9,9,0,0,0,0,,,",
    ]


def test_what_could_not_be_counted_is_no_saving() -> None:
    made = report(LOST, BROKEN, NEW, GONE)
    assert lines("table", made)[4:] == [
        "file                   status         before        after  change         %",
        "lost.md                modified            8  not counted       -         -",
        "broken.json            modified  not counted  not counted       -         -",
        "prompts/system/new.md  added               -          200    +200         -",
        "prompts/old.md         deleted            50            -     -50  -100.0 %",
        "total                                     50          200    +150  +300.0 %",
        "",
        "lost.md: why",
        "broken.json: how",
    ]
    assert "| `lost.md` | modified | 8 | not counted | - | - | - |" in lines("markdown", made)
    assert lines("csv", made)[1:3] == [
        "lost.md,,modified,o200k_base,8,,,,,,,,",
        "broken.json,,modified,o200k_base,,,,,,,,,",
    ]
    read = json.loads("\n".join(lines("json", made)))
    assert [row["counted"] for row in read["files"]] == [False, False, True, True]
    assert [row["change"] is None for row in read["files"]] == [True, True, False, False]
    assert read["total"]["uncounted"] == 2


def test_a_group_says_what_it_misses() -> None:
    group = Group("p/*.md", Difference("o200k_base", 10, 12), 2, 2, uncounted=1)
    said = (
        "p/*.md, 2 files together: 10 to 12 tokens (+2, +20.0 %; o200k_base), 1 file not counted."
    )
    assert said in lines("table", report(NEW, groups=(group,)))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (1000, 999, "-0.1 %"),
        (10_000, 9_996, "-0.04 %"),
        (10_000_000, 9_999_999, "-0.00001 %"),
        (7, 7, "0.0 %"),
        (0, 7, "-"),
        (30, 10, "-66.7 %"),
    ],
)
def test_percentages(before: int, after: int, expected: str) -> None:
    assert diff_words.percent(Difference("x", before, after)) == expected


@settings(max_examples=200)
@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_no_percentage_is_nothing_with_a_sign(before: int, after: int) -> None:
    said = diff_words.percent(Difference("x", before, after))
    assert (re.fullmatch(r"[+-]?[0.]+ %", said) is not None) == (before == after != 0)


@pytest.mark.parametrize("form", ["github", "sarif", "gitlab", "junit"])
def test_the_formats_of_findings_tell_what_is_over(form: str) -> None:
    made = "\n".join(lines(form, ALL))
    assert "prompts/system/support.md" in made
    assert "152 tokens more than before" in made
    assert "152 tokens more" not in "\n".join(lines(form, report(SUPPORT)))


def test_notes_are_not_without_end() -> None:
    files = [
        File(f"{at}.md", "unchanged", None, figures(1), figures(1), "mode") for at in range(30)
    ]
    made = lines("table", report(*files))
    assert (made[4], made[-2:]) == ("0.md: mode", ["19.md: mode", "and 10 more notes"])


# Any name

NAMES = st.text(st.characters(), min_size=1, max_size=30) | st.sampled_from(
    [
        "a|b.md",
        "`a`.md",
        "a``b\n.md",
        "<!-- tokenlint:check -->",
        "</details>@user.md",
        "::error::x",
        "=1+1.md",
        "\x1b[31mred.md",
        "cafe\u0301.md",
        "\udcff.md",
        "\u202egnp.md",
        "**x**",
        "a -> b",
    ]
)
COUNTS = st.integers(0, 10**7)
FIGURES = st.none() | st.builds(figures, COUNTS, COUNTS, COUNTS, COUNTS)
FILES = st.builds(
    File,
    NAMES,
    st.sampled_from(["added", "modified", "deleted", "renamed"]),
    st.none() | NAMES,
    FIGURES,
    FIGURES,
    st.sampled_from(["", "mode 100644 to 100755"]),
)
REPORTS = st.lists(FILES, max_size=5).flatmap(
    lambda files: st.builds(
        lambda path, reason: report(
            *files,
            findings=(finding(path, f"{path} grew"),),
            skipped=(Skipped(path, reason),),
            groups=(Group(path, Difference("o200k_base", 1, 2), 1, 1),),
        ),
        NAMES,
        st.sampled_from(["binary", "submodule"]),
    )
)


@given(REPORTS)
@settings(max_examples=60)
def test_json_gives_back_every_name(made: Report) -> None:
    read = json.loads("\n".join(lines("json", made)))
    assert [(row["path"], row["old_path"]) for row in read["files"]] == [
        (file.path, file.old_path) for file in made.files
    ]
    assert read["findings"][0]["filename"] == made.findings[0].path
    assert len(lines("jsonl", made)) == len(made.files) + 3


@given(REPORTS)
@settings(max_examples=60)
def test_csv_gives_back_every_row(made: Report) -> None:
    rows = list(csv.DictReader(io.StringIO("\n".join(lines("csv", made)))))
    assert [row["path"].removeprefix("./") for row in rows] == [
        printable(file.path).removeprefix("./") for file in made.files
    ]
    assert not any(row["path"].startswith(("=", "+", "@")) for row in rows)
    assert [int(row["change"]) for row in rows] == [
        file.difference("o200k_base").change for file in made.files
    ]


@given(REPORTS)
@settings(max_examples=60)
def test_a_table_has_as_many_lines_as_it_should(made: Report) -> None:
    out = "\n".join(lines("table", made))
    assert not set(out) & {chr(code) for code in (*range(9), *range(11, 32), 0x202E)}
    if made.shown:
        rows = lines("table", made)[5:]
        assert rows[len(made.shown) + (len(made.files) != 1)] == ""


def cells(row: str) -> list[str]:
    """The cells of a row, as GitHub cuts it: at every pipe that has no backslash before it."""
    return re.split(r"(?<!\\)\|", row)[1:-1]


@given(REPORTS)
@settings(max_examples=60)
def test_no_name_breaks_a_markdown_table(made: Report) -> None:
    out = lines("markdown", made)
    assert not set("".join(out)) & {chr(code) for code in (*range(32), 0x202E)}
    assert sum(line.startswith("<!--") for line in out) == 1
    without_code = re.sub(r"`[^`]*`", "", "\n".join(out))
    assert without_code.count("<!--") == 1
    assert without_code.count("</details>") == 1
    rows = [line for line in out if line.startswith("| ")]
    if rows:
        assert {len(cells(row)) for row in rows} == {len(cells(rows[0]))}
        assert len(rows) == 2 + len(made.shown) + (len(made.files) != 1) + (
            len(made.shown) < len(made.files)
        )


def units(out: list[str]) -> int:
    """What a comment holds: units of UTF-16, line ends included."""
    return sum(len(line.encode("utf-16-le")) // 2 + 1 for line in out)


@pytest.mark.parametrize("name", ["a" * 40, "`|<" * 80, "\U0001f600" * 200])
def test_a_comment_is_never_too_long(name: str) -> None:
    files = [
        File(f"{at}{name}", "renamed", f"{at}{name}x", figures(1), figures(2), "a note")
        for at in range(3000)
    ]
    skipped = [Skipped(file.path, "binary") for file in files]
    findings = [finding(file.path, file.path * 3) for file in files[:500]]
    groups = [Group(file.path, Difference("o200k_base", 1, 2), 1, 1) for file in files]
    made = report(*files, skipped=skipped, findings=findings, groups=groups)
    out = lines("markdown", made)
    assert units(out) <= MOST
    left = [line for line in out if "left out: a comment holds 65,536 characters" in line]
    rows = sum(line.startswith("| ") for line in out) - 2
    assert left[0].startswith(f"{3001 - rows:,} more rows left out")
    assert rows > 5


class Dear:
    """A cost with more to say than a comment holds."""

    def headline(self, _quote: object) -> str:
        return "+$1 on 5 calls of gpt-5"

    def lines(self) -> list[str]:
        return ["model  cost"]

    def markdown(self) -> list[str]:
        return ["| model | cost |"] * 9000

    def as_json(self) -> str:
        return "exact"


def test_what_has_no_room_is_left_out_and_said() -> None:
    made = report(NEW, cost=Dear())
    out = lines("markdown", made)
    assert units(out) <= MOST
    assert "Cost: left out, a comment holds 65,536 characters." in out
    assert "<summary>Details</summary>" in out
    assert lines("table", made)[-2:] == ["", "model  cost"]
    assert json.loads("\n".join(lines("json", made)))["cost"] == "exact"


def test_a_comment_that_just_fits_is_not_cut() -> None:
    files = [File(f"{at}.md", "modified", None, figures(1), figures(2)) for at in range(500)]
    out = lines("markdown", report(*files))
    assert not any("left out" in line for line in out)
    assert sum(line.startswith("| ") for line in out) == 503
