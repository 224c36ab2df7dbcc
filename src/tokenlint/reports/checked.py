"""What every report of `tokenlint check` is made from."""

from __future__ import annotations

import os
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen
from tokenlint.reports.text import Summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenlint.diagnostic import Diagnostic
    from tokenlint.rules import Rule
    from tokenlint.tokens import ColumnUnit


@frozen
class Place:
    """The folder that a run's paths start at, and the root that a forge counts them from.

    Both are absolute, with `/`; a run that stood nowhere shows its paths as they are.
    """

    folder: str = ""
    root: str = ""

    def from_root(self, path: str) -> str:
        """A path from the root, or the whole of it where it leads outside; `-` is stdin."""
        if path == "-" or not self.root:
            return path
        whole = Path(os.path.normpath(Path(self.folder) / path)).as_posix()
        return whole.removeprefix(self.root.rstrip("/") + "/")


@frozen
class Checked:
    """A check as reports see it. `problems` are what the user must put right; `rules` are all that
    are known; `clean` are the files without findings, where their names are known.
    """

    diagnostics: Sequence[Diagnostic] = ()
    summary: Summary = field(default_factory=lambda: Summary(0))
    problems: Sequence[str] = ()
    rules: Sequence[Rule] = ()
    exit_code: int = 0
    clean: Sequence[str] = ()
    column_unit: ColumnUnit = "code-point"
    quiet: bool = False
    place: Place = Place()

    @property
    def errors(self) -> list[Diagnostic]:
        """The findings that make the run fail."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.is_error]

    @property
    def warnings(self) -> list[Diagnostic]:
        """The findings that do not."""
        return [diagnostic for diagnostic in self.diagnostics if not diagnostic.is_error]
