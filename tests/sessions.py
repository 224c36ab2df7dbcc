"""Pages that are sessions: blocks that are files are written, commands run, one after the other."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from console import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"`([^`\s]+)`[^`\n]*:\s*$")
_THEIRS = (
    *("GIT_", "GITHUB_", "CI_", "TEAMCITY_", "TF_", "XDG_"),
    *("TOKENLINT_", "TOKENBUDGET_", "PYTEST_", "COV_"),
)

_OTHER_PLUGINS = (
    *("anyio", "asyncio", "cacheprovider", "hypothesispytest", "inline_snapshot"),
    *("pytest_cov", "randomly", "xdist", "xdist.looponfail"),
)
"Plugins that somebody who has just installed the project does not have."


@dataclass(frozen=True)
class Block:
    """A block of code; `file` is the path that the line before it ends with, as in `a.toml`: ."""

    language: str
    content: str
    file: str


@dataclass(frozen=True)
class Step:
    """One command of a page, what the page shows below it, and the files written before it."""

    command: str
    shown: str
    files: Mapping[str, str]


def read(page: str) -> str:
    """A page of docs/."""
    return (ROOT / "docs" / page).read_text("utf-8")


def blocks(text: str) -> list[Block]:
    """Every block of code on a page, in order."""
    found = []
    for match in _FENCE.finditer(text):
        before = text[: match.start()].rstrip().rpartition("\n")[2]
        named = _FILE.search(before)
        found.append(Block(match[1], match[2], named[1] if named else ""))
    return found


def steps(text: str) -> Iterator[Step]:
    """The commands of a page; a file that is shown is written before the next command."""
    files: dict[str, str] = {}
    for block in blocks(text):
        if block.language == "console":
            for command, shown in re.findall(
                r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.content, re.MULTILINE
            ):
                yield Step(command, shown, files)
                files = {}
        elif block.file:
            files[block.file] = block.content


def play(step: Step, folder: Path) -> str:
    """Write the files of a step and run its command; returns what a terminal would show."""
    for name, content in step.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    done = subprocess.run(
        step.command,
        shell=True,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        env=environment(folder),
    )
    return done.stdout.decode()


def environment(folder: Path) -> dict[str, str]:
    """A shell of somebody who has just installed the project, and set nothing."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_THEIRS)}
    kept.pop("CI", None)
    who = {"NAME": "A", "EMAIL": "a@example.org"}
    names = {f"GIT_{role}_{key}": who[key] for role in ("AUTHOR", "COMMITTER") for key in who}
    return (
        kept
        | names
        | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept.get('PATH', '')}",
            "HOME": str(folder.parent),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CEILING_DIRECTORIES": str(folder.parent),
            "PYTHONIOENCODING": "utf-8",
            "PYTHONUNBUFFERED": "1",  # messages and reports in the order in which they were said
            "NO_COLOR": "1",
            "PYTEST_ADDOPTS": " ".join(f"-p no:{name}" for name in _OTHER_PLUGINS),
            "TOKENLINT_NO_CACHE": "1",
        }
    )
