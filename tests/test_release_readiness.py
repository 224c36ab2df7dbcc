"""A release is what it says: one version, known licences, types for users, a sound archive."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PathDistribution, version
from importlib.util import find_spec
from pathlib import Path

import pytest

import tokenlint
from console import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import licences
import release

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_version_has_one_place() -> None:
    assert "version" not in PROJECT
    assert PROJECT["dynamic"] == ["version"]
    assert release.version() == tokenlint.__version__ == version("pytest-tokenbudget")
    assert list(release.stale()) == []


def test_releasing_takes_four_lines() -> None:
    lines = (ROOT / "RELEASING.md").read_text("utf-8").splitlines()
    assert [line[:3] for line in lines] == ["1. ", "2. ", "3. ", "4. "]
    for script in re.findall(r"tools/\w+\.py", "".join(lines)):
        assert (ROOT / script).exists()


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    """A repository that can be released as v1.2.3."""
    (tmp_path / "src" / "tokenlint").mkdir(parents=True)
    (tmp_path / "src" / "tokenlint" / "__init__.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2026-12-01)\n\n- New.\n")
    (tmp_path / "README.md").write_text("rev: v1.2.3, tokenlint/pytest-tokenbudget@v1.2.3\n")
    return tmp_path


def test_what_is_ready_can_be_released(ready: Path) -> None:
    assert list(release.problems("v1.2.3", ready)) == []


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        (
            "CHANGELOG.md",
            "## 1.2.3 (unreleased)\n",
            "CHANGELOG.md heads 1.2.3 with unreleased, and not with a day",
        ),
        ("CHANGELOG.md", "## 1.2.2 (2026-11-01)\n", "CHANGELOG.md has no changes of 1.2.3"),
        ("README.md", "    rev: v1.2.2\n", "README.md says v1.2.2, but this is 1.2.3"),
        (
            "README.md",
            "uses: tokenlint/pytest-tokenbudget/ci/comment@v1.0\n",
            "README.md says v1.0, but this is 1.2.3",
        ),
        (
            "src/tokenlint/__init__.py",
            '__version__ = "1.2.4"\n',
            "the tag is v1.2.3, but the version is 1.2.4",
        ),
    ],
)
def test_what_is_not_ready_is_said(ready: Path, file: str, text: str, problem: str) -> None:
    (ready / file).write_text(text)
    assert problem in list(release.problems("v1.2.3", ready))


@pytest.mark.parametrize("tag", ["1.2.3", "v1.2.4", "v1.2.3rc1", ""])
def test_the_tag_is_the_version(ready: Path, tag: str) -> None:
    assert list(release.problems(tag, ready)) == [f"the tag is {tag}, but the version is 1.2.3"]


def test_every_dependency_has_a_lower_bound_and_a_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    for line in PROJECT["dependencies"]:
        assert ">=" in line
        assert re.search(rf'^    "{re.escape(line)}", +# \S', text, re.MULTILINE), line


def test_extras_are_independent() -> None:
    extras = PROJECT["optional-dependencies"]
    for name in set(extras) - {"dev"}:
        assert not [line for line in extras[name] if line.startswith("pytest-tokenbudget")]


def test_the_licences_are_listed() -> None:
    assert list(licences.problems()) == []
    assert {one.licence for one in licences.needed()} & {"", "not said"} == set()


@pytest.mark.parametrize(
    ("metadata", "licence"),
    [
        ("License-Expression: MIT", "MIT"),
        ("License: Apache 2.0", "Apache-2.0"),
        ("Classifier: License :: OSI Approved :: MIT License", "MIT"),
        ("License: MIT License\n        \n        Copyright (c) 2022 Somebody", "MIT"),
        (f"License: {'very ' * 20}long", "not said"),
        ("Summary: nothing", "not said"),
    ],
)
def test_a_licence_in_metadata(metadata: str, licence: str, tmp_path: Path) -> None:
    (tmp_path / "METADATA").write_text(f"Metadata-Version: 2.4\nName: a\nVersion: 1\n{metadata}\n")
    assert licences.licence_of(PathDistribution(tmp_path)) == licence


USER = """\
from typing import reveal_type

from pytest_tokenbudget import TokenBudgetExceeded, incremental
from tokenlint import Tokenizer, TokenlintError, load_tokenizer


def tokens(text: str, tokenizer: Tokenizer) -> int:
    return tokenizer.count(text)


def main() -> None:
    try:
        tokenizer = load_tokenizer("o200k_base")
    except TokenlintError as error:
        print(error)
        return
    reveal_type(tokenizer.encode("a", control=True))
    reveal_type(list(incremental([b"a"])))
    failure: type[AssertionError] = TokenBudgetExceeded
    print(tokens("a", tokenizer), failure)
"""
REVEALED = ["list[int]", "list[str]"]
MISUSE = "\nwrong: str = load_tokenizer('o200k_base').count(7)\n"


def checked(command: list[str], source: str, folder: Path) -> tuple[int, str]:
    """What a type checker says of a user's file."""
    (folder / "user.py").write_text(source)
    done = subprocess.run(
        [*command, "user.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_a_user_of_mypy_gets_our_types(tmp_path: Path) -> None:
    cache = os.environ.get("MYPY_CACHE_DIR", str(ROOT / ".mypy_cache" / "user"))
    mypy = [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={cache}"]
    code, said = checked(mypy, USER, tmp_path)
    assert code == 0, said
    assert re.findall(r'Revealed type is "(.*)"', said.replace("builtins.", "")) == REVEALED
    code, said = checked(mypy, USER + MISUSE, tmp_path)
    assert code == 1
    assert said.count("error: ") == 2


def pyright() -> str | None:
    """Pyright, or basedpyright, which is the same engine in a wheel: here, or on the PATH."""
    here = str(Path(sys.executable).parent)
    found = shutil.which("basedpyright", path=here) or shutil.which("pyright", path=here)
    return found or shutil.which("basedpyright") or shutil.which("pyright")


@pytest.mark.skipif(pyright() is None, reason="neither pyright nor basedpyright is installed")
def test_a_user_of_pyright_gets_our_types(tmp_path: Path) -> None:
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    command = [str(pyright()), "--pythonpath", sys.executable]
    code, said = checked(command, USER, tmp_path)
    assert code == 0, said
    assert re.findall(r'Type of ".*" is "(.*)"', said) == REVEALED
    code, said = checked(command, USER + MISUSE, tmp_path)
    assert code == 1
    assert "2 errors" in said
