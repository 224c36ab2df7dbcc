"""Write the pages of docs/rules from the rules themselves; with --check, only say what differs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.reports.rule_pages import markdown_page
from tokenlint.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenlint.rules import Rule

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


def differing(wanted: Mapping[str, str], folder: Path) -> list[str]:
    """The names of files that are missing, different or left over."""
    found = {path.name: path.read_text("utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in {*wanted, *found} if wanted.get(name) != found.get(name))


def main() -> int:
    """Write the pages, or check them."""
    wanted = pages()
    FOLDER.mkdir(parents=True, exist_ok=True)
    names = differing(wanted, FOLDER)
    if "--check" in sys.argv[1:]:
        for name in names:
            print(f"docs/rules/{name} is not what the rules say; run python tools/rule_pages.py")
        return 1 if names else 0
    for name in names:
        if name in wanted:
            (FOLDER / name).write_text(wanted[name], "utf-8")
        else:
            (FOLDER / name).unlink()
        print(f"docs/rules/{name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
