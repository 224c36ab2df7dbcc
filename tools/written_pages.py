"""Pages that are written from the code: which of them differ; they are written, or checked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def differing(wanted: Mapping[str, str], folder: Path) -> list[str]:
    """The names of pages that are missing, different or left over."""
    found = {path.name: path.read_text("utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in {*wanted, *found} if wanted.get(name) != found.get(name))


def main(wanted: Mapping[str, str], folder: Path, wrong: str) -> int:
    """Write the pages of a folder of docs; with --check, only say what is `wrong` with which."""
    folder.mkdir(parents=True, exist_ok=True)
    names = differing(wanted, folder)
    shown = [f"docs/{folder.name}/{name}" for name in names]
    if "--check" in sys.argv[1:]:
        for page in shown:
            print(f"{page} {wrong}")
        return 1 if names else 0
    for name, page in zip(names, shown, strict=True):
        if name in wanted:
            (folder / name).write_text(wanted[name], "utf-8")
        else:
            (folder / name).unlink()
        print(page)
    return 0
