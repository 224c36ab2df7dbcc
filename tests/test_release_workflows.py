"""The workflows are valid, pinned, and may do as little as they need."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from console import ROOT

FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = {path.stem: path for path in sorted(FOLDER.glob("*.yml"))}
PINNED = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def read(name: str) -> dict[str, Any]:
    """A workflow; YAML reads its key `on` as true."""
    found: dict[Any, Any] = yaml.safe_load(WORKFLOWS[name].read_text("utf-8"))
    return {"on" if key is True else key: value for key, value in found.items()}


def violations(*files: Path) -> str:
    """What check-jsonschema has against files; GitHub's schema comes with it."""
    pytest.importorskip("check_jsonschema")
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    done = subprocess.run(
        [*check, "vendor.github-workflows", *files], capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stdout


def test_there_are_three() -> None:
    assert set(WORKFLOWS) == {"docs", "publish", "test"}


def test_they_follow_the_schema(tmp_path: Path) -> None:
    assert violations(*WORKFLOWS.values()) == ""
    (tmp_path / "bad.yml").write_text("on: push\njobs: 7\n")
    assert violations(tmp_path / "bad.yml") != ""


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="actionlint is not on the PATH")
def test_actionlint_has_nothing_against_them() -> None:
    done = subprocess.run(
        ["actionlint", *WORKFLOWS.values()], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


ACTIONS = (ROOT / "action.yml", ROOT / "ci" / "comment" / "action.yml")


def zizmor(*files: Path) -> tuple[int, str]:
    """What zizmor has against files, as far as it knows that without the network."""
    here = shutil.which("zizmor", path=str(Path(sys.executable).parent))
    found = here or shutil.which("zizmor")
    if found is None:
        pytest.skip("zizmor is not installed")
    options = ("--offline", "--no-config", "--persona=pedantic", "--min-severity=low")
    done = subprocess.run(
        [found, "--quiet", "--format=plain", *options, *files],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_zizmor_has_nothing_against_them(tmp_path: Path) -> None:
    code, said = zizmor(*WORKFLOWS.values(), *ACTIONS)
    assert code == 0, said
    bad = WORKFLOWS["test"].read_text("utf-8").replace("==$PYTEST", "==${{ matrix.pytest }}")
    (tmp_path / "bad.yml").write_text(bad, "utf-8")
    code, said = zizmor(tmp_path / "bad.yml")
    assert code > 10
    assert "template-injection" in said


@pytest.mark.parametrize("name", WORKFLOWS)
def test_each_action_is_pinned_by_its_commit(name: str) -> None:
    lines = [line.strip() for line in WORKFLOWS[name].read_text("utf-8").splitlines()]
    uses = [line.removeprefix("- ") for line in lines if "uses: " in line]
    assert uses
    assert [line for line in uses if not PINNED.fullmatch(line)] == []


def test_an_action_has_one_version_everywhere() -> None:
    pages = [*WORKFLOWS.values(), ROOT / "action.yml", *(ROOT / "docs").rglob("*.md")]
    found: dict[str, set[str]] = {}
    for path in pages:
        for action, pin in re.findall(
            r"uses: ([\w./-]+)@([0-9a-f]{40} # \S+)", path.read_text("utf-8")
        ):
            found.setdefault(action, set()).add(pin)
    assert {action for action, pins in found.items() if len(pins) > 1} == set()


PERMISSIONS = {
    "docs": {"build": {"contents": "read"}, "deploy": {"pages": "write", "id-token": "write"}},
    "publish": {
        "build": {"contents": "read"},
        "publish": {"id-token": "write", "attestations": "write"},
        "release": {"contents": "write"},
    },
    "test": {job: {"contents": "read"} for job in ("suite", "lowest", "all")},
}
"What each job may do, and no more."


@pytest.mark.parametrize("name", WORKFLOWS)
def test_each_job_may_do_what_it_needs(name: str) -> None:
    workflow = read(name)
    jobs = workflow["jobs"]
    assert {
        job: said.get("permissions", workflow["permissions"]) for job, said in jobs.items()
    } == PERMISSIONS[name]
    for job in jobs.values():
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"] == {"persist-credentials": False}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_no_value_becomes_part_of_a_script(name: str) -> None:
    scripts = [
        step["run"] for job in read(name)["jobs"].values() for step in job["steps"] if "run" in step
    ]
    inside = re.findall(r"\$\{\{(.*?)\}\}", "".join(scripts))
    assert inside == []
    assert not re.search(r"secrets\.", WORKFLOWS[name].read_text("utf-8"))


def test_the_matrix_is_what_the_classifiers_promise() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    promised = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project)
    matrix = read("test")["jobs"]["suite"]["strategy"]["matrix"]
    assert set(promised) <= set(matrix["python"])
    assert {"3.11", "3.12", "3.13", "3.14"} == set(matrix["python"])
    assert matrix["os"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    versions = {*matrix["pytest"], *(also["pytest"] for also in matrix["include"])}
    assert versions == {"8", "9"}


def test_only_a_tag_publishes() -> None:
    assert read("publish")["on"] == {"push": {"tags": ["v*"]}}
    assert "pull_request_target" not in "".join(
        path.read_text("utf-8") for path in WORKFLOWS.values()
    )


def test_what_is_published_is_what_was_built_checked_and_attested() -> None:
    jobs = read("publish")["jobs"]
    build = "\n".join(step.get("run", "") for step in jobs["build"]["steps"])
    order = ["tools/release.py", "python -m build\n", "twine check --strict", "cyclonedx-py"]
    assert sorted(order, key=build.index) == order
    used = [step["uses"].partition("@")[0] for step in jobs["publish"]["steps"]]
    assert used[-3:] == [
        "actions/attest-build-provenance",
        "actions/attest-sbom",
        "pypa/gh-action-pypi-publish",
    ]
    assert jobs["publish"]["needs"] == "build"
    assert jobs["release"]["needs"] == "publish"
