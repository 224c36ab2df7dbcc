"""Processes that do for this one what may take too long, and that end with it."""

from __future__ import annotations

import os
import subprocess
import sys
import weakref
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_KEPT = ("SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"What a child sees of the environment: where Python's libraries are."


def start(program: str, folders: Sequence[str], *kept: str) -> subprocess.Popen[bytes]:
    """Run this Python once more, with a program that finds its code in some folders.

    It sees nothing of the environment but what it needs to start, and what is `kept` by name.
    Raises OSError.
    """
    python = os.path.abspath(sys.executable)  # noqa: PTH100  (Path would follow it out of a virtualenv)
    flags = ["-I", "-S", *(["-B"] if sys.dont_write_bytecode else [])]
    return subprocess.Popen(
        [python, *flags, "-c", program, *folders],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={name: os.environ[name] for name in (*_KEPT, *kept) if name in os.environ},
        cwd=Path(python).parent,  # Windows lets nobody delete the folder of a running process
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def end_with(owner: object, process: subprocess.Popen[bytes]) -> Callable[[], object]:
    """End a process once nobody refers to its owner, when Python ends, or when this is called."""
    return weakref.finalize(owner, _end, process, os.getpid())


def _end(process: subprocess.Popen[bytes], parent: int) -> None:
    if parent != os.getpid():  # forked: it is the parent's to end
        return
    process.kill()
    for pipe in filter(None, (process.stdin, process.stdout)):
        with suppress(OSError):
            pipe.close()
    process.wait()
