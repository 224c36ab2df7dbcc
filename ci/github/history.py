"""The commit that a pull request is compared with, fetched where the checkout is shallow."""

from __future__ import annotations

from runner import Stop, ask, output, variable

_DEPTHS = ("--deepen=50", "--deepen=500", "--unshallow")


def base() -> None:
    """Find out what to compare with; without an answer there is nothing to compare."""
    output("base", variable("BASE") or (of_pull_request() if variable("GITHUB_BASE_REF") else ""))


def of_pull_request() -> str:
    """The commit in the target branch that the change starts from.

    GitHub checks out a merge of the pull request into its target: there the first parent is what
    the target has without it, and one more commit is all that a shallow checkout lacks.
    """
    parents = _parents("HEAD")
    if len(parents) > 1 and _git("rev-parse", "HEAD") == variable("GITHUB_SHA"):
        if _git("cat-file", "-e", f"{parents[0]}^{{commit}}") is None:
            _fetch("--depth=1", parents[0])
        return parents[0]
    return _merge_base(variable("GITHUB_BASE_REF"))


def _merge_base(branch: str) -> str:
    here = f"refs/remotes/origin/{branch}"
    known = _git("merge-base", "HEAD", here) if _git("rev-parse", "--verify", here) else None
    if known is None:
        _fetch("--depth=1" if _is_shallow() else "--no-tags", f"+refs/heads/{branch}:{here}")
        known = _git("merge-base", "HEAD", here)
    for depth in _DEPTHS:
        if known is not None or not _is_shallow():
            break
        head = _git("rev-parse", "HEAD") or "HEAD"
        _fetch(depth, f"+refs/heads/{branch}:{here}", head)
        known = _git("merge-base", "HEAD", here)
    if known is None:
        raise Stop(f"HEAD and {branch} have no commit in common; say which base to compare with")
    return known


def _parents(revision: str) -> list[str]:
    """The parents that a commit names, also those that a shallow checkout does not have."""
    lines = (_git("cat-file", "-p", revision) or "").partition("\n\n")[0].splitlines()
    return [line.partition(" ")[2] for line in lines if line.startswith("parent ")]


def _is_shallow() -> bool:
    return _git("rev-parse", "--is-shallow-repository") == "true"


def _git(*arguments: str) -> str | None:
    done = ask("git", *arguments)
    return done.stdout.strip() if done.returncode == 0 else None


def _fetch(*arguments: str) -> None:
    depth, *what = arguments
    done = ask("git", "fetch", "--quiet", "--no-tags", depth, "origin", *what)
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["no reason was given"])[-1]
        raise Stop(
            f"the checkout lacks the commit to compare with, and git cannot fetch it ({why}); "
            "give actions/checkout fetch-depth: 0"
        )
