"""The generated pages of the site say what the code says, and leave no name out."""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import pytest_tokenbudget
import tokenlint
import tokenlint.batches
from console import ROOT
from pytest_tokenbudget import plugin
from tokenlint.keys import TABLE

sys.path.insert(0, str(ROOT / "tools"))
import site_api
import site_commands
import site_keys
import site_markdown
import site_outcome
import site_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

TOOL = ROOT / "tools" / "site_pages.py"


def page(name: str) -> str:
    """A generated page as it is committed."""
    return (ROOT / "docs" / "reference" / name).read_text("utf-8")


def test_the_pages_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, TOOL, "--check"], capture_output=True, check=False)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, "", b"")


def test_what_differs_is_named(tmp_path: Path) -> None:
    wanted = site_pages.pages()
    for name, text in wanted.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert site_pages.differing(wanted, tmp_path) == []
    (tmp_path / "commands.md").write_text("changed")
    (tmp_path / "python.md").unlink()
    (tmp_path / "old.md").write_text("left over")
    assert site_pages.differing(wanted, tmp_path) == ["commands.md", "old.md", "python.md"]


@pytest.mark.parametrize("name", site_commands.commands())
def test_every_option_of_a_command_is_there(name: str) -> None:
    section = page("commands.md").split(f"\n## tokenlint {name}\n")[1].partition("\n## ")[0]
    said = re.findall(r"`(-[-\w]+)", section)
    command = site_commands.commands()[name]
    for action in site_commands.actions(command):
        if action.help is argparse.SUPPRESS:
            continue
        assert {*action.option_strings} - {"-h", "--help"} <= {*said}
    assert (command.epilog or "").strip("\n") in section


def test_a_parser_has_an_answer_for_each_command() -> None:
    answers = {path.stem for path in (ROOT / "src" / "tokenlint" / "answers").glob("*.py")}
    assert set(site_commands.commands()) <= answers


def keys(schema: Mapping[str, object]) -> Iterator[str]:
    """Every key anywhere in a schema, however deep."""
    for name, inner in schema.items():
        if name == "properties" and isinstance(inner, dict):
            yield from inner
        for one in inner if isinstance(inner, list) else [inner]:
            if isinstance(one, dict):
                yield from keys(one)


def test_every_key_is_there() -> None:
    said = set(re.findall(r"^\| `([\w-]+)` \|", page("configuration.md"), re.MULTILINE))
    assert said == set(keys(TABLE.schema))


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "string"}, "text"),
        ({"type": "string", "enum": ["a", "b"]}, 'one of `"a"`, `"b"`'),
        ({"type": "array", "items": {"$ref": "#/definitions/rule"}}, "list of a rule"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "table of whole number"),
        ({"anyOf": [{"const": "all"}, {"type": "boolean"}]}, '`"all"`, or true or false'),
    ],
)
def test_a_type_in_words(schema: dict[str, object], said: str) -> None:
    assert site_keys._type(schema) == said


@pytest.mark.parametrize(
    ("sentence", "markdown"),
    [
        ("Plain words.", "Plain words."),
        ("as --fix would, or -q", "as `--fix` would, or `-q`"),
        ("well-known, one - two", "well-known, one - two"),
        ("set NO_COLOR=1 or `A|B`", "set `NO_COLOR=1` or `A|B`"),
        ("a < b, [x] * y", r"a \< b, \[x\] \* y"),
        ("two\n  lines", "two lines"),
    ],
)
def test_a_sentence_becomes_markdown(sentence: str, markdown: str) -> None:
    assert site_markdown.text(sentence) == markdown


@pytest.mark.parametrize(
    "package", [tokenlint, tokenlint.batches, pytest_tokenbudget], ids=lambda one: one.__name__
)
def test_every_promised_name_is_there(package: object) -> None:
    for name in getattr(package, "__all__", ()):
        shown = name.replace("_", r"\_") if name.startswith("__") else name
        assert f"\n### {package.__name__}.{shown}\n" in page("python.md")  # type: ignore[attr-defined]


def test_every_marker_fixture_option_and_key_of_the_plugin_is_there() -> None:
    text = page("pytest.md")
    markers = [line.partition("(")[0] for line in plugin.MARKERS]
    assert re.findall(r"^### (\w+) marker$", text, re.MULTILINE) == markers
    fixtures = site_api.fixture_names()
    assert re.findall(r"^### (\w+) fixture$", text, re.MULTILINE) == fixtures
    assert set(fixtures) == set(site_api.CALLED)
    heard = site_api.heard()
    for cell in (*(row[0] for row in heard.options), *(row[0] for row in heard.keys)):
        assert f"\n| {cell} |" in text


def test_every_variable_that_is_read_is_there() -> None:
    said = {name for variables in site_outcome.VARIABLES.values() for name in variables}
    assert said == read_variables()
    for name in said:
        assert f"\n| `{name}` |" in page("environment.md")


OTHERS = re.compile(r"LC_ALL|GIT_(?!CONFIG_COUNT)\w+|(LD|DYLD)_LIBRARY_PATH|RLIMIT_\w+|SQLITE_\w+")
"Names that are no settings: what git is given, and what the process that renders keeps."


def read_variables() -> set[str]:
    """The names of variables in the code of modules that look at the environment."""
    found = set()
    for path in (ROOT / "src").rglob("*.py"):
        source = path.read_text("utf-8")
        if "environ" in source:
            found |= {
                node.value
                for node in ast.walk(ast.parse(source))
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
                if re.fullmatch(r"[A-Z][A-Z\d]*_[A-Z\d_]+|LOCALAPPDATA|CI", node.value)
                if not OTHERS.fullmatch(node.value)
            }
    return found - {"TL_", "FILE_NAMES", "CREATE_NO_WINDOW"}


def test_exit_codes_are_those_of_the_commands() -> None:
    from tokenlint.asked import CLEAN, FOUND, WRONG

    assert set(site_outcome.CODES) == {CLEAN, FOUND, WRONG, 130}
    for code in site_outcome.CODES:
        assert f"\n| {code} |" in page("environment.md")


def test_every_format_is_explained() -> None:
    explained = (ROOT / "docs" / "formats.md").read_text("utf-8")
    for name, command in site_commands.commands().items():
        for made in site_outcome.formats(command):
            assert f"`{made}`" in page("reports.md")
            if name in ("check", "count", "compare"):
                assert f"\n## `{made}`\n" in explained
