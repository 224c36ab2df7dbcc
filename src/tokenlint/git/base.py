"""What a change is compared with: the commits that words mean, and the base where none is named."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from tokenlint.errors import GitError
from tokenlint.frozen import frozen
from tokenlint.git.running import ask, first_line, split

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_DEEPEN = (
    "fetch the history (fetch-depth: 0 for actions/checkout, GIT_DEPTH: 0 on GitLab, "
    "`git fetch --unshallow` or `git fetch --deepen=100` elsewhere)"
)
"What helps a shallow clone, which is what most CI services make."


@frozen
class Base:
    """A commit to compare with, what to call it, and why it was taken."""

    commit: str
    name: str
    why: str = ""


class _Ref(NamedTuple):
    full: str
    name: str
    why: str


def commit_of(top: Path, revision: str) -> str:
    """The id of the commit that a revision means.

    Raises GitError.
    """
    if not revision or revision.startswith("-"):
        raise GitError(f"{revision!r} is no revision: it names no commit, branch or tag")
    commit = _verified(top, revision)
    if commit is not None:
        return commit
    if _verified(top, "HEAD") is None:
        raise GitError("the repository has no commit yet, so there is nothing to compare with")
    advice = f"; the clone is shallow: {_DEEPEN}" if _is_shallow(top) else ""
    raise GitError(
        f"{revision!r} is no commit, branch or tag that git knows here; `git branch --all` lists "
        f"the branches, and paths are given behind --{advice}"
    )


def _verified(top: Path, revision: str) -> str | None:
    arguments = ("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    done = ask(top, *arguments, fine=range(256))  # 1 for an unknown name, 128 for a broken one
    found = first_line(done.stdout)
    return found if found.isalnum() else None  # `^main` is a commit to leave out


def merge_base(top: Path, one: str, other: str) -> str | None:
    """The commit that two commits have in common; None where this clone does not have it."""
    done = ask(top, "merge-base", one, other, fine=(0, 1))
    return first_line(done.stdout) if done.returncode == 0 else None


def base_of_merge(top: Path, one: str, other: str, why: str = "") -> Base:
    """The merge base of two revisions.

    Raises GitError, with what helps, where the history that is here does not lead to it: an empty
    report would say that nothing changed.
    """
    commit = merge_base(top, commit_of(top, one), commit_of(top, other))
    if commit is not None:
        return Base(commit, f"the merge base of {one} and {other}", why)
    problem = f"no merge base of {one} and {other} was found"
    instead = f"or name a commit to compare with, such as `tokenlint diff {one}`"
    if _is_shallow(top):
        raise GitError(f"{problem}, because the clone is shallow: {_DEEPEN}, {instead}")
    raise GitError(f"{problem}: they have no commit in common; {instead.removeprefix('or ')}")


def _is_shallow(top: Path) -> bool:
    return first_line(ask(top, "rev-parse", "--is-shallow-repository").stdout) == "true"


def default_base(top: Path, environment: Mapping[str, str] = os.environ) -> Base:
    """What the working tree is compared with where nobody says.

    Raises GitError.
    """
    head = commit_of(top, "HEAD")
    if sha := environment.get("CI_MERGE_REQUEST_DIFF_BASE_SHA"):
        return Base(commit_of(top, sha), sha, "CI_MERGE_REQUEST_DIFF_BASE_SHA")
    if branch := environment.get("GITHUB_BASE_REF"):
        return _of_pull_request(top, branch)
    ref = next(_default_branches(top), None)
    if ref is None:
        raise GitError(
            "no default branch was found (origin/HEAD, main, master, init.defaultBranch); name a "
            "commit to compare with, such as `tokenlint diff HEAD`"
        )
    base = base_of_merge(top, ref.name, "HEAD", f"the default branch, by {ref.why}")
    if base.commit != head:
        return base
    return Base(head, "HEAD", f"it has no commit beyond the default branch {ref.name}")


def _of_pull_request(top: Path, branch: str) -> Base:
    name = f"origin/{branch}"
    if _verified(top, f"refs/remotes/{name}") is None:
        advice = _DEEPEN if _is_shallow(top) else f"run `git fetch origin {branch}`"
        raise GitError(
            f"GITHUB_BASE_REF names {name}, which this clone does not have: {advice}, or name a "
            "commit to compare with"
        )
    return base_of_merge(top, name, "HEAD", "GITHUB_BASE_REF")


def _default_branches(top: Path) -> Iterator[_Ref]:
    """The branches that may be the default one, the likeliest first, that this clone has."""
    known = set(_refs(top))
    return (ref for ref in _likely(top) if ref.full in known)


def _likely(top: Path) -> Iterator[_Ref]:
    remote = _remote(top)
    if remote is not None:
        head = ask(top, "symbolic-ref", "-q", f"refs/remotes/{remote}/HEAD", fine=(0, 1)).stdout
        name = first_line(head).removeprefix("refs/remotes/")
        yield _Ref(first_line(head), name, f"{remote}/HEAD")
        for branch in ("main", "master"):
            name = f"{remote}/{branch}"
            yield _Ref(f"refs/remotes/{name}", name, "its name")
    for branch in ("main", "master"):
        yield _Ref(f"refs/heads/{branch}", branch, "its name")
    configured = ask(top, "config", "--get", "init.defaultBranch", fine=(0, 1)).stdout
    branch = first_line(configured)
    yield _Ref(f"refs/heads/{branch}", branch, "init.defaultBranch")


def _remote(top: Path) -> str | None:
    remotes = os.fsdecode(ask(top, "remote").stdout).split("\n")[:-1]
    if "origin" in remotes:
        return "origin"
    return remotes[0] if len(remotes) == 1 else None


def _refs(top: Path) -> list[str]:
    form = "--format=%(refname)%00"
    output = ask(top, "for-each-ref", form, "refs/heads", "refs/remotes").stdout
    return [name.strip("\n") for name in split(output) if name != "\n"]
