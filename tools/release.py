"""Say whether a tag can be released: `python tools/release.py v1.2.3` ends with 0 where it can."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
MENTIONS = ("README.md", "docs/**/*.md")
"Where users are told which version to name."


def version(root: Path = ROOT) -> str:
    """The version, from the one place that has it."""
    source = (root / "src" / "tokenlint" / "__init__.py").read_text("utf-8")
    (found,) = re.findall(r'^__version__ = "([^"]+)"$', source, re.MULTILINE)
    return str(found)


def stale(root: Path = ROOT) -> Iterator[str]:
    """Pages that tell users to name another version."""
    told = re.compile(r"(?:rev: |tokenlint/pytest-tokenbudget(?:/[\w/-]+)?@)v([\w.]+)")
    for path in sorted(path for pattern in MENTIONS for path in root.glob(pattern)):
        others = set(told.findall(path.read_text("utf-8"))) - {version(root)}
        for other in sorted(others):
            yield f"{path.relative_to(root).as_posix()} says v{other}, but this is {version(root)}"


def problems(tag: str, root: Path = ROOT) -> Iterator[str]:
    """What keeps a tag from being released."""
    if tag != f"v{version(root)}":
        yield f"the tag is {tag}, but the version is {version(root)}"
    changes = (root / "CHANGELOG.md").read_text("utf-8")
    heading = re.search(rf"^## {re.escape(version(root))} \((.+)\)$", changes, re.MULTILINE)
    if heading is None:
        yield f"CHANGELOG.md has no changes of {version(root)}"
    elif not re.fullmatch(r"\d{4}-\d{2}-\d{2}", heading[1]):
        yield f"CHANGELOG.md heads {version(root)} with {heading[1]}, and not with a day"
    yield from stale(root)


def main() -> int:
    """Print what is wrong."""
    found = list(problems(sys.argv[1] if len(sys.argv) > 1 else "nothing"))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
