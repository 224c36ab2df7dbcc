"""The process of the command, from its start to its end."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress
from typing import NoReturn

_RARELY = 50_000  # a start makes 100,000 objects, and next to none of them is garbage


def run() -> NoReturn:
    """Run the command line and leave, without freeing one by one what the process holds.

    Python takes itself down for 10 ms after a check, and for 100 with a vocabulary in memory; the
    operating system does it at once. What was registered for the end has its turn before.
    """
    gc.set_threshold(_RARELY)
    from tokenlint.cli import main

    try:
        code = main()
    except SystemExit as end:  # argparse leaves by itself
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    atexit._run_exitfuncs()  # noqa: SLF001  (no public name for it)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or nobody reads any more
            stream.flush()
    os._exit(code)
