"""`tokenlint clean`: remove what earlier runs kept."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from tokenlint.commands.unchanged import notes_in
from tokenlint.errors import TokenlintError
from tokenlint.frozen import frozen
from tokenlint.tokens.cache import FILE_NAME, cache_folder, files_of
from tokenlint.wording import counted

if TYPE_CHECKING:
    from pathlib import Path


@frozen
class Cleaned:
    """What was removed: bytes, and from where; None where nothing is kept at all."""

    folder: Path | None
    bytes: int = 0

    @property
    def sentence(self) -> str:
        """What is said of it."""
        if self.folder is None:
            return "Nothing is kept: TOKENLINT_NO_CACHE is set, or there is no home folder."
        if not self.bytes:
            return f"Nothing is kept in {self.folder}."
        return f"Removed {counted(self.bytes, 'byte')} from {self.folder}."


def run() -> Cleaned:
    """Remove the files of the cache, and its folder where nothing else is in it.

    Raises TokenlintError where they cannot be removed.
    """
    folder = cache_folder()
    if folder is None:
        return Cleaned(None)
    size = 0
    for path in (*files_of(folder / FILE_NAME), *notes_in(folder)):
        try:
            here = path.lstat().st_size
            path.unlink()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise TokenlintError(f"{path}: it cannot be removed: {why}") from None
        size += here
    _remove_if_empty(folder)
    return Cleaned(folder, size)


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):  # not there, or somebody else's files are in it
        folder.rmdir()
