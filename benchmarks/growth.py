"""How check and count grow with the number of files, and with their size, as a picture.

Trees of 100, 1,000 and 10,000 files (see tree.py), and 100 files of some 25 KB that are 1, 10 and
100 times as large. The exponent that is printed compares what the second and the third step add, so
that the start is left out: 1 is linear. Times are of processors, the best of some rounds, with
nothing in a cache. `python benchmarks/growth.py [ROUNDS]` measures and writes docs/growth.svg.
"""

from __future__ import annotations

import sys
import tempfile
from math import log10
from pathlib import Path

import counting
import tree

PICTURE = Path(__file__).parents[1] / "docs" / "growth.svg"
STEPS = (1, 10, 100)
COMMANDS = {
    "check": ("check", "--isolated", "--quiet", "--no-cache", "--exit-zero", "--ignore", "TL3"),
    "count": ("count", "--isolated", "--no-cache", "--quiet", "--top", "1"),
}
COLOURS = {"check": "#0b6e4f", "count": "#b3541e"}
WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 240, 60, 40, 90


def grow(folder: Path) -> None:
    """Write trees of more files, and those of larger ones."""
    for step in STEPS:
        tree.grow(folder / f"files_{step}", 100 * step)
        small = [path for path in (folder / "files_1").rglob("*") if path.is_file()]
        for path in small:
            target = folder / f"size_{step}" / path.relative_to(folder / "files_1")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.with_suffix(".md").write_bytes(path.read_bytes() * 5 * step)


def measured(place: counting.Place, command: str, kind: str, rounds: int) -> list[float]:
    """The times of a command over the trees of a kind."""
    commands = [("-m", "tokenlint", *COMMANDS[command], f"{kind}_{step}") for step in STEPS]
    return [min(place.run(*one).processors for _ in range(rounds)) for one in commands]


def exponent(times: list[float]) -> float:
    """Of the power that steps of ten times as much follow."""
    first, second, third = times
    return log10(max(third - second, 1e-3) / max(second - first, 1e-3))


def panel(title: str, lines: dict[str, list[float]], x: int, unit: str) -> list[str]:
    """One chart: both axes logarithmic, seconds from a hundredth to a hundred."""
    drawn = [f'<text x="{x}" y="{TOP - 18}" font-weight="bold">{title}</text>']
    for power in range(-2, 3):
        y = _y(10.0**power)
        drawn.append(f'<path d="M{x} {y:.1f}h{WIDTH}" stroke="#ddd"/>')
        drawn.append(
            f'<text x="{x - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>'
        )
    for at, step in enumerate(STEPS):
        label = f"{100 * step:,} files" if unit == "files" else f"size \u00d7 {step}"
        place = x + 30 + at * (WIDTH - 60) / 2
        drawn.append(
            f'<text x="{place}" y="{TOP + HEIGHT + 20}" text-anchor="middle">{label}</text>'
        )
    for row, (name, times) in enumerate(lines.items()):
        where = [(x + 30 + at * (WIDTH - 60) / 2, _y(time)) for at, time in enumerate(times)]
        path = "L".join(f"{left:.1f} {y:.1f}" for left, y in where)
        drawn.append(f'<path d="M{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
        label = f"{name}, exponent {exponent(times):.2f}"
        y = TOP + 14 + 18 * row
        drawn.append(f'<text x="{x + 12}" y="{y}" fill="{COLOURS[name]}">{label}</text>')
    return drawn


def _y(seconds: float) -> float:
    return TOP + HEIGHT * (2 - log10(max(seconds, 0.01))) / 4


def picture(charts: dict[str, dict[str, list[float]]]) -> str:
    """Both charts beside each other."""
    titles = {"files": "more files", "size": "larger files"}
    width = 2 * WIDTH + LEFT + GAP + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {TOP + HEIGHT + 40}"',
        ' role="img" font-family="system-ui, sans-serif" font-size="12">',
        "<title>Processor seconds of check and count, over files and over size</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for at, (kind, chart) in enumerate(charts.items()):
        lines += panel(titles[kind], chart, LEFT + at * (WIDTH + GAP), kind)
    return "\n".join([*lines, "</svg>\n"])


def main(rounds: int, place: counting.Place) -> None:
    """Measure, print and draw."""
    grow(place.folder)
    charts: dict[str, dict[str, list[float]]] = {}
    for kind in ("files", "size"):
        charts[kind] = {name: measured(place, name, kind, rounds) for name in COMMANDS}
        for name, times in charts[kind].items():
            said = ", ".join(f"{time:.2f} s" for time in times)
            print(f"{name} over {kind}: {said}; exponent {exponent(times):.2f}", flush=True)
    PICTURE.write_text(picture(charts), "utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 3, counting.Place(Path(temporary)))
