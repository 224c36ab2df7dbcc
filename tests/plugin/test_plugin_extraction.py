"""Prompts inside files: what markers, fixtures and the configuration take out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project

PROMPTS = """\
prompts:
  support:
    system: |
      You are a helpful assistant.
      Answer in Vietnamese.
    note: not sent
  sales:
    system: Sell things.
"""
FILES = {
    "p.yaml": PROMPTS,
    "a.md": "---\ntitle: not sent\n---\nHello there.\n\nBye.\n",
    "t.jinja": "Hello {{ name }}!\n",
    "v.json": '{"name": "Lan"}',
    "m.json": '[{"role": "user", "content": "Xin ch\u00e0o"}]',
}
TEST = "import pytest\nfrom pathlib import Path\n\n"


@pytest.fixture
def prompts(project: Project) -> Project:
    """A project with a prompt of each kind."""
    project.write(FILES)
    return project


@pytest.mark.parametrize(
    "marker",
    [
        'token_budget(13, files="p.yaml", extract="prompts.*.system")',
        'token_budget(10, files="p.yaml", extract="prompts.support.system")',
        'token_budget(7, files="a.md", extract="body")',
        'token_budget(3, files="t.jinja", extract="jinja", variables="v.json")',
        'token_budget(10, files="m.json", extract="chat")',
        'fertility_limit(1.3, files="p.yaml", extract="prompts.*.system")',
    ],
)
def test_a_marker_at_its_limit_passes(prompts: Project, marker: str) -> None:
    ran = prompts.run({"test_a.py": f"{TEST}@pytest.mark.{marker}\ndef test_a(): ...\n"})
    assert ran.outcomes == {"passed": 1}, ran.failures


@pytest.mark.parametrize(
    ("marker", "message"),
    [
        (
            'token_budget(12, files="p.yaml", extract="prompts.*.system")',
            "p.yaml: 13 tokens, 1 over the budget of 12 (o200k_base), +8.3 %\n"
            "The heaviest values:\n"
            "  prompts.support.system: 10 tokens\n"
            "  prompts.sales.system: 3 tokens",
        ),
        (
            'token_budget(4, files="a.md", extract="body")',
            "a.md: 5 tokens, 1 over the budget of 4 (o200k_base), +25.0 %\n"
            "The heaviest paragraphs:\n"
            "  line 4: 3 tokens  Hello there.\n"
            "  line 6: 2 tokens  Bye.",
        ),
        (
            'token_budget(2, files="t.jinja", extract="jinja", variables="v.json")',
            "t.jinja: 3 tokens, 1 over the budget of 2 (o200k_base), +50.0 %",
        ),
        (
            'token_budget(9, files="m.json", extract="chat")',
            "m.json: 10 tokens, 1 over the budget of 9 (o200k_base, estimate by OpenAI's "
            "documented formula), +11.1 %",
        ),
        (
            'token_budget(9, files="p.yaml", extract="prompts.*.user")',
            "p.yaml: line 3: 'prompts.*.user' selects nothing: ",
        ),
        (
            'token_budget(9, files="t.jinja", extract="jinja")',
            "t.jinja: line 1: the variable 'name' is not defined; add it to the variables",
        ),
        (
            'token_budget(9, extract="body")',
            "test_a.py:4: token_budget: extract is about files; say which with files=",
        ),
        (
            'token_budget(9, files="a.md", extract=7)',
            "test_a.py:4: token_budget: extract: expected a string, found 7",
        ),
        (
            'token_budget(9, files="a.md", extract="a..b")',
            "test_a.py:4: token_budget: extract: 'a..b' is no path, column 2: ",
        ),
        (
            'token_budget(9, files="a.md", variables="v.json")',
            'test_a.py:4: token_budget: variables is for templates; add extract="jinja"',
        ),
    ],
)
def test_a_marker_that_does_not_hold(prompts: Project, marker: str, message: str) -> None:
    ran = prompts.run({"test_a.py": f"{TEST}@pytest.mark.{marker}\ndef test_a(): ...\n"})
    (found,) = ran.failures.values()
    assert message in found


def test_fixtures(prompts: Project) -> None:
    ran = prompts.run(
        {
            "test_a.py": f"""{TEST}
P = Path("p.yaml")

def test_count(count_tokens):
    assert count_tokens(P, extract="prompts.*.system") == 13
    assert count_tokens(P, extract="prompts.sales.system") == 3
    assert count_tokens(Path("t.jinja"), extract="jinja", variables="v.json") == 3

def test_check(token_budget):
    assert token_budget.check(P, max_tokens=13, extract="prompts.*.system") == 13

def test_a_string_is_no_file(count_tokens):
    count_tokens("p.yaml", extract="body")

@pytest.mark.prompt_files("p.yaml", extract="prompts.*.system")
def test_each(prompt_file):
    assert [prompt.name for prompt in prompt_file.prompts] == [
        "prompts.support.system", "prompts.sales.system"
    ]
    assert prompt_file.prompts[1].text == "Sell things."
    assert prompt_file.text.endswith("Answer in Vietnamese.\\n\\nSell things.")
    assert prompt_file.count() == 13

@pytest.mark.prompt_files("a.md")
def test_whole(prompt_file):
    assert prompt_file.text.startswith("---")
    assert [prompt.name for prompt in prompt_file.prompts] == [""]
"""
        }
    )
    assert ran.outcomes == {"passed": 4, "failed": 1}
    (message,) = ran.failures.values()
    assert "extract is about files; give a pathlib.Path and not a string" in message


CONFIG = """\
[extract]
"*.yaml" = "prompts.*.system"
"*.jinja" = { extract = "jinja", variables = "v.json" }
[[budgets]]
files = ["p.yaml", "t.jinja"]
max-tokens = 13
[[budgets]]
files = ["p.yaml"]
extract = "prompts.*.system"
max-each = 9
[[budgets]]
files = ["m.json"]
extract = "chat"
max-tokens = 10
max-bytes = 9
"""


def test_the_configuration_says_it_of_every_file(prompts: Project) -> None:
    test = f"""{TEST}
def test_a(count_tokens):
    assert count_tokens(Path("p.yaml")) == 13
    assert count_tokens(Path("t.jinja")) == 3
"""
    ran = prompts.run({"tokenlint.toml": CONFIG, "test_a.py": test})
    assert ran.outcomes == {"passed": 1}, ran.failures


def test_collected_limits(prompts: Project) -> None:
    prompts.write({"tokenlint.toml": CONFIG})
    ids = {
        "m.json::token_budget[o200k_base-chat]",
        "m.json::byte_budget[chat]",
        "p.yaml::token_budget[o200k_base]",
        "p.yaml::token_budget_each[o200k_base-prompts.*.system]",
        "t.jinja::token_budget[o200k_base]",
    }
    assert set(prompts.collected("--tokenbudget")) == ids
    ran = prompts.run({}, "--tokenbudget")
    assert ran.outcomes == {"passed": 4, "failed": 1}
    assert list(ran.failures.values()) == [
        "Failed: p.yaml: prompts.support.system: 10 tokens, 1 over the budget of 9 (o200k_base), "
        "+11.1 %"
    ]


def test_the_lock_file_keeps_what_is_extracted_apart(prompts: Project) -> None:
    test = f"""{TEST}
@pytest.mark.token_budget(13, files="p.yaml", extract="prompts.*.system")
@pytest.mark.token_budget(99, files="p.yaml", extract="all")
def test_a(): ...
"""
    prompts.run({"test_a.py": test}, "--tokenbudget-update")
    lock = (prompts.pytester.path / "tokenbudget.lock").read_text()
    assert [line for line in lock.splitlines() if "p.yaml" in line] == [
        '"p.yaml (all)".o200k_base = 37',
        '"p.yaml (prompts.*.system)".o200k_base = 13',
    ]
