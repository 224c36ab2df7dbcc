"""The fixtures in a test's hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest_tokenbudget
from pytest_tokenbudget import TokenBudgetExceeded

if TYPE_CHECKING:
    import pytest

    from conftest import Project

NO_BUDGET = "give max_tokens=..., or mark the test with @pytest.mark.token_budget(...)"


def _passes(project: Project, source: str) -> None:
    ran = project.run({"test_it.py": f"import pytest\nfrom pathlib import Path\n{source}"})
    assert ran.failures == {}
    assert ran.outcomes == {"passed": source.count("def test_")}


def test_checks_that_pass(project: Project) -> None:
    _passes(
        project,
        """
def test_call_alone(token_budget):
    assert token_budget.limit is None
    assert token_budget.check("one two", max_tokens=2) == 2

@pytest.mark.token_budget(1)
def test_the_call_is_closer_than_the_mark(token_budget):
    assert token_budget.limit == 1
    assert token_budget.check("one two", max_tokens=2) == 2

@pytest.mark.token_budget(9)
@pytest.mark.token_budget(7, tokenizer="cl100k_base")
def test_limit_is_the_smallest(token_budget):
    assert token_budget.limit == 7
    assert token_budget.check("one two") == 2

@pytest.mark.token_budget(9000, files="test_it.py")
@pytest.mark.fertility_limit(9)
def test_limit_is_about_tokens_of_texts(token_budget):
    assert token_budget.limit is None
    assert token_budget.check("one two") == 2

@pytest.mark.token_budget(20)
def test_the_tokenizer_of_the_call(token_budget):
    text = "T\\u1ea5t nhi\\xean, t\\xf4i s\\u1ebd gi\\xfap b\\u1ea1n"
    assert token_budget.check(text) == 8
    assert token_budget.check(text, tokenizer="cl100k_base") == 16
    assert token_budget.check(text, tokenizer=["o200k_base", "cl100k_base"]) == 16
    with pytest.raises(AssertionError, match="the text: 16 tokens, 1 over the budget of 15"):
        token_budget.check(text, tokenizer="cl100k_base", max_tokens=15)

@pytest.mark.token_budget(20, tokenizer="cl100k_base")
def test_a_call_that_names_no_tokenizer_takes_those_of_the_mark(token_budget):
    text = "T\\u1ea5t nhi\\xean, t\\xf4i s\\u1ebd gi\\xfap b\\u1ea1n"
    assert token_budget.check(text, max_tokens=16) == 16

def test_count_tokens(count_tokens):
    text = "T\\u1ea5t nhi\\xean, t\\xf4i s\\u1ebd gi\\xfap b\\u1ea1n"
    assert count_tokens(text) == 8
    assert count_tokens(text, tokenizer="cl100k_base") == 16
    assert count_tokens(text, tokenizer=["o200k_base", "cl100k_base"]) == 16

@pytest.fixture(scope="module")
def counted(count_tokens):
    return count_tokens("one")

def test_count_tokens_serves_wider_fixtures(counted):
    assert counted == 1
""",
    )


def test_mistakes_in_a_call_are_one_sentence(project: Project) -> None:
    calls = {
        "no_budget": 'token_budget.check("one")',
        "tokenizer_without_budget": 'token_budget.check("one", tokenizer="gpt-5")',
        "maximum": 'token_budget.check("one", max_tokens="2")',
        "zero": 'token_budget.check("one", max_tokens=0)',
        "tokenizer": 'token_budget.check("one", max_tokens=1, tokenizer=3)',
        "bytes": 'token_budget.check(b"one", max_tokens=1)',
        "count_none": "count_tokens(None)",
        "count_tokenizer": 'count_tokens("one", tokenizer=[])',
    }
    source = "".join(
        f"def test_{name}(token_budget, count_tokens):\n    {call}\n"
        for name, call in calls.items()
    )
    strings = "tokenizer: expected a string or a list of strings, found"
    number = "max_tokens: expected a whole number above 0, found"
    sentences = {
        "no_budget": f"token_budget.check: no budget; {NO_BUDGET}",
        "tokenizer_without_budget": f"token_budget.check: no budget for gpt-5; {NO_BUDGET}",
        "maximum": f"token_budget.check: {number} '2'",
        "zero": f"token_budget.check: {number} 0",
        "tokenizer": f"token_budget.check: {strings} 3",
        "bytes": "expected a str, or a path for a file, found bytes",
        "count_none": "expected a str, or a path for a file, found NoneType",
        "count_tokenizer": f"count_tokens: {strings} []",
    }
    assert project.run({"test_it.py": source}).failures == {
        f"test_{name}": f"Failed: {sentence}" for name, sentence in sentences.items()
    }


def test_a_tokenizer_that_no_mark_is_about(project: Project) -> None:
    source = """
import pytest
@pytest.mark.token_budget(5, tokenizer="o200k_base")
def test_it(token_budget):
    token_budget.check("one", tokenizer="cl100k_base")
"""
    sentence = f"Failed: token_budget.check: no budget for cl100k_base; {NO_BUDGET}"
    assert project.run({"test_it.py": source}).failures == {"test_it": sentence}


def test_a_failure_shows_the_line_of_the_test_and_nothing_of_the_plugin(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    source = """
import pytest

@pytest.mark.token_budget(1)
def test_it(token_budget):
    token_budget.check("one two")

@pytest.mark.token_budget(1, files="*.md")
def test_file(): ...
"""
    project.run({"test_it.py": source, "a.md": "one two"}, "--no-header")
    shown = capsys.readouterr().out
    part = shown[shown.index("= FAILURES") : shown.index("= short test summary")]
    lines = [line.strip(" _") for line in part.splitlines()[1:] if line.strip(" =")]
    assert lines == [
        "test_it",
        "token_budget = TokenBudget()",
        "@pytest.mark.token_budget(1)",
        "def test_it(token_budget):",
        '>       token_budget.check("one two")',
        "E       TokenBudgetExceeded: the text: 2 tokens, 1 over the budget of 1 (o200k_base), "
        "+100.0 %",
        "test_it.py:6: TokenBudgetExceeded",
        "test_file",
        "a.md: 2 tokens, 1 over the budget of 1 (o200k_base), +100.0 %",
    ]


def test_with_hypothesis(project: Project) -> None:
    source = """
from hypothesis import given, settings, strategies as st

@settings(max_examples=5, database=None, deadline=None)
@given(st.text())
def test_it(count_tokens, text):
    assert count_tokens(text) <= len(text.encode("utf-8", "surrogatepass"))
"""
    project.write({"test_it.py": source})
    result = project.pytester.runpytest_subprocess()  # with its plugin, which refuses fixtures
    assert result.parseoutcomes() == {"passed": 1}


def test_what_the_package_promises() -> None:
    assert pytest_tokenbudget.__all__ == ["TokenBudgetExceeded", "incremental"]
    assert issubclass(TokenBudgetExceeded, AssertionError)
