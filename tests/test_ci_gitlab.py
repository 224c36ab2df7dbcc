"""The GitLab template: its scripts run here, on a real repository, with a GitLab of files."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from action_runner import ROOT

if TYPE_CHECKING:
    from pathlib import Path

JOBS = yaml.safe_load((ROOT / "ci/gitlab.yml").read_text(encoding="utf-8"))
MARKER = "<!-- tokenlint:diff -->"
PROMPT = "Answer in one line, and say what you do not know.\n"

CURL = """
import json, os, sys
from urllib.parse import parse_qs, urlsplit
words = sys.argv[1:]
state = json.load(open(os.environ["GITLAB_STUB"], encoding="utf-8"))
if f"PRIVATE-TOKEN: {state['token']}" not in words:
    sys.exit("curl: (22) The requested URL returned error: 401")
method = words[words.index("--request") + 1] if "--request" in words else "GET"
url = next(word for word in words if word.startswith("https://"))
path, query = urlsplit(url).path, parse_qs(urlsplit(url).query)
state["calls"].append(f"{method} {path}")
if path.endswith("/user"):
    said = {"id": 1}
elif method == "GET":
    page, size = int(query["page"][0]), int(query["per_page"][0])
    said = state["notes"][(page - 1) * size : page * size]
else:
    name, file = words[words.index("--data-urlencode") + 1].split("@")
    body = open(file, encoding="utf-8").read()
    said = {"id": 100 + len(state["notes"]), "author": {"id": 1}, name: body}
    if method == "POST":
        state["notes"].append(said)
    else:
        next(n for n in state["notes"] if path.endswith(f"/notes/{n['id']}"))[name] = body
json.dump(state, open(os.environ["GITLAB_STUB"], "w", encoding="utf-8"))
print(json.dumps(said))
"""


@dataclass
class Pipeline:
    """A merge request of a repository at GitLab."""

    home: Path
    env: dict[str, str]
    log: str = ""

    def run(self, job: str, **variables: str) -> int:
        """Run a job's scripts as its runner does: one shell for all lines."""
        lines = [*JOBS[".tokenlint"]["before_script"], *JOBS[job]["script"]]
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", "\n".join(lines)],
            cwd=self.home / "repository",
            env={**JOBS["variables"], **self.env, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        self.log = done.stdout + done.stderr
        return done.returncode

    @property
    def gitlab(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads((self.home / "gitlab.json").read_text(encoding="utf-8"))
        return state

    def has(self, *notes: dict[str, Any]) -> None:
        state = {"token": "t0ken", "calls": [], "notes": list(notes)}
        (self.home / "gitlab.json").write_text(json.dumps(state), encoding="utf-8")

    @property
    def written(self) -> list[str]:
        return [call for call in self.gitlab["calls"] if not call.startswith("GET")]


@pytest.fixture
def pipeline(tmp_path: Path) -> Pipeline:
    """A repository whose newest commit makes a prompt longer."""
    repository, programs = tmp_path / "repository", tmp_path / "programs"
    repository.mkdir()
    programs.mkdir()
    (tmp_path / "curl.py").write_text(CURL, encoding="utf-8")
    python = shlex.quote(sys.executable)
    for name, line in {
        "curl": f'exec {python} {shlex.quote(str(tmp_path / "curl.py"))} "$@"',
        "python": f'exec {python} "$@"',
        "tokenlint": f'exec {python} -I -m tokenlint "$@"',
        "pip": 'printf "%s\\n" "$@" >"$HOME/pip"',
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    env = {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "GIT_CONFIG_GLOBAL": os.devnull,
        **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "a"),
        **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@b"),
        "GITLAB_STUB": str(tmp_path / "gitlab.json"),
        "CI_API_V4_URL": "https://gitlab.example/api/v4",
        "CI_PROJECT_ID": "3",
        "CI_MERGE_REQUEST_IID": "7",
        "CI_PROJECT_DIR": str(repository),
    }

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=repository, env=env, check=True, capture_output=True, text=True
        ).stdout.strip()

    git("init", "-q")
    for text in (PROMPT, PROMPT * 2):
        (repository / "a.md").write_text(text, encoding="utf-8")
        git("add", ".")
        git("commit", "-qm", "change")
    env["CI_MERGE_REQUEST_DIFF_BASE_SHA"] = git("rev-parse", "HEAD~1")
    made = Pipeline(tmp_path, env)
    made.has()
    return made


NOTES = "/api/v4/projects/3/merge_requests/7/notes"
TOKEN = {"TOKENLINT_GITLAB_TOKEN": "t0ken"}


def test_a_clean_check_passes_and_leaves_its_reports(pipeline: Pipeline) -> None:
    assert pipeline.run("tokenlint-check", TOKENLINT_CHECK_ARGS="--select TL1 --quiet") == 0
    repository = pipeline.home / "repository"
    quality = repository / "gl-code-quality-report.json"
    assert json.loads(quality.read_text(encoding="utf-8")) == []
    assert (repository / "tokenlint.xml").exists()
    named = set(JOBS["tokenlint-check"]["artifacts"]["reports"].values())
    assert named == {quality.name, "tokenlint.xml"}


def test_a_finding_fails_the_job_and_is_in_the_report(pipeline: Pipeline) -> None:
    (pipeline.home / "repository/b.md").write_text("<|im_start|>\n", encoding="utf-8")
    assert pipeline.run("tokenlint-check", TOKENLINT_PATHS="a.md b.md") == 1, pipeline.log
    quality = pipeline.home / "repository/gl-code-quality-report.json"
    (finding,) = json.loads(quality.read_text(encoding="utf-8"))
    assert (finding["check_name"], finding["location"]["path"]) == ("TL201", "b.md")


def test_what_is_installed_is_what_the_variable_names(pipeline: Pipeline) -> None:
    assert pipeline.run("tokenlint-check", TOKENLINT_PACKAGE="pytest-tokenbudget[cost]==0.1.0") == 0
    told = (pipeline.home / "pip").read_text(encoding="utf-8").splitlines()
    assert told[-1] == "pytest-tokenbudget[cost]==0.1.0"


def test_without_a_token_the_report_is_an_artifact(pipeline: Pipeline) -> None:
    assert pipeline.run("tokenlint-diff") == 0, pipeline.log
    assert pipeline.gitlab["calls"] == []
    (artifact,) = JOBS["tokenlint-diff"]["artifacts"]["paths"]
    text = (pipeline.home / "repository" / artifact).read_text(encoding="utf-8")
    assert text.startswith(f"{MARKER}\n")


def test_the_note_is_made_once_and_then_changed(pipeline: Pipeline) -> None:
    assert pipeline.run("tokenlint-diff", **TOKEN) == 0, pipeline.log
    assert pipeline.written == [f"POST {NOTES}"]
    assert pipeline.gitlab["notes"][0]["body"].startswith(f"{MARKER}\n")
    assert pipeline.run("tokenlint-diff", **TOKEN) == 0
    assert pipeline.written == [f"POST {NOTES}", f"PUT {NOTES}/100"]


def test_the_note_of_somebody_else_is_left_alone(pipeline: Pipeline) -> None:
    theirs = {"id": 1, "author": {"id": 2}, "body": f"{MARKER}\nmine"}
    others = [{"id": at, "author": {"id": 1}, "body": "another"} for at in range(2, 130)]
    ours = {"id": 900, "author": {"id": 1}, "body": f"{MARKER}\nold"}
    pipeline.has(theirs, *others, ours)
    assert pipeline.run("tokenlint-diff", **TOKEN) == 0, pipeline.log
    assert pipeline.written == [f"PUT {NOTES}/900"]
    assert pipeline.gitlab["notes"][0] == theirs


def test_where_no_count_changed_there_is_no_note(pipeline: Pipeline) -> None:
    (pipeline.home / "repository/a.md").write_text(PROMPT, encoding="utf-8")
    assert pipeline.run("tokenlint-diff", **TOKEN) == 0, pipeline.log
    assert pipeline.written == []


def test_a_limit_that_is_crossed_fails_the_job_when_the_note_is_written(pipeline: Pipeline) -> None:
    assert pipeline.run("tokenlint-diff", TOKENLINT_DIFF_ARGS="--max-increase 1", **TOKEN) == 1
    assert pipeline.written == [f"POST {NOTES}"]


def test_a_wrong_token_fails_the_job(pipeline: Pipeline) -> None:
    assert pipeline.run("tokenlint-diff", TOKENLINT_GITLAB_TOKEN="old") != 0
    assert "401" in pipeline.log


def test_a_base_that_is_not_there_fails_the_job_without_a_note(pipeline: Pipeline) -> None:
    missing = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": "0" * 39 + "1"}
    assert pipeline.run("tokenlint-diff", **TOKEN, **missing) == 2, pipeline.log
    assert pipeline.gitlab["calls"] == []


def test_no_value_is_run(pipeline: Pipeline) -> None:
    evil = "$(touch pwned)`touch pwned`;touch pwned"
    (pipeline.home / f"repository/{evil}.md").write_text(PROMPT, encoding="utf-8")
    pipeline.run("tokenlint-check", TOKENLINT_PATHS=evil, TOKENLINT_PACKAGE=evil)
    pipeline.run("tokenlint-diff", TOKENLINT_DIFF_ARGS=evil, **TOKEN)
    pipeline.run("tokenlint-diff", CI_MERGE_REQUEST_DIFF_BASE_SHA=evil, **TOKEN)
    assert pipeline.run("tokenlint-diff", **TOKEN) == 0, pipeline.log
    assert list(pipeline.home.rglob("pwned")) == []
