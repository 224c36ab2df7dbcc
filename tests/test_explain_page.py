"""The page on `explain` is true: its commands give what it shows, and it leaves nothing out."""

from __future__ import annotations

import json
import re

import pytest

from console import ROOT, blocks, commands, matches, run

PAGE = (ROOT / "docs" / "explain.md").read_text("utf-8")
COMMANDS = [pair for block in blocks(PAGE, "console") for pair in commands(block)]


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_commands_print_what_the_page_shows(command: str, shown: str) -> None:
    assert matches(shown, run(command))


def test_every_block_is_run() -> None:
    fences = re.findall(r"^```(.*)$", PAGE, re.MULTILINE)
    assert set(fences[::2]) == {"console", "python"}  # the example runs with the plugin's tests
    assert len(COMMANDS) == len(re.findall(r"^\$ ", PAGE, re.MULTILINE))
    assert all(shown for _, shown in COMMANDS)


def keys(value: object) -> set[str]:
    """Every key in a JSON value."""
    if isinstance(value, list):
        return set().union(*map(keys, value))
    if isinstance(value, dict):
        return set(value).union(*map(keys, value.values()))
    return set()


@pytest.mark.parametrize(
    "command",
    [
        "tokenlint explain --text 'e\u0302\u0323 \u1ebd<|endoftext|>' -t cl100k_base",
        "tokenlint explain --merges to",
        'echo \'[{"role": "user", "content": "a"}]\' | tokenlint explain --chat - '
        "--stdin-filename a.json -t gpt-oss-120b",
    ],
)
def test_every_key_of_the_json_is_described(command: str) -> None:
    found = keys(json.loads(run(f"{command} --output-format json")))
    assert len(found) > 5
    assert [key for key in sorted(found) if not re.search(rf'["`]{key}["`]', PAGE)] == []
