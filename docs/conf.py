"""The documentation site: `python -m sphinx -W -b html docs build/site`; it asks nobody outside."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "src"))
from tokenlint import __version__  # noqa: E402  (the one place that has the version)

project = "tokenlint"
author = "tokenlint"
version = release = __version__
language = "en"
extensions = ["myst_parser"]
myst_heading_anchors = 4  # links such as formats.md#sarif, as on GitHub
smartquotes = False  # an option stays --fix
exclude_patterns = ["samples", "texts", "held-out"]
html_theme = "furo"
html_title = f"tokenlint {release}"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "footer_icons": [],
    "top_of_page_buttons": [],
    "light_css_variables": {"color-brand-primary": "#0b57a4", "color-brand-content": "#0b57a4"},
}

REPOSITORY = "https://github.com/tokenlint/pytest-tokenbudget/blob/main/"

NAVIGATION = {
    "Begin": ["tutorial"],
    "How to": ["how-to/*", "ci", "diff", "editors", "prompts", "baseline", "plugins", "money"],
    "Reference": ["reference/*", "rules/README", "formats", "config", "licences"],
    "Explanation": ["explanation/*", "guide", "explain"],
}
"What the pages are for. A page that is named nowhere goes under More."

_LINK = re.compile(r"(?<=\]\()([^)#:\s]+)(#[^)\s]*)?(?=\))")


def navigation() -> str:
    """The tables of contents that only the site has: on GitHub a page is what it says."""
    named = {page for pages in NAVIGATION.values() for page in pages}
    top = {path.stem for path in HERE.glob("*.md")}
    rest = sorted(top - named - {"index"})
    parts = {**NAVIGATION, **({"More": rest} if rest else {})}
    return "\n".join(_tree(caption, pages) for caption, pages in parts.items())


def _tree(caption: str, pages: list[str]) -> str:
    lines = [":hidden:", ":glob:", f":caption: {caption}", "", *pages]
    return "\n```{toctree}\n" + "\n".join(lines) + "\n```\n"


def _rules() -> str:
    return "\n```{toctree}\n:hidden:\n:glob:\n\nTL*\n```\n"


def leave_docs(text: str, folder: Path) -> str:
    """Links to files that are no page of the site become links into the repository."""

    def link(match: re.Match[str]) -> str:
        target = (folder / match[1]).resolve()
        inside = target.is_relative_to(HERE) and target.suffix in (".md", ".svg")
        if inside and target.relative_to(HERE).parts[0] not in exclude_patterns:
            return match[0]
        return REPOSITORY + target.relative_to(HERE.parent).as_posix() + (match[2] or "")

    return _LINK.sub(link, text)


def _outside_code(text: str, folder: Path) -> Iterator[str]:
    for part in re.split(r"(^ *```.*?^ *```$)", text, flags=re.DOTALL | re.MULTILINE):
        yield part if part.lstrip().startswith("```") else leave_docs(part, folder)


def on_source_read(_app: Sphinx, name: str, source: list[str]) -> None:
    """Make a page of the repository a page of the site."""
    text = "".join(_outside_code(source[0], (HERE / name).parent))
    added = {"index": navigation, "rules/README": _rules}.get(name, str)
    source[0] = text + added()


def setup(app: Sphinx) -> None:
    """What Sphinx calls."""
    app.connect("source-read", on_source_read)
