"""The page about `tokenlint diff` is true: its repository is made, its commands are run in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from console import ROOT, blocks, commands, matches
from repositories import pin
from tokenlint.config import read_config
from tokenlint.reports.diff_formats import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = (ROOT / "docs" / "diff.md").read_text("utf-8")
COMMANDS = [pair for block in blocks(PAGE, "console") for pair in commands(block)]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The repository that the page begins with."""
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        pin(patch, folder.parent)
        patch.setenv("NO_COLOR", "1")
        patch.setenv("PYTHONIOENCODING", "utf-8")
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        (setup,) = blocks(PAGE, "sh")
        subprocess.run(setup, shell=True, cwd=folder, check=True)
        yield folder / "shop"


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_commands_print_what_the_page_shows(shop: Path, command: str, shown: str) -> None:
    done = subprocess.run(command, shell=True, cwd=shop, capture_output=True, check=False)
    printed = done.stdout.decode() + done.stderr.decode()
    assert matches(shown, printed), printed


def test_every_format_and_option_is_named() -> None:
    for name in (*NAMES, "--all", "--staged", "--no-index", "--max-increase", "--fail-on-increase"):
        assert re.search(rf"`[^`\n]*{name}\b", PAGE), name


def test_the_configuration_is_one(tmp_path: Path) -> None:
    (block,) = blocks(PAGE, "toml")
    path = tmp_path / "pyproject.toml"
    path.write_text(block, "utf-8")
    config = read_config(path)
    assert config is not None
    assert str(config.diff.max_increase) == "5 %"
    assert str(config.budgets[0].max_increase) == "50 tokens"
    assert str(config.budgets[0].max_total_increase) == "2 %"


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", PAGE)
    assert links
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
