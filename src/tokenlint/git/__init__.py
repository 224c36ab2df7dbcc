"""What git knows, asked with its options pinned: nothing of a repository is run or checked out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenlint.git.base import Base, base_of_merge, commit_of, default_base, merge_base
    from tokenlint.git.blobs import Blobs, TooLarge, has_hash, is_object
    from tokenlint.git.changes import (
        Change,
        Entry,
        between_commits,
        entry_of,
        has_path,
        in_commit,
        in_working_tree,
        staged,
        untracked,
    )
    from tokenlint.git.listing import Listed, list_files
    from tokenlint.git.running import top_of

__all__ = [
    "Base",
    "Blobs",
    "Change",
    "Entry",
    "Listed",
    "TooLarge",
    "base_of_merge",
    "between_commits",
    "commit_of",
    "default_base",
    "entry_of",
    "has_hash",
    "has_path",
    "in_commit",
    "in_working_tree",
    "is_object",
    "list_files",
    "merge_base",
    "staged",
    "top_of",
    "untracked",
]

_FROM = {
    "Base": "base",
    "Blobs": "blobs",
    "Change": "changes",
    "Entry": "changes",
    "Listed": "listing",
    "TooLarge": "blobs",
    "base_of_merge": "base",
    "between_commits": "changes",
    "commit_of": "base",
    "default_base": "base",
    "entry_of": "changes",
    "has_hash": "blobs",
    "has_path": "changes",
    "in_commit": "changes",
    "in_working_tree": "changes",
    "is_object": "blobs",
    "list_files": "listing",
    "merge_base": "base",
    "staged": "changes",
    "top_of": "running",
    "untracked": "changes",
}


def __getattr__(name: str) -> object:
    """Import what is asked for: most runs list files at most, and many not even that."""
    if name in _FROM:
        from importlib import import_module

        return getattr(import_module(f"tokenlint.git.{_FROM[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
