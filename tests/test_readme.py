"""The README is true: its commands give what it shows, and it names every rule and every hook."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import console
from console import ROOT, matches, run
from tokenlint.config import read_config
from tokenlint.keys import TABLE
from tokenlint.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """The code blocks of a language in the README."""
    return console.blocks(README, language)


@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: block.split("\n")[0])
def test_commands_print_what_the_readme_shows(block: str) -> None:
    command, _, shown = block.partition("\n")
    assert matches(shown, run(command.removeprefix("$ ")))


def test_a_wrong_figure_in_the_readme_would_be_noticed() -> None:
    assert matches("Found 50 findings.\n...\n", "Found 50 findings.\nx\ny\n")
    assert not matches("Found 51 findings.\n...\n", "Found 50 findings.\nx\ny\n")


@pytest.mark.parametrize("block", blocks("python"), ids=lambda block: block.split("\n")[0])
def test_python_blocks_run(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "README.md", "exec"), {})


def test_the_configuration_block_is_accepted(tmp_path: Path) -> None:
    block = next(block for block in blocks("toml") if "max-file-size" in block)
    (tmp_path / "pyproject.toml").write_text(block, "utf-8")
    config = read_config(tmp_path / "pyproject.toml")
    assert config is not None
    assert config.budgets[0].max_total == 8000


def test_every_rule_has_its_row() -> None:
    rows = dict(re.findall(r"^\| (TL\d+) \| (.*) \|$", README, re.MULTILINE))
    assert list(rows) == [rule.code for rule in RULES]
    for rule in RULES:
        state = "on" if rule.default else "off"
        mend = "" if rule.fixable == "no" else f"{rule.fixable} "
        assert rows[rule.code].startswith(f"{rule.name} | {state} | {mend}|")


def test_every_hook_is_described() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    for hook in hooks:
        assert f"id: {hook['id']}" in README


def test_the_two_commands_are_those_that_ci_runs() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    first, second = (block.strip() for block in blocks("sh")[:2])
    assert f"{first} ||" in script
    assert f"\n{second}\n" in script


def test_every_configuration_key_is_in_the_readme() -> None:
    keys = set(_keys(TABLE.schema))
    assert {"max-file-size", "max-fertility"} <= keys
    block = next(block for block in blocks("toml") if "max-file-size" in block)
    said = {key for table in _tables(tomllib.loads(block)) for key in table}
    assert keys - said <= {"pattern", "sha256", "plugins"}
    assert "\n# plugins = [" in block


def _keys(schema: Mapping[str, Any]) -> Iterator[str]:
    """The keys that a table can hold, and those of the tables inside it."""
    for key, known in schema.get("properties", {}).items():
        yield key
        yield from _keys(known)
    for inner in ("items", "additionalProperties"):
        if isinstance(schema.get(inner), dict):
            yield from _keys(schema[inner])


def _tables(value: object) -> list[dict[str, object]]:
    """Every table inside a TOML value, itself included."""
    if isinstance(value, list):
        return [table for item in value for table in _tables(item)]
    if not isinstance(value, dict):
        return []
    return [value, *(table for item in value.values() for table in _tables(item))]
