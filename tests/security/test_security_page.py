"""SECURITY.md names tests that exist, says everything once, and names every way to give leave."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tokenlint.arguments import parser

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "SECURITY.md"
pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="the page is not in a package")


def named() -> list[tuple[str, str]]:
    return re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE.read_text("utf-8"))


@pytest.mark.parametrize(("file", "test"), dict.fromkeys(named()))
def test_each_named_test_exists(file: str, test: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    assert re.search(rf"^def {test}\(", text, re.MULTILINE), f"{file} has no {test}"


def rows() -> list[list[str]]:
    """The cells of the tables of threats."""
    _, _, tables = PAGE.read_text("utf-8").partition("## What holds")
    lines = re.findall(r"^\| (.*) \|$", tables, re.MULTILINE)
    cells = [re.split(r"(?<!\\) \| ", line) for line in lines]
    return [row for row in cells if row[0] not in ("threat", "---")]


def test_each_threat_has_an_answer_and_a_test() -> None:
    assert len(rows()) > 25
    for row in rows():
        assert len(row) == 3, row
        assert re.search(r"`tests/\S+::test_\w+`", row[2]), row


def test_every_test_of_this_folder_that_holds_a_threat_is_named() -> None:
    here = {"test_output.py", "test_growth.py", "test_crafted_files.py"}
    files = {Path(file).name for file, _ in named()}
    assert here <= files


def test_what_gives_leave_is_named() -> None:
    check = parser().parse_args(["check"])
    leaves = {name for name in vars(check) if name in ("allow_plugins", "network", "outside")}
    assert len(leaves) == 3
    text = PAGE.read_text("utf-8")
    for option in ("--allow-plugins", "--allow-network", "--allow-outside"):
        assert f"`{option}` | `TOKENLINT_{option[2:].upper().replace('-', '_')}=1`" in text
