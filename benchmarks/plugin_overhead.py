"""What the plugin adds to the start of pytest where no test uses it.

Runs pytest with and without the plugin in turn, on one empty test, and prints the median and the
best processor time of each, the difference, and the ratio. On a machine that does other things as
well, the best is nearer to the truth: `python benchmarks/plugin_overhead.py [ROUNDS]`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

COMMAND = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_empty.py")


def seconds(folder: str, *more: str) -> float:
    """The processor time that one run takes, with no plugin of anybody else."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [*COMMAND, *more]
    before = _used()
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    return _used() - before


def _used() -> float:
    """The processor time of every process that has ended so far."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main(rounds: int) -> None:
    """Measure in turn, so that both meet the same load, and print."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_empty.py").write_text("def test_empty(): ...\n", "utf-8")
        Path(folder, "pytest.ini").write_text("[pytest]\n", "utf-8")
        seconds(folder, "-p", "pytest_tokenbudget.plugin")  # fills the caches of bytecode
        pairs = [
            (seconds(folder), seconds(folder, "-p", "pytest_tokenbudget.plugin"))
            for _ in range(rounds)
        ]
    for name, middle in (("median", median), ("best", min)):
        bare, loaded = (1000 * middle(column) for column in zip(*pairs, strict=True))
        times = f"without {bare:.1f} ms, with {loaded:.1f} ms"
        print(f"{name}: {times}, added {loaded - bare:.1f} ms, ratio {loaded / bare:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
