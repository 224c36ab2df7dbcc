"""Documents that are run: their blocks, and whether what they show is what comes out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def blocks(document: str, language: str) -> list[str]:
    """The code blocks of a language in a Markdown document."""
    return re.findall(rf"^```{language}\n(.*?)^```$", document, re.DOTALL | re.MULTILINE)


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output that is shown below it."""
    return re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)


def run(command: str) -> str:
    """What a command prints in the repository, with the tools of this environment first."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        cwd=ROOT,
        capture_output=True,
        check=False,
        env={**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
    )
    assert not done.stderr, done.stderr.decode()
    return done.stdout.decode()


def matches(shown: str, printed: str) -> bool:
    """Whether an output is the one shown, where `...` stands for whatever was left out."""
    pattern = re.escape(shown).replace(r"\.\.\.\n", ".*").replace(r"\.\.\.", ".*")
    return re.fullmatch(pattern, printed, re.DOTALL) is not None
