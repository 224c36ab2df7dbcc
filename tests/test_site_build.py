"""The site builds without a warning, and its pages ask nobody outside for anything."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest

from console import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

for needed in ("sphinx", "myst_parser", "furo"):
    pytest.importorskip(needed, reason="the extra docs is not installed")

DOCS = ROOT / "docs"
APART = ("samples", "texts", "held-out")
PAGES = sorted(
    path.relative_to(DOCS).with_suffix("").as_posix()
    for path in DOCS.rglob("*.md")
    if path.relative_to(DOCS).parts[0] not in APART
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    built = tmp_path_factory.mktemp("site")
    options = ["-W", "--keep-going", "-q", "-b", "html", "-d", str(built / "trees")]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, str(DOCS), str(built / "html")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return built / "html"


class Loaded(HTMLParser):
    """What a page loads by itself, and where it leads."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Sort what an element refers to."""
        said = {name: value or "" for name, value in attrs}
        self.anchors.add(said.get("id", ""))
        if tag == "a":
            self.links.append(said.get("href", ""))
        elif tag != "link" or said.get("rel") not in (
            "canonical",
            "index",
            "search",
            "next",
            "prev",
        ):
            self.loads += [said[name] for name in ("src", "href", "data", "srcset") if name in said]


def pages(site: Path) -> Iterator[tuple[Path, Loaded]]:
    """Every page with what it refers to."""
    for path in sorted(site.rglob("*.html")):
        yield path, Loaded(path.read_text("utf-8"))


def test_every_page_is_built(site: Path) -> None:
    built = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    assert built == {*PAGES, "genindex", "search"}


def test_pages_load_only_what_the_site_has(site: Path) -> None:
    for path, page in pages(site):
        for resource in page.loads:
            if resource.startswith(("#", "data:")):
                continue
            assert not urlsplit(resource).netloc, f"{path.name} loads {resource}"
            assert (path.parent / unquote(urlsplit(resource).path)).exists(), resource


def test_styles_and_pictures_load_nothing_from_elsewhere(site: Path) -> None:
    for path in [*site.rglob("*.css"), *site.rglob("*.svg")]:
        text = path.read_text("utf-8")
        assert not re.search(r"url\(\s*['\"]?(https?:)?//|@import\s+['\"]?(https?:)?//", text), path
        assert not re.search(r"<(image|use|script|foreignObject)\b|\bon\w+=", text), path


def test_links_inside_the_site_lead_somewhere(site: Path) -> None:
    found = {path.resolve(): page for path, page in pages(site)}
    for path, page in found.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target in found, f"{path.name}: {link}"
            assert not parts.fragment or unquote(parts.fragment) in found[target].anchors, link


def test_links_into_the_repository_lead_somewhere(site: Path) -> None:
    prefix = "https://github.com/tokenlint/pytest-tokenbudget/blob/main/"
    links = {link for _, page in pages(site) for link in page.links if link.startswith(prefix)}
    assert any(link.endswith("README.md#configuration") for link in links)
    for link in links:
        assert (ROOT / link.removeprefix(prefix).partition("#")[0]).exists(), link


def test_every_page_can_be_reached_from_the_first(site: Path) -> None:
    first = Loaded((site / "index.html").read_text("utf-8")).links
    reached = {link.partition("#")[0].removesuffix(".html") for link in first}
    assert set(PAGES) - {"index"} <= reached


def test_the_search_finds_words_without_a_server(site: Path) -> None:
    index = (site / "searchindex.js").read_text("utf-8")
    assert index.startswith("Search.setIndex(")
    for word in ("decompos", "ratchet", "qwen2", "codequ"):  # stems, as the index has them
        assert word in index
    scripts = Loaded((site / "search.html").read_text("utf-8")).loads
    assert any(script.startswith("searchindex.js") for script in scripts)


def test_light_and_dark(site: Path) -> None:
    style = "".join(path.read_text("utf-8") for path in site.rglob("furo.css"))
    assert "prefers-color-scheme: dark" in style.replace("scheme:dark", "scheme: dark")
    assert 'class="theme-toggle' in (site / "index.html").read_text("utf-8")
