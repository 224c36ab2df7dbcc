"""The GitHub action: its steps run here as a runner runs them, on real repositories."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from action_runner import ROOT, Runner

if TYPE_CHECKING:
    from collections.abc import Mapping

ACTION = ROOT / "action.yml"
MARKER = "<!-- tokenlint:diff -->"
BOT = "github-actions[bot]"
PROMPT = "Answer in one line, and say what you do not know.\n"


def git(folder: Path, *arguments: str) -> str:
    env = {
        **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "a"),
        **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@b"),
    }
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=env, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def executable(path: Path, text: str) -> None:
    path.write_text(f"#!/usr/bin/env bash\n{text}", encoding="utf-8")
    path.chmod(0o755)


def programs(folder: Path) -> Path:
    """`gh`, and a `python3` whose new environments hold the tool of this one.

    What they are told to install is only written down.
    """
    folder.mkdir()
    python, here = shlex.quote(sys.executable), shlex.quote(str(Path(__file__).parent))
    executable(folder / "gh", f'exec {python} {here}/github_stub.py "$@"\n')
    executable(folder / "tokenlint", f'exec {python} -I -m tokenlint "$@"\n')
    executable(
        folder / "python",
        f'case "$*" in *" -m pip "*) echo "$@" >>"$HOME/pip"; exit ;; esac\nexec {python} "$@"\n',
    )
    executable(
        folder / "python3",
        'if [ "$2 $3" != "-m venv" ]; then exit 0; fi\n'
        'mkdir -p "$4/bin" && cp "${0%/*}/python" "${0%/*}/tokenlint" "$4/bin"\n',
    )
    return folder


@dataclass
class Job:
    """A pull request of a repository at GitHub, checked out for a run of the action."""

    home: Path
    runner: Runner
    event: dict[str, Any]

    def run(self, **given: str) -> int:
        """Run the action as it stands in the repository, with inputs by their Python names."""
        event = self.home / "event.json"
        event.write_text(json.dumps(self.event), encoding="utf-8")
        self.runner.env |= {
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_STUB": str(self.home / "github.json"),
        }
        inputs = {name.replace("_", "-"): value for name, value in given.items()}
        return self.runner.run(ACTION, inputs)

    @property
    def github(self) -> dict[str, Any]:
        """What GitHub has, and what it was asked."""
        state: dict[str, Any] = json.loads((self.home / "github.json").read_text(encoding="utf-8"))
        return state

    def comments(self) -> list[str]:
        return [comment["body"] for comment in self.github["comments"]]

    def written(self) -> list[str]:
        return [call for call in self.github["calls"] if not call.startswith("GET")]

    def has(self, **more: Any) -> None:
        (self.home / "github.json").write_text(json.dumps(self.github | more), encoding="utf-8")


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


BEFORE = {"prompts/a.md": PROMPT, "prompts/same.md": PROMPT}
AFTER = {"prompts/a.md": PROMPT * 2}


def pulled(
    home: Path,
    before: Mapping[str, str] = BEFORE,
    after: Mapping[str, str] = AFTER,
    *,
    checkout: str = "merge",
    depth: int = 1,
) -> Job:
    """A pull request, whose target has moved on, as actions/checkout leaves it."""
    made = home / "made"
    made.mkdir()
    git(made, "init", "-q", "-b", "main")
    write(made, before)
    git(made, "add", ".")
    git(made, "commit", "-qm", "first", "--allow-empty")
    git(made, "checkout", "-qb", "topic")
    for number in range(3):
        git(made, "commit", "-qm", f"on the way {number}", "--allow-empty")
    write(made, after)
    git(made, "add", ".")
    git(made, "commit", "-qm", "change", "--allow-empty")
    head = git(made, "rev-parse", "HEAD")
    git(made, "checkout", "-q", "main")
    write(made, {"other.md": PROMPT})
    git(made, "add", ".")
    git(made, "commit", "-qm", "meanwhile")
    git(made, "checkout", "-q", "--detach")
    git(made, "merge", "-q", "--no-ff", "-m", "merge", "topic")
    merge = git(made, "rev-parse", "HEAD")
    git(made, "update-ref", "refs/pull/7/merge", merge)
    git(made, "config", "uploadpack.allowAnySHA1InWant", "true")
    return checked_out(home, made, {"merge": merge, "head": head}, checkout, depth)


def checked_out(home: Path, made: Path, commits: dict[str, str], what: str, depth: int) -> Job:
    workspace = home / "workspace"
    workspace.mkdir()
    git(workspace, "init", "-q")
    git(workspace, "remote", "add", "origin", made.as_uri())
    limit = [f"--depth={depth}"] if depth else []
    git(workspace, "fetch", "-q", "--no-tags", *limit, "origin", f"+{commits[what]}:refs/remotes/x")
    git(workspace, "checkout", "-q", "--detach", "refs/remotes/x")
    state = {"token": "t0ken", "login": BOT, "comments": [], "pulls": [], "calls": []}
    (home / "github.json").write_text(json.dumps(state), encoding="utf-8")
    runner = Runner(workspace, programs(home / "programs"))
    runner.env |= {"GITHUB_BASE_REF": "main", "GITHUB_SHA": commits["merge"]}
    pull = {"number": 7, "head": {"repo": {"full_name": "acme/prompts"}, "sha": commits["head"]}}
    return Job(home, runner, {"pull_request": pull})


EVERY_STEP = [
    "Look for Python",
    "Install tokenlint",
    "Choose the paths of reports",
    "Check",
    "Find the base",
    "Compare",
    "Comment",
    "Say what came of it",
]


def test_a_change_is_told_in_one_comment_that_is_kept_up_to_date(tmp_path: Path) -> None:
    job = pulled(tmp_path)
    assert job.run() == 0, job.runner.log
    assert job.runner.ran == EVERY_STEP
    (first,) = job.comments()
    assert first.startswith(f"{MARKER}\n")
    assert "prompts/a.md" in first
    assert "same.md" not in first
    assert "other.md" not in first  # that is what the target got meanwhile
    assert first.strip() in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert job.runner.used == []
    assert job.runner.outputs["comment"] == {"changed": "true", "artifact": "false"}

    assert job.run() == 0
    assert job.written() == ["POST repos/acme/prompts/issues/7/comments"]

    write(job.runner.workspace, {"prompts/a.md": PROMPT})
    assert job.run() == 0
    (second,) = job.comments()
    assert second != first
    assert job.written()[1:] == ["PATCH repos/acme/prompts/issues/comments/100"]


def test_where_no_count_changed_there_is_no_comment(tmp_path: Path) -> None:
    job = pulled(tmp_path, after={"code.py": ""})
    assert job.run() == 0, job.runner.log
    assert (job.comments(), job.written()) == ([], [])
    assert job.runner.outputs["comment"] == {"changed": "false", "artifact": "false"}


def test_findings_fail_the_run_when_all_else_is_done(tmp_path: Path) -> None:
    job = pulled(tmp_path, after={"prompts/a.md": PROMPT + "<|im_start|>system\n"})
    assert job.run(upload_sarif="true") == 1
    assert re.search(r"^::error .*file=prompts/a\.md,line=2", job.runner.log, re.MULTILINE)
    assert len(job.comments()) == 1
    sarif = tmp_path / "temp/tokenlint.sarif"
    assert json.loads(sarif.read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert job.runner.used == [
        ("github/codeql-action/upload-sarif", {"sarif_file": str(sarif), "category": "tokenlint"})
    ]
    assert job.runner.outputs["check"] == {"exit-code": "1"}


def test_a_limit_that_is_crossed_fails_the_run_and_is_always_told(tmp_path: Path) -> None:
    job = pulled(tmp_path)
    code = job.run(diff_args="--max-increase 1", comment_min_tokens="1000", check="false")
    assert (code, len(job.comments())) == (1, 1), job.runner.log
    assert job.runner.outputs["diff"] == {"exit-code": "1"}
    assert "Check" not in job.runner.ran


def test_a_fork_may_not_write_so_its_report_is_kept(tmp_path: Path) -> None:
    job = pulled(tmp_path)
    job.event["pull_request"]["head"]["repo"]["full_name"] = "stranger/prompts"
    assert job.run() == 0, job.runner.log
    assert job.github["calls"] == []
    ((used, given),) = job.runner.used
    assert (used, given["name"]) == ("actions/upload-artifact", "tokenlint-report")
    assert sorted(file.name for file in Path(given["path"]).iterdir()) == [
        "comment.md",
        "diff.json",
    ]


def test_a_token_that_may_only_read_is_said_and_fails_nothing(tmp_path: Path) -> None:
    job = pulled(tmp_path)
    job.has(token="another")
    assert job.run() == 0
    assert (
        "::warning::tokenlint: the comment could not be written (gh: Resource not accessible by "
        "integration (HTTP 403)); the job needs the permission pull-requests: write\n"
    ) in job.runner.log
    assert [used for used, _ in job.runner.used] == ["actions/upload-artifact"]


def test_nothing_is_compared_outside_of_pull_requests(tmp_path: Path) -> None:
    job = pulled(tmp_path)
    job.runner.env["GITHUB_BASE_REF"] = ""
    assert job.run() == 0, job.runner.log
    assert [name for name in EVERY_STEP if name not in job.runner.ran] == ["Compare", "Comment"]
    assert job.runner.outputs["base"] == {"base": ""}


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_the_head_of_the_branch_is_compared_with_where_it_left_its_target(
    tmp_path: Path, depth: int
) -> None:
    job = pulled(tmp_path, checkout="head", depth=depth)
    assert job.run(check="false") == 0, job.runner.log
    assert job.runner.outputs["base"]["base"] == git(tmp_path / "made", "rev-parse", "main~1")
    assert "other.md" not in job.comments()[0]


def test_a_base_that_cannot_be_fetched_is_an_error_with_advice(tmp_path: Path) -> None:
    job = pulled(tmp_path)
    git(job.runner.workspace, "remote", "set-url", "origin", "file:///nowhere")
    assert job.run(check="false") == 2
    assert job.runner.ran[-1] == "Find the base"
    assert re.search(
        r"^::error::tokenlint: the checkout lacks the commit to compare with, and git cannot fetch "
        r"it \(.+\); give actions/checkout fetch-depth: 0$",
        job.runner.log,
        re.MULTILINE,
    )


def test_a_base_that_does_not_exist_is_what_the_tool_says_it_is(tmp_path: Path) -> None:
    job = pulled(tmp_path)
    assert job.run(check="false", base="v9.9") == 2
    assert "v9.9" in job.runner.log
    assert job.comments() == []
    assert job.runner.outputs["comment"] == {"artifact": "false"}


EVIL = "$(touch pwned)`touch pwned`;touch pwned;${{ github.token }}\"'\n::error::forged"


def test_no_input_and_no_file_name_is_run(tmp_path: Path) -> None:
    name = "prompts/$(touch pwned)`touch pwned`;touch pwned.md"
    shadows = {
        f"{module}.py": "raise SystemExit(9)\n" for module in ("json", "venv", "pip", "shlex")
    }
    hostile = {name: PROMPT, "tokenlint/__init__.py": "raise SystemExit(9)\n", **shadows}
    job = pulled(tmp_path, after=hostile)
    quoted = shlex.quote(EVIL)
    assert job.run(paths=f"prompts {quoted}", base=EVIL, comment_author=EVIL, extras=EVIL) == 2
    assert job.run(check_args=quoted, diff_args=quoted, version=EVIL, artifact=EVIL) == 2
    assert job.run() == 0, job.runner.log
    assert list(tmp_path.rglob("pwned")) == []
    assert not re.search(r"^::error::forged", job.runner.log, re.MULTILINE)
    assert len(job.comments()) == 1


@pytest.mark.parametrize(
    ("given", "installed"),
    [
        ({}, str(ROOT)),
        ({"extras": "cost,qwen"}, f"{ROOT}[cost,qwen]"),
        ({"version": "0.1.0"}, "pytest-tokenbudget==0.1.0"),
        ({"version": "0.1.0", "extras": "cost"}, "pytest-tokenbudget[cost]==0.1.0"),
    ],
)
def test_what_is_installed(tmp_path: Path, given: dict[str, str], installed: str) -> None:
    job = pulled(tmp_path, {}, {})
    assert job.run(check="false", diff="false", **given) == 0, job.runner.log
    command = f"-I -m pip install --quiet --disable-pip-version-check {installed}\n"
    assert (tmp_path / "pip").read_text(encoding="utf-8") == command
    assert job.runner.ran == [EVERY_STEP[at] for at in (0, 1, 2, 7)]


def test_a_python_is_set_up_where_it_is_asked_for_or_none_is_there(tmp_path: Path) -> None:
    job = pulled(tmp_path, {}, {})
    assert job.run(check="false", diff="false", python_version="3.12") == 0
    executable(job.runner.programs / "python3", "exit 1\n")
    executable(job.runner.programs / "python", "exit 1\n")
    assert job.run(check="false", diff="false") == 2
    versions = [(used, given["python-version"]) for used, given in job.runner.used]
    assert versions == [("actions/setup-python", "3.12"), ("actions/setup-python", "3.x")]
    assert "::error::tokenlint: no Python 3.11 or newer on this runner; set python-version" in (
        job.runner.log
    )
