"""Beside what changes the order of tests or wraps them, and a default limit from everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project

INI = "[pytest]\nasyncio_default_fixture_loop_scope = function\n"
FILES: dict[str, str | bytes] = {
    "pytest.ini": f"{INI}tokenbudget = true\n",
    "tokenlint.toml": '[[budgets]]\nfiles = ["p/*.md"]\nmax-tokens = 2\nmax-fertility = 9\n',
    "p/a.md": "one two",
    "p/b.md": "one two three",
    "test_it.py": """
import asyncio
import unittest
import pytest

pytestmark = pytest.mark.token_budget(3, files="p/*.md")

def test_file(): ...

@pytest.mark.asyncio
async def test_async(token_budget):
    await asyncio.sleep(0)
    token_budget.check("one", max_tokens=1)

class Case(unittest.IsolatedAsyncioTestCase):
    async def test_case(self): ...
""",
}


@pytest.mark.parametrize("order", ["tryfirst", "trylast"])
def test_in_any_order(project: Project, order: str) -> None:
    shuffle = f"""
import random, pytest
@pytest.hookimpl({order}=True)
def pytest_collection_modifyitems(items):
    random.Random(1).shuffle(items)
"""
    assert project.run({**FILES, "conftest.py": shuffle}).outcomes == {"passed": 6, "failed": 1}


# Event loops that pytest-asyncio leaves to the end, which an older pytest tells of on stderr.
LEFT = ("unclosed event loop", "unclosed <socket.socket")
OLD = pytest.version_tuple < (9,)
LOOPS = [part for what in LEFT for part in ("-W", f"ignore:{what}:ResourceWarning") if OLD]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--cov=.", "--cov-report="),
        ("-p", "no:terminal", "-p", "no:inline_snapshot"),  # that one needs a terminal
        ("--durations=3", "-q", "--import-mode=importlib"),
        ("-p", "no:cacheprovider", "-p", "no:junitxml", "-p", "no:xdist"),
        ("-n2", "--cov=.", "--cov-report="),
    ],
    ids=" ".join,
)
def test_beside_other_plugins(project: Project, arguments: tuple[str, ...]) -> None:
    project.write(FILES)
    result = project.pytester.runpytest_subprocess(
        *("-p", "no:hypothesispytest", "-p", "no:anyio", "-W", "error", *LOOPS, *arguments)
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "no:terminal" in arguments or result.parseoutcomes() == {"passed": 6, "failed": 1}
    assert result.stderr.str() == ""


@pytest.mark.skipif(pytest.version_tuple < (9,), reason="subtests came with pytest 9")
@pytest.mark.parametrize("parallel", [(), ("-n1",)])
def test_subtests_are_in_the_summary(project: Project, parallel: tuple[str, ...]) -> None:
    source = """
def test_it(subtests, token_budget):
    for number in range(1, 4):
        with subtests.test(number=number):
            token_budget.check("one " * number, max_tokens=4, label=f"text {number}")
"""
    project.write({"test_it.py": source})
    result = project.pytester.runpytest_inprocess("--tokenbudget-report=term", *parallel)
    shown = [line.split("  ")[0] for line in result.outlines if "o200k_base" in line]
    assert shown == [f"test_it.py::test_it (text {number}) (o200k_base)" for number in (3, 2, 1)]


TEXT = "def test_it(token_budget):\n    token_budget.check('one two three')\n"
MARKED = f"import pytest\n@pytest.mark.token_budget(3)\n{TEXT}"


def _over(maximum: int) -> dict[str, str]:
    excess = f"{3 - maximum} over the budget of {maximum} (o200k_base)"
    percent = f"+{100 * (3 - maximum) / maximum:.1f} %"
    return {"test_it": f"TokenBudgetExceeded: the text: 3 tokens, {excess}, {percent}"}


@pytest.mark.parametrize(
    ("ini", "environment", "arguments", "failures"),
    [
        ("3", None, (), {}),
        ("2", None, (), _over(2)),
        ("3", "2", (), _over(2)),
        ("3", "3", ("--tokenbudget-max=1",), _over(1)),
        (None, "1", ("--tokenbudget-max=3",), {}),
    ],
)
def test_a_default_limit(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    ini: str | None,
    environment: str | None,
    arguments: tuple[str, ...],
    failures: dict[str, str],
) -> None:
    if environment:
        monkeypatch.setenv("TOKENBUDGET_MAX", environment)
    settings = f"{INI}tokenbudget_max = {ini}\n" if ini else INI
    files: dict[str, str | bytes] = {"pytest.ini": settings, "test_it.py": TEXT}
    assert project.run(files, *arguments).failures == failures


def test_a_marker_and_a_call_override_the_default_limit(project: Project) -> None:
    call = TEXT.replace("three'", "three', max_tokens=3").replace("_it", "_call")
    limit = "def test_limit(token_budget):\n    assert token_budget.limit == 2\n"
    ran = project.run(
        {"pytest.ini": f"{INI}tokenbudget_max = 2\n", "test_it.py": MARKED + call + limit}
    )
    assert ran.outcomes == {"passed": 3}


@pytest.mark.parametrize("value", ["0", "-1", "many", "1.5"])
def test_a_default_limit_that_is_none(
    project: Project, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    project.write({"test_it.py": TEXT})
    sentence = f"expected a whole number above 0, found {value!r}"
    result = project.pytester.runpytest_inprocess(f"--tokenbudget-max={value}")
    assert (result.ret, result.errlines[0]) == (4, f"ERROR: --tokenbudget-max: {sentence}")
    project.write({"pytest.ini": f"{INI}tokenbudget_max = {value}\n"})
    result = project.pytester.runpytest_inprocess()
    assert (result.ret, result.errlines[0]) == (4, f"ERROR: tokenbudget_max: {sentence}")
    monkeypatch.setenv("TOKENBUDGET_MAX", value)
    result = project.pytester.runpytest_inprocess()
    assert (result.ret, result.errlines[0]) == (4, f"ERROR: TOKENBUDGET_MAX: {sentence}")


@pytest.mark.parametrize("value", ["much", "-1"])
def test_an_increase_that_is_none(project: Project, value: str) -> None:
    ini = f"{INI}tokenbudget_max_increase = {value}\n"
    project.write({"pytest.ini": ini, "test_it.py": TEXT})
    result = project.pytester.runpytest_inprocess()
    sentence = f"tokenbudget_max_increase: expected tokens or a percentage, found {value!r}"
    assert (result.ret, result.errlines[0]) == (4, f"ERROR: {sentence}")
    assert project.pytester.runpytest_inprocess("--help").ret == 0
