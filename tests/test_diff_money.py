"""What a change costs: only where a model and a volume were named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from repositories import Repository, stand
from tokenlint.cli import main

if TYPE_CHECKING:
    from pathlib import Path

PRICE = """\
[prices."our-model"]
input = 2.5
tokenizer = "cl100k_base"
date = "2026-11-01"
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    files = {"a.md": " word" * 1000, "b.md": " word" * 40, "tokenlint.toml": PRICE}
    made = stand(monkeypatch, tmp_path, files)
    made.write({"a.md": " word" * 1400, "b.md": None})
    return made


def test_no_money_without_being_asked(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", "--output-format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["cost"] is None


@pytest.mark.parametrize("half", [["--model", "our-model"], ["--calls", "5"]])
def test_one_without_the_other(
    repository: Repository, capsys: pytest.CaptureFixture[str], half: list[str]
) -> None:
    assert main(["diff", *half]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


ASKED = ("--model", "our-model", "--calls", "100000")


def test_before_after_and_the_difference(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    """1,040 and 1,400 tokens, a hundred thousand times, at 2.50 a million."""
    assert main(["diff", *ASKED, "--output-format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (model,) = report["cost"]["models"]
    total = model["total"]
    assert (total["before"]["cost"], total["after"]["cost"]) == ("260", "350")
    assert total["change"] == "90"
    assert [(file["path"], file["change"]) for file in model["files"]] == [
        ("a.md", "100"),
        ("b.md", "-10"),
    ]
    assert report["files"][0]["after"]["tokens"].keys() == {"o200k_base"}


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_people_read_it_too(
    repository: Repository, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    assert main(["diff", *ASKED, "--output-format", form]) == 0
    out = capsys.readouterr().out
    headline = out.splitlines()[1 if form == "markdown" else 2]
    assert "+$90.00 on 100,000 calls of our-model" in headline.replace("`", "")
    assert "$350.00" in out
    assert "2026-11-01" in out
