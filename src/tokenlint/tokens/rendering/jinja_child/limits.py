"""What the operating system keeps the child from: memory, time, files, sockets, processes."""

from __future__ import annotations

from contextlib import suppress
from math import ceil
from typing import Any

MEMORY = 2**30
NO_MEMORY = f"the template needs more than {MEMORY / 2**30:g} GiB of memory"
NO_MEMORY_EXIT = 77
"The exit code of a child that had not even the memory to say so."

_NOTHING = ("RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_CORE")
"No file or socket is opened from here on, no process started, no file written, no core dumped."


def confine(resource: Any | None) -> None:
    """Give up what rendering does not need; `resource` is the module, None on Windows."""
    if resource is not None:
        _lower(resource, "RLIMIT_AS", MEMORY)
        for name in _NOTHING:
            _lower(resource, name, 0)


def allow_seconds(resource: Any | None, seconds: float) -> None:
    """Let the child compute for some seconds more: it ends even if nobody is left to kill it."""
    if resource is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = ceil(used.ru_utime + used.ru_stime + seconds) + 1
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        _set(resource, resource.RLIMIT_CPU, most, hard)


def _lower(resource: Any, name: str, most: int) -> None:
    if (what := getattr(resource, name, None)) is not None:
        _set(resource, what, most, most)


def _set(resource: Any, what: int, soft: int, hard: int) -> None:
    _, highest = resource.getrlimit(what)
    if highest != resource.RLIM_INFINITY:
        soft, hard = min(soft, highest), min(hard, highest) if hard >= 0 else highest
    with suppress(OSError, ValueError):  # macOS refuses some; what is bounded inside still holds
        resource.setrlimit(what, (soft, hard))
