"""action.yml, the GitLab template and the snippets of docs/ci.md, held to published schemas."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from action_runner import ROOT
from console import blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
ACTIONS = [ROOT / "action.yml", ROOT / "ci/comment/action.yml"]
GITLAB = ROOT / "ci/gitlab.yml"
PIN = re.compile(r"uses: (?P<name>[\w./-]+)@(?P<pin>\S+)(?P<comment> # v[\d.]+)?$", re.MULTILINE)

SNIPPETS = blocks(PAGE, "yaml")
WORKFLOWS = [snippet for snippet in SNIPPETS if "jobs:" in snippet]
OF_GITLAB = [snippet for snippet in SNIPPETS if "include:" in snippet]


def violations(schema: str, *files: Path) -> str:
    """What check-jsonschema has against files; its schemas come with it."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"),
            *(("--data-transform", "gitlab-ci") if schema == "gitlab-ci" else ()),
            *map(str, files),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def written(folder: Path, snippets: list[str]) -> list[Path]:
    files = [folder / f"{number}.yml" for number in range(len(snippets))]
    for file, snippet in zip(files, snippets, strict=True):
        file.write_text(snippet, encoding="utf-8")
    return files


def test_every_snippet_is_a_workflow_or_for_gitlab() -> None:
    assert (len(WORKFLOWS), len(OF_GITLAB)) == (3, 1)
    assert len(SNIPPETS) == 4


def test_the_actions_follow_their_schema() -> None:
    assert violations("github-actions", *ACTIONS) == ""


def test_the_workflows_of_the_page_follow_their_schema(tmp_path: Path) -> None:
    assert violations("github-workflows", *written(tmp_path, WORKFLOWS)) == ""


def test_the_template_and_its_snippet_follow_the_schema_of_gitlab(tmp_path: Path) -> None:
    assert violations("gitlab-ci", GITLAB, *written(tmp_path, OF_GITLAB)) == ""


def test_a_violation_would_be_seen(tmp_path: Path) -> None:
    assert violations("github-workflows", *written(tmp_path, ["on: push\njobs: 7\n"])) != ""


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="actionlint is not on the PATH")
def test_actionlint_has_nothing_against_the_workflows(tmp_path: Path) -> None:
    files = map(str, written(tmp_path, WORKFLOWS))
    done = subprocess.run(["actionlint", *files], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def steps(file: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load(file.read_text(encoding="utf-8"))["runs"]["steps"]
    return found


@pytest.mark.parametrize("file", ACTIONS, ids=lambda file: file.parent.name)
def test_no_value_becomes_part_of_a_script(file: Path) -> None:
    scripts = [step["run"] for step in steps(file) if "run" in step]
    assert scripts
    assert [script for script in scripts if "${{" in script] == []


def test_what_is_used_is_pinned() -> None:
    texts = [*(file.read_text(encoding="utf-8") for file in ACTIONS), *WORKFLOWS]
    uses = [match for text in texts for match in PIN.finditer(text)]
    assert len(uses) == sum(text.count("uses: ") for text in texts)
    for match in uses:
        if match["name"].startswith("tokenlint/"):
            assert re.fullmatch(r"v\d+\.\d+\.\d+", match["pin"])
        else:
            assert re.fullmatch(r"[0-9a-f]{40}", match["pin"]), match[0]
            assert match["comment"], match[0]


def test_every_input_is_used_and_documented() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    described = yaml.safe_load(text)
    row = re.compile(r"^\| (`.*?`) \|", re.MULTILINE)
    named = {name for cell in row.findall(PAGE) for name in re.findall(r"`([a-z-]+)`", cell)}
    for name in described["inputs"]:
        assert re.search(rf"inputs\.{name}\b(?!-)", text), name
        assert name in named, name
    assert all(f"`{name}`" in PAGE for name in described["outputs"])


def test_every_variable_of_the_template_is_documented() -> None:
    names = set(re.findall(r"TOKENLINT_[A-Z_]+", GITLAB.read_text(encoding="utf-8")))
    assert {name for name in names if f"`{name}`" not in PAGE} == set()


def scripts() -> Iterator[tuple[str, str]]:
    """Every shell script of these files, by a name."""
    for file in ACTIONS:
        for step in steps(file):
            if "run" in step:
                yield f"{file.parent.name}: {step['name']}", step["run"]
    for name, job in yaml.safe_load(GITLAB.read_text(encoding="utf-8")).items():
        if isinstance(job, dict) and "script" in job:
            yield name, "\n".join([*job.get("before_script", ()), *job["script"]])
    for number, snippet in enumerate(blocks(PAGE, "sh")):
        yield f"docs/ci.md {number}", snippet


@pytest.mark.parametrize(("name", "script"), list(scripts()), ids=lambda value: value[:40])
def test_shellcheck_has_nothing_against_the_scripts(name: str, script: str) -> None:
    assert shellcheck("-", given=script) == ""


def test_shellcheck_has_nothing_against_the_installation() -> None:
    assert shellcheck(str(ROOT / "ci/github/install.sh")) == ""
    assert "SC2086" in shellcheck("-", given="echo $x")


def shellcheck(file: str, given: str | None = None) -> str:
    beside = Path(sys.executable).with_name("shellcheck")
    program = str(beside) if beside.exists() else "shellcheck"
    done = subprocess.run(
        [program, "--shell=bash", file], input=given, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr
