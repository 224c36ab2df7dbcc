"""Who says which tokenizer counts: each place alone, and who wins over whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project

TEXT = "Tất nhiên, tôi sẽ giúp bạn"
TEST = f"def test_it(count_tokens):\n    assert count_tokens({TEXT!r}) == {{}}\n"
MARKED = f"""
import pytest
@pytest.mark.token_budget(99, tokenizer={{!r}})
def test_it(token_budget):
    assert token_budget.check({TEXT!r}) == {{}}
"""
INI = "[pytest]\nasyncio_default_fixture_loop_scope = function\ntokenbudget_tokenizer = {}\n"
TOML = 'asyncio_default_fixture_loop_scope = "function"\ntokenbudget_tokenizer = "cl100k_base"\n'
NATIVE_TOML = pytest.version_tuple >= (9,)


def test_nothing_said(project: Project) -> None:
    assert project.run({"test_it.py": TEST.format(8)}).outcomes == {"passed": 1}


def test_marker_alone(project: Project) -> None:
    ran = project.run({"test_it.py": MARKED.format("cl100k_base", 16)})
    assert ran.outcomes == {"passed": 1}


def test_command_line_alone(project: Project) -> None:
    ran = project.run({"test_it.py": TEST.format(16)}, "--tokenbudget-tokenizer", "cl100k_base")
    assert ran.outcomes == {"passed": 1}


def test_environment_alone(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENBUDGET_TOKENIZER", "cl100k_base")
    assert project.run({"test_it.py": TEST.format(16)}).outcomes == {"passed": 1}


@pytest.mark.parametrize(
    "files",
    [
        {"pytest.ini": INI.format("cl100k_base")},
        {
            "pytest.ini": "",
            "pyproject.toml": f"[tool.pytest.ini_options]\n{TOML}",
        },
        pytest.param(
            {
                "pytest.ini": None,
                "pyproject.toml": f"[tool.pytest]\n{TOML}",
            },
            marks=pytest.mark.skipif(not NATIVE_TOML, reason="pytest 9 reads this table"),
        ),
        pytest.param(
            {
                "pytest.ini": None,
                "pytest.toml": f"[pytest]\n{TOML}",
            },
            marks=pytest.mark.skipif(not NATIVE_TOML, reason="pytest 9 reads this file"),
        ),
    ],
    ids=["ini", "ini_options", "pyproject", "pytest.toml"],
)
def test_pytest_settings_alone(project: Project, files: dict[str, str | None]) -> None:
    if not files["pytest.ini"]:
        (project.pytester.path / "pytest.ini").unlink()
    written = {name: text for name, text in files.items() if text}
    ran = project.run({"test_it.py": TEST.format(16), **written}, "--strict-config")
    assert ran.outcomes == {"passed": 1}


@pytest.mark.skipif(not NATIVE_TOML, reason="pytest 9 reads this table")
def test_pytest_settings_of_another_kind(project: Project) -> None:
    (project.pytester.path / "pytest.ini").unlink()
    table = "[tool.pytest]\n" + TOML.replace('"cl100k_base"', '["cl100k_base"]')
    ran = project.run({"test_it.py": TEST.format(16), "pyproject.toml": table})
    assert "config option 'tokenbudget_tokenizer' expects a string" in ran.failures["test_it"]


@pytest.mark.parametrize("name", ["pyproject.toml", "tokenlint.toml"])
def test_tokenlint_configuration_alone(project: Project, name: str) -> None:
    table = "[tool.tokenlint]\n" if name == "pyproject.toml" else ""
    ran = project.run(
        {"test_it.py": TEST.format(16), name: f'{table}tokenizers = ["cl100k_base"]\n'}
    )
    assert ran.outcomes == {"passed": 1}


PLACES = ["tokenlint", "ini", "environment", "command line", "marker"]


@pytest.mark.parametrize("winner", range(1, len(PLACES)), ids=PLACES[1:])
def test_each_place_wins_over_those_before_it(
    project: Project, monkeypatch: pytest.MonkeyPatch, winner: int
) -> None:
    said = ["cl100k_base" if at == winner else "o200k_base" for at in range(winner + 1)]
    said += [""] * (len(PLACES) - len(said))
    tokenlint, ini, environment, command_line, marker = said
    monkeypatch.setenv("TOKENBUDGET_TOKENIZER", environment)
    ran = project.run(
        {
            "test_it.py": MARKED.format(marker or None, 16),
            "tokenlint.toml": f"tokenizers = [{tokenlint!r}]\n",
            "pytest.ini": INI.format(ini),
        },
        *([f"--tokenbudget-tokenizer={command_line}"] if command_line else []),
    )
    assert ran.outcomes == {"passed": 1}


@pytest.mark.parametrize("place", ["command line", "environment", "ini", "tokenlint", "marker"])
def test_of_several_tokenizers_each_must_hold(
    project: Project, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    names = ["o200k_base", "cl100k_base"]
    named = names if place == "marker" else None
    files = {
        "a.md": TEXT,
        "test_it.py": "import pytest\n"
        f"@pytest.mark.token_budget(8, files='a.md', tokenizer={named})\n"
        "def test_it(): ...\n",
    }
    arguments: list[str] = []
    if place == "command line":
        arguments = [f"--tokenbudget-tokenizer={name}" for name in names]
    elif place == "environment":
        monkeypatch.setenv("TOKENBUDGET_TOKENIZER", " o200k_base , cl100k_base,")
    elif place == "ini":
        files["pytest.ini"] = INI.format("\n    o200k_base\n    cl100k_base")
    elif place == "tokenlint":
        files["tokenlint.toml"] = f"tokenizers = {names}\n"
    assert project.run(files, *arguments).failures == {
        "test_it": "Failed: a.md: 16 tokens, 8 over the budget of 8 (cl100k_base), +100.0 %"
    }


def test_a_tokenizer_of_the_configuration(project: Project) -> None:
    table = '[tokenizer.ours]\nsource = "cl100k_base"\n'
    ran = project.run(
        {"tokenlint.toml": table, "test_it.py": MARKED.format("ours", 16)}, "--strict-markers"
    )
    assert ran.outcomes == {"passed": 1}


def test_an_unknown_tokenizer_fails_the_tests_that_need_it(project: Project) -> None:
    source = f"""
import pytest

@pytest.mark.token_budget(9, files="a.md", tokenizer="o200k_bse")
def test_marker(): ...

def test_fixture(count_tokens):
    count_tokens("a", tokenizer="o200k_bse")

@pytest.mark.token_budget(9, tokenizer="o200k_bse")
def test_check(token_budget):
    token_budget.check({TEXT!r})

def test_other(count_tokens):
    assert count_tokens({TEXT!r}) == 8
"""
    ran = project.run({"test_it.py": source, "a.md": TEXT})
    assert ran.outcomes == {"failed": 3, "passed": 1}
    assert set(ran.failures) == {"test_marker", "test_fixture", "test_check"}
    (sentence,) = set(ran.failures.values())
    assert sentence.startswith("Failed: unknown tokenizer 'o200k_bse': did you mean o200k_base?")
    assert "\n" not in sentence


def test_a_broken_configuration_fails_the_tests_that_count(project: Project) -> None:
    source = """
import pytest

@pytest.mark.token_budget(9, files="a.md")
def test_marker(): ...

def test_fixture(count_tokens):
    count_tokens("a")

@pytest.mark.token_budget(9)
def test_limit(token_budget):
    token_budget.limit

def test_other(): ...
"""
    ran = project.run({"test_it.py": source, "tokenlint.toml": "tokenizrs = []\n"})
    path = project.pytester.path / "tokenlint.toml"
    sentence = f"Failed: {path}: tokenizrs: unknown key; did you mean tokenizers?"
    assert ran.failures == dict.fromkeys(["test_marker", "test_fixture", "test_limit"], sentence)
    assert ran.outcomes == {"failed": 3, "passed": 1}
