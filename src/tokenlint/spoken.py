"""Tokenizers that the command line names: their files start from where it stands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.errors import TokenlintError
from tokenlint.tokens.loading import is_folder_of_tokenizer, is_path

if TYPE_CHECKING:
    from collections.abc import Sequence


def files_of(names: Sequence[str]) -> dict[str, Path]:
    """The files and folders that names mean, by these names.

    A name stays as it was given, so that reports show it and no path of this machine.
    Raises TokenlintError.
    """
    if "" in names:  # what a shell makes of a variable that is not set
        raise TokenlintError("--tokenizer names none; give an encoding, a model or a path")
    paths = {name: _from_here(name) for name in names}
    return {n: path for n, path in paths.items() if is_path(n) or is_folder_of_tokenizer(path)}


def _from_here(name: str) -> Path:
    known = os.path.expanduser(name)  # noqa: PTH111  (pathlib raises for a ~name without a home)
    return Path.cwd() / known
