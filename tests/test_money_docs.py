"""docs/money.md is what comes out: its command, its configurations, its JSON."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

from console import ROOT, blocks, commands, matches, run
from tokenlint.config import read_config

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (ROOT / "docs/money.md").read_text(encoding="utf-8")


def without_amounts(text: str) -> str:
    """A text without what a newer version of the price data may say otherwise."""
    return re.sub(r" *\$[\d,.]*\d", " $", text)


def test_the_command_prints_what_is_shown() -> None:
    ((command, shown),) = [each for block in blocks(PAGE, "console") for each in commands(block)]
    assert matches(without_amounts(shown), without_amounts(run(command)))


def test_the_configurations_are_read(tmp_path: Path) -> None:
    found = blocks(PAGE, "toml")
    assert len(found) == 3
    for block in found:
        assert tomllib.loads(block)["tool"]["tokenlint"]
        (tmp_path / "pyproject.toml").write_text(block, encoding="utf-8")
        assert read_config(tmp_path / "pyproject.toml")


def test_the_json_has_the_shape_that_is_shown() -> None:
    (block,) = blocks(PAGE, "json")
    printed = run(
        "tokenlint count examples/prompts/vi --model claude-sonnet-4-5 --calls 1000 "
        "--output-format json"
    )
    assert shape(json.loads(block)) == shape(json.loads(printed)["cost"])


def shape(value: Any) -> Any:
    """The keys of a value, and the kinds of what they hold."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    if isinstance(value, list):
        return [shape(one) for one in value[:1]]
    return type(value)
