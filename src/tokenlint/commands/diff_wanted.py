"""Which files a comparison is about: the paths that were given, without what is excluded."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tokenlint import git
from tokenlint.files import absolute
from tokenlint.walking import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tokenlint.commands.session import Session
    from tokenlint.reports.diff_values import State


class Wanted:
    """Files and folders by their paths, which need not exist any more; all below the working
    folder where none is given. As everywhere, what was named is kept even where it is excluded.
    """

    def __init__(self, paths: Sequence[str], session: Session) -> None:
        self._session = session
        here = session.working_folder
        self._roots = {absolute(here / path): path for path in paths or ["."]}
        self._left_out = {root: LeftOut(root, session.excludes) for root in self._roots}
        self._met: set[Path] = set()

    def has(self, file: Path) -> bool:
        """Whether a file is meant."""
        return self.named(file) or any(
            not self._left_out[root](file) for root in self._roots if self._is_below(file, root)
        )

    def named(self, file: Path) -> bool:
        """Whether a file itself was named, and may be: excludes hold for it with force-exclude."""
        if file not in self._roots:
            return False
        self._met.add(file)
        return not (self._session.config.force_exclude and self._session.excludes(file))

    def _is_below(self, file: Path, root: Path) -> bool:
        below = file != root and file.is_relative_to(root)
        if below:
            self._met.add(root)
        return below

    def missing(self, top: Path, states: Sequence[State]) -> Iterator[str]:
        """A sentence for each path that no file was found for, and that is nowhere else."""
        for root, path in self._roots.items():
            if root not in self._met and not os.path.lexists(root):
                commits = [state.commit for state in states if state.commit]
                if not any(git.has_path(top, commit, root) for commit in commits):
                    yield f"{path}: no such file or directory, and none in what is compared"


class Everything:
    """Two folders that were named are compared as a whole."""

    def has(self, file: Path) -> bool:  # noqa: ARG002
        """Every file is meant."""
        return True

    def named(self, file: Path) -> bool:  # noqa: ARG002
        """None was named by itself."""
        return False

    def missing(self, top: Path, states: Sequence[State]) -> Iterator[str]:  # noqa: ARG002
        """The folders were looked for already."""
        return iter(())
