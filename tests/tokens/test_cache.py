"""Counts in a file: right or not there, whatever becomes of the file."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tokenlint.tokens import cache as module
from tokenlint.tokens.cache import FILE_NAME, Cache, cache_folder, files_of

if TYPE_CHECKING:
    from collections.abc import Callable

KEYS = [bytes([number]) * 32 for number in range(40)]
VALUES = {key: 1000 + number for number, key in enumerate(KEYS)}


def kept(folder: Path) -> Path:
    """A cache with values in it."""
    file = folder / FILE_NAME
    Cache(file).put(VALUES)
    return file


def found(file: Path) -> dict[bytes, int]:
    """What a run of its own would find."""
    cache = Cache(file)
    values = {key: cache.get(key) for key in KEYS}
    cache.close()
    return {key: value for key, value in values.items() if value is not None}


def works(file: Path) -> bool:
    """Whether what is put there is found again."""
    Cache(file).put(VALUES)
    return found(file) == VALUES


def test_a_cache_that_is_not_there_is_empty_and_not_made_by_asking(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "er" / FILE_NAME
    assert found(file) == {}
    Cache(file).put({})
    assert list(tmp_path.iterdir()) == []


def test_what_was_put_is_found_by_the_next_run(tmp_path: Path) -> None:
    file = kept(tmp_path / "deep" / "er")
    assert found(file) == VALUES
    with closing(Cache(file)) as cache:
        assert cache.get(b"other".ljust(32)) is None
    assert [path.name for path in file.parent.iterdir()] == [FILE_NAME]


def test_a_later_value_replaces_an_earlier_one(tmp_path: Path) -> None:
    file = kept(tmp_path)
    Cache(file).put({KEYS[0]: 7})
    assert found(file) == {**VALUES, KEYS[0]: 7}


def test_one_object_reads_writes_and_reads_again(tmp_path: Path) -> None:
    cache = Cache(tmp_path / FILE_NAME)
    assert cache.get(KEYS[0]) is None
    cache.put({KEYS[0]: 1})
    assert cache.get(KEYS[0]) == 1
    cache.put({KEYS[1]: 2})
    assert (cache.get(KEYS[0]), cache.get(KEYS[1])) == (1, 2)
    cache.close()


def test_many_at_once_are_those_one_by_one(tmp_path: Path) -> None:
    many = {number.to_bytes(32): number for number in range(1, 1203)}
    Cache(tmp_path / FILE_NAME).put(many)
    cache = Cache(tmp_path / FILE_NAME)
    asked = [*many, bytes(32)]
    assert cache.get_all(asked) == many == {key: cache.get(key) for key in many}
    assert cache.get_all([]) == {}
    cache.close()


# --- damage


def overwrite(content: bytes) -> Callable[[Path], object]:
    return lambda file: file.write_bytes(content)


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5000])


def query(sql: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        connection = sqlite3.connect(file)
        connection.execute(sql)
        connection.commit()
        connection.close()

    return change


@pytest.mark.parametrize(
    "damage",
    [
        overwrite(b""),
        overwrite(b"not a database, but long enough to be taken for one" * 100),
        overwrite(b"SQLite format 3\0" + bytes(8000)),
        truncate,
        query("DROP TABLE counts"),
        query("ALTER TABLE counts RENAME COLUMN mark TO sign"),
        query("UPDATE counts SET value = value + 1"),
        query("UPDATE counts SET value = 'many'"),
        query("UPDATE counts SET mark = x'00'"),
        query("UPDATE counts SET key = substr(key, 1, 31) || x'ff'"),
    ],
)
def test_damage_is_never_a_value_and_is_mended_by_the_next_write(
    damage: Callable[[Path], object], tmp_path: Path
) -> None:
    file = kept(tmp_path)
    damage(file)
    assert found(file) == {}
    cache = Cache(file)
    cache.get(KEYS[0])
    cache.put(VALUES)
    assert found(file) == VALUES


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_damage(tmp_path: Path, data: st.DataObject) -> None:
    file = kept(tmp_path / "right")
    raw = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 30))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at] = data.draw(st.integers(0, 255))
    damaged = tmp_path / "damaged" / FILE_NAME
    damaged.parent.mkdir(exist_ok=True)
    damaged.write_bytes(raw)
    assert found(damaged).items() <= VALUES.items()
    Cache(damaged).put(VALUES)
    assert found(damaged).items() <= VALUES.items()
    shutil.rmtree(damaged.parent)


def test_what_cannot_be_used_is_no_used_date(tmp_path: Path) -> None:
    file = kept(tmp_path)
    query("UPDATE counts SET used = 'yesterday'")(file)
    assert found(file) == VALUES


# --- a file or folder that does not let it


def test_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    file = kept(tmp_path)
    query(f"PRAGMA user_version = {module.FORMAT + 1}")(file)
    before = file.read_bytes()
    cache = Cache(file)
    assert cache.get(KEYS[0]) is None
    cache.put({KEYS[0]: 7})
    Cache(file).put({KEYS[0]: 7})
    assert file.read_bytes() == before


def test_a_folder_where_the_file_should_be(tmp_path: Path) -> None:
    file = tmp_path / FILE_NAME
    (file / "mine").mkdir(parents=True)
    Cache(file).put(VALUES)
    assert found(file) == {}
    assert (file / "mine").is_dir()


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "tokenlint").write_text("mine")
    file = tmp_path / "tokenlint" / FILE_NAME
    Cache(file).put(VALUES)
    assert found(file) == {}
    assert (tmp_path / "tokenlint").read_text() == "mine"


def test_a_name_that_no_file_can_have() -> None:
    Cache(Path("a\0b") / FILE_NAME).put(VALUES)
    assert found(Path("a\0b") / FILE_NAME) == {}


def limited(monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    """Every connection from now on meets a limit of its file."""
    real = module._connect

    def connect(file: Path) -> sqlite3.Connection:
        connection = real(file)
        connection.execute(sql)
        return connection

    monkeypatch.setattr(module, "_connect", connect)


def test_a_full_disk_keeps_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = kept(tmp_path)
    limited(monkeypatch, "PRAGMA max_page_count = 3")
    cache = Cache(file)
    cache.put({bytes(30) + number.to_bytes(2): number for number in range(9000)})
    assert found(file) == VALUES


def test_what_may_only_be_read_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = kept(tmp_path)
    limited(monkeypatch, "PRAGMA query_only = 1")
    cache = Cache(file)
    cache.put({KEYS[0]: 7})
    assert found(file) == VALUES


def test_another_process_that_holds_the_file(tmp_path: Path) -> None:
    file = kept(tmp_path)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert found(file) == {}
    Cache(file).put({KEYS[0]: 7})
    other.execute("ROLLBACK")
    other.close()
    assert found(file) == VALUES
    assert works(file)


# --- its size


def test_what_was_used_longest_ago_goes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000_000_000
    monkeypatch.setattr("tokenlint.tokens.cache.time.time", lambda: now)
    file = tmp_path / FILE_NAME
    for key in KEYS[:20]:
        now += 100_000
        Cache(file, most_rows=20).put({key: VALUES[key]})
    cache = Cache(file, most_rows=20)
    assert cache.get(KEYS[0]) == VALUES[KEYS[0]]  # so it is in use again
    cache.put({KEYS[30]: VALUES[KEYS[30]]})
    assert list(found(file)) == [KEYS[0], *KEYS[4:20], KEYS[30]]


def test_a_use_is_noted_once_a_day(tmp_path: Path) -> None:
    file = kept(tmp_path)
    before = file.read_bytes()
    cache = Cache(file)
    assert cache.get(KEYS[0]) == VALUES[KEYS[0]]
    cache.put({})
    assert file.read_bytes() == before


# --- many at once


WRITER = """
import sys
from pathlib import Path
from tokenlint.tokens.cache import Cache
first = int(sys.argv[2])
for round in range(40):
    cache = Cache(Path(sys.argv[1]))
    cache.get(bytes(32))
    keys = range(first + 10 * round, first + 10 * round + 10)
    cache.put({number.to_bytes(32): number for number in keys})
"""


def test_processes_that_write_at_once(tmp_path: Path) -> None:
    file = tmp_path / "new" / FILE_NAME
    command = (sys.executable, "-c", WRITER, str(file))
    writers = [
        subprocess.Popen([*command, first], stderr=subprocess.PIPE) for first in ("1", "1001")
    ]
    assert [writer.communicate()[1] for writer in writers] == [b"", b""]
    cache = Cache(file)
    values = {number: cache.get(number.to_bytes(32)) for number in range(1, 1401)}
    cache.close()
    kept = {number: value for number, value in values.items() if value is not None}
    assert all(number == value for number, value in kept.items())
    assert min(kept) < 1000 < max(kept)
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


class Connection(sqlite3.Connection):
    """One that tells whether it was closed."""

    was_closed = False

    def close(self) -> None:
        self.was_closed = True
        super().close()


def test_a_process_closes_what_it_opened_and_not_what_a_fork_brought_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Connection] = []

    def connect(file: Path) -> sqlite3.Connection:
        opened.append(sqlite3.connect(file, isolation_level=None, factory=Connection))
        return opened[-1]

    cache = Cache(kept(tmp_path))
    monkeypatch.setattr(module, "_connect", connect)
    assert [cache.get(key) for key in KEYS[:2]] == [1000, 1001]
    assert len(opened) == 1
    with monkeypatch.context() as child:
        child.setattr("tokenlint.tokens.cache.os.getpid", lambda: 0)
        assert cache.get(KEYS[0]) == VALUES[KEYS[0]]
        cache.close()
        assert [one.was_closed for one in opened] == [False, True]
    opened[0].close()


def test_threads_that_share_one(tmp_path: Path) -> None:
    cache = Cache(kept(tmp_path))

    def use(key: bytes) -> int | None:
        cache.put({key: VALUES[key]})
        return cache.get(key)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(use, KEYS)) == list(VALUES.values())
    cache.close()


# --- where it is


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"TOKENLINT_CACHE_DIR": "/own"}, "/own"),
        ({"TOKENLINT_CACHE_DIR": "/own", "XDG_CACHE_HOME": "/xdg"}, "/own"),
        ({"XDG_CACHE_HOME": "/xdg"}, "/xdg/tokenlint"),
        ({"XDG_CACHE_HOME": "relative"}, "/home/me/.cache/tokenlint"),
        ({"XDG_CACHE_HOME": ""}, "/home/me/.cache/tokenlint"),
        ({}, "/home/me/.cache/tokenlint"),
        ({"HOME": "nowhere"}, None),
        ({"TOKENLINT_NO_CACHE": "1"}, None),
        ({"TOKENLINT_NO_CACHE": "1", "TOKENLINT_CACHE_DIR": "/own"}, None),
        ({"TOKENLINT_NO_CACHE": "0", "TOKENLINT_CACHE_DIR": "/own"}, "/own"),
        ({"TOKENLINT_NO_CACHE": "", "TOKENLINT_CACHE_DIR": ""}, "/home/me/.cache/tokenlint"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="the folders of Unix")
def test_where_the_folder_is(
    environment: dict[str, str], folder: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TOKENLINT_CACHE_DIR", "TOKENLINT_NO_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == (None if folder is None else Path(folder))


def test_on_windows_it_is_in_the_local_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokenlint.tokens.cache.sys.platform", "win32")
    monkeypatch.delenv("TOKENLINT_NO_CACHE", raising=False)
    monkeypatch.delenv("TOKENLINT_CACHE_DIR", raising=False)
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert cache_folder() == Path("/local/tokenlint")


def test_the_files_of_a_cache_are_those_that_sqlite_makes(tmp_path: Path) -> None:
    assert [path.name for path in files_of(tmp_path / "a.b")] == [
        "a.b-journal",
        "a.b-wal",
        "a.b-shm",
        "a.b",
    ]
