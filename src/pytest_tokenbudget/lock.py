"""The lock file: what each prompt took when that was last accepted, one line an entry."""

from __future__ import annotations

import json
import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pytest_tokenbudget.errors import Mistake

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

Entry = tuple[str, str]
"A file's path or a test's node id, and a tokenizer."

HEAD = "# Token counts that `pytest --tokenbudget-update` records. Commit this file.\n"


def subject(name: str) -> str:
    """A name as it stands in the file: in NFC, and without what UTF-8 cannot hold."""
    from tokenlint.tokens.canonical import normalized

    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return normalized("NFC", text)


def read(path: Path) -> dict[Entry, int] | None:
    """The recorded counts; None where there is no lock file.

    Raises Mistake where it cannot be read or is not what was written, as after a bad merge.
    """
    from tokenlint.small_files import BASELINE, read_small
    from tokenlint.tokens.toml_text import loads

    try:
        text = read_small(path, BASELINE).decode()
        tables = loads(text)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Mistake(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise Mistake(f"{path}: {error}; resolve the merge, or restore the file") from None
    _require_whole(path, text)
    return {
        (name, tokenizer): _count(path, name, tokenizer, count)
        for name, counts in tables.items()
        for tokenizer, count in (counts if isinstance(counts, dict) else {"": counts}).items()
    }


def _require_whole(path: Path, text: str) -> None:
    """Raise Mistake for a part of a file: what it lost could grow, and nobody would hear of it."""
    if not text:
        missing = "it is empty"
    elif text.partition("\n")[0].rstrip("\r") != HEAD.rstrip("\n"):
        missing = "the line that it begins with is missing"
    elif not text.endswith("\n"):
        missing = "its last line is cut off"
    else:
        return
    raise Mistake(
        f"{path}: {missing}; restore it from git, or remove it and record anew with "
        "--tokenbudget-update"
    )


def _count(path: Path, name: str, tokenizer: str, count: object) -> int:
    if not tokenizer or type(count) is not int or count < 0:
        raise Mistake(
            f"{path}: {_quoted(name)}: expected a tokenizer and its count; restore the file"
        )
    return count


def written(entries: Mapping[Entry, int]) -> str:
    """The text of a lock file: sorted lines, so that git merges changes of different prompts."""
    return HEAD + "".join(
        f"{_quoted(name)}.{_key(tokenizer)} = {count}\n"
        for (name, tokenizer), count in sorted(entries.items())
    )


def update(path: Path, counted: Mapping[Entry, int], gone: Collection[str] = ()) -> bool:
    """Record counts beside those that are there, without the subjects that are gone.

    Whether the file changed. It is replaced as a whole, and runs that update it at the same
    time wait for one another. Raises Mistake.
    """
    from tokenlint.atomic import replace_file

    try:
        with _alone_in(path.parent):
            before = read(path)
            kept = {key: count for key, count in (before or {}).items() if key[0] not in gone}
            after = kept | dict(counted)
            if after == before:
                return False
            replace_file(path, written(after).encode())
    except OSError as error:
        raise Mistake(f"{path}: not updated: {error.strerror or error}") from None
    return True


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other run updates the folder's lock file.

    The folder itself is locked, so that nothing is left behind. Windows has no such lock: there
    the file stays whole, but of two updates at the same moment one may lose its lines.
    """
    try:
        import fcntl
    except ImportError:  # pragma: no cover  (Windows)
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _quoted(text: str) -> str:
    """A string of TOML: that of JSON, but for DEL, which TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else _quoted(name)
