"""How much a change may add, and what it does to budgets and groups."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from repositories import Repository, stand
from tokenlint.cli import main
from tokenlint.errors import ConfigError
from tokenlint.growth import NOTHING, MaxIncrease, parse
from tokenlint.growth_keys import increase
from tokenlint.rules.over_growth import Growth, check_growth

if TYPE_CHECKING:
    from pathlib import Path

# What an increase is


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", MaxIncrease("0")),
        ("200", MaxIncrease("200")),
        ("007", MaxIncrease("7")),
        ("5%", MaxIncrease("5", percent=True)),
        (" 2.5 % ", MaxIncrease("2.5", percent=True)),
        ("0%", MaxIncrease("0", percent=True)),
    ],
)
def test_increases(text: str, expected: MaxIncrease) -> None:
    assert parse(text) == expected


EXPECTED = 'expected a number of tokens such as 200, or a percentage such as "5%"'


@pytest.mark.parametrize(
    "text", ["", "x", "-5", "+5", "5.5", "%", "5%%", "-1%", "1e3", "\u0665", "1,5%"]
)
def test_what_is_no_increase(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text)
    assert str(caught.value) == f"{EXPECTED}, found {text!r}"


VALUES = [(5, True), ("5%", True), ("1.5 %", True), (0, True)]
VALUES += [("5", False), (-1, False), (True, False), (1.5, False), (None, False), ("x%", False)]


@pytest.mark.parametrize(("value", "is_good"), VALUES)
def test_the_configuration_and_its_schema_agree(value: object, is_good: bool) -> None:
    assert Draft7Validator(dict(increase.schema)).is_valid(value) is is_good
    if is_good:
        increase("max-increase", value)
        return
    with pytest.raises(ConfigError) as caught:
        increase("max-increase", value)
    assert str(caught.value).startswith(f"max-increase: {EXPECTED}")


@pytest.mark.parametrize(
    ("allowed", "before", "after", "is_over"),
    [
        ("0", 5, 5, False),
        ("0", 5, 4, False),
        ("0", 5, 6, True),
        ("10", 5, 14, False),
        ("10", 5, 15, False),
        ("10", 5, 16, True),
        ("10", 0, 10, False),
        ("10", 0, 11, True),
        ("5%", 100, 104, False),
        ("5%", 100, 105, False),
        ("5%", 100, 106, True),
        ("1.1%", 1000, 1011, False),
        ("1.1%", 1000, 1012, True),
        ("0%", 100, 100, False),
        ("0%", 100, 101, True),
        ("5%", 0, 1000, False),
        ("5%", 10, 0, False),
    ],
)
def test_at_the_limit_and_beside_it(allowed: str, before: int, after: int, is_over: bool) -> None:
    assert parse(allowed).is_over(before, after) is is_over


@given(st.integers(0, 10**12), st.integers(0, 10**12), st.decimals(0, 1000, places=3))
def test_percentages_are_exact(before: int, after: int, percent: object) -> None:
    limit = before * (1 + Fraction(str(percent)) / 100)
    assert parse(f"{percent}%").is_over(before, after) is (before > 0 and after > limit)


# What is said


@pytest.mark.parametrize(
    ("growth", "message"),
    [
        (
            Growth("a.md", MaxIncrease("50"), "o200k_base", 1000, 1051, "prompts/*.md"),
            "51 tokens more than the 1,000 before (+5.1 %), over the increase of 50 tokens that is "
            "allowed (o200k_base; prompts/*.md)",
        ),
        (
            Growth("a.md", NOTHING, "o200k_base", 0, 1),
            "1 token more than the 0 before, over the increase of 0 tokens that is allowed "
            "(o200k_base)",
        ),
        (
            Growth("a.md", NOTHING, "o200k_base", 61_234, 61_235),
            "1 token more than the 61,234 before (+0.002 %), over the increase of 0 tokens that is "
            "allowed (o200k_base)",
        ),
        (
            Growth("a.toml", parse("2.5%"), "gpt-4", 2000, 2100, "a, b", 1),
            "1 file has 100 tokens more than the 2,000 before (+5.0 %), over the "
            "increase of 2.5 % that is allowed (gpt-4; a, b)",
        ),
    ],
)
def test_the_sentence(growth: Growth, message: str) -> None:
    (finding,) = check_growth(growth)
    assert (finding.code, finding.name, finding.level) == ("TL305", "over-growth", "error")
    assert (finding.path, finding.start, finding.end, finding.message) == (
        growth.path,
        0,
        0,
        message,
    )


def test_nothing_is_said_of_what_is_allowed() -> None:
    assert list(check_growth(Growth("a.md", NOTHING, "o200k_base", 5, 5))) == []


# The command


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    files = {"p/a.md": words(20), "p/b.md": words(20), "p/c.md": words(60), "d.md": words(99)}
    return stand(monkeypatch, tmp_path, files)


def words(number: int) -> str:
    """A text of so many tokens, with either tokenizer."""
    return " word" * number


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


class Run:
    """Runs the command and reads its findings and groups."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def report(self, *arguments: str, code: int) -> dict[str, Any]:
        assert main(["diff", "--output-format", "json", *arguments]) == code
        report: dict[str, Any] = json.loads(self._capsys.readouterr().out)
        return report

    def findings(self, *arguments: str, code: int = 1) -> list[tuple[str, str]]:
        found = self.report(*arguments, code=code)["findings"]
        assert all(one["code"] == "TL305" for one in found)
        return [(one["filename"], one["message"].partition(" before")[0]) for one in found]


def test_no_limit(repository: Repository, run: Run) -> None:
    repository.write({"d.md": words(500)})
    assert run.findings(code=0) == []


@pytest.mark.parametrize(
    ("limit", "code"),
    [("10", 0), ("9", 1), ("5.1%", 0), ("5%", 1), ("10%", 0)],
)
def test_all_files_together(repository: Repository, run: Run, limit: str, code: int) -> None:
    """199 tokens in all, of which the changed file has 99: a percentage is one of all."""
    repository.write({"d.md": words(109)})
    found = run.findings("--max-increase", limit, code=code)
    files, before = (4, 199) if "%" in limit else (1, 99)
    who = "4 files together have" if files > 1 else "1 file has"
    assert found == [("d.md", f"{who} 10 tokens more than the {before}")] * code


def test_no_increase_at_all(repository: Repository, run: Run) -> None:
    assert run.findings("--fail-on-increase", code=0) == []
    repository.write({"d.md": words(98), "p/a.md": words(21)})
    assert run.findings("--fail-on-increase", code=0) == []
    repository.write({"d.md": words(99)})
    assert run.findings("--fail-on-increase") == [("p/a.md", "1 file has 1 token more than the 20")]


def test_the_configuration_and_what_takes_its_place(repository: Repository, run: Run) -> None:
    repository.commit({"tokenlint.toml": "[diff]\nmax-increase = 5\n"})
    repository.write({"d.md": words(105)})
    expected = [("tokenlint.toml", "1 file has 6 tokens more than the 99")]
    assert run.findings() == expected
    assert run.findings("--max-increase", "6", code=0) == []
    repository.write({"tokenlint.toml": 'ignore = ["TL305"]\n[diff]\nmax-increase = 5\n'})
    assert run.findings(code=0) == []
    assert len(run.findings("--max-increase", "5")) == 1


BUDGET = '[[budgets]]\nfiles = ["p/*.md"]\n'


def test_each_file_of_a_budget(repository: Repository, run: Run) -> None:
    repository.commit({"tokenlint.toml": f'{BUDGET}max-increase = "10%"\n'})
    repository.write({"p/a.md": words(22), "p/b.md": words(23), "d.md": words(500)})
    assert run.findings() == [("p/b.md", "3 tokens more than the 20")]


def test_a_new_file_has_no_percentage(repository: Repository, run: Run) -> None:
    repository.commit({"tokenlint.toml": f'{BUDGET}max-increase = "10%"\n'})
    repository.write({"p/new.md": words(50)})
    assert run.findings(code=0) == []
    repository.write({"tokenlint.toml": f"{BUDGET}max-increase = 49\n"})
    assert run.findings() == [("p/new.md", "50 tokens more than the 0")]


def test_a_renamed_file_is_compared_with_itself(repository: Repository, run: Run) -> None:
    repository.commit({"tokenlint.toml": f"{BUDGET}max-increase = 2\n"})
    repository.git("mv", "p/c.md", "p/new.md")
    repository.write({"p/new.md": words(62)})
    assert run.findings(code=0) == []
    repository.write({"p/new.md": words(63)})
    assert run.findings() == [("p/new.md", "3 tokens more than the 60")]


def test_a_budget_that_names_the_file_holds(repository: Repository, run: Run) -> None:
    named = '[[budgets]]\nfiles = ["p/a.md"]\nmax-increase = 30\n'
    repository.commit({"tokenlint.toml": f"{BUDGET}max-increase = 2\n{named}"})
    repository.write({"p/a.md": words(50), "p/b.md": words(23)})
    assert run.findings() == [("p/b.md", "3 tokens more than the 20")]


def test_a_directive_silences_a_file(repository: Repository, run: Run) -> None:
    repository.commit({"tokenlint.toml": f"{BUDGET}max-increase = 2\n"})
    repository.write({"p/a.md": f"<!-- tokenlint: ignore-file[TL305] -->{words(50)}"})
    assert run.findings(code=0) == []
    assert len(run.findings("--fail-on-increase")) == 1
    repository.write({"tokenlint.toml": f"inline-directives = false\n{BUDGET}max-increase = 2\n"})
    assert [path for path, _ in run.findings()] == ["p/a.md"]


@pytest.mark.parametrize("ignores", ['ignore = ["TL305"]', 'per-file-ignores."p/*" = ["TL3"]'])
def test_the_rule_can_be_off(repository: Repository, run: Run, ignores: str) -> None:
    repository.commit({"tokenlint.toml": f"{ignores}\n{BUDGET}max-increase = 2\n"})
    repository.write({"p/a.md": words(50)})
    assert run.findings(code=0) == []


def test_a_group(repository: Repository, run: Run) -> None:
    repository.commit({"tokenlint.toml": f'{BUDGET}max-total-increase = "2%"\n'})
    repository.write({"p/a.md": words(22), "d.md": words(500)})
    assert run.findings(code=0) == []
    repository.write({"p/a.md": words(23)})
    assert run.findings() == [
        ("tokenlint.toml", "3 files together have 3 tokens more than the 100")
    ]


def test_a_group_is_whole_whatever_was_named(repository: Repository, run: Run) -> None:
    repository.commit({"tokenlint.toml": f"{BUDGET}max-total = 120\n"})
    repository.write({"p/a.md": words(25), "p/b.md": None, "p/new.md": words(5)})
    report = run.report("--", "p/a.md", code=0)
    assert [row["path"] for row in report["files"]] == ["p/a.md"]
    assert report["groups"] == [
        {
            "origin": "p/*.md",
            "tokenizer": "o200k_base",
            "before": 100,
            "after": 90,
            "change": -10,
            "files_before": 3,
            "files_after": 3,
            "uncounted": 0,
            "max_total": 120,
        }
    ]


def test_a_group_that_nothing_touches_is_left_out(repository: Repository, run: Run) -> None:
    repository.commit({"tokenlint.toml": f"{BUDGET}max-total = 120\n"})
    repository.write({"d.md": words(5)})
    assert run.report(code=0)["groups"] == []


def test_shares_of_budgets(repository: Repository, run: Run) -> None:
    limits = 'max-tokens = 100\nmax-bytes = 9\ntokenizers = ["o200k_base", "cl100k_base"]\n'
    repository.commit({"tokenlint.toml": f"{BUDGET}{limits}"})
    repository.write({"p/a.md": words(96), "p/b.md": None, "p/new.md": words(101)})
    rows = {row["path"]: row["budgets"] for row in run.report(code=0)["files"]}
    share = {"tokenizer": "o200k_base", "max_tokens": 100, "origin": "p/*.md"}
    assert [budgets[0] for budgets in rows.values()] == [
        {**share, "before": None, "after": 101, "percent_before": None, "percent_after": 101},
        {**share, "before": 20, "after": 96, "percent_before": 20, "percent_after": 96},
        {**share, "before": 20, "after": None, "percent_before": 20, "percent_after": None},
    ]
    assert {budgets[1]["tokenizer"] for budgets in rows.values()} == {"cl100k_base"}


def test_the_share_stands_in_the_headline(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.commit({"tokenlint.toml": f"{BUDGET}max-tokens = 100\n"})
    repository.write({"p/a.md": words(96), "p/c.md": words(59)})
    assert main(["diff"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2:] == [
        "+75 tokens (+93.8 %) in 2 files below p with o200k_base; p/a.md is at 96 % of its budget.",
        "",
        "file    status    before  after  change         %        budget",
        "p/a.md  modified      20     96     +76  +380.0 %  20 % to 96 %",
        "p/c.md  modified      60     59      -1    -1.7 %  60 % to 59 %",
        "total                 80    155     +75   +93.8 %",
    ]


def test_budgets_of_what_is_extracted(repository: Repository, run: Run) -> None:
    limits = 'extract = "*"\nmax-tokens = 50\nmax-each = 30\nmax-increase = 1\nmax-total = 99\n'
    files = '[[budgets]]\nfiles = ["*.yaml"]\n'
    repository.commit(
        {"tokenlint.toml": f"{files}{limits}", "x.yaml": f"a: {words(9)}\nb: {words(5)}\n"}
    )
    repository.write({"x.yaml": f"a: {words(9)}\nb: {words(15)}\n"})
    report = run.report(code=1)
    (row,) = report["files"]
    assert [(b["max_tokens"], b["before"], b["after"]) for b in row["budgets"]] == [
        (50, 14, 24),
        (30, 9, 15),
    ]
    assert row["change"]["o200k_base"]["tokens"] == 10
    assert [one["message"].partition(" before")[0] for one in report["findings"]] == [
        "10 tokens more than the 14"
    ]
    assert (report["groups"][0]["before"], report["groups"][0]["after"]) == (14, 24)


def test_a_budget_that_selects_nothing(repository: Repository, run: Run) -> None:
    limits = 'extract = "gone"\nmax-tokens = 50\nmax-increase = 1\nmax-total = 99\n'
    repository.commit(
        {"tokenlint.toml": f'[[budgets]]\nfiles = ["*.yaml"]\n{limits}', "x.yaml": "gone: x\n"}
    )
    repository.write({"x.yaml": "a: b\n"})
    report = run.report(code=2)
    assert [row["path"] for row in report["files"]] == ["x.yaml"]
    assert report["findings"] == []


def test_a_budget_that_selected_nothing_before(repository: Repository, run: Run) -> None:
    limits = 'extract = "new"\nmax-tokens = 50\n'
    repository.commit(
        {"tokenlint.toml": f'[[budgets]]\nfiles = ["*.yaml"]\n{limits}', "x.yaml": "old: x\n"}
    )
    repository.write({"x.yaml": f"new: {words(25)}\n"})
    (row,) = run.report(code=0)["files"]
    assert [(share["before"], share["after"]) for share in row["budgets"]] == [(None, 25)]


def test_a_tokenizer_that_cannot_be_had(repository: Repository, run: Run) -> None:
    limits = 'tokenizers = ["./gone.json"]\nmax-tokens = 50\nmax-increase = 1\nmax-total = 99\n'
    repository.commit({"tokenlint.toml": f"{BUDGET}{limits}"})
    repository.write({"p/a.md": words(500)})
    report = run.report(code=2)
    (row,) = report["files"]
    assert (row["budgets"], report["groups"], report["findings"]) == ([], [], [])


@pytest.mark.parametrize("flags", [["--max-increase", "5", "--fail-on-increase"]])
def test_one_limit_at_a_time(flags: list[str]) -> None:
    with pytest.raises(SystemExit):
        main(["diff", *flags])
