"""Configured limits as test items: which there are, how they are chosen, how they fail."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project

INI = "[pytest]\nasyncio_default_fixture_loop_scope = function\n"
ON = f"{INI}tokenbudget = true\n"

CONFIGURATION = """
[[budgets]]
files = ["prompts/**/*.md"]
max-tokens = 5
max-total = 9
[[budgets]]
files = ["prompts/system/a.md"]
max-fertility = 2.5
max-bytes = 60
max-characters = 60
tokenizers = ["o200k_base", "cl100k_base"]
"""
FILES: dict[str, str | bytes] = {
    "tokenlint.toml": CONFIGURATION,
    "prompts/system/a.md": "Hello there.",
    "prompts/.hidden/b.md": "one two three four five six",
    "tests/test_a.py": "def test_a(): ...\n",
}
A = "prompts/system/a.md"
OF_A = [
    f"{A}::token_budget[o200k_base]",
    f"{A}::fertility_limit[o200k_base]",
    f"{A}::fertility_limit[cl100k_base]",
    f"{A}::byte_budget",
    f"{A}::character_budget",
]
B = "prompts/.hidden/b.md::token_budget[o200k_base]"
TOTAL = "tokenlint.toml::token_budget_total[prompts/**/*.md-o200k_base]"
ALL = [B, *OF_A, TOTAL]
TEST = "tests/test_a.py::test_a"


@pytest.fixture
def prompts(project: Project) -> Project:
    project.write(FILES)
    return project


def test_off_unless_asked_for(prompts: Project) -> None:
    assert prompts.collected() == [TEST]
    assert prompts.run({"tokenlint.toml": "unknown = 1\n"}).outcomes == {"passed": 1}


@pytest.mark.parametrize(
    ("ini", "arguments", "expected"),
    [
        (ON, (), {*ALL, TEST}),
        (ON, ("tests",), {*ALL, TEST}),
        (ON, (".",), {*ALL, TEST}),
        (ON, ("tests/test_a.py",), {TEST}),
        (ON, (TEST,), {TEST}),
        (ON, ("prompts",), {*OF_A, B}),
        (ON, ("prompts/system",), set(OF_A)),
        (ON, (A,), set(OF_A)),
        (ON, (A, "tests"), {*OF_A, TEST}),
        (ON, ("tokenlint.toml",), {TOTAL}),
        (ON, (OF_A[1],), {OF_A[1]}),
        (ON, (B, OF_A[0], TEST), {B, OF_A[0], TEST}),
        (ON, (f"{A}::fertility_limit",), {OF_A[1], OF_A[2]}),
        (ON, (TOTAL,), {TOTAL}),
        (ON, ("-o", "tokenbudget=false"), {TEST}),
        (INI, ("--tokenbudget",), {*ALL, TEST}),
        (INI, ("--tokenbudget", "tests/test_a.py"), {*ALL, TEST}),
        (INI, ("--tokenbudget", TEST), {TEST}),
        (INI, ("--tokenbudget", A), set(OF_A)),
        (f"{ON}testpaths = tests\n", (), {*ALL, TEST}),
        (ON, ("-m", "token_budget"), set(ALL)),
        (ON, ("-m", "not token_budget"), {TEST}),
        (ON, ("-m", "fertility_limit"), {OF_A[1], OF_A[2]}),
        (ON, ("-k", "cl100k_base"), {OF_A[2]}),
        (ON, ("-k", "prompts/system and o200k_base"), {OF_A[0], OF_A[1]}),
        (ON, ("-k", "a.md and byte"), {OF_A[3]}),
        (ON, ("--deselect", A), {B, TOTAL, TEST}),
    ],
)
def test_what_is_collected(
    prompts: Project, ini: str, arguments: tuple[str, ...], expected: set[str]
) -> None:
    prompts.write({"pytest.ini": ini})
    collected = prompts.collected(*arguments)
    assert set(collected) == expected
    assert len(collected) == len(expected)


@pytest.mark.parametrize("folder", ["tests", "prompts/system", "elsewhere"])
def test_wherever_pytest_is_started(
    prompts: Project, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    prompts.write({"pytest.ini": ON, "elsewhere/x.txt": ""})
    monkeypatch.chdir(prompts.pytester.path / folder)
    collected = [name.replace("../", "") for name in prompts.collected()]
    assert set(collected) - {TEST} == set(ALL)


def test_a_project_without_a_test_file(project: Project) -> None:
    project.write({name: text for name, text in FILES.items() if "test" not in name})
    assert project.run({"pytest.ini": ON}, "-k", "system").outcomes == {
        "passed": 5,
        "deselected": 2,
    }


def test_each_fails_alone_and_explains_itself(
    prompts: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = prompts.run({"pytest.ini": ON, A: "Te\u0302\u0301t.\n\nHello there, friend.\n"})
    assert ran.outcomes == {"passed": 4, "failed": 4}
    shown = capsys.readouterr().out
    part = shown[shown.index("= FAILURES") : shown.index("= short test summary")]
    assert [line.strip(" _") for line in part.splitlines()[1:-1]] == [
        OF_A[0],
        f"{A}: 10 tokens, 5 over the budget of 5 (o200k_base), +100.0 %",
        "The heaviest paragraphs:",
        "line 1: 5 tokens",
        "line 3: 5 tokens  Hello there, friend.",
        "Normalised to NFC it would take 8 tokens, 2 fewer.",
        OF_A[2],
        f"{A}: 2.75 tokens per word, over the limit of 2.5 (cl100k_base), +10.0 %",
        "The heaviest paragraphs:",
        "line 1: 6 tokens",
        "line 3: 5 tokens  Hello there, friend.",
        "Normalised to NFC it would take 8 tokens, 3 fewer.",
        TOTAL,
        "prompts/**/*.md: 2 files, 16 tokens, 7 over the total budget of 9 (o200k_base), +77.8 %",
        "The largest files:",
        f"{A}: 10 tokens",
        "prompts/.hidden/b.md: 6 tokens",
        B,
        "prompts/.hidden/b.md: 6 tokens, 1 over the budget of 5 (o200k_base), +20.0 %",
        f"tokenbudget: near the limit: {A} 100 %",
    ]


def test_bytes_and_characters(prompts: Project) -> None:
    ran = prompts.run({"pytest.ini": ON, A: "\u1ea5" * 61}, "-k", "byte or character")
    assert ran.failures == {
        "byte_budget": f"Failed: {A}: 183 bytes, 123 over the budget of 60, +205.0 %",
        "character_budget": f"Failed: {A}: 61 characters, 1 over the budget of 60, +1.7 %",
    }


@pytest.mark.parametrize(
    ("configuration", "failures"),
    [
        (
            '[[budgets]]\nfiles = ["no/*.md", "none.md"]\nmax-tokens = 5\n',
            {
                "token_budget[no/*.md, none.md]": "{path}: budgets[0] checks nothing: no file "
                "matches no/*.md, none.md; correct the pattern or remove the budget"
            },
        ),
        (
            '[[premiums]]\nreference = "en/{name}.md"\nfiles = "{language}/{name}.md"\n'
            "max-premium = 2\n",
            {
                "premium_limit[{language}/{name}.md]": "{path}: premiums[0] checks nothing: no "
                "file matches {language}/{name}.md; correct the path or remove the premium"
            },
        ),
        (
            'tokenizers = ["gpt-4o"]\n',
            {
                "token_budget": "{path}: no limits to collect; add a [[tool.tokenlint.budgets]] "
                "table with files and max-tokens"
            },
        ),
        (
            "tokenizrs = []\n",
            {"token_budget": "{path}: tokenizrs: unknown key; did you mean tokenizers?"},
        ),
    ],
    ids=["dead budget", "dead premium", "no limits", "unknown key"],
)
def test_a_configuration_that_checks_nothing_fails(
    project: Project, configuration: str, failures: dict[str, str]
) -> None:
    files = {"pytest.ini": ON, "tokenlint.toml": configuration, "test_a.py": FILES[TEST[:15]]}
    ran = project.run(files)
    path = str(project.pytester.path / "tokenlint.toml")
    assert ran.failures == {
        name: f"Failed: {sentence.replace('{path}', path)}" for name, sentence in failures.items()
    }
    assert ran.outcomes == {"failed": 1, "passed": 1}


def test_premiums(project: Project) -> None:
    table = """
[[premiums]]
reference = "en/{name}.md"
files = "{language}/{name}.md"
max-premium = 1.5
tokenizers = ["o200k_base", "cl100k_base"]
"""
    project.write(
        {
            "pytest.ini": ON,
            "tokenlint.toml": table,
            "en/a.md": "Of course, I will help you",
            "vi/a.md": "Tất nhiên, tôi sẽ giúp bạn",
            "en/b.md": "",
            "fr/b.md": "Bonjour",
            "fr/c.md": "Bonjour",
        }
    )
    ran = project.run({}, "vi")
    assert ran.outcomes == {"passed": 1, "failed": 1}
    assert ran.failures == {
        "premium_limit[cl100k_base]": "Failed: vi/a.md: 16 tokens, 2.29 times the 7 tokens of "
        "en/a.md, over the premium limit of 1.5 (cl100k_base), +52.4 %"
    }
    tried = project.pytester.path / "en/c.md"
    for name, sentence in (
        ("fr/b.md", "en/b.md: no tokens, so fr/b.md has no premium to hold to 1.5"),
        (
            "fr/c.md",
            f"en/c.md: no such file or directory, tried {tried}; so the premium of fr/c.md is "
            "unknown",
        ),
    ):
        failures = project.run({}, name).failures
        assert set(failures.values()) == {f"Failed: {sentence}"}


def test_expected_failures_of_the_configuration(prompts: Project) -> None:
    lines = f"\n    prompts/.hidden/*: being rewritten\n    {TOTAL}\n    {OF_A[0]}\n"
    ran = prompts.run({"pytest.ini": f"{ON}tokenbudget_xfail ={lines}"}, "-rx")
    assert ran.outcomes == {"passed": 5, "xfailed": 1, "xpassed": 2}
    ran = prompts.run({"pytest.ini": f"{ON}xfail_strict = true\ntokenbudget_xfail ={lines}"})
    assert ran.outcomes == {"passed": 5, "xfailed": 1, "failed": 2}


@pytest.mark.skipif(pytest.version_tuple < (9,), reason="pytest 9 reads this table")
def test_native_toml(prompts: Project) -> None:
    (prompts.pytester.path / "pytest.ini").unlink()
    table = '[tool.pytest]\ntokenbudget = true\ntokenbudget_xfail = ["prompts/.hidden/b.md"]\n'
    more = 'tokenbudget_max = 800\nasyncio_default_fixture_loop_scope = "function"\n'
    ran = prompts.run({"pyproject.toml": table + more}, "--strict-config")
    assert ran.outcomes == {"passed": 7, "xfailed": 1}


def test_two_tables_with_the_same_files(project: Project) -> None:
    table = '[[budgets]]\nfiles = ["a.md"]\nmax-total = 5\n'
    project.write({"pytest.ini": ON, "tokenlint.toml": table * 2, "a.md": "one"})
    assert project.collected() == [
        "tokenlint.toml::token_budget_total[a.md-o200k_base]",
        "tokenlint.toml::token_budget_total[a.md#2-o200k_base]",
    ]


def test_which_tokenizer_counts(prompts: Project) -> None:
    prompts.write({"pytest.ini": ON})
    named = prompts.collected("--tokenbudget-tokenizer=gpt-4", "-k", "gpt-4")
    assert set(named) == {name.replace("o200k_base", "gpt-4") for name in (B, OF_A[0], TOTAL)}


def test_what_git_ignores_and_tokenlint_excludes_is_left_out(prompts: Project) -> None:
    prompts.pytester.run("git", "init", "-q")
    prompts.write({"pytest.ini": ON, ".gitignore": ".hidden/\n"})
    prompts.write({"tokenlint.toml": f'extend-exclude = ["c.md"]\n{CONFIGURATION}'})
    prompts.write({"prompts/c.md": "one"})
    assert set(prompts.collected()) == {*OF_A, TOTAL, TEST}


@pytest.mark.parametrize(
    "arguments", [("-n2",), ("-n2", "--dist=loadfile"), ("-p", "no:cacheprovider", "-x"), ("-v",)]
)
def test_beside_xdist_and_without_the_cache(prompts: Project, arguments: tuple[str, ...]) -> None:
    prompts.write({"pytest.ini": ON, "prompts/.hidden/b.md": "one"})
    result = prompts.pytester.runpytest_subprocess("-W", "error", *arguments)
    assert result.parseoutcomes() == {"passed": 8}
    assert result.stderr.str() == ""


def test_last_failed_first_failed_and_stop(prompts: Project) -> None:
    prompts.write({"pytest.ini": ON})
    assert prompts.run({}).outcomes == {"passed": 7, "failed": 1}
    assert prompts.collected("--lf") == [B]
    assert prompts.collected("--ff")[0] == B
    assert prompts.run({}, "--ff", "-x").outcomes == {"failed": 1}
    assert prompts.run({"prompts/.hidden/b.md": "one"}, "--lf").outcomes == {
        "passed": 1,
        "deselected": 7,
    }
    assert len(prompts.collected("--lf")) == 8


def test_nothing_is_counted_while_tests_are_collected(prompts: Project) -> None:
    spy = """
import json, sys
from pathlib import Path

def pytest_unconfigure():
    heavy = {"tiktoken", "tokenizers", "regex"} & set(sys.modules)
    Path("modules.json").write_text(json.dumps(sorted(heavy)))
"""
    prompts.write({"pytest.ini": ON, "conftest.py": spy})
    others = ("-p", "no:hypothesispytest", "-p", "no:anyio")
    result = prompts.pytester.runpytest_subprocess("--collect-only", "-q", *others)
    assert B in result.outlines
    assert json.loads((prompts.pytester.path / "modules.json").read_text()) == []
