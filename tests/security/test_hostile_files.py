"""Files that somebody put into a repository to do harm: a run ends, and says what it saw."""

from __future__ import annotations

import gzip
import os
import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from pytest_tokenbudget import lock
from pytest_tokenbudget.errors import Mistake
from tokenlint.cli import main
from tokenlint.tokens.cache import _TABLE, FILE_NAME, Cache, _mark
from tokenlint.tokens.rank_files import _gunzip

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DEEP = 200_000
ESCAPED = r'"e\u0302 <|im_start|>"'
FILES = {
    "a.json": "[" * DEEP,
    "b.json": '{"a":' * DEEP + "1" + "}" * DEEP,
    "c.json": f"[{ESCAPED}," * 9_000,
    "a.jsonl": "[" * DEEP + "\n",
    "a.yaml": "[" * DEEP,
    "b.yaml": "".join(" " * level + "a:\n" for level in range(1_500)),
    "c.yaml": "- " * 20_000,
    "d.yaml": "a0: &a0 [x,x]\n"
    + "".join(f"a{n + 1}: &a{n + 1} [*a{n},*a{n}]\n" for n in range(39)),
    "a.toml": "a = " + "[" * DEEP,
    "b.toml": "a = " + "{a=" * DEEP,
    "a.md": "---\na: " + "[" * DEEP + "\n---\n",
    "m.json": '[{"role":"user","content":' + "[" * DEEP + "]" * DEEP + "}]",
    "a.jinja": "{{ " + "(" * 5_000 + ")" * 5_000 + " }}",
    "b.jinja": "{% if a %}" * 5_000 + "{% endif %}" * 5_000,
    "x.jinja": "{{ a }}",
}  # fmt: skip
TOO_DEEP = "nest"  # one engine of YAML counts levels, the other one is counted by us
LATE = "a value was expected, and here the text ends"
SAID = [
    (["check", "--quiet", "--exit-zero", *FILES], ""),
    (["count", "--chat", "m.json"], "m.json: line 1: values that are nested more than 200 deep"),
    (["count", "--extract", "jinja", "a.jinja"], "a.jinja: the template calls, includes or nests"),
    (["count", "--extract", "jinja", "b.jinja"], "b.jinja: the template calls, includes or nests"),
    (["count", "--extract", "a.b", "a.json"], f"invalid JSON at column 200001: {LATE}"),
    (["count", "--extract", "a.b", "a.yaml"], TOO_DEEP),
    (["count", "--extract", "a39.b", "d.yaml"], "d.yaml: "),
    (["count", "--extract", "a.b", "b.toml"], "b.toml: line 1: TOML with values that are"),
    (["check", "--config", "a.toml", "x.jinja"], "a.toml: not valid TOML: "),
    (["check", "--config", "b.toml", "x.jinja"], "b.toml: not valid TOML: "),
    (["check", "--baseline", "a.json", "x.jinja"], "a.json: nested too deeply; restore the file"),
    (["count", "-t", "./a.json", "x.jinja"], "a.json: not a usable tokenizer.json (invalid type"),
    (["count", "--extract", "jinja", "--variables", "a.json", "x.jinja"], LATE),
    (["count", "--extract", "jinja", "--variables", "a.yaml", "x.jinja"], TOO_DEEP),
    (["count", "--extract", "jinja", "--variables", "d.yaml", "x.jinja"], "d.yaml: "),
]  # fmt: skip


@pytest.mark.parametrize(("command", "said"), SAID, ids=[" ".join(said[0])[:50] for said in SAID])
def test_what_is_nested_or_multiplied(folder: Path, command: Sequence[str], said: str) -> None:
    """In a process of its own: a stack that is too deep would end this one."""
    for name in {*command} & {*FILES} or {"a.json"}:
        (folder / name).write_text(FILES[name], "utf-8")
    (folder / "a.json").write_text(FILES["a.json"], "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "tokenlint", *command],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "Traceback" not in ran.stderr
    assert ran.returncode == (2 if said else 0), ran.stderr
    assert said in ran.stderr
    assert ran.stderr.count("\n") == bool(said)
    assert len(ran.stderr) < 1_000


def test_a_lock_file_of_any_size(folder: Path) -> None:
    file = folder / "tokenbudget.lock"
    with file.open("wb") as stream:
        stream.truncate(100_000_001)  # no disk is needed for what was never written
    with pytest.raises(Mistake, match="100,000,001 bytes, and at most 100,000,000 are read"):
        lock.read(file)


def test_a_vocabulary_that_unpacks_to_more_than_any_has() -> None:
    bomb = gzip.compress(b"\0" * 200_000_000, 1)
    assert len(bomb) < 1_000_000
    assert len(_gunzip(bomb)) == 100_000_000
    assert _gunzip(gzip.compress(b"YQ== 0\n")) == b"YQ== 0\n"
    with pytest.raises(zlib.error):
        _gunzip(b"no gzip")


# Caches

KEY = b"k" * 32
ENDLESS = (
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
    "SELECT x AS key, x AS value, x AS mark, x AS used FROM c"
)
TRIGGER = "CREATE TRIGGER t AFTER INSERT ON counts BEGIN DELETE FROM counts; END"
CRAFTED = {
    "a view that never ends": f"CREATE VIEW counts AS {ENDLESS}",
    "a trigger": f"{_TABLE}; {TRIGGER}",
    "a column that computes": _TABLE.replace("value INTEGER NOT NULL", "value AS (used * 2)"),
    "one table more": f"{_TABLE}; CREATE TABLE other (key)",
    "another table": "CREATE TABLE counts (key, value, mark, used)",
}  # fmt: skip


@pytest.mark.parametrize("what", CRAFTED)
def test_a_cache_that_is_more_than_a_table_is_replaced(tmp_path: Path, what: str) -> None:
    file = tmp_path / FILE_NAME
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executescript(CRAFTED[what])
    cache = Cache(file)
    assert cache.get(KEY) is None
    cache.put({KEY: 7})
    assert cache.get(KEY) == 7
    cache.close()
    with closing(sqlite3.connect(file)) as connection, connection:
        assert connection.execute("SELECT type, name FROM sqlite_master").fetchall() == [
            ("table", "counts")
        ]


@pytest.mark.parametrize("value", [-1.5, "7", "x", b"x", None, 2**62])
def test_a_value_of_another_kind_is_no_crash(tmp_path: Path, value: object) -> None:
    file = tmp_path / FILE_NAME
    Cache(file).put({KEY: 7})
    with closing(sqlite3.connect(file)) as connection, connection:
        row = (value if value is not None else 8, _mark(KEY, value) if value is not None else b"")
        connection.execute("UPDATE counts SET value = ?, mark = ?", row)
    cache = Cache(file)
    found = cache.get(KEY)
    cache.close()
    assert found == (value if isinstance(value, int) else None)


# What git and attributes say of files hides none


@pytest.fixture
def repository(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("GIT_CEILING_DIRECTORIES")
    (folder / "a.md").write_text("one\n", "utf-8")
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "x")
    return folder


def git(*arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    subprocess.run(["git", *who, *arguments], check=True, capture_output=True)


ATTRIBUTES = (
    "-diff",
    "binary",
    "-text",
    "export-ignore",
    "linguist-generated",
    "ident",
    "merge=ours",
)


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_attributes_hide_no_file(
    repository: Path, attribute: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / ".gitattributes").write_text(f"*.md {attribute}\n", "utf-8")
    (repository / "a.md").write_text("one <|im_start|> $Id$\n", "utf-8")
    assert main(["check", "--output-format", "concise", "--quiet"]) == 1
    assert capsys.readouterr().out.startswith("a.md:1:5: TL201 ")
    assert main(["diff", "HEAD", "--output-format", "csv"]) == 0
    assert "a.md," in capsys.readouterr().out


def test_an_encoding_in_the_attributes_changes_no_count(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is checked are the bytes of the working tree, whatever git would make of them."""
    (repository / ".gitattributes").write_text("*.md working-tree-encoding=UTF-16\n", "utf-8")
    (repository / "b.md").write_text("one two", "utf-8")
    assert main(["count", "b.md", "--output-format", "csv"]) == 0
    assert "b.md,7,7,2,2" in capsys.readouterr().out


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_flags_of_the_index_hide_nothing_from_a_check(
    repository: Path, flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "a.md").write_text("<|im_start|>", "utf-8")
    git("update-index", flag, "a.md")
    assert main(["check", "--output-format", "concise", "--quiet"]) == 1
    assert capsys.readouterr().out.startswith("a.md:1:1: TL201 ")


def test_a_tracked_file_that_is_ignored_is_checked(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pull request may add a prompt together with the line that ignores it."""
    (repository / ".gitignore").write_text("*.md\n", "utf-8")
    (repository / "a.md").write_text("<|im_start|>", "utf-8")
    assert main(["check", "--output-format", "concise", "--quiet"]) == 1
    assert capsys.readouterr().out.startswith("a.md:1:1: TL201 ")


@pytest.mark.skipif(not os.path.exists("/etc/passwd"), reason="needs that file")  # noqa: PTH110
def test_a_link_to_a_secret_is_not_read(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "prompts").mkdir()
    (repository / "prompts/a.md").symlink_to("/etc/passwd")
    (repository / "tokenlint.toml").write_text(
        '[[budgets]]\nfiles = ["prompts/*.md", "prompts/a.md"]\nmax-tokens = 1\nmax-total = 1\n',
        "utf-8",
    )
    git("add", ".")
    for command in (
        *(["check", "--no-cache"], ["check", "--budgets"], ["count"], ["compare"]),
        *(["diff", "HEAD"], ["diff", "HEAD", "--staged"], ["check", "prompts"]),
    ):
        main(command)
        said = "".join(capsys.readouterr())
        assert "root:" not in said
        assert "over the budget" not in said


def test_a_configuration_of_pre_commit_is_only_text(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever runs pre-commit runs what it says; a run of ours does not."""
    (repository / ".pre-commit-config.yaml").write_text(
        "repos:\n- repo: local\n  hooks: [{id: x, name: x, language: system, entry: touch ran}]\n",
        "utf-8",
    )
    git("add", ".")
    for command in (["check"], ["count"], ["diff", "HEAD"]):
        assert main(command) == 0
    assert not (repository / "ran").exists()
    assert "touch ran" not in capsys.readouterr().out
