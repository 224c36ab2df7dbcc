"""The plugin loaded as a user has it, in processes of its own, beside other plugins."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project

OTHERS = ("-p", "no:hypothesispytest", "-p", "no:anyio")

SOURCE = """
import unittest
from pathlib import Path
import pytest

pytestmark = pytest.mark.token_budget(2, files="a.md")

def test_file(): ...

@pytest.mark.token_budget(1)
def test_text(token_budget, count_tokens):
    assert token_budget.check("one") == count_tokens(Path("b.md")) == 1

class Case(unittest.TestCase):
    def test_case(self): ...

@pytest.mark.token_budget(1, files="a.md")
def test_over(): ...

@pytest.mark.token_budget(1)
def test_text_over(token_budget):
    token_budget.check("one two")
"""
OVER = "2 tokens, 1 over the budget of 1 (o200k_base), +100.0 %"


@pytest.mark.parametrize(
    "arguments",
    [
        ("-n", "2"),
        ("-p", "no:cacheprovider", "--import-mode=importlib", "-W", "error"),
        ("--strict-markers", "--strict-config", "-W", "error"),
    ],
    ids=" ".join,
)
def test_beside_other_plugins_and_settings(project: Project, arguments: tuple[str, ...]) -> None:
    project.write({"test_it.py": SOURCE, "a.md": "one two", "b.md": "one"})
    result = project.pytester.runpytest_subprocess(*OTHERS, *arguments)
    assert result.parseoutcomes() == {"passed": 3, "failed": 2}
    result.stdout.fnmatch_lines([f"a.md: {OVER}"])
    result.stdout.fnmatch_lines([f"E*TokenBudgetExceeded: the text: {OVER}"])
    result.stdout.no_fnmatch_line("*INTERNALERROR*")
    assert result.stderr.str() == ""


def test_without_a_terminal(project: Project) -> None:
    project.write({"test_it.py": SOURCE, "a.md": "one two", "b.md": "one"})
    result = project.pytester.runpytest_subprocess(
        *OTHERS, "-p", "no:terminal", "-p", "no:inline_snapshot"
    )
    assert (result.ret, result.stdout.str(), result.stderr.str()) == (1, "", "")


SPY = """
import json, sys
from pathlib import Path

def pytest_unconfigure():
    heavy = {"tiktoken", "tokenizers", "tokenlint.tokens", "regex", "pathspec"}
    found = sorted(heavy & set(sys.modules))
    own = sorted(name for name in sys.modules if name.startswith("pytest_tokenbudget."))
    Path("modules.json").write_text(json.dumps([found, own]))
"""


@pytest.mark.parametrize(
    ("source", "imported"),
    [
        ("def test_it(): ...\n", []),
        ("def test_it(count_tokens, token_budget): ...\n", []),
        (
            "import pytest\n@pytest.mark.token_budget(9)\ndef test_it(): pytest.skip()\n",
            [],
        ),
        ("def test_it(count_tokens):\n    count_tokens('one')\n", ["tokenlint.tokens"]),
    ],
    ids=["unused", "fixtures unused", "skipped", "counted"],
)
def test_nothing_is_imported_before_it_is_used(
    project: Project, source: str, imported: list[str]
) -> None:
    project.write({"test_it.py": source, "conftest.py": SPY})
    result = project.pytester.runpytest_subprocess(*OTHERS)
    assert result.ret == 0
    found, own = json.loads((project.pytester.path / "modules.json").read_text())
    assert [name for name in found if name != "regex"] == imported
    if "count_tokens" not in source and "mark" not in source:
        rooms = ("keys", "plugin", "tally")
        assert own == [f"pytest_tokenbudget.{room}" for room in rooms]


def test_the_report_header_is_silent(project: Project) -> None:
    project.write({"test_it.py": "def test_it(): ...\n"})
    result = project.pytester.runpytest_inprocess(*OTHERS)
    header = [line for line in result.outlines if "token" in line and "plugins:" not in line]
    assert not [line for line in header if not line.startswith("rootdir:")]


def test_markers_options_and_fixtures_are_documented(project: Project) -> None:
    run = project.pytester.runpytest_inprocess
    run(*OTHERS, "--markers").stdout.fnmatch_lines(
        [
            "@pytest.mark.token_budget(max_tokens, *",
            "@pytest.mark.fertility_limit(limit, *",
            "@pytest.mark.prompt_files(*globs, *): *",
        ]
    )
    run(*OTHERS, "--help").stdout.fnmatch_lines(
        [
            "token budgets:",
            "*--tokenbudget *",
            "*--tokenbudget-tokenizer=NAME*",
            "*--tokenbudget-max=TOKENS*",
            "*--tokenbudget-report=FORM*",
            "*--tokenbudget-update*",
            "*tokenbudget (bool):*",
            "*tokenbudget_tokenizer (string):*",
            "*tokenbudget_max (*):*",
            "*tokenbudget_max_increase (string):*",
            "*tokenbudget_xfail (linelist):*",
            "*tokenbudget_junit (bool):*",
        ]
    )
    run(*OTHERS, "--fixtures").stdout.fnmatch_lines(
        [
            "tokenizer [[]session scope[]] -- *",
            "token_budget -- *",
            "count_tokens [[]session scope[]] -- *",
            "fertility [[]session scope[]] -- *",
            "assert_nfc [[]session scope[]] -- *",
            "assert_no_special_tokens [[]session scope[]] -- *",
            "prompt_file -- *",
        ],
    )
