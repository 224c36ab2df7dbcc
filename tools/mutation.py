"""Mutation check: whether a test fails for each small change to the code of tokens/ and rules/.

The changes are those of mutmut (`pip install mutmut`), some fifteen thousand. To start pytest for
each would take a day: here one process collects the tests, a copy of it lives with one change, and
runs the tests that reach the changed line, the quick ones first, until one fails.

    python tools/mutation.py map                        which test reaches which line (once)
    python tools/mutation.py run --sample 500 --seed 7  try changes that were not tried yet
    python tools/mutation.py run --again survived --plenty 8
    python tools/mutation.py report                     scores, and what no test noticed

What was tried stands in build/mutation; why a change cannot be noticed, in mutation_explained.toml.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import re
import sys
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mutation_changes import KEPT, ROOT, SOURCE, Mutant, mutants
from mutation_runs import RESULTS, Mapper, Runner

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GENERATED = ("_catalogue.py",)
TESTS = (
    "tests/tokens",
    "tests/rules",
    "tests/test_budgets.py",
    "tests/test_premiums.py",
    "tests/test_diff_limits.py",
    "tests/test_extraction.py",
    "tests/test_train.py",
    "tests/test_explain.py",
    "tests/test_explain_chat.py",
    "tests/test_requests.py",
    "tests/test_compare.py",
    "tests/test_check.py",
    "tests/test_baseline_check.py",
    "tests/security/test_crafted_files.py",
    "tests/security/test_reach.py",
    "tests/security/test_stuck.py",
)
WITHOUT = ("-q", "-n0", "-p", "no:cacheprovider", "--capture=sys", "--tb=no")
EXPLAINED = Path(__file__).with_name("mutation_explained.toml")

Row = dict[str, Any]
"A mutant as it is kept, with what came of it."


def every_mutant(only: Sequence[str]) -> list[Mutant]:
    """All changes to the two packages, or to the modules whose paths hold one of some words."""
    paths = sorted(
        path
        for package in ("tokens", "rules")
        for path in (SOURCE / "tokenlint" / package).rglob("*.py")
        if path.name not in GENERATED
        and (not only or any(word in str(path.relative_to(ROOT)) for word in only))
    )
    return list({one.key: one for path in paths for one in mutants(path)}.values())


def results() -> dict[str, Row]:
    """What is known of each mutant by its key; what was found last holds."""
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    return {row["key"]: row for row in map(json.loads, lines)}


def explained() -> list[Row]:
    """Why some changes cannot be noticed."""
    found: list[Row] = tomllib.loads(EXPLAINED.read_text("utf-8"))["reason"]
    return found


def run(asked: argparse.Namespace) -> int:
    """Try some mutants."""
    import pytest

    known, every, why = results(), every_mutant(asked.only), explained()
    again = (known.get(one.key, {}).get("verdict") in asked.again for one in every)
    left = [one for one, is_wanted in zip(every, again, strict=True) if is_wanted]
    wanted = [one for one in left if not _reason(asdict(one), why)]
    random.Random(asked.seed).shuffle(wanted)  # noqa: S311  (a sample that can be drawn again)
    wanted = wanted[: asked.sample]
    print(f"{len(every):,} mutants, {len(wanted):,} to try", file=sys.stderr)
    return int(
        pytest.main([*WITHOUT, *TESTS], plugins=[Runner(wanted, asked.children, asked.plenty)])
    )


def report(asked: argparse.Namespace) -> int:
    """Print a table of the scores, and every mutant that survived without a reason."""
    present, reasons = {one.key for one in every_mutant(asked.only)}, explained()
    rows = [row for key, row in results().items() if key in present]
    left = [row for row in rows if row["verdict"] in ("survived", "no test")]
    why = {row["key"]: _reason(row, reasons) for row in left}
    print(f"{len(present):,} mutants\n{'':24}tried   killed timed out explained   left   score")
    for name in ("rules", "tokens", ""):
        print(_line(name, [row for row in rows if f"/{name}/" in row["path"] or not name], why))
    for row in sorted(left, key=lambda row: (row["path"], row["line"])):
        if not why[row["key"]]:
            print(f"{row['path']}:{row['line']} {row['function']}")
            print(f"    {_one_line(row['before'])}  ->  {_one_line(row['after'])}")
    for reason, number in collections.Counter(filter(None, why.values())).most_common():
        print(f"{number:5}  {reason}")
    return 0


def _line(name: str, rows: Iterable[Row], why: dict[str, str]) -> str:
    """The score is what was noticed of what can be noticed."""
    count = collections.Counter(
        "explained" if why.get(row["key"]) else row["verdict"] for row in rows
    )
    noticed, left = count["killed"] + count["timed out"], count["survived"] + count["no test"]
    score = f"{100 * noticed / max(1, noticed + left):.1f} %"
    numbers = (count.total(), count["killed"], count["timed out"], count["explained"], left)
    return f"{name or 'both':20}" + "".join(f"{number:9,}" for number in numbers) + f" {score:>7}"


def _reason(row: Row, reasons: Iterable[Row]) -> str:
    where = f"{row['path'].removeprefix('src/tokenlint/')} {row['function']}"
    what = f"{row['before']} -> {row['after']}"
    for one in reasons:
        if re.search(one["where"], where) and re.search(one["change"], what, re.DOTALL):
            return str(one["why"])
    return ""


def _one_line(text: str) -> str:
    return " ".join(text.split())[:100]


def main(argv: Sequence[str]) -> int:
    """Map, run or report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["map", "run", "report"])
    parser.add_argument("--only", nargs="*", default=[], help="words in the paths of modules")
    parser.add_argument("--again", nargs="*", default=[None], help="verdicts that are tried again")
    parser.add_argument("--sample", type=int, help="how many, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--children", type=int, default=2, help="copies at a time")
    parser.add_argument("--plenty", type=float, default=2.0, help="seconds of tests for each")
    asked = parser.parse_args(argv)
    KEPT.mkdir(parents=True, exist_ok=True)
    if asked.what == "map":
        import pytest

        return int(pytest.main([*WITHOUT, *TESTS], plugins=[Mapper()]))
    return run(asked) if asked.what == "run" else report(asked)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
