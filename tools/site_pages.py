"""Write docs/reference from the code itself; with --check, only say what differs."""

from __future__ import annotations

from pathlib import Path

import site_api
import site_commands
import site_keys
import site_outcome
import written_pages
from written_pages import differing

__all__ = ["differing", "pages"]

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


def main() -> int:
    """Write the pages, or check them."""
    return written_pages.main(
        pages(), FOLDER, "is not what the code says; run python tools/site_pages.py"
    )


if __name__ == "__main__":
    raise SystemExit(main())
