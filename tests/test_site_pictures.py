"""The pictures of the site show what the commands print today."""

from __future__ import annotations

import re
import sys
from xml.etree import ElementTree as ET

import pytest

from console import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import pictures

FOLDER = ROOT / "docs" / "pictures"
SVG = "{http://www.w3.org/2000/svg}"
DRAWN = pictures.pictures()


def shown(picture: str) -> list[str]:
    """The words of a picture, line by line, without white space at which it is cut."""
    rows: dict[float, str] = {}
    for element in ET.fromstring(picture).iter(f"{SVG}text"):  # noqa: S314  (we drew it)
        row = float(element.get("y", ""))
        rows[row] = rows.get(row, "") + (element.text or "").replace(" ", "")
    return [rows[row] for row in sorted(rows)]


def test_each_command_has_its_picture() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(DRAWN) == set(pictures.PICTURES)


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_what_the_command_prints(name: str) -> None:
    command, parts = pictures.PICTURES[name]
    lines = [f"$ {command}", *pictures.printed(command, parts)]
    plain = (re.sub(r"\x1b\[[\d;]*m", "", line).replace(" ", "") for line in lines)
    assert shown((FOLDER / name).read_text("utf-8")) == [line for line in plain if line]
    assert (FOLDER / name).read_text("utf-8") == DRAWN[name], "run python tools/pictures.py"


@pytest.mark.parametrize("name", DRAWN)
def test_a_page_shows_it_and_says_what_it_shows(name: str) -> None:
    pages = "".join(path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md"))
    (said,) = re.findall(rf"!\[([^\]]*)\]\([./]*pictures/{re.escape(name)}\)", pages)
    assert len(said.split()) > 5


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("plain", [("plain", "e6e6e6", "")]),
        ("", []),
        ("\x1b[31mred\x1b[0m rest", [("red", "ff6b6b", ""), (" rest", "e6e6e6", "")]),
        ("\x1b[1;34mbold blue\x1b[0m", [("bold blue", "6ea8fe", "")]),
        ("\x1b[30;103mcut\x1b[0m", [("cut", "1d1f21", "f5d76e")]),
    ],
)
def test_colours(line: str, found: list[tuple[str, str, str]]) -> None:
    assert list(pictures.runs(line)) == found


@pytest.mark.parametrize(("text", "cells"), [("abc", 3), ("e\u0301", 1), ("日本", 4), ("", 0)])
def test_the_cells_of_a_text(text: str, cells: int) -> None:
    assert pictures.width(text) == cells


def test_text_becomes_no_markup() -> None:
    drawn = pictures.drawn("a & b", ["<|x|>  \x1b[31m</text>\x1b[0m"])
    assert shown(drawn) == ["$a&b", "<|x|></text>"]
