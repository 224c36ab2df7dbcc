"""The page about baselines is true: its commands give what it shows."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from console import ROOT, blocks, commands, matches
from tokenlint.baseline import parse

PAGE = (ROOT / "docs" / "baseline.md").read_text("utf-8")


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """A copy of the examples, outside of any repository."""
    return shutil.copytree(ROOT / "examples", tmp_path / "examples")


def run(command: str, folder: Path) -> str:
    """What a command prints, what it says beside its report included."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    said = {"PATH": path, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
    said["GIT_CEILING_DIRECTORIES"] = str(folder.parent)
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **said},
    )
    return done.stdout.decode()


def test_the_commands_give_what_the_page_shows(examples: Path) -> None:
    for block in blocks(PAGE, "console"):
        for command, shown in commands(block):
            printed = run(command, examples)
            assert matches(shown, printed), f"{command}\n{printed}"


def test_the_entries_on_the_page_are_those_of_the_file(examples: Path) -> None:
    (shown,) = blocks(PAGE, "json")
    run("tokenlint check --write-baseline baseline.json", examples)
    written = (examples / "baseline.json").read_text()
    assert set(shown.replace("},\n", "}\n").splitlines()) <= set(
        written.replace("},\n", "}\n").splitlines()
    )
    assert set(parse(shown.encode())) <= set(parse(written.encode()))
    assert json.loads(shown)["version"] == 1
