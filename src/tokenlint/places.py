"""Which repository a path is in, and whether links lead out of it."""

from __future__ import annotations

import os
from pathlib import Path

OUTSIDE = "TOKENLINT_ALLOW_OUTSIDE"
"The environment variable that allows paths outside, with the value 1."


def repository_of(folder: Path) -> Path:
    """The top of the repository that a folder is in; outside of any, the folder itself."""
    folder = Path(os.path.abspath(folder))  # noqa: PTH100  (Path.resolve would follow links)
    for above in (folder, *folder.parents):
        if os.path.lexists(above / ".git"):
            return above
    return folder


def require_no_way_out(path: Path) -> None:
    """Refuse to write to a file of a repository that is a link to somewhere else, or behind one.

    Whoever wrote the repository chose where it leads. Raises PermissionError.
    """
    if os.environ.get(OUTSIDE) == "1":
        return
    real = Path(os.path.realpath(path))
    for top in Path(os.path.abspath(path)).parents:  # noqa: PTH100  (Path.resolve follows links)
        # Of every repository on the way: what a link leads to may be one itself.
        if os.path.lexists(top / ".git") and not real.is_relative_to(os.path.realpath(top)):
            why = f"a link leads out of the repository; {OUTSIDE}=1 allows it"
            raise PermissionError(0, why)
