"""The process of the command, from its start to its end."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress
from typing import NoReturn

_INTERRUPTED = 130  # as a shell says it
_RARELY = 50_000  # a start makes 100,000 objects, and next to none of them is garbage


def run() -> NoReturn:
    """Run the command line and leave, without freeing one by one what the process holds.

    Python takes itself down for 10 ms after a check, and for 100 with a vocabulary in memory; the
    operating system does it at once. What was registered for the end has its turn before.
    """
    gc.set_threshold(_RARELY)
    _stand_in_for_closed_streams()
    try:
        from tokenlint.cli import main

        code = main()
    except SystemExit as end:  # argparse leaves by itself
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except KeyboardInterrupt:  # before anything was begun that needs an end
        os._exit(_INTERRUPTED)
    atexit._run_exitfuncs()  # noqa: SLF001  (no public name for it)
    os._exit(code if _flushed() else 2)


def _stand_in_for_closed_streams() -> None:
    """Open what the caller closed, the wrong way round: whoever needs the stream gets an error.

    Python has None in its place, and the next file to be opened would take its number.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r")
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _flushed() -> bool:
    """Whether all that was printed arrived, or nobody reads any more."""
    try:
        with suppress(BrokenPipeError, ValueError, AttributeError):  # or somebody closed it
            sys.stdout.flush()
    except OSError as error:
        with suppress(OSError):
            why = error.strerror or error
            print(f"error: standard output cannot be written: {why}", file=sys.stderr)  # noqa: T201
        return False
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.flush()
    return True
