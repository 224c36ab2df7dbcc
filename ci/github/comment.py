"""One comment in a pull request, kept up to date in place, and silent where nothing changed."""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from reports import MARKDOWN, NUMBERS
from runner import Stop, ask, event, folder, output, say, variable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MARKER = "<!-- tokenlint:diff -->"
QUIET = "quiet"
"The file that says, next to a report, that it is not worth a new comment."

LONGEST = 65_536
"The characters of a comment that GitHub takes, in units of UTF-16."

_UNCHECKED = "_Made by the workflow of a pull request from a fork._"


def of_this_run() -> None:
    """Comment on the pull request of this run, or leave that to a second workflow.

    A run for a fork may not write, so its report becomes an artifact.
    """
    report = folder() / MARKDOWN
    if not report.exists():
        output("artifact", "false")
        return
    worth = is_worth_it(_json(folder() / NUMBERS)) or variable("DIFF_EXIT_CODE") == "1"
    quiet = folder() / QUIET
    quiet.unlink(missing_ok=True)
    if not worth:
        quiet.touch()
    output("changed", str(worth).lower())
    pull = event().get("pull_request")
    may = pull and variable("COMMENT") == "true" and not _is_fork(pull["head"]["repo"])
    written = may and _try(pull["number"], _body(report), create=worth)
    output("artifact", "false" if written else "true")


def of_a_fork() -> None:
    """Post the report of a run for a fork, in a second workflow that may write.

    The report and its folder are what a stranger's run left; which pull request it belongs to is
    asked of GitHub, and never of them.
    """
    run = event().get("workflow_run") or {}
    report = Path(variable("REPORT_FOLDER")) / MARKDOWN
    if run.get("event") != "pull_request":
        raise Stop("only a workflow_run of a pull_request has a report to post")
    body = _body(report)
    if _is_fork(run["head_repository"]) and _length(body) + len(_UNCHECKED) + 2 <= LONGEST:
        body = body.replace(MARKER, f"{MARKER}\n{_UNCHECKED}\n", 1)
    numbers = list(_pulls_of(run))
    for number in numbers:
        upsert(number, body, create=not (report.parent / QUIET).exists())
    if not numbers:
        say("notice", "the pull request has moved on, so this report is not posted")


def is_worth_it(report: Any) -> bool:
    """Whether the counts of a diff changed by as much as is worth a comment.

    What files gained and lost is added up, so that one does not hide the other.
    """
    least, percent = _number("MIN_TOKENS", "1"), _number("MIN_PERCENT", "0")
    before = _tokens(report["total"]["before"])
    moved = dict.fromkeys({*before, *_tokens(report["total"]["after"])}, 0)
    for file in report["files"]:
        was, now = _tokens(file["before"]), _tokens(file["after"])
        for name in moved:
            moved[name] += abs(now.get(name, 0) - was.get(name, 0))
    return any(
        size and size >= least and size * 100 >= percent * before.get(name, 0)
        for name, size in moved.items()
    )


def upsert(number: int, body: str, *, create: bool) -> None:
    """Write the comment of a pull request: the one that is there, or a new one."""
    comments = f"repos/{variable('GITHUB_REPOSITORY')}/issues"
    old = next(_own(f"{comments}/{number}/comments"), None)
    if old is None:
        if create:
            _api("--method", "POST", f"{comments}/{number}/comments", given={"body": body})
    elif old["body"].strip().replace("\r\n", "\n") != body.strip():
        _api("--method", "PATCH", f"{comments}/comments/{old['id']}", given={"body": body})


def _own(path: str) -> Iterator[Any]:
    """The comments with our marker that we wrote: anybody can write the marker."""
    for comment in _pages(path):
        is_ours = comment["user"] and comment["user"]["login"] == variable("COMMENT_AUTHOR")
        if is_ours and comment["body"].startswith(MARKER):
            yield comment


def _pulls_of(run: Mapping[str, Any]) -> Iterator[int]:
    """The open pull requests whose newest commit is the one that a run was for."""
    if run["head_repository"] is None:  # the fork is gone
        return
    head = f"{run['head_repository']['owner']['login']}:{run['head_branch']}"
    path = f"repos/{variable('GITHUB_REPOSITORY')}/pulls"
    for pull in _pages(path, f"state=open&head={quote(head, safe='')}&"):
        if pull["head"]["sha"] == run["head_sha"]:
            yield int(pull["number"])


def _is_fork(repository: Mapping[str, Any] | None) -> bool:
    """Whether a branch is from another repository, or from one that is gone."""
    return repository is None or repository["full_name"] != variable("GITHUB_REPOSITORY")


def _try(number: int, body: str, *, create: bool) -> bool:
    """Whether the comment could be written: some runs get a token that may only read."""
    try:
        upsert(number, body, create=create)
    except Stop as stop:
        say(
            "warning",
            f"the comment could not be written ({stop}); the job needs the permission "
            "pull-requests: write",
        )
        return False
    return True


def _body(report: Path) -> str:
    try:
        with report.open("rb") as stream:
            body = stream.read(4 * LONGEST + 1).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise Stop(f"{report} cannot be read: {error}") from None
    if not body.startswith(MARKER) or _length(body) > LONGEST:
        raise Stop(f"{report} is no report of tokenlint diff that fits into a comment")
    return body


def _length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _tokens(side: Any) -> Mapping[str, int]:
    return {} if side is None else side["tokens"]


def _number(name: str, default: str) -> Decimal:
    text = variable(name) or default
    try:
        number = Decimal(text.removesuffix("%").strip())
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or number < 0:
        raise Stop(f"{name.lower().replace('_', '-')}: {text!r} is no number")
    return number


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Stop(f"{path} cannot be read: {error}") from None


def _pages(path: str, query: str = "") -> Iterator[Any]:
    page, more = 1, True
    while more:
        found = _api(f"{path}?{query}per_page=100&page={page}")
        yield from found
        page, more = page + 1, len(found) == 100


def _api(*arguments: str, given: Any = None) -> Any:
    """Ask GitHub's API by way of `gh`, which is on every runner and knows the token."""
    host = urlsplit(variable("GITHUB_SERVER_URL", "https://github.com")).hostname or "github.com"
    sent = () if given is None else ("--input", "-")
    try:
        done = ask(
            *("gh", "api", "--hostname", host, *arguments, *sent),
            given=None if given is None else json.dumps(given),
        )
    except FileNotFoundError:
        raise Stop("gh, the command line of GitHub, is not installed on this runner") from None
    if done.returncode:
        raise Stop((done.stderr.strip().splitlines() or ["gh failed"])[-1])
    return json.loads(done.stdout or "null")
