"""`tokenlint diff` of templates: each state is rendered with the variables that it had."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from repositories import Repository, stand
from tokenlint.cli import main

if TYPE_CHECKING:
    from pathlib import Path

SAID = '[extract]\n"*.jinja" = { extract = "jinja", variables = "the values.json" }\n'
OLD, NEW = "Hello {{ name }}.\n", "Hello {{ name }}!\n"
SHORT, LONG = '{"name": "you"}', '{"name": "you and you and you"}'
Counts = tuple[int | None, int | None]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """main with a template and its variables, where the run stands."""
    return stand(
        monkeypatch, tmp_path, {"tokenlint.toml": SAID, "a.jinja": OLD, "the values.json": SHORT}
    )


def counted(capsys: pytest.CaptureFixture[str], *arguments: str) -> Counts:
    """The tokens of the template before and after."""
    assert main(["diff", "--output-format", "json", *arguments]) == 0
    files = {file["path"]: file for file in json.loads(capsys.readouterr().out)["files"]}
    before, after = (files["a.jinja"][when] for when in ("before", "after"))
    return tuple(side and side["tokens"]["o200k_base"] for side in (before, after))


def test_variables_that_changed(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.write({"a.jinja": NEW, "the values.json": LONG})
    assert counted(capsys) == (3, 7)
    repository.git("add", "-A")
    repository.write({"a.jinja": OLD, "the values.json": SHORT})
    assert counted(capsys, "--staged") == (3, 7)
    repository.git("commit", "-qm", "longer")
    assert counted(capsys, "HEAD~1", "HEAD") == (3, 7)
    assert counted(capsys, "HEAD", "HEAD~1") == (7, 3)


def test_limits_know_both(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    budget = '[[budgets]]\nfiles = ["a.jinja"]\nmax-increase = 3\n'
    repository.commit({"tokenlint.toml": budget + SAID})
    repository.write({"a.jinja": NEW, "the values.json": LONG})
    assert main(["diff", "-q"]) == 1
    assert "TL305 4 tokens more than the 3 before" in capsys.readouterr().out


def test_variables_that_were_not_there_are_those_of_today(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.commit({"the values.json": None})
    repository.write({"a.jinja": NEW, "the values.json": LONG})
    assert counted(capsys) == (7, 7)


def test_what_the_command_line_names_is_one_file(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write({"a.jinja": NEW, "the values.json": LONG})
    said = ("--extract", "jinja", "--variables", "the values.json")
    assert counted(capsys, *said, "--", "a.jinja") == (7, 7)


def test_two_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, template, values in (("old", OLD, SHORT), ("new", NEW, LONG)):
        (tmp_path / name).mkdir()
        files = {"tokenlint.toml": SAID, "a.jinja": template, "the values.json": values}
        for file, text in files.items():
            (tmp_path / name / file).write_text(text)
    assert counted(capsys, "--no-index", "old", "new") == (3, 7)


def test_broken_variables_are_said_of_their_own_state(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write({"a.jinja": NEW, "the values.json": "{"})
    assert main(["diff", "-q"]) == 2
    out, err = capsys.readouterr()
    assert err.startswith("error: a.jinja: in the file of variables the values.json: ")
    assert "a.jinja          modified       3  not counted" in out
