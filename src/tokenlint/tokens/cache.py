"""Counts that outlive a run, in one small SQLite file in the user's cache folder.

The file only ever saves time. What is wrong with it or its folder (damaged, locked, full,
read-only, written by a newer version) makes a run slower and never different: nothing is raised,
a row is believed only with its checksum, and a damaged file is replaced at the next write.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence

FILE_NAME = "counts.sqlite3"
FORMAT = 1
"The form of the file. One with a higher number belongs to a newer version, and is left alone."

MOST_ROWS = 200_000
"Rows that are kept (20 MB); of more, those go that were used longest ago."

_AT_ONCE = 500  # keys in a question: SQLite takes 999 in its oldest versions
_WAIT = 0.1  # seconds: a hook that runs beside another one would rather count than wait
_DAY = 86_400  # when a row was used last is noted once a day
_TABLE = (
    "CREATE TABLE IF NOT EXISTS counts (key BLOB PRIMARY KEY, value INTEGER NOT NULL,"
    " mark BLOB NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID"
)
_SCHEMA = "SELECT type, name, sql FROM sqlite_master"
_OURS = [("table", "counts", _TABLE.replace("IF NOT EXISTS ", ""))]
_OLDEST = "DELETE FROM counts WHERE key IN (SELECT key FROM counts ORDER BY used LIMIT ?)"
_DAMAGED = (1, 11, 26)  # SQLITE_ERROR (no such table or column), SQLITE_CORRUPT, SQLITE_NOTADB


def cache_folder() -> Path | None:
    """The folder of the cache as the environment says; None where there is to be none."""
    if os.environ.get("TOKENLINT_NO_CACHE", "0") not in ("", "0"):
        return None
    if own := os.environ.get("TOKENLINT_CACHE_DIR"):
        return Path(own)
    variable, otherwise = ("LOCALAPPDATA", "~") if sys.platform == "win32" else _UNIX
    said = os.environ.get(variable, "")
    base = said if os.path.isabs(said) else os.path.expanduser(otherwise)  # noqa: PTH111, PTH117
    return Path(base, "tokenlint") if os.path.isabs(base) else None  # noqa: PTH117


_UNIX = ("XDG_CACHE_HOME", "~/.cache")


@dataclass(eq=False, repr=False)
class Cache:
    """Values by key in a file, which need not be there. Safe for many processes and threads."""

    file: Path
    most_rows: int = MOST_ROWS
    _connection: sqlite3.Connection | None = None
    _process: int = 0
    _is_off: bool = False
    _is_damaged: bool = False
    _used: set[bytes] = field(default_factory=set)
    _lock: RLock = field(default_factory=RLock)

    def get(self, key: bytes) -> int | None:
        """The value of a key, if a row with a right checksum has it."""
        return self.get_all((key,)).get(key)

    def get_all(self, keys: Sequence[bytes]) -> dict[bytes, int]:
        """The values of the keys that rows with a right checksum have."""
        with self._lock:
            found: dict[bytes, int] = {}
            for start in range(0, len(keys), _AT_ONCE):
                if not self._may_read():
                    return {}
                some = keys[start : start + _AT_ONCE]
                rows = self._guarded(partial(self._rows, some)) or ()
                found.update((row[0], int(row[1])) for row in rows if self._is_right(*row))
            return found

    def _rows(self, keys: Sequence[bytes]) -> list[tuple[bytes, Any, Any, Any]]:
        asked = ", ".join("?" * len(keys))
        return self._opened().execute(f"{_SELECT} ({asked})", keys).fetchall()

    def _is_right(self, key: bytes, value: object, mark: object, used: object) -> bool:
        if not isinstance(value, int) or mark != _mark(key, value):
            return False
        if not isinstance(used, int) or used < time.time() - _DAY:
            self._used.add(key)
        return True

    def put(self, values: Mapping[bytes, int]) -> None:
        """Keep values, and note what was used: all of it, or nothing where that fails."""
        with self._lock:
            if values or self._used:
                done = self._guarded(lambda: self._write(values))
                if done is None and self._is_damaged:
                    self._guarded(lambda: self._write(values))
            self.close()

    def close(self) -> None:
        """Let go of the file; whoever asks next opens it again."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None and self._process == os.getpid():
                self._guarded(connection.close)
            self._is_off = False
            self._used.clear()

    def __del__(self) -> None:
        """Close what nobody asks any more: Python does so too, but from 3.13 on with a warning."""
        if self._connection is not None and self._process == os.getpid():
            self._connection.close()

    def _may_read(self) -> bool:
        if self._connection is None and not os.path.isfile(self.file):  # noqa: PTH113
            return False  # SQLite itself is not imported for a cache that is not there
        return not self._is_off

    def _opened(self) -> sqlite3.Connection:
        """The connection of this process: one that a fork brought along is not to be used."""
        if self._connection is None or self._process != os.getpid():
            connection = _connect(self.file)
            try:
                self._require_ours(connection)
            except BaseException:
                connection.close()
                raise
            self._connection, self._process = connection, os.getpid()
        return self._connection

    def _require_ours(self, connection: sqlite3.Connection) -> None:
        if connection.execute("PRAGMA user_version").fetchone()[0] > FORMAT:
            raise OSError(f"{self.file} was written by a newer version")
        if connection.execute(_SCHEMA).fetchall() not in ([], _OURS):
            self._is_damaged = True  # a view or a trigger would run what somebody else wrote
            raise OSError(f"{self.file} is no cache of ours")

    def _write(self, values: Mapping[bytes, int]) -> bool:
        if self._is_damaged:
            self._remove()
        self.file.parent.mkdir(parents=True, exist_ok=True)
        connection = self._opened()
        connection.execute("PRAGMA synchronous = OFF")  # what a power cut damages is replaced
        connection.execute("BEGIN IMMEDIATE")
        try:
            self._fill(connection, values)
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        return True

    def _fill(self, connection: sqlite3.Connection, values: Mapping[bytes, int]) -> None:
        now = int(time.time())
        connection.execute(_TABLE)
        connection.execute(f"PRAGMA user_version = {FORMAT}")
        rows = ((key, value, _mark(key, value), now) for key, value in values.items())
        connection.executemany("INSERT OR REPLACE INTO counts VALUES (?, ?, ?, ?)", rows)
        used = [(now, key) for key in self._used]
        connection.executemany("UPDATE counts SET used = ? WHERE key = ?", used)
        kept = connection.execute("SELECT count(*) FROM counts").fetchone()[0]
        if kept > self.most_rows:  # a tenth more goes, so that it does not happen at every run
            connection.execute(_OLDEST, (kept - self.most_rows * 9 // 10,))

    def _remove(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection, self._is_damaged = None, False
        for path in files_of(self.file):
            path.unlink(missing_ok=True)

    def _guarded(self, work: Callable[[], Any]) -> Any:
        """What work returns, or None where the file or its folder does not let it."""
        import sqlite3

        try:
            return work()
        except (sqlite3.Error, OSError, ValueError) as error:  # ValueError: a path with a NUL
            self._is_off = True
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED:
                self._is_damaged = True
            return None


_SELECT = "SELECT key, value, mark, used FROM counts WHERE key IN"


def _connect(file: Path) -> sqlite3.Connection:
    import sqlite3

    return sqlite3.connect(file, timeout=_WAIT, isolation_level=None, check_same_thread=False)


def _mark(key: bytes, value: object) -> bytes:
    """A checksum over a row: damage that SQLite does not see must not become a count."""
    return sha256(b"%b %a" % (key, value)).digest()[:8]


def files_of(file: Path) -> list[Path]:
    """The file of a cache, and those that SQLite puts next to it."""
    return [file.with_name(file.name + ending) for ending in ("-journal", "-wal", "-shm", "")]
