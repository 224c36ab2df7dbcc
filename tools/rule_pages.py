"""Write the pages of docs/rules from the rules themselves; with --check, only say what differs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import written_pages
from written_pages import differing

from tokenlint.reports.rule_pages import markdown_page
from tokenlint.rules import RULES

if TYPE_CHECKING:
    from tokenlint.rules import Rule

__all__ = ["differing", "pages"]

FOLDER = Path(__file__).parents[1] / "docs" / "rules"
_MENDS = {"safe": "a safe fix", "unsafe": "an unsafe fix", "no": "no fix"}


def pages() -> dict[str, str]:
    """The pages by file name: one a rule, and one that lists them."""
    return {"README.md": _list(), **{f"{rule.code}.md": _page(rule) for rule in RULES}}


def _list() -> str:
    rows = (
        f"| [{rule.code}]({rule.code}.md) | {rule.name} | {'on' if rule.default else 'off'} | "
        f"{'' if rule.fixable == 'no' else rule.fixable} | {markdown_page(rule.summary)} |\n"
        for rule in RULES
    )
    return (
        "# Rules\n\nThese pages are what `tokenlint rule` prints.\n\n"
        f"| code | name | default | fix | what |\n|---|---|---|---|---|\n{''.join(rows)}"
    )


def _page(rule: Rule) -> str:
    state = "On" if rule.default else "Off"
    head = f"# {rule.code} {rule.name}\n\n{state} by default; {_MENDS[rule.fixable]}."
    return f"{head}\n\n{markdown_page(rule.doc)}\n\n[All rules](README.md)\n"


def main() -> int:
    """Write the pages, or check them."""
    return written_pages.main(
        pages(), FOLDER, "is not what the rules say; run python tools/rule_pages.py"
    )


if __name__ == "__main__":
    raise SystemExit(main())
