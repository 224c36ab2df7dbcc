"""Remakes the table of docs/speed.md: `python benchmarks/table.py [ROUNDS]`, some ten minutes.

Runs the other benchmarks one after the other, and writes what they print between the two marks of
the page, with the machine that it was measured on and how busy that was.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parents[1] / "docs" / "speed.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"
SCRIPTS = ("text_rules.py", "plugin_overhead.py", "counting.py")
_MS = r"[\d,.]+ ms"
ROW = re.compile(rf"(.+): ((?:without )?{_MS}), (?:partner|with) ({_MS}), (?:.*, )?ratio (.+)")
GROWTH = re.compile(r"(.+ files), (.+ MB): (.+) s of processors, (.+) s for a MB, (.+ MiB)")


def printed(script: str, rounds: str | None) -> list[str]:
    """What a benchmark says."""
    command = [sys.executable, str(Path(__file__).with_name(script)), *([rounds] if rounds else [])]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def machine() -> str:
    """Where it was measured, and how much else was going on."""
    names = ("tiktoken", "tokenizers", "regex", *(["toktok-rs"] if find_spec("toktok") else []))
    engines = ", ".join(f"{name} {version(name)}" for name in names)
    busy = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    return (
        f"CPython {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors, "
        f"{engines}; load averages while it ran: {busy}.\n"
    )


def table(lines: list[str]) -> Iterator[str]:
    """Ratios, and how a count grows."""
    yield "| what | ours | its partner | ratio |\n| --- | ---: | ---: | ---: |\n"
    for found in filter(None, map(ROW.fullmatch, lines)):
        what, ours, partner, ratio = found.groups()
        if ours.startswith("without"):
            what = f"pytest with the plugin unused, {what}"
            ours, partner = partner, ours.removeprefix("without ")
        yield f"| {what} | {ours} | {partner} | {ratio} |\n"
    yield "\n| count without a cache | text | processors | for a MB | memory |\n"
    yield "| --- | ---: | ---: | ---: | ---: |\n"
    for found in filter(None, map(GROWTH.fullmatch, lines)):
        files, size, seconds, each, memory = found.groups()
        yield f"| {files} | {size} | {seconds} s | {each} s | {memory} |\n"


def main(rounds: str | None) -> None:
    """Measure, and write the page."""
    lines = [line for script in SCRIPTS for line in printed(script, rounds)]
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    after = rest.split(END)[1]
    made = "".join((before, BEGIN, machine(), "\n", *table(lines), END, after))
    PAGE.write_text(made, "utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
