"""Which commit a change is compared with, and what is said where it cannot be had."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from repositories import Repository, pin
from tokenlint.errors import GitError
from tokenlint.git import Base, base_of_merge, commit_of, default_base, merge_base

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    pin(monkeypatch, tmp_path.parent)
    return Repository.make(tmp_path / "repository")


@pytest.fixture
def branched(repository: Repository) -> Repository:
    """main with two commits, topic with one of its own upon the first; topic is checked out."""
    repository.commit({"a.md": "1\n"})
    repository.git("tag", "fork")
    repository.git("checkout", "-qb", "topic")
    repository.commit({"a.md": "2\n"})
    repository.git("checkout", "-q", "main")
    repository.commit({"b.md": "3\n"})
    repository.git("checkout", "-q", "topic")
    return repository


def cloned(repository: Repository, to: Path, *arguments: str) -> Repository:
    """A clone of a repository that does not stand on its topic."""
    if repository.git("branch", "--show-current") == "topic":
        repository.git("checkout", "-q", "main")
    repository.git("clone", "-q", *arguments, repository.folder.as_uri(), str(to))
    return Repository(to)


def refused(repository: Repository, environment: dict[str, str] | None = None) -> str:
    with pytest.raises(GitError) as caught:
        default_base(repository.folder, environment or {})
    return str(caught.value)


def test_the_local_default_branch(branched: Repository) -> None:
    fork = branched.git("rev-parse", "fork")
    assert default_base(branched.folder, {}) == Base(
        fork, "the merge base of main and HEAD", "the default branch, by its name"
    )


@pytest.mark.parametrize("branch", ["master", "trunk"])
def test_other_names_of_it(branched: Repository, branch: str) -> None:
    branched.git("branch", "-m", "main", branch)
    branched.git("config", "init.defaultBranch", "trunk")
    why = "init.defaultBranch" if branch == "trunk" else "its name"
    assert default_base(branched.folder, {}) == Base(
        branched.git("rev-parse", "fork"),
        f"the merge base of {branch} and HEAD",
        f"the default branch, by {why}",
    )


def test_main_comes_before_master(branched: Repository) -> None:
    branched.git("branch", "master", "topic")
    assert default_base(branched.folder, {}).name == "the merge base of main and HEAD"


def test_what_the_remote_says_comes_first(branched: Repository, tmp_path: Path) -> None:
    branched.git("checkout", "-qb", "develop", "main")
    clone = cloned(branched, tmp_path / "clone")
    clone.git("checkout", "-q", "topic")
    assert default_base(clone.folder, {}) == Base(
        branched.git("rev-parse", "fork"),
        "the merge base of origin/develop and HEAD",
        "the default branch, by origin/HEAD",
    )


@pytest.mark.parametrize("how", ["no HEAD", "a HEAD that leads nowhere"])
def test_a_remote_that_does_not_say(branched: Repository, tmp_path: Path, how: str) -> None:
    clone = cloned(branched, tmp_path / "clone")
    clone.git("checkout", "-q", "topic")
    clone.git("branch", "-D", "main")
    if how == "no HEAD":
        clone.git("remote", "set-head", "origin", "--delete")
    else:
        clone.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
    base = default_base(clone.folder, {})
    assert (base.name, base.why) == (
        "the merge base of origin/main and HEAD",
        "the default branch, by its name",
    )


def test_a_remote_without_a_branch_of_these_names(branched: Repository, tmp_path: Path) -> None:
    branched.git("branch", "other", "main")
    branched.git("checkout", "-q", "other")
    branched.git("branch", "-D", "main")
    clone = cloned(branched, tmp_path / "clone")
    clone.git("remote", "set-head", "origin", "--delete")
    clone.git("branch", "main", "fork")
    assert default_base(clone.folder, {}).name == "the merge base of main and HEAD"


def test_a_single_remote_of_another_name(branched: Repository, tmp_path: Path) -> None:
    clone = cloned(branched, tmp_path / "clone", "--origin", "upstream")
    clone.git("checkout", "-q", "topic")
    clone.git("remote", "set-head", "upstream", "--delete")
    assert default_base(clone.folder, {}).name == "the merge base of upstream/main and HEAD"
    clone.git("remote", "add", "another", "https://example.org/another")
    assert default_base(clone.folder, {}).name == "the merge base of main and HEAD"


def test_on_the_default_branch(branched: Repository) -> None:
    branched.git("checkout", "-q", "main")
    head = branched.git("rev-parse", "HEAD")
    assert default_base(branched.folder, {}) == Base(
        head, "HEAD", "it has no commit beyond the default branch main"
    )


def test_no_default_branch(branched: Repository) -> None:
    branched.git("branch", "-m", "main", "other")
    assert refused(branched) == (
        "no default branch was found (origin/HEAD, main, master, init.defaultBranch); name a "
        "commit to compare with, such as `tokenlint diff HEAD`"
    )


def test_no_commit_yet(repository: Repository) -> None:
    assert refused(repository) == (
        "the repository has no commit yet, so there is nothing to compare with"
    )


def test_the_base_of_a_pull_request_on_github(branched: Repository, tmp_path: Path) -> None:
    branched.git("branch", "release", "fork")
    clone = cloned(branched, tmp_path / "clone")
    clone.git("checkout", "-q", "topic")
    assert default_base(clone.folder, {"GITHUB_BASE_REF": "release"}) == Base(
        branched.git("rev-parse", "fork"),
        "the merge base of origin/release and HEAD",
        "GITHUB_BASE_REF",
    )
    assert default_base(clone.folder, {"GITHUB_BASE_REF": ""}).why.startswith("the default branch")
    assert refused(clone, {"GITHUB_BASE_REF": "gone"}) == (
        "GITHUB_BASE_REF names origin/gone, which this clone does not have: run `git fetch origin "
        "gone`, or name a commit to compare with"
    )


def test_the_base_of_a_merge_request_on_gitlab(branched: Repository) -> None:
    fork = branched.git("rev-parse", "fork")
    variables = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": fork, "GITHUB_BASE_REF": "main"}
    assert default_base(branched.folder, variables) == Base(
        fork, fork, "CI_MERGE_REQUEST_DIFF_BASE_SHA"
    )


DEEPEN = (
    "fetch the history (fetch-depth: 0 for actions/checkout, GIT_DEPTH: 0 on GitLab, "
    "`git fetch --unshallow` or `git fetch --deepen=100` elsewhere)"
)


@pytest.fixture
def shallow(branched: Repository, tmp_path: Path) -> Repository:
    """What most CI services check out: one commit of the branch, and one of main."""
    clone = cloned(branched, tmp_path / "clone", "--depth", "1", "--branch", "topic")
    clone.git("fetch", "-q", "--depth", "1", "origin", "main:refs/remotes/origin/main")
    return clone


@pytest.mark.parametrize("variables", [{}, {"GITHUB_BASE_REF": "main"}])
def test_a_shallow_clone_has_no_merge_base(shallow: Repository, variables: dict[str, str]) -> None:
    assert refused(shallow, variables) == (
        "no merge base of origin/main and HEAD was found, because the clone is shallow: "
        f"{DEEPEN}, or name a commit to compare with, such as `tokenlint diff origin/main`"
    )


def test_a_shallow_clone_without_the_branch(branched: Repository, tmp_path: Path) -> None:
    clone = cloned(branched, tmp_path / "clone", "--depth", "1", "--branch", "topic")
    assert refused(clone, {"GITHUB_BASE_REF": "main"}) == (
        f"GITHUB_BASE_REF names origin/main, which this clone does not have: {DEEPEN}, or name a "
        "commit to compare with"
    )


def test_what_is_advised_helps(shallow: Repository, branched: Repository) -> None:
    shallow.git("fetch", "-q", "--unshallow")
    assert default_base(shallow.folder, {}).commit == branched.git("rev-parse", "fork")


def test_a_named_commit_needs_no_merge_base(shallow: Repository, branched: Repository) -> None:
    assert commit_of(shallow.folder, "origin/main") == branched.git("rev-parse", "main")


def test_histories_that_have_nothing_in_common(branched: Repository) -> None:
    branched.git("checkout", "-q", "--orphan", "alone")
    branched.commit({"c.md": ""})
    assert merge_base(branched.folder, "main", "alone") is None
    with pytest.raises(GitError) as caught:
        base_of_merge(branched.folder, "main", "alone")
    assert str(caught.value) == (
        "no merge base of main and alone was found: they have no commit in common; name a commit "
        "to compare with, such as `tokenlint diff main`"
    )


@pytest.mark.parametrize("revision", ["HEAD", "topic", "HEAD~0", "@{0}", "annotated"])
def test_revisions_that_are_commits(branched: Repository, revision: str) -> None:
    branched.git("tag", "-a", "annotated", "-m", "x")
    assert commit_of(branched.folder, revision) == branched.git("rev-parse", "HEAD")


@pytest.mark.parametrize("revision", ["", "--output=x", "-n1", "--all"])
def test_revisions_that_would_be_options(branched: Repository, revision: str) -> None:
    with pytest.raises(GitError) as caught:
        commit_of(branched.folder, revision)
    assert str(caught.value) == (f"{revision!r} is no revision: it names no commit, branch or tag")
    assert not (branched.folder / "x").exists()


@pytest.mark.parametrize("revision", ["gone", "HEAD:a.md", "a b", "HEAD~9", "1" * 40, "^HEAD"])
def test_revisions_that_are_none(branched: Repository, revision: str) -> None:
    with pytest.raises(GitError) as caught:
        commit_of(branched.folder, revision)
    assert str(caught.value) == (
        f"{revision!r} is no commit, branch or tag that git knows here; `git branch --all` lists "
        "the branches, and paths are given behind --"
    )


def test_an_unknown_revision_of_a_shallow_clone(shallow: Repository) -> None:
    with pytest.raises(GitError) as caught:
        commit_of(shallow.folder, "fork")
    assert str(caught.value).endswith(f"; the clone is shallow: {DEEPEN}")
