"""A bar on stderr, for work that takes more than a second on a terminal.

Whoever lists files says how many to expect, whoever reads one says so; where nobody watches, that
costs nothing.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from tokenlint.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PATIENCE, _PAUSE = 1.0, 0.1  # seconds before the bar is shown, and between two looks at it
_WIDTH = 30


class Bar:
    """How many of the expected files were read."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin to wait; nothing is written before it has taken long."""
        self._stream, self._clock = stream, clock
        self._due = clock() + _PATIENCE
        self._expected = self._done = 0
        self._shown = ""

    def expect(self, files: int) -> None:
        """There will be so many files more."""
        self._expected += files

    def step(self) -> None:
        """One more file was read."""
        self._done += 1
        self.tick()

    def tick(self) -> None:
        """Draw the bar, where it is time to."""
        now = self._clock()
        if now >= self._due:
            self._due = now + _PAUSE
            self._draw(self._line())

    def clear(self) -> None:
        """Leave the line as it was found."""
        if self._shown:
            self._draw("")
            self._stream.write("\r")
            self._stream.flush()

    def _line(self) -> str:
        if not self._expected:  # nobody listed what is read
            return f"{counted(self._done, 'file')} read"
        done = min(self._done, self._expected)
        full = _WIDTH * done // self._expected
        bar = "#" * full + "." * (_WIDTH - full)
        return f"[{bar}] {done:,} of {counted(self._expected, 'file')}"

    def _draw(self, line: str) -> None:
        before, self._shown = self._shown, line or self._shown  # Ctrl-C may come at any time
        self._stream.write(f"\r{line}{' ' * (len(before) - len(line))}")
        self._stream.flush()


_watched: list[Bar] = []


@contextmanager
def shown(stream: TextIO) -> Iterator[Bar]:
    """A bar for what is done inside; afterwards its line is empty again."""
    bar = Bar(stream)
    _watched.append(bar)
    try:
        yield bar
    finally:
        _watched.remove(bar)
        bar.clear()


def expect(files: int) -> None:
    """Say that so many files will be read."""
    for bar in _watched:
        bar.expect(files)


def step() -> None:
    """Say that a file was read."""
    for bar in _watched:
        bar.step()


def tick() -> None:
    """Say that something goes on."""
    for bar in _watched:
        bar.tick()
