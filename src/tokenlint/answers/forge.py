"""What the machines that run a check say of themselves: GitHub's and GitLab's variables."""

from __future__ import annotations

import os
from pathlib import Path

from tokenlint.reports.checked import Place

_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def place(folder: Path) -> Place:
    """Where a run stands: in a forge's checkout, in a repository, or nowhere but its folder."""
    here = folder.resolve()
    named = (Path(value).resolve() for name in _ROOTS if (value := os.environ.get(name)))
    above = (at for at in (here, *here.parents) if os.path.lexists(at / ".git"))
    inside = (root for root in (*named, *above) if here.is_relative_to(root))
    return Place(here.as_posix(), next(inside, here).as_posix())


def job_summary() -> Path | None:
    """The file that GitHub shows as the summary of a job, where it is said."""
    value = os.environ.get("GITHUB_STEP_SUMMARY")
    return Path(value) if value else None
