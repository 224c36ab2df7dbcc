"""What git knows, asked with its options pinned: nothing of a repository is run or checked out."""

from tokenlint.git.base import Base, base_of_merge, commit_of, default_base, merge_base
from tokenlint.git.blobs import Blobs, TooLarge, has_hash, is_object
from tokenlint.git.changes import (
    Change,
    Entry,
    between_commits,
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
