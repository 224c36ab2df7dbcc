"""The contents of objects, through one `git cat-file --batch` for all of them."""

from __future__ import annotations

import hashlib
import subprocess
from contextlib import suppress
from typing import IO, TYPE_CHECKING, cast

from tokenlint.frozen import frozen
from tokenlint.git.running import command, environment, not_run

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

_CHUNK = 1 << 20
_SHA1 = 40  # hex digits; the other kind of repository has ids of sha256


@frozen
class TooLarge:
    """An object that is larger than what was to be read."""

    size: int


class Blobs:
    """Reads objects by their ids. The process starts with the first question."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Blobs:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the process."""
        self._end()

    def read(self, id_: str, most: int) -> bytes | TooLarge | None:
        """The bytes of an object; None where git cannot give them.

        In a partial clone git ends at an object that is not there, instead of saying so; the next
        question then starts it anew. Raises GitError where there is no git.
        """
        asked, answers = self._pipes()
        with suppress(OSError):  # a process that is gone gives no answer either
            asked.write(f"{id_}\n".encode())
            asked.flush()
        match answers.readline().split():
            case [_, _, size] if int(size) > most:
                self._skip(answers, int(size) + 1)
                return TooLarge(int(size))
            case [_, _, size]:
                content = answers.read(int(size) + 1)
                if len(content) > int(size):
                    return content[:-1]
                self._end()
            case []:
                self._end()
            case _:  # `ID missing`
                pass
        return None

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    command("cat-file", "--batch"),
                    cwd=self._top,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=environment({}),
                )
            except OSError as error:
                raise not_run(error) from None
        process = self._process
        return cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)

    def _skip(self, answers: IO[bytes], size: int) -> None:
        while size > 0 and (read := len(answers.read(min(size, _CHUNK)))):
            size -= read

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()  # it waits for questions, or is in the middle of an answer
            self._process.communicate()
            self._process = None


def is_object(file: Path, id_: str) -> bool:
    """Whether a file has the very bytes of an object; one that cannot be read has not."""
    try:
        head = b"blob %d\0" % file.stat().st_size
    except OSError:
        return False
    return has_hash(file, id_, head)


def has_hash(file: Path, hash_: str, head: bytes = b"") -> bool:
    """Whether a file has a hash, of the kind that its length tells, with something before it."""
    if not hash_ or not file.is_file():  # a pipe in its place may never begin
        return False
    digest = hashlib.new("sha1" if len(hash_) == _SHA1 else "sha256", head, usedforsecurity=False)
    try:
        with file.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    except OSError:
        return False
    return digest.hexdigest() == hash_
