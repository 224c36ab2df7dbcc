"""Files that were found clean before, and are the same: they need not be read again.

A file is the same where its path, as it is opened and as it is shown, its size, inode and both of
its times are. A time cannot be trusted while it is fresh, because a second change may leave it as
it is: what changed in the seconds before a run is read again in the next one. A program can set
the one time back, and on Unix not the other. What the file system itself does not see is not seen
here: writes through a memory mapping move no time once they go on.

The notes stand beside the counts, a file for each configuration. What is wrong with them makes a
run slower, and nothing else.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokenlint.tokens.boundary import is_brought_along
from tokenlint.tokens.cache import cache_folder

if TYPE_CHECKING:
    from tokenlint.commands.session import Scope
    from tokenlint.files import Found

_NAME = re.compile("clean-[0-9a-f]{64}")
_MOST = 500_000  # files that are noted for one configuration
_MOST_NOTES = 16  # configurations that have notes
_FRESH = 3_000_000_000  # nanoseconds: twice what the coarsest file system rounds its times to
_SEPARATOR = "\0"  # no path has one


@dataclass(eq=False, repr=False)
class Unchanged:
    """What was found clean before, and what is found clean now."""

    CLEAN: ClassVar[str] = ""

    folder: Path
    started: int = field(default_factory=time.time_ns)
    _notes: dict[int, _Notes | None] = field(default_factory=dict)

    def state_of(self, found: Found, scope: Scope) -> str | None:
        """`CLEAN`, or what to note of a file that is found so; None where nothing can be noted.

        What a limit finds depends on more than the file.
        """
        notes = self._of(scope)
        if notes is None or scope.limits.get(found.shown) or scope.references.get(found.shown):
            return None
        try:
            status = os.stat(found.file)  # noqa: PTH116  (a tree has many files)
        except (OSError, ValueError):
            return None
        if max(status.st_mtime_ns, status.st_ctime_ns) > self.started - _FRESH:
            return None
        times = f"{status.st_mtime_ns} {status.st_ctime_ns}"
        state = f"{status.st_size} {times} {status.st_ino} {found.shown}"
        return self.CLEAN if notes.states.get(found.file) == state else state

    def note(self, found: Found, scope: Scope, state: str) -> None:
        """Note that a file with this state was found clean."""
        if (notes := self._of(scope)) is not None:
            notes.states[found.file] = state
            notes.has_more = True

    def keep(self) -> None:
        """Write the notes of this run."""
        for notes in self._notes.values():
            if notes is not None and notes.has_more:
                with suppress(OSError, ValueError):
                    notes.write()

    def _of(self, scope: Scope) -> _Notes | None:
        if id(scope) not in self._notes:
            print_ = _fingerprint(scope)
            file = self.folder / f"clean-{print_}"
            is_ours = print_ is not None and not is_brought_along(file)
            self._notes[id(scope)] = _Notes.read(file) if is_ours else None
        return self._notes[id(scope)]


def unchanged() -> Unchanged | None:
    """What is known from earlier runs; None where nothing is kept."""
    folder = cache_folder()
    return None if folder is None else Unchanged(folder)


def notes_in(folder: Path) -> list[Path]:
    """The files with notes in the folder of the cache, the oldest first, and nothing else there."""
    try:
        with os.scandir(folder) as entries:
            ours = [one for one in entries if _NAME.fullmatch(one.name)]
    except OSError:
        return []
    files = (one for one in ours if one.is_file(follow_symlinks=False))
    by_age = sorted((one.stat(follow_symlinks=False).st_mtime_ns, one.path) for one in files)
    return [Path(path) for _, path in by_age]


@dataclass(eq=False, repr=False)
class _Notes:
    """The states of files, by path, and the file that keeps them."""

    file: Path
    states: dict[str, str]
    has_more: bool = False

    @classmethod
    def read(cls, file: Path) -> _Notes:
        """The notes in a file, if it is there and whole."""
        try:
            raw = file.read_bytes()
        except (OSError, ValueError):
            return cls(file, {})
        mark, rest = raw[:32], raw[32:]
        if sha256(rest).digest() != mark:
            return cls(file, {})
        parts = os.fsdecode(rest).split(_SEPARATOR)
        return cls(file, dict(zip(parts[::2], parts[1::2], strict=False)))

    def write(self) -> None:
        """Replace the file, and remove those that were written longest ago where they are many.

        Raises OSError.
        """
        from tokenlint.atomic import replace_file

        kept = list(self.states.items())[-_MOST:]
        rest = os.fsencode(_SEPARATOR.join(part for pair in kept for part in pair))
        folder = self.file.parent
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(self.file, sha256(rest).digest() + rest, lasting=False)
        for path in notes_in(folder)[:-_MOST_NOTES]:
            path.unlink()


def _fingerprint(scope: Scope) -> str | None:
    """All that decides what is found in a text; None where that is not known from here alone."""
    import sys
    import unicodedata

    import tokenlint
    from tokenlint import rules

    config = scope.config
    if config.plugins or config.special_tokens.families == "tokenizers":
        return None
    codes = [rule.code for rule in config.rules]
    versions = tokenlint.__version__, sys.version, unicodedata.unidata_version
    with os.scandir(os.path.dirname(rules.__file__)) as entries:  # noqa: PTH120
        code = sorted((e.name, e.stat().st_size, e.stat().st_mtime_ns) for e in entries)
    return sha256(repr((versions, code, codes, config)).encode(errors="replace")).hexdigest()
