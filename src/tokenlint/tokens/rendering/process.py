"""The separate process: started, asked in lines of JSON, and killed when it takes too long."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from tokenlint.errors import RenderError
from tokenlint.tokens.child import end_with, start
from tokenlint.tokens.rendering.jinja_child.limits import NO_MEMORY, NO_MEMORY_EXIT
from tokenlint.tokens.rendering.jinja_child.lines import from_line, to_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PROGRAM = "import sys; sys.path += sys.argv[1:]; from jinja_child.worker import main; main()"
_START_SECONDS = 60.0
_CHARACTER = 6
"Bytes that a line may need for one: JSON escapes control characters."

_SLACK = 100_000


class Child:
    """A process that renders templates, one at a time; whoever asks it keeps others from asking."""

    def __init__(self) -> None:
        """Start it, and wait until it has put on its limits. Raises RenderError."""
        self._owner = os.getpid()
        self._late = False
        self._process = _started()
        self._end = end_with(self, self._process)
        with self._watched(_START_SECONDS):
            if "ready" not in self._read(_SLACK):
                raise self._death("did not start")

    @property
    def is_usable(self) -> bool:
        """Whether it runs, and is this process's own: one that was forked must not share it."""
        is_ours = self._owner == os.getpid()
        return is_ours and not self._late and self._process.poll() is None

    def ask(
        self, request: dict[str, Any], look_up: Callable[[str], dict[str, str]]
    ) -> dict[str, Any]:
        """The answer to a request, once each template that it includes was looked up.

        Raises RenderError where there is no answer in time.
        """
        size = _CHARACTER * request["characters"] + _SLACK
        with self._watched(request["seconds"]):
            answer = self._exchange(request, size)
            while "include" in answer:
                answer = self._exchange(look_up(str(answer["include"])), size)
        if "text" in answer or "error" in answer:
            return answer
        if self._late:
            raise RenderError(f"the template takes more than {request['seconds']:g} s to render")
        raise self._death("ended without an answer")

    def end(self) -> None:
        """Kill it, whatever it is doing."""
        self._end()

    def _exchange(self, message: dict[str, Any], size: int) -> dict[str, Any]:
        assert self._process.stdin is not None  # noqa: S101  (for the type: it is a pipe)
        try:
            self._process.stdin.write(to_line(message))
            self._process.stdin.flush()
        except OSError:  # it is dead already
            return {}
        return self._read(size)

    def _read(self, size: int) -> dict[str, Any]:
        """The next message; an empty one where there is none, or what came is no message."""
        assert self._process.stdout is not None  # noqa: S101
        line = self._process.stdout.readline(size)
        with suppress(ValueError, RecursionError):
            message = from_line(line) if line.endswith(b"\n") else None
            if isinstance(message, dict):
                return message
        return {}

    @contextmanager
    def _watched(self, seconds: float) -> Iterator[None]:
        """Kill the process unless the block ends in time."""
        timer = Timer(seconds, self._expire)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()  # it may be killing just now; from here on `_late` is settled

    def _expire(self) -> None:
        self._late = True
        self._process.kill()

    def _death(self, what: str) -> RenderError:
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:  # it lives, but what it said is no answer
            self._process.kill()
            code = self._process.wait()
        if code == NO_MEMORY_EXIT:
            return RenderError(NO_MEMORY)
        how = signal.strsignal(-code) if code < 0 else f"exit code {code}"
        return RenderError(f"the process that renders templates {what} ({how})")


def _started() -> subprocess.Popen[bytes]:
    try:
        return start(_PROGRAM, _import_path(), "TZ")
    except OSError as error:
        reason = error.strerror or error
        raise RenderError(f"no process can be started to render templates in: {reason}") from None


def _import_path() -> list[str]:
    """Where the child finds its own code and Jinja2, however this process came to find them."""
    folders = [str(Path(__file__).parent)]
    for name in ("jinja2", "markupsafe"):
        found = find_spec(name)
        if found is None or not found.submodule_search_locations:
            raise RenderError(f"{name} is not installed; pip install jinja2")
        folders.append(str(Path(found.submodule_search_locations[0]).parent))
    return list(dict.fromkeys(folders))
