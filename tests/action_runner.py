"""A small stand-in for the runner of GitHub Actions: runs the shell steps of a composite action."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]


@dataclass
class Runner:
    """One job: a workspace, a folder of programs that go first, and what steps said."""

    workspace: Path
    programs: Path
    env: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    used: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)
    log: str = ""

    def run(self, action: Path, given: dict[str, str] | None = None) -> int:
        """Run the steps until one fails; returns its exit code."""
        described = yaml.safe_load(action.read_text(encoding="utf-8"))
        inputs = {name: str(one.get("default", "")) for name, one in described["inputs"].items()}
        values = {f"inputs.{name}": self._fill(text, {}) for name, text in inputs.items()}
        values |= {f"inputs.{name}": text for name, text in (given or {}).items()}
        for step in described["runs"]["steps"]:
            if "if" in step and not self._holds(step["if"], values):
                continue
            self.ran.append(step["name"])
            code = self._step(step, values, action.parent)
            if code:
                return code
        return 0

    def _step(self, step: dict[str, Any], values: dict[str, str], action: Path) -> int:
        if "uses" in step:
            named = {key: self._fill(str(text), values) for key, text in step["with"].items()}
            self.used.append((step["uses"].partition("@")[0], named))
            return 0
        assert step["shell"] == "bash"
        output = self.workspace.parent / "output"
        output.write_text("", encoding="utf-8")
        env = {key: self._fill(text, values) for key, text in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.workspace / self._fill(step.get("working-directory", "."), values),
            env={**self._machine(action, output), **self.env, **env},
            capture_output=True,
            text=True,
            check=False,
        )
        self.log += done.stdout + done.stderr
        said = (line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines())
        self.outputs[step.get("id", "")] = {name: value for name, value in said}  # noqa: C416
        return done.returncode

    def _machine(self, action: Path, output: Path) -> dict[str, str]:
        temporary = self.workspace.parent / "temp"
        temporary.mkdir(exist_ok=True)
        return {
            "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.workspace.parent),
            "GITHUB_ACTION_PATH": str(action),
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(self.workspace.parent / "summary.md"),
            "GITHUB_REPOSITORY": "acme/prompts",
            "GITHUB_SERVER_URL": "https://github.com",
            "RUNNER_TEMP": str(temporary),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "PIP_NO_INDEX": "1",  # should the stand-in for pip ever be missed, nothing is
            "PIP_DRY_RUN": "1",  # installed into the environment of the tests
        }

    def _fill(self, text: str, values: dict[str, str]) -> str:
        return re.sub(r"\$\{\{(.*?)\}\}", lambda found: self._value(found[1], values), text)

    def _value(self, expression: str, values: dict[str, str]) -> str:
        for alternative in expression.split("||"):
            name = alternative.strip()
            if name.startswith("'"):
                return name.strip("'")
            if value := self._named(name, values):
                return value
        return ""

    def _named(self, name: str, values: dict[str, str]) -> str:
        if name == "github.token":
            return "t0ken"
        if name.startswith("steps."):
            _, step, kind, output = name.split(".")
            assert kind == "outputs"
            return self.outputs.get(step, {}).get(output, "")
        return values[name]

    def _holds(self, condition: str, values: dict[str, str]) -> bool:
        return all(self._compares(part.strip(), values) for part in condition.split("&&"))

    def _compares(self, comparison: str, values: dict[str, str]) -> bool:
        found = re.fullmatch(r"(\S+) (==|!=) '(.*)'", comparison)
        assert found is not None, comparison
        return (self._named(found[1], values) == found[3]) == (found[2] == "==")
