"""When a comment is worth it, and how the report of a fork is posted."""

from __future__ import annotations

import json
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from action_runner import ROOT, Runner

if TYPE_CHECKING:
    from collections.abc import Callable

MARKER = "<!-- tokenlint:diff -->"
BOT = "github-actions[bot]"


@pytest.fixture
def worth(monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Whether a report is worth a comment, under thresholds."""
    monkeypatch.syspath_prepend(str(ROOT / "ci/github"))
    comment = import_module("comment")

    def ask(report: Any, tokens: str = "", percent: str = "") -> bool:
        monkeypatch.setenv("MIN_TOKENS", tokens)
        monkeypatch.setenv("MIN_PERCENT", percent)
        return bool(comment.is_worth_it(report))

    return ask


def report(*files: tuple[int | None, int | None]) -> dict[str, Any]:
    """A report of files with these tokens before and after; None where there is no file."""

    def side(tokens: int | None) -> Any:
        return None if tokens is None else {"tokens": {"o200k_base": tokens, "cl100k_base": 1}}

    before, after = (sum(pair[at] or 0 for pair in files) for at in (0, 1))
    return {
        "files": [{"before": side(was), "after": side(now)} for was, now in files],
        "total": {"before": side(before), "after": side(after)},
    }


@pytest.mark.parametrize(
    ("files", "tokens", "percent", "expected"),
    [
        ([], "", "", False),
        ([(7, 7)], "", "", False),
        ([(7, 7)], "0", "0", False),
        ([(7, 8)], "", "", True),
        ([(8, 7)], "", "", True),
        ([(0, 0), (None, 0)], "", "", True),  # a new file has a token with the other tokenizer
        ([(100, 200), (200, 100)], "200", "", True),
        ([(100, 119)], "20", "", False),
        ([(100, 120)], "20", "", True),
        ([(1000, 1049)], "", "5", False),
        ([(1000, 1050)], "", "5%", True),
        ([(1000, 1049)], "", "4.9 %", True),
        ([(1000, 1050)], "51", "5", False),
        ([(1000, 1050)], "50", "5.1", False),
        ([(None, 1)], "", "1000", True),  # from nothing to something is more than any percent
    ],
)
def test_both_thresholds_must_be_reached(
    worth: Callable[..., bool],
    files: list[tuple[int | None, int | None]],
    tokens: str,
    percent: str,
    expected: bool,
) -> None:
    assert worth(report(*files), tokens, percent) is expected


@pytest.mark.parametrize("text", ["-1", "five", "nan", "inf", "1,5", "5%%", "$(touch x)"])
def test_thresholds_that_are_no_numbers(worth: Callable[..., bool], text: str) -> None:
    with pytest.raises(Exception, match="is no number") as raised:
        worth(report(), text)
    assert str(raised.value) == f"min-tokens: {text!r} is no number"


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=5), st.integers(0, 99))
def test_what_is_lost_counts_as_what_is_gained(files: list[tuple[int, int]], least: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "ci/github"))
        comment = import_module("comment")
        patch.setenv("MIN_TOKENS", str(least))
        moved = sum(abs(now - was) for was, now in files)
        there = comment.is_worth_it(report(*files))
        assert there == comment.is_worth_it(report(*((now, was) for was, now in files)))
        assert there == (moved >= max(least, 1))


class Forked:
    """A run for a pull request from a fork, whose report a second workflow posts."""

    def __init__(self, home: Path, body: str | bytes = f"{MARKER}\n### +3 tokens\n") -> None:
        self.home, workspace, programs = home, home / "workspace", home / "programs"
        self.report = home / "report"
        for folder in (workspace, programs, self.report):
            folder.mkdir()
        raw = body if isinstance(body, bytes) else body.encode()
        (self.report / "comment.md").write_bytes(raw)
        stub = shlex.quote(str(Path(__file__).parent / "github_stub.py"))
        for name, line in (
            ("gh", f'exec {shlex.quote(sys.executable)} {stub} "$@"'),
            ("python3", f'exec {shlex.quote(sys.executable)} "$@"'),
        ):
            (programs / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
            (programs / name).chmod(0o755)
        self.runner = Runner(workspace, programs)
        self.state: dict[str, Any] = {
            "token": "t0ken",
            "login": BOT,
            "calls": [],
            "comments": [],
            "pulls": [
                {"number": 6, "head": {"label": "stranger:topic", "sha": "older"}},
                {"number": 7, "head": {"label": "stranger:topic", "sha": "newest"}},
                {"number": 8, "head": {"label": "another:topic", "sha": "newest"}},
            ],
        }
        self.run: dict[str, Any] = {
            "event": "pull_request",
            "head_sha": "newest",
            "head_branch": "topic",
            "head_repository": {"full_name": "stranger/prompts", "owner": {"login": "stranger"}},
        }

    def post(self) -> int:
        """Run the action that posts, as it stands in the repository."""
        event, github = self.home / "event.json", self.home / "github.json"
        event.write_text(json.dumps({"workflow_run": self.run}), encoding="utf-8")
        github.write_text(json.dumps(self.state), encoding="utf-8")
        self.runner.env = {"GITHUB_EVENT_PATH": str(event), "GITHUB_STUB": str(github)}
        code = self.runner.run(ROOT / "ci/comment/action.yml", {"report": str(self.report)})
        self.state = json.loads(github.read_text(encoding="utf-8"))
        return code

    @property
    def written(self) -> list[str]:
        return [call for call in self.state["calls"] if not call.startswith("GET")]


NOTE = "_Made by the workflow of a pull request from a fork._"


def test_the_report_goes_to_the_pull_request_whose_newest_commit_it_is_of(tmp_path: Path) -> None:
    forked = Forked(tmp_path)
    assert forked.post() == 0, forked.runner.log
    assert forked.written == ["POST repos/acme/prompts/issues/7/comments"]
    (comment,) = forked.state["comments"]
    assert comment["body"] == f"{MARKER}\n{NOTE}\n\n### +3 tokens\n"
    assert forked.post() == 0
    assert len(forked.written) == 1


def test_a_comment_with_the_marker_by_somebody_else_is_left_alone(tmp_path: Path) -> None:
    forked = Forked(tmp_path)
    theirs = {"id": 1, "user": {"login": "stranger"}, "body": f"{MARKER}\nmine"}
    ghost = {"id": 2, "user": None, "body": f"{MARKER}\nof an account that is gone"}
    others = [{"id": at, "user": {"login": BOT}, "body": "another tool"} for at in range(3, 200)]
    ours = {"id": 900, "user": {"login": BOT}, "body": f"{MARKER}\nold"}
    forked.state["comments"] = [theirs, ghost, *others, ours]
    assert forked.post() == 0, forked.runner.log
    assert forked.written == ["PATCH repos/acme/prompts/issues/comments/900"]
    assert forked.state["comments"][0] == theirs


def test_a_quiet_report_changes_a_comment_and_makes_none(tmp_path: Path) -> None:
    forked = Forked(tmp_path)
    (forked.report / "quiet").touch()
    assert forked.post() == 0
    assert forked.written == []
    ours = {"id": 5, "user": {"login": BOT}, "body": f"{MARKER}\nold"}
    forked.state["comments"] = [ours]
    assert forked.post() == 0
    assert forked.written == ["PATCH repos/acme/prompts/issues/comments/5"]


def test_a_branch_of_the_repository_itself_is_no_fork(tmp_path: Path) -> None:
    forked = Forked(tmp_path)
    forked.run["head_repository"] = {"full_name": "acme/prompts", "owner": {"login": "another"}}
    assert forked.post() == 0
    assert forked.state["comments"][0]["body"] == f"{MARKER}\n### +3 tokens\n"


def test_a_report_as_long_as_a_comment_can_be_goes_without_the_note(tmp_path: Path) -> None:
    body = f"{MARKER}\n".ljust(65_536, "x")
    forked = Forked(tmp_path, body)
    assert forked.post() == 0, forked.runner.log
    assert forked.state["comments"][0]["body"] == body


@pytest.mark.parametrize(
    "change",
    [
        {"head_sha": "another"},
        {"head_branch": "another&state=all"},
        {"head_repository": None},
    ],
)
def test_what_has_moved_on_is_not_posted(tmp_path: Path, change: dict[str, Any]) -> None:
    forked = Forked(tmp_path)
    forked.run |= change
    assert forked.post() == 0
    assert forked.written == []
    assert forked.runner.log == (
        "::notice::tokenlint: the pull request has moved on, so this report is not posted\n"
    )


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("no marker", "is no report of tokenlint diff that fits into a comment"),
        ("", "is no report of tokenlint diff that fits into a comment"),
        (f" {MARKER}", "is no report of tokenlint diff that fits into a comment"),
        (f"{MARKER}".ljust(65_537, "x"), "is no report of tokenlint diff that fits into a comment"),
        (f"{MARKER}" + "\U0001f600" * 32_768, "is no report of tokenlint diff that fits"),
        (f"{MARKER}" + "x" * 10**6, "is no report of tokenlint diff that fits into a comment"),
        (MARKER.encode() + b"\xff", "cannot be read: 'utf-8' codec can't decode byte 0xff"),
    ],
    ids=["no-marker", "empty", "not-first", "long", "long-in-utf-16", "huge", "not-utf-8"],
)
def test_what_is_no_report_is_not_posted(tmp_path: Path, body: str | bytes, sentence: str) -> None:
    forked = Forked(tmp_path, body)
    assert forked.post() == 2
    assert forked.state["calls"] == []
    assert forked.runner.log.startswith(
        f"::error::tokenlint: {forked.report}/comment.md {sentence}"
    )


def test_a_run_of_another_event_has_no_report(tmp_path: Path) -> None:
    forked = Forked(tmp_path)
    forked.run["event"] = "push"
    assert forked.post() == 2
    assert forked.runner.log == (
        "::error::tokenlint: only a workflow_run of a pull_request has a report to post\n"
    )


def test_a_runner_without_gh_is_told_what_is_missing(tmp_path: Path) -> None:
    forked = Forked(tmp_path)
    (forked.runner.programs / "gh").unlink()
    forked.runner.env["PATH"] = str(forked.runner.programs)
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"workflow_run": forked.run}), encoding="utf-8")
    bash = "/bin" if Path("/bin/bash").exists() else "/usr/bin"
    forked.runner.env |= {
        "PATH": f"{forked.runner.programs}:{bash}",
        "GITHUB_EVENT_PATH": str(event),
    }
    code = forked.runner.run(ROOT / "ci/comment/action.yml", {"report": str(forked.report)})
    assert code == 2
    assert "gh, the command line of GitHub, is not installed on this runner" in forked.runner.log
