"""The steps of the GitHub action: `python ci/github STEP`, with the standard library alone.

What a workflow says comes in environment variables, and never as text of a script.
"""

from __future__ import annotations

import sys

import comment
import history
import reports
from runner import Stop, say

STEPS = {
    "check": reports.check,
    "base": history.base,
    "diff": reports.diff,
    "comment": comment.of_this_run,
    "post": comment.of_a_fork,
}


def main(names: list[str]) -> int:
    """Run one step; returns the exit code."""
    try:
        STEPS[names[0]]()
    except Stop as stop:
        say("error", str(stop))
        return stop.code
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
