"""The summary: what it holds, in which form, and that parallel runs tell the same."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Project

SOURCE = """
from pathlib import Path
import pytest

pytestmark = pytest.mark.token_budget(10, files="p/*.md")

def test_files(): ...

@pytest.mark.fertility_limit(2, files="p/a.md")
def test_again(): ...

@pytest.mark.token_budget(4)
def test_text(token_budget):
    token_budget.check("one two", label="short")
    token_budget.check("one two three")

@pytest.mark.token_budget(1, tokenizer="cl100k_base")
def test_over(token_budget):
    token_budget.check("one two")

def test_fixture(token_budget):
    token_budget.check(Path("../outside.md"), max_tokens=100, label="outside")
"""
FILES: dict[str, str | bytes] = {
    "test_it.py": SOURCE,
    "p/a.md": "one " * 8 + "end",
    "p/b|.md": "one",
    "../outside.md": "one",
}


def _run(project: Project, *arguments: str) -> pytest.RunResult:
    project.write(FILES)
    return project.pytester.runpytest_inprocess(
        "-p", "no:hypothesispytest", "-p", "no:anyio", *arguments
    )


def _section(result: pytest.RunResult) -> list[str]:
    lines = result.outlines
    start = next(at for at, line in enumerate(lines) if line.startswith("what "))
    end = next(at for at, line in enumerate(lines) if line.startswith("tokenbudget: near"))
    return lines[start : end + 1]


def test_quiet_by_default_but_for_one_line_near_a_limit(project: Project) -> None:
    lines = _run(project).outlines
    told = [line for line in lines if line.startswith("tokenbudget")]
    assert told == ["tokenbudget: near the limit: p/a.md 90 %"]
    project.write({"p/a.md": "one " * 7 + "end"})
    result = project.pytester.runpytest_inprocess("-k", "files")
    assert "tokenbudget:" not in result.stdout.str()


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("warn-at = 0.91", []),
        ("warn-at = 0.5", ["p/a.md 90 %, test_it.py::test_text 75 %, p/a.md 50 % and 1 more"]),
    ],
)
def test_warn_at(project: Project, setting: str, told: list[str]) -> None:
    project.write({"tokenlint.toml": f"{setting}\n"})
    lines = _run(project).outlines
    start = "tokenbudget: near the limit: "
    assert [line.removeprefix(start) for line in lines if line.startswith(start)] == told


def test_the_table(project: Project) -> None:
    shown = _section(_run(project, "--tokenbudget-report=term"))
    assert [" ".join(line.split()) for line in shown] == [
        "what value limit share",
        f"test_it.py::test_over (cl100k_base) 2 tokens 1 200 % [{'#' * 20}] over",
        f"p/a.md (o200k_base) 9 tokens 10 90 % [{'#' * 18}..]",
        f"test_it.py::test_text (o200k_base) 3 tokens 4 75 % [{'#' * 15}.....]",
        f"p/a.md (o200k_base) 1.00 per word 2 50 % [{'#' * 10}{'.' * 10}]",
        f"test_it.py::test_text (short) (o200k_base) 2 tokens 4 50 % [{'#' * 10}{'.' * 10}]",
        f"p/b|.md (o200k_base) 1 token 10 10 % [##{'.' * 18}]",
        f"outside (o200k_base) 1 token 100 1 % [{'.' * 20}]",
        "tokenbudget: near the limit: p/a.md 90 %",
    ]
    assert len({line.index("%") for line in shown[1:-1]}) == 1


def test_term_shows_ten_and_all_shows_all(project: Project) -> None:
    source = """
import pytest
@pytest.mark.parametrize("maximum", range(1, 13))
def test_it(token_budget, maximum):
    token_budget.check("one", max_tokens=maximum)
"""
    project.write({"test_it.py": source})
    run = project.pytester.runpytest_inprocess
    short = run("--tokenbudget-report=term").outlines
    assert "... and 2 more (--tokenbudget-report=term:all)" in short
    assert sum("1 token " in line for line in short) == 10
    assert sum("1 token " in line for line in run("--tokenbudget-report=term:all").outlines) == 12


def test_nothing_to_show(project: Project) -> None:
    project.write({"test_it.py": "def test_it(): ...\n"})
    result = project.pytester.runpytest_inprocess(
        "--tokenbudget-report=term", "--tokenbudget-report=json:a.json"
    )
    assert "tokenbudget: no text was held to a limit" in result.outlines
    assert json.loads((project.pytester.path / "a.json").read_text()) == {"limits": []}


def test_files(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    (project.pytester.path / "from").mkdir()
    monkeypatch.chdir(project.pytester.path / "from")
    _run(
        project,
        "..",
        "-p",
        "no:terminal",
        "--tokenbudget-report=json:out/a.json",
        "--tokenbudget-report=markdown:a.md",
    )
    limits = json.loads((project.pytester.path / "from/out/a.json").read_text())["limits"]
    assert [limit["share"] for limit in limits] == [2, 0.9, 0.75, 0.5, 0.5, 0.1, 0.01]
    assert limits[0] == {
        "subject": "test_it.py::test_over",
        "kind": "token_budget",
        "tokenizer": "cl100k_base",
        "value": 2,
        "unit": "token",
        "limit": 1,
        "share": 2,
        "over": True,
        "near": False,
    }
    assert limits[3]["unit"] == "tokens per word"
    markdown = (project.pytester.path / "from/a.md").read_text().splitlines()
    assert markdown[:3] == [
        "| what | limit | value | share |",
        "| --- | ---: | ---: | --- |",
        f"| test_it.py::test_over (cl100k_base) | 1 | 2 tokens | `[{'#' * 20}] over` 200 % |",
    ]
    assert markdown[7] == f"| p/b&#124;.md (o200k_base) | 10 | 1 token | `[##{'.' * 18}]` 10 % |"


@pytest.mark.parametrize("form", ["terminal", "json:", "json", "markdown:", "term:", "html:a"])
def test_a_form_that_there_is_not(project: Project, form: str) -> None:
    result = project.pytester.runpytest_inprocess(f"--tokenbudget-report={form}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    expected = f"*expected term, term:all, json:FILE or markdown:FILE, found '{form}'"
    result.stderr.fnmatch_lines([expected])


def test_a_file_that_cannot_be_written(project: Project) -> None:
    project.write({"test_it.py": "def test_it(): ...\n", "a": "a file"})
    result = project.pytester.runpytest_inprocess("--tokenbudget-report=json:a/b.json")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "tokenbudget: a/b.json: not written: File exists" in result.outlines
    assert result.parseoutcomes() == {"passed": 1}


@pytest.mark.parametrize("mode", ["load", "loadfile", "worksteal", "each"])
def test_parallel_runs_tell_the_same_once(project: Project, mode: str) -> None:
    reports = ["term", "json:a.json", "markdown:a.md"]
    options = [f"--tokenbudget-report={report}" for report in reports]
    alone = _section(_run(project, *options))
    written = {name: (project.pytester.path / name).read_bytes() for name in ("a.json", "a.md")}
    tx = ("--tx=2*popen",) if mode == "each" else ("-n2",)
    result = project.pytester.runpytest_subprocess(*tx, f"--dist={mode}", *options)
    assert _section(result) == alone
    assert result.stdout.str().count("\nwhat ") == 1
    for name, content in written.items():
        assert (project.pytester.path / name).read_bytes() == content


def _properties(path: Path) -> dict[str, dict[str, str]]:
    return {
        case.attrib["name"]: {
            one.attrib["name"]: one.attrib["value"] for one in case.iter("property")
        }
        for case in ET.parse(path).iter("testcase")  # noqa: S314  (it is our own)
    }


@pytest.mark.parametrize("parallel", [(), ("-n2",)])
def test_properties_of_junit_only_where_asked_for(
    project: Project, parallel: tuple[str, ...]
) -> None:
    project.write(FILES)
    run = project.pytester.runpytest_subprocess
    run("--junitxml=o.xml", *parallel)
    assert not any(_properties(project.pytester.path / "o.xml").values())
    run("--junitxml=o.xml", "-o", "tokenbudget_junit=true", *parallel)
    found = _properties(project.pytester.path / "o.xml")
    assert found["test_again"] == {
        "token_budget.token_budget.p/a.md.o200k_base": "9",
        "token_budget.fertility_limit.p/a.md.o200k_base": "1",
        "token_budget.token_budget.p/b|.md.o200k_base": "1",
    }
