"""What `tokenlint check` costs where no tokens are counted: a tree of text, and one clean file.

Each row is a ratio of processor times against a partner in the same run, medians of some rounds
that take turns: a tree of 10,000 files (see tree.py) against a loop that reads and decodes the same
files, once with nothing known and once with what an earlier run kept, and one clean file against
`python -c pass`. `python benchmarks/text_rules.py [ROUNDS [FOLDER]]` measures; a FOLDER that is
there is used as the tree.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

import tree

LOOP = """
import os, sys
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        with open(os.path.join(folder, name), "rb") as stream:
            stream.read().decode()
"""
CHECK = ("-m", "tokenlint", "check", "--isolated", "--quiet", "--ignore", "TL3")


def seconds(*arguments: str) -> float:
    """The processor time of a process of this Python, start included."""
    before = _used()
    done = subprocess.run([sys.executable, *arguments], check=False, capture_output=True)
    if done.stderr or done.returncode > 1:  # 1: there are findings
        raise SystemExit(done.stderr.decode())
    return _used() - before


def _used() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def row(what: str, ours: tuple[str, ...], partner: tuple[str, ...], rounds: int) -> None:
    """Measure two commands in turn, and print the medians and their ratio."""
    seconds(*ours), seconds(*partner)  # fills the caches of bytecode and of the disk
    pairs = [(seconds(*ours), seconds(*partner)) for _ in range(rounds)]
    mine, other = map(median, zip(*pairs, strict=True))
    times = f"{1000 * mine:,.0f} ms, partner {1000 * other:,.0f} ms"
    print(f"{what}: {times}, ratio {mine / other:.2f}")


def main(rounds: int, folder: Path) -> None:
    """The two rows."""
    if not folder.exists():
        tree.grow(folder, 10_000)
    clean = folder.parent / "clean.md"
    clean.write_text("A clean file.\n", "utf-8")
    row("one clean file", (*CHECK, os.fspath(clean)), ("-c", "pass"), 3 * rounds)
    tree_of = (*CHECK, os.fspath(folder)), ("-c", LOOP, os.fspath(folder))
    row("10,000 files, nothing known", *tree_of, rounds)
    os.environ.pop("TOKENLINT_NO_CACHE")
    time.sleep(4)  # what changed in the last seconds is not noted
    row("10,000 files, checked before", *tree_of, rounds)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        given = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(temporary, "tree")
        os.environ |= {"TOKENLINT_NO_CACHE": "1", "TOKENLINT_CACHE_DIR": f"{temporary}/cache"}
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5, given)
