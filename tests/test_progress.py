"""A bar for people who wait, and nothing for anybody else."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tokenlint import progress
from tokenlint.progress import Bar

if TYPE_CHECKING:
    from pathlib import Path

FULL = "[##############################]"
GONE = " " * len(f"{FULL} 2 of 2 files")


class Clock:
    """Time that goes on when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def bar_of(files: int, seconds: float) -> str:
    """What a bar writes about files that take some seconds each."""
    stream, clock = io.StringIO(), Clock()
    bar = Bar(stream, clock)
    bar.expect(files)
    for _ in range(files):
        clock.now += seconds
        bar.step()
    bar.clear()
    return stream.getvalue()


def test_what_is_done_within_a_second_shows_nothing() -> None:
    assert bar_of(0, 1) == bar_of(1, 0.9) == bar_of(9, 0.1) == ""


def test_what_takes_longer_shows_a_bar_and_leaves_nothing_of_it() -> None:
    shown = bar_of(2, 0.75).split("\r")
    assert shown == ["", f"{FULL} 2 of 2 files", GONE, ""]
    assert bar_of(1, 2).split("\r")[1] == f"{FULL} 1 of 1 file"


def test_it_is_not_drawn_more_than_ten_times_a_second() -> None:
    assert bar_of(1000, 0.01).count("\r") <= 95


def test_a_shorter_line_covers_a_longer_one() -> None:
    stream, clock = io.StringIO(), Clock()
    bar = Bar(stream, clock)
    for expected in (0, 2000):
        clock.now += 2
        bar.expect(expected)
        bar.step()
    assert stream.getvalue().split("\r") == ["", "1 file read", f"[{'.' * 30}] 2 of 2,000 files"]


def test_whoever_reads_is_heard_inside_only() -> None:
    progress.expect(5)
    stream = io.StringIO()
    with progress.shown(stream) as bar:
        progress.expect(3)
        progress.step()
        progress.tick()
    progress.step()
    assert (bar._expected, bar._done) == (3, 1)


# --- on a terminal

pty = pytest.importorskip("pty") if sys.platform != "win32" else None
ON_UNIX = pytest.mark.skipif(pty is None, reason="there is no pseudo-terminal")

WAIT = """
import sys, time
from tokenlint import cli, progress
from tokenlint.answers import {command}
from tokenlint.answers.base import Answer, Report
def answer(arguments):
    progress.expect(2)
    for _ in range(2):
        time.sleep({seconds})
        progress.step()
    return Answer(reports=(Report(["done"], arguments.output_file),))
{command}.answer = answer
sys.exit(cli.main(sys.argv[1:]))
"""


def on_terminal(
    folder: Path, *arguments: str, seconds: float, interrupt: bool = False
) -> tuple[int, str, str]:
    """The exit code of a run, its output, and what it writes to the terminal on stderr."""
    assert pty is not None
    ours, theirs = pty.openpty()
    code = WAIT.format(command=arguments[0], seconds=seconds)
    run = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        cwd=folder,
    )
    os.close(theirs)
    shown = b""
    try:
        while more := os.read(ours, 1 << 16):
            shown += more
            if interrupt:
                run.send_signal(signal.SIGINT)
                interrupt = False
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    output = run.communicate()[0]
    return run.returncode, output, shown.decode()


@ON_UNIX
@pytest.mark.parametrize("command", ["check", "count", "compare", "diff"])
def test_on_a_terminal_there_is_a_bar(command: str, folder: Path) -> None:
    code, output, shown = on_terminal(folder, command, seconds=0.6)
    assert (code, output) == (0, "done\n")
    assert shown.split("\r") == ["", f"{FULL} 2 of 2 files", GONE, ""]


@ON_UNIX
@pytest.mark.parametrize("more", [("-q",), ("--quiet",)])
def test_there_is_none_for_whom_wants_quiet(more: tuple[str, ...], folder: Path) -> None:
    assert on_terminal(folder, "count", *more, seconds=0.6) == (0, "done\n", "")


@ON_UNIX
def test_ctrl_c_ends_it_and_writes_nothing(folder: Path) -> None:
    began = time.monotonic()
    code, output, shown = on_terminal(
        folder, "count", "-o", "report.txt", seconds=1.2, interrupt=True
    )
    assert (code, output) == (130, "")
    assert shown.endswith("\r" + GONE + "\r")
    assert time.monotonic() - began < 60
    assert list(folder.iterdir()) == []
