"""What memory a count takes: trees of 60 MB, 250 MB and 1 GB, in files of 100 KB.

The last tree also has one file of 100 MB. Peaks are of the whole process, with nothing in a cache:
`python benchmarks/memory.py [LARGEST]` measures the trees of up to so many megabytes.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

import counting
import tree

SIZES = (60, 250, 1000)
LARGE = 100_000_000


def grow(folder: Path, megabytes: int) -> None:
    """Write a tree: each file is another shuffle of the same paragraphs."""
    random = Random(megabytes)
    vocabularies = [path.read_text("utf-8").split() for path in sorted(tree.TEXTS.glob("*.txt"))]
    paragraphs = [tree.content(vocabularies, random)[1] for _ in range(2000)]
    left = megabytes * 1_000_000
    if megabytes == SIZES[-1]:
        left -= _write(folder / "large.md", paragraphs, random, LARGE)
    number = 0
    while left > 0:
        left -= _write(folder / str(number % 100) / f"{number}.md", paragraphs, random, 100_000)
        number += 1


def _write(path: Path, paragraphs: list[str], random: Random, size: int) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with path.open("wb") as stream:
        while written < size:
            written += stream.write(random.choice(paragraphs).encode())
    return written


def main(largest: int, place: counting.Place) -> None:
    """A line for each tree."""
    (place.folder / "tokenlint.toml").write_text("max-file-size = 200000000\n", "utf-8")
    for megabytes in SIZES:
        if megabytes <= largest:
            name = f"tree_{megabytes}"
            grow(place.folder / name, megabytes)
            took = place.run("-m", "tokenlint", "count", "--no-cache", "-q", "--top", "1", name)
            print(
                f"{megabytes:,} MB: {took.kilobytes / 1024:.0f} MiB at the most, "
                f"{took.processors:.1f} s of processors",
                flush=True,
            )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1], counting.Place(Path(temporary)))
