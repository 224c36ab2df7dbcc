"""The fuzz targets work: their corpus passes, some changes of it too, and they can fail."""

from __future__ import annotations

import importlib
import random
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[2] / "fuzz"
pytestmark = pytest.mark.skipif(not FUZZ.is_dir(), reason="the fuzz targets are not in a package")


@pytest.fixture(autouse=True)
def targets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FUZZ))
    monkeypatch.syspath_prepend(str(FUZZ.parent / "tests"))


NAMES = (
    *("documents", "configuration", "messages", "extraction", "tokenizers", "patterns"),
    *("baselines", "locks", "templates", "histories"),
)
FEW = {"histories": 3, "templates": 12, "documents": 30}
"Inputs that take long to run."


def test_every_target_is_listed_and_has_a_corpus() -> None:
    assert importlib.import_module("targets").NAMES == NAMES
    modules = {file.stem for file in (FUZZ / "targets").glob("*.py")} - {"__init__"}
    assert modules == set(NAMES) == {folder.name for folder in (FUZZ / "corpus").iterdir()}


@pytest.mark.filterwarnings("default::ResourceWarning")
@pytest.mark.parametrize("name", NAMES)
def test_the_corpus_and_changes_of_it_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = importlib.import_module("run")
    target = run.load(name)
    for key in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(key, raising=False)
    some = run.inputs(name, random.Random(11))  # noqa: S311
    number = len(list((FUZZ / "corpus" / name).iterdir())) + 60
    for raw in islice(some, FEW.get(name, number)):
        target(raw)


def test_a_target_fails_where_a_promise_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    target = importlib.import_module("targets.patterns").target
    monkeypatch.setattr("tokenlint.patterns.PathPatterns.match", lambda *_, **__: False)
    with pytest.raises(AssertionError):
        target(b"a*\nab")


def test_one_command(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, str(FUZZ / "run.py"), "baselines", "--plain", "--seconds", "1"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.startswith("baselines: at random from seed 0, 1 s, ")
    assert ran.stdout.endswith(" inputs, 0 of them fail\n")
