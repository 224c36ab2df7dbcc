"""What a runner of GitHub Actions gives and takes: variables, events, outputs, messages."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any


class Stop(Exception):  # noqa: N818  (it ends a step, with a sentence for the log)
    """A step cannot do what it is for."""

    def __init__(self, sentence: str, code: int = 2) -> None:
        """Keep the sentence, and the code that the step exits with."""
        super().__init__(sentence)
        self.code = code


def variable(name: str, default: str = "") -> str:
    """An environment variable without blanks around it."""
    return os.environ.get(name, default).strip()


def words(name: str) -> list[str]:
    """A variable as a shell would split it, quotes and all; nothing in it is expanded."""
    try:
        return shlex.split(variable(name))
    except ValueError as error:
        raise Stop(f"{name}: {error}: {variable(name)}") from None


def event() -> Any:
    """What GitHub says of the event that started the run."""
    path = variable("GITHUB_EVENT_PATH")
    return json.loads(Path(path).read_text(encoding="utf-8")) if path else {}


def folder() -> Path:
    """Where the reports of this run are put."""
    made = Path(variable("RUNNER_TEMP", ".")) / "tokenlint-report"
    made.mkdir(parents=True, exist_ok=True)
    return made


def output(name: str, value: object) -> None:
    """Hand a value of one line to the steps behind this one."""
    line = f"{name}={value}"
    if "\n" in line or "\r" in line:
        raise Stop(f"the output {name} cannot hold the line break in {value!r}")
    _append("GITHUB_OUTPUT", f"{line}\n")


def summary(text: str) -> None:
    """Add Markdown to the summary of the job."""
    _append("GITHUB_STEP_SUMMARY", f"{text}\n")


def say(level: str, sentence: str) -> None:
    """Show a notice, a warning or an error at the top of the run."""
    shown = sentence.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    sys.stdout.write(f"::{level}::tokenlint: {shown}\n")
    sys.stdout.flush()


def run(*command: str) -> int:
    """Run a program whose output belongs into the log; returns its exit code."""
    sys.stdout.flush()
    return subprocess.run(command, check=False).returncode


def ask(*command: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program for its answer."""
    return subprocess.run(
        command, check=False, capture_output=True, input=given, text=True, encoding="utf-8"
    )


def _append(name: str, text: str) -> None:
    path = variable(name)
    if path:
        with Path(path).open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
