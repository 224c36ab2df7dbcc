"""The page about prompts inside files is true: its commands, configuration and tests are run."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from console import ROOT, blocks, commands, matches, run
from tokenlint.config import read_config

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Project

PAGE = (ROOT / "docs" / "prompts.md").read_text("utf-8")
COMMANDS = [pair for block in blocks(PAGE, "console") for pair in commands(block)]


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_commands_print_what_the_page_shows(command: str, shown: str) -> None:
    assert matches(shown, run(command))


def test_the_configuration_is_accepted(tmp_path: Path) -> None:
    (block,) = blocks(PAGE, "toml")
    (tmp_path / "pyproject.toml").write_text(block, "utf-8")
    config = read_config(tmp_path / "pyproject.toml")
    assert config is not None
    assert list(map(str, config.extract.values())) == ["body", "prompts.*.system", "jinja", "chat"]
    assert [budget.max_each for budget in config.budgets] == [600, 200]


def test_the_tests_pass(project: Project) -> None:
    (block,) = blocks(PAGE, "python")
    shutil.copytree(ROOT / "docs" / "samples", project.pytester.path / "docs" / "samples")
    ran = project.run({"test_a.py": block})
    assert ran.outcomes == {"passed": 3}, ran.failures


def test_the_readme_leads_to_the_page() -> None:
    assert "(docs/prompts.md)" in (ROOT / "README.md").read_text("utf-8")
