"""Write docs/reference from the code itself; with --check, only say what differs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import site_api
import site_commands
import site_keys
import site_outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = Path(__file__).parents[1] / "docs" / "reference"


def pages() -> dict[str, str]:
    """The pages by file name."""
    return {
        "commands.md": site_commands.page(),
        "configuration.md": site_keys.page(),
        "environment.md": site_outcome.environment_page(),
        "pytest.md": site_api.pytest_page(),
        "python.md": site_api.python_page(),
        "reports.md": site_outcome.reports_page(),
    }


def differing(wanted: Mapping[str, str], folder: Path) -> list[str]:
    """The names of pages that are missing, different or left over."""
    found = {path.name: path.read_text("utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in {*wanted, *found} if wanted.get(name) != found.get(name))


def main() -> int:
    """Write the pages, or check them."""
    wanted = pages()
    FOLDER.mkdir(parents=True, exist_ok=True)
    names = differing(wanted, FOLDER)
    if "--check" in sys.argv[1:]:
        for name in names:
            print(
                f"docs/reference/{name} is not what the code says; run python tools/site_pages.py"
            )
        return 1 if names else 0
    for name in names:
        if name in wanted:
            (FOLDER / name).write_text(wanted[name], "utf-8")
        else:
            (FOLDER / name).unlink()
        print(f"docs/reference/{name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
