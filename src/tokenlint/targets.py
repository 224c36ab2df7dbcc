"""Files that reports may be written to: never over what is no report."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.errors import TokenlintError
from tokenlint.files import absolute
from tokenlint.streams import stream_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence


def files_for(arguments: argparse.Namespace, reports: Sequence[Path]) -> frozenset[Path]:
    """The files among the places that the reports of a run go to.

    Raises TokenlintError where one would take the place of what is no report.
    """
    files = [file for file in reports if stream_of(file) is None]
    if arguments.command in _OF_FILES:
        _require_no_loss(files, _inputs(arguments))
    taken = frozenset(map(absolute, files))
    baseline = getattr(arguments, "write_baseline", None)
    if baseline is not None and absolute(baseline) in taken:
        raise TokenlintError(f"{baseline}: a report and the baseline cannot stand in one file")
    return taken


_OF_FILES = ("check", "count", "compare", "diff", "explain")


def _inputs(arguments: argparse.Namespace) -> Iterator[str]:
    """Everything on the command line that may be a path to read."""
    for name in ("paths", "revisions"):
        yield from getattr(arguments, name, None) or ()
    if getattr(arguments, "path", None) is not None:
        yield arguments.path


def _require_no_loss(files: Sequence[Path], inputs: Iterator[str]) -> None:
    """Refuse to replace what is no report, below the working folder and where the run reads.

    Elsewhere a file is what its owner says it is. Raises TokenlintError.
    """
    there = [file for file in files if os.path.isfile(file)]  # noqa: PTH113  (no OSError)
    if not there:
        return
    here = [os.path.realpath(path) for path in (".", *inputs)]
    for file in there:
        real = Path(os.path.realpath(file))
        if any(real.is_relative_to(place) for place in here) and not _is_report(real):
            raise TokenlintError(
                f"refusing to overwrite {file}, which is no report; delete it first, or choose "
                "another name"
            )


_LOOK = 4096


def _is_report(file: Path) -> bool:
    """Whether a file is empty or begins as a report of ours does."""
    try:
        with file.open("rb") as stream:
            head = stream.read(_LOOK).decode(errors="replace")
    except OSError:
        return True  # who cannot read it cannot have checked it; writing says what is wrong
    return re.match(_BEGINNINGS, head) is not None or _is_listing(head)


def _is_listing(head: str) -> bool:
    """Whether a text is what `--show-files` says: nothing but paths that are there."""
    lines = head.splitlines()[:5]
    return all(line and os.path.lexists(line) for line in lines)


_S, _N = r'"(?:[^"\\]|\\.)*+"', r"[\d,]+"
_BEGINNINGS = "|".join(
    (
        r"\s*\Z",
        r"\[\]\s*\Z",
        rf'\[\s*\{{\s*"code":\s{_S},\s*"name":|\{{"code":\s{_S},\s"name":',  # check
        rf'\[\s*\{{\s*"description":\s{_S},\s*"check_name":',  # GitLab
        r'\{\s*"\$schema":\s"https://docs\.oasis-open\.org/sarif/',
        r'<\?xml [^>]*>\s*<testsuites name="tokenlint"',
        r"<!-- tokenlint:|<svg [^>]*><!-- tokenlint:",
        "\ufffdPNG\r\n\x1a\n(?s:.{0,32})tEXtSoftware\0tokenlint",
        r"::(?:error|warning|notice) (?:file|title)=",
        rf"All checks passed!\n|Checked {_N} files?[,.]|Found {_N} findings?\.\n",
        r"[A-Z]+\d+ [^\n]*\n +--> ",  # full
        r"[^\n]+:\d+:\d+: [A-Z]+\d+ ",  # concise
        r"\d+\t[A-Z]+\d+\t",  # --statistics
        rf'\{{\s*"files":\s\[(?:\]|\s*\{{\s*"path":\s{_S},\s*"bytes":)',  # count
        rf'\{{"path":\s{_S},\s"(?:bytes|number)":',
        rf'\{{\s*"reference":\s(?:null|{_S}),\s*"(?:rows|path)":',  # compare
        rf'\{{\s*"requests":\s\[(?:\]|\s*\{{\s*"path":\s{_S},\s*"number":)',  # count --chat
        rf'\{{\s*"base":\s{_S},\s*"base_commit":|\{{"kind":\s{_S},\s"',  # diff
        r"[^\n]+ compared with [^\n]+:\n\n",
        r'\{\s*"(?:texts|merges)":\s\[',  # explain
        r'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        r'<meta http-equiv="Content-Security-Policy"',
        rf"[^\n]+: {_N} (?:characters?, {_N} bytes?|bytes?, {_N} merges?)[,\n]",
        r"[^\n]+:\d+ request \d+, ",
        r"path,(?:row|bytes|form|old_path|number),",
        r"(?:\| )?(?:file|path|total) +(?:\| )?(?:bytes|form|status|number|requests) ",
    )
)
