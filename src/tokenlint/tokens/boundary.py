"""How far a configuration reaches: what it names stands in its repository, wherever links lead.

A pull request can change a configuration. It must not make a run in somebody's CI read, show or
write what lies elsewhere on that machine.
"""

from __future__ import annotations

import os
from pathlib import Path

from tokenlint.frozen import frozen
from tokenlint.places import OUTSIDE, repository_of
from tokenlint.small_files import TOKENIZER, read_small


@frozen
class Boundary:
    """The folders that hold everything a configuration may name; none where it may name anything.

    `names` are the tokenizers that the configuration names itself, without a table of their own.
    """

    folders: tuple[Path, ...] = ()
    names: frozenset[str] = frozenset()

    def refusal(self, path: Path) -> str | None:
        """Why a path may not be used; None where it may."""
        if not self.folders or "\0" in str(path):  # a NUL is for the reader to refuse
            return None
        real = Path(os.path.realpath(path))
        if any(real.is_relative_to(os.path.realpath(folder)) for folder in self.folders):
            return None
        return (
            f"outside of {self.folders[0]}, where a configuration may not reach; move it there, or "
            f"allow it with --allow-outside or {OUTSIDE}=1"
        )


ANYWHERE = Boundary()
"What holds for names that no configuration says."


def is_brought_along(file: Path) -> bool:
    """Whether git tracks a file: then whoever wrote the repository wrote what it says.

    Looked up in git's index, which spells the names of files out. One that is there and cannot be
    read counts as if it did.
    """
    git = repository_of(file.parent) / ".git"
    try:
        if not git.is_dir():  # of a worktree or a submodule: it says where the folder is
            git = git.parent / read_small(git).decode().removeprefix("gitdir:").strip()
        return file.name.encode() in read_small(git / "index", TOKENIZER)
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True
