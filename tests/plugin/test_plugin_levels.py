"""Where a marker may stand, and which of several holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Project

IDLE = "checked nothing: give it files, or pass a text to the token_budget fixture"


def _over(maximum: int) -> str:
    excess = f"10 tokens, {10 - maximum} over the budget of {maximum} (o200k_base)"
    return f"Failed: ten.md: {excess}, +{100 * (10 - maximum) / maximum:.1f} %"


TEN = {"ten.md": "one two three four five six seven eight nine ten"}


def test_of_several_budgets_the_closest_holds_and_inside_a_level_the_smallest(
    project: Project,
) -> None:
    source = """
import pytest
pytestmark = [pytest.mark.token_budget(40), pytest.mark.token_budget(30)]

def held(token_budget, maximum):
    assert token_budget.limit == maximum
    assert token_budget.check("a" * 8) <= maximum

def test_plain(token_budget):
    held(token_budget, 30)

@pytest.mark.token_budget(2)
@pytest.mark.token_budget(1)
def test_stack(token_budget):
    held(token_budget, 1)

@pytest.mark.token_budget(20)
class TestA:
    @pytest.mark.token_budget(10)
    def test_x(self, token_budget):
        held(token_budget, 10)
    def test_y(self, token_budget):
        held(token_budget, 20)
    @pytest.mark.token_budget(50)
    def test_looser_is_closer(self, token_budget):
        held(token_budget, 50)

@pytest.mark.parametrize("maximum", [
    pytest.param(30, id="module"),
    pytest.param(7, marks=pytest.mark.token_budget(7), id="own"),
    pytest.param(7, marks=pytest.mark.token_budget(7, tokenizer="cl100k_base"), id="other"),
])
def test_param(token_budget, maximum):
    held(token_budget, maximum)
"""
    assert project.run({"test_it.py": source}).outcomes == {"passed": 8}


def test_marks_on_files_hold_file_by_file(project: Project) -> None:
    source = """
import pytest
pytestmark = pytest.mark.token_budget(5, files="*.md")

def test_module(): ...

@pytest.mark.token_budget(10, files="ten.md")
def test_named_closer(): ...

@pytest.mark.token_budget(10, files="ten.md", tokenizer="cl100k_base")
def test_other_tokenizer(): ...

@pytest.mark.token_budget(99)
def test_texts_do_not_hide_files(token_budget):
    token_budget.check("Hello")
"""
    ran = project.run({"test_it.py": source, "small.md": "Hello.", **TEN})
    expected = _over(5)
    assert ran.failures == {
        "test_module": expected,
        "test_other_tokenizer": expected,
        "test_texts_do_not_hide_files": expected,
    }


def test_every_place_of_a_marker(project: Project) -> None:
    source = """
import unittest
import pytest

OVER = pytest.mark.token_budget(9, files="ten.md")
KEPT = pytest.mark.token_budget(10, files="ten.md")

@OVER
def test_function(): ...

@KEPT
def test_function_kept(): ...

@OVER
class TestClass:
    def test_method(self): ...

class TestPytestmark:
    pytestmark = [OVER]
    def test_method(self): ...

class TestInherits(TestPytestmark):
    @KEPT
    def test_kept(self): ...

@pytest.mark.parametrize("n", [1, pytest.param(2, marks=OVER)])
@KEPT
def test_param(n): ...

class Case(unittest.TestCase):
    @OVER
    def test_case(self): ...

    @KEPT
    def test_case_kept(self): ...

    @OVER
    def test_case_body_first(self):
        self.assertEqual(1, 2)

    @OVER
    def test_case_skip(self):
        self.skipTest("later")

    @pytest.mark.token_budget(1)
    def test_case_idle(self): ...

class Asynchronous(unittest.IsolatedAsyncioTestCase):
    @OVER
    async def test_case(self): ...

    @KEPT
    async def test_case_kept(self): ...

@OVER
@pytest.mark.asyncio
async def test_asyncio(): ...

@pytest.mark.token_budget(1)
@pytest.mark.asyncio
async def test_asyncio_text(token_budget):
    assert token_budget.check("one") == 1

@OVER
async def test_no_runner(): ...

@pytest.fixture
def marked(request):
    request.node.add_marker(OVER)

def test_added_while_it_runs(marked): ...

class CaseWithFixture(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def _budget(self, token_budget):
        self.budget = token_budget

    @pytest.mark.token_budget(1)
    def test_text(self):
        self.budget.check("one")
"""
    ran = project.run({"test_it.py": source, **TEN})
    no_runner = ran.failures.pop("test_no_runner")  # pytest 8.2 fails it with a warning
    assert "async def functions are not natively supported" in no_runner
    assert ran.failures.pop("Case::test_case_body_first") == "AssertionError: 1 != 2"
    assert ran.failures.pop("Case::test_case_idle") == f"Failed: token_budget(1) {IDLE}"
    assert ran.failures == dict.fromkeys(
        [
            "test_function",
            "TestClass::test_method",
            "TestPytestmark::test_method",
            "TestInherits::test_method",
            "test_param[2]",
            "Case::test_case",
            "Asynchronous::test_case",
            "test_asyncio",
            "test_added_while_it_runs",
        ],
        _over(9),
    )
    assert ran.outcomes == {"passed": 7, "failed": 12, "skipped": 1}


def test_arguments_that_cannot_be_used_fail_the_test_and_no_other(project: Project) -> None:
    source = """
import pytest

@pytest.mark.token_budget(-1)
def test_negative(): ...

@pytest.mark.token_budget
def test_missing(token_budget): ...

@pytest.mark.fertility_limit(2, file="a.md")
class TestA:
    def test_unknown(self): ...

@pytest.fixture
def marked(request):
    request.node.add_marker(pytest.mark.token_budget("many"))

def test_added_while_it_runs(marked): ...

def test_good(): ...
"""
    ran = project.run({"test_it.py": source})
    number = "max_tokens: expected a whole number above 0"
    assert ran.failures == {
        "test_negative": f"Failed: test_it.py:4: token_budget: {number}, found -1",
        "test_missing": "Failed: test_it.py:7: token_budget: max_tokens is missing; "
        "write @pytest.mark.token_budget(max_tokens, ...)",
        "TestA::test_unknown": "Failed: test_it.py:12: fertility_limit: unknown argument file; "
        "did you mean files?",
        "test_added_while_it_runs": f"Failed: test_it.py:18: token_budget: {number}, found 'many'",
    }
    assert ran.outcomes == {"passed": 1, "errors": 3, "failed": 1}


def test_a_mistyped_marker_is_pytests_own_affair(project: Project) -> None:
    files = {"test_it.py": "import pytest\n@pytest.mark.token_budgte(10)\ndef test_it(): ...\n"}
    lenient = ("-W", "default::pytest.PytestUnknownMarkWarning")
    assert project.run(files, *lenient).outcomes == {"passed": 1, "warnings": 1}
    assert project.run(files, "--strict-markers").outcomes == {"errors": 1}
