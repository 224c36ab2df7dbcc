"""Tokenizers whose patterns may take more than linear time: cut in a process that can be ended.

The engines have no limit of time, and one of them keeps Python's lock meanwhile. What a pattern
does is seen before (`linear`), so only a file with one of an unusual form pays for a process.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, cast

from tokenlint.errors import UncountableTextError
from tokenlint.tokens.child import end_with, start

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping

PATIENCE = 10.0
"Seconds that a tokenizer may take in a run, ..."

CHARACTERS = 50_000
"... and one more for each so many characters: a tenth of what a slow one manages."

_START_SECONDS = 60.0
_PROGRAM = (
    "import sys; sys.path += sys.argv[1:]; from tokenlint.tokens.watched_child import main; main()"
)
_IMPORTED = ("tokenlint", "tokenizers", "tiktoken", "regex")


@dataclass(eq=False, repr=False)
class Watched:
    """A tokenizer in a process of its own: `raw` is its file, `made` says how to read it.

    Once it took too long it is given up: what it may waste in a run has one limit, however many
    texts there are.
    """

    raw: bytes
    made: Mapping[str, Any]
    left: float = PATIENCE
    _given_up: bool = False
    _child: _Child | None = None
    _lock: Lock = field(default_factory=Lock)

    def encode(self, text: str, *, control: bool = False) -> list[int]:
        """The token ids of a text. Raises UncountableTextError, as the others do."""
        return cast("list[int]", self._asked("control" if control else "encode", text))

    def normalize(self, text: str) -> str:
        """The text before it is cut."""
        return str(self._asked("normalize", text))

    def pieces(self, text: str) -> list[bytes]:
        """The bytes of each token."""
        return [one.encode("latin-1") for one in self._asked("pieces", text)]

    def _asked(self, what: str, text: str) -> Any:
        with self._lock:
            if self._given_up:
                raise self._refusal("took too long for a text before this one")
            self.left += len(text) / CHARACTERS
            started = time.monotonic()
            answer = self._running().ask({"do": what, "text": text}, self.left)
            self.left -= time.monotonic() - started
            if answer is None:
                self._given_up, self._child = True, None
                raise self._refusal("takes too long, or too much memory, to cut this text")
        if "error" in answer:
            raise UncountableTextError(answer["error"])
        return answer["value"]

    def _running(self) -> _Child:
        """The process, which a fork of this one must not share."""
        if self._child is None or self._child.owner != os.getpid():
            self._child = _Child(self.raw, self.made)
        return self._child

    def _refusal(self, why: str) -> UncountableTextError:
        return UncountableTextError(
            f"{self.made['name']} {why}; its patterns are not of a form that surely takes linear "
            "time: correct them, or use another tokenizer"
        )


class _Child:
    """The process: started, asked in lines of JSON, and killed where an answer is late."""

    def __init__(self, raw: bytes, made: Mapping[str, Any]) -> None:
        self.owner = os.getpid()
        self._process = _started()
        end_with(self, self._process)
        self._send({**made, "size": len(raw)}, raw)
        if self._answer(_START_SECONDS) is None:
            raise UncountableTextError(
                f"{made['name']}: the process that its patterns need did not start; start it "
                "again, or use another tokenizer"
            )

    def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any] | None:
        """The answer; None where there is none in time, and then the process is dead."""
        self._send({**message, "seconds": seconds})
        return self._answer(seconds)

    def _send(self, message: Mapping[str, Any], more: bytes = b"") -> None:
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101  (for the type: it is a pipe)
        with suppress(OSError):  # it is dead already, and so gives no answer
            stdin.write(json.dumps(message).encode() + b"\n" + more)
            stdin.flush()

    def _answer(self, seconds: float) -> dict[str, Any] | None:
        stdout = self._process.stdout
        assert stdout is not None  # noqa: S101
        timer = Timer(max(seconds, 0), self._process.kill)
        timer.daemon = True
        timer.start()
        line = stdout.readline()
        timer.cancel()
        timer.join()
        if not line.endswith(b"\n"):
            self._process.kill()
            return None
        answer: dict[str, Any] = json.loads(line)
        return answer


def _started() -> subprocess.Popen[bytes]:
    try:
        return start(_PROGRAM, _import_path())
    except OSError as error:
        why = error.strerror or error
        raise UncountableTextError(
            f"no process can be started to cut the text in: {why}; use another tokenizer"
        ) from None


def _import_path() -> list[str]:
    """Where the child finds the packages that it needs: where this process found them."""
    specs = (find_spec(name) for name in _IMPORTED)
    places = [spec.submodule_search_locations for spec in specs if spec is not None]
    return list(dict.fromkeys(str(Path(place[0]).parent) for place in places if place))
