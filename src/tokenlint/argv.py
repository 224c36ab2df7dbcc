"""Files among the arguments, safe from being read as options."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def paths_first(argv: Sequence[str]) -> list[str]:
    """Arguments with the files among them safe from being read as options.

    pre-commit puts file names behind the options, as they are: a file called `--exit-zero` must
    not become an option, nor may it turn the hook's own option of that name into a file. So what
    stands behind `--` is files, or where there is no `--` the last arguments that are all files
    here. Before those, only what no option looks like can be a file.
    """
    marked = "--" in argv
    first = argv.index("--") if marked else _first_of_last_files(argv)
    before, behind = argv[:first], list(argv[first + marked :])
    if marked and "--" not in behind and os.path.lexists("--"):
        behind.insert(0, "--")  # this `--` may have been a file: better one too many than unchecked
    if marked and argv[0] == "diff":  # what stands before `--` is revisions there, and no files
        return [*before, *(f"--path={path}" for path in behind)]
    hook = "PRE_COMMIT" in os.environ
    return [
        *(a if _LIKE_AN_OPTION.fullmatch(a) else _as_file(a, dash=hook) for a in before),
        *["--"][:marked],
        *(a if marked and a not in _SPECIAL else _as_file(a, dash=hook or marked) for a in behind),
    ]


_SPECIAL = ("-", "--")  # even behind `--`, where argparse takes all else as it is
_LIKE_AN_OPTION = re.compile(r"-[A-Za-z]|--[a-z-]+(=.*)?", re.DOTALL)


def _first_of_last_files(argv: Sequence[str]) -> int:
    at = len(argv)
    while at and os.path.lexists(argv[at - 1]):
        at -= 1
    return at


def _as_file(argument: str, *, dash: bool) -> str:
    """An argument safe from being an option where it is a file here; `dash`: `-` can be one."""
    is_file = argument.startswith("-") and (dash or argument != "-") and os.path.lexists(argument)
    return f".{os.sep}{argument}" if is_file else argument
