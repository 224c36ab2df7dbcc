"""The catalogue of control strings: whole, in step with its source, and free of ordinary text."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tokenlint.rules import special_token
from tokenlint.rules._catalogue import FAMILIES, LITERALS, RUNS
from tokenlint.rules.base import SpecialTokens
from tokenlint.rules.search import find, resolve_families
from tokenlint.rules.special_token import RULE

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent.parent
GROUPS = {group for groups in FAMILIES.values() for group in groups}


@pytest.fixture(scope="module")
def build() -> ModuleType:
    """The script that compiles the catalogue."""
    spec = importlib.util.spec_from_file_location(
        "build_catalogue", ROOT / "tools/build_catalogue.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_chatml_is_every_family_that_writes_its_turns() -> None:
    users = [{row[0] for row in LITERALS[text][2]} for text in ("<|im_start|>", "<|im_end|>")]
    assert resolve_families(["chatml"]) == users[0] & users[1]


def test_the_page_names_every_group() -> None:
    listed = RULE.doc.partition("one of these groups:\n\n")[2].partition("\n\n")[0]
    assert [name.strip() for name in listed.split(",")] == sorted(GROUPS)


@pytest.fixture(scope="module")
def source() -> dict[str, Any]:
    return tomllib.loads((ROOT / "src/tokenlint/special_tokens.toml").read_bytes().decode())


def test_catalogue_holds_what_it_says(source: dict[str, Any]) -> None:
    rows = [token for family in source["family"] for token in family["tokens"]]
    runs = [run for family in source["family"] for run in family.get("runs", ())]
    assert (len(source["family"]), len(FAMILIES), len(LITERALS)) == (89, 89, 729)
    assert (len(rows), len(runs), len(RUNS)) == (1311, 40, 36)
    assert {type(row["id"]) for row in rows if "id" in row} == {int}
    assert {row["role"] for row in rows + runs} == set(special_token._ROLES)
    assert {row.get("tier", "high") for row in rows + runs} == {"high", "medium", "low"}


def test_ordinary_text_is_never_found(source: dict[str, Any]) -> None:
    for text in source["never"]:
        assert list(find(f"a {text} b{text}c", SpecialTokens("medium"))) == []


def test_runs_begin_with_their_literal_beginning() -> None:
    for pattern, (beginning, _, _) in RUNS.items():
        assert re.compile(pattern).pattern.startswith(re.escape(beginning))


def test_compiled_catalogue_is_up_to_date(build: ModuleType) -> None:
    assert build.main(["--check"]) == 0


def test_an_outdated_catalogue_is_told_and_made_again(
    build: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(build, "TARGET", tmp_path / "_catalogue.py")
    assert build.main(["--check"]) == 1
    told = "_catalogue.py is out of date: run python tools/build_catalogue.py\n"
    assert capsys.readouterr() == ("", told)
    assert build.main([]) == 0
    assert build.main(["--check"]) == 0


ROW = '{ text = "<|a|>", role = "bos" }'


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        (f'never = ["<|a|>"]\n[[family]]\ntokens = [{ROW}]', "ordinary text at tier high"),
        (f'[[family]]\ntokens = [{ROW[:-1]}, tier = "hihg" }}]', "unknown tiers: ['hihg']"),
        (
            f'[[family]]\ntokens = [{ROW}, {ROW[:-1]}, tier = "low" }}]',
            "'<|a|>': its families disagree on tier or after",
        ),
        (
            "[[family]]\ntokens = []\nruns = [{ pattern = '<?x', role = 'bos' }]",
            "'<?x': a run must begin with two literal characters",
        ),
    ],
)
def test_a_wrong_catalogue_is_refused(build: ModuleType, toml: str, message: str) -> None:
    source = "never = []\n" + toml if "never" not in toml else toml
    with pytest.raises(SystemExit, match=re.escape(message)):
        build.compiled(source.replace("[[family]]", '[[family]]\nid = "a"\ngroups = []'))
