"""`tokenlint clean`, and the option that leaves counts alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenlint.cli import main
from tokenlint.tokens.cache import FILE_NAME

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache of this test."""
    monkeypatch.delenv("TOKENLINT_NO_CACHE")
    monkeypatch.setenv("TOKENLINT_CACHE_DIR", str(folder / "kept"))
    (folder / "a.md").write_text("a few words, for the cache")
    (folder / "tokenlint.toml").write_text(
        '[[budgets]]\nfiles = ["*.md"]\nmax-tokens = 2\n', encoding="utf-8"
    )
    return folder / "kept"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, list[str], str]]:
    def run(*arguments: str) -> tuple[int, list[str], str]:
        code = main(arguments)
        said = capsys.readouterr()
        return code, said.out.splitlines(), said.err

    return run


def test_nothing_to_clean(kept: Path, run: Callable[..., object]) -> None:
    assert run("clean") == (0, [f"Nothing is kept in {kept}."], "")
    kept.mkdir()
    (kept / "mine").write_text("mine")
    assert run("clean") == (0, [f"Nothing is kept in {kept}."], "")
    assert (kept / "mine").read_text() == "mine"


def test_no_cache_at_all(
    kept: Path, run: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKENLINT_NO_CACHE", "1")
    said = "Nothing is kept: TOKENLINT_NO_CACHE is set, or there is no home folder."
    assert run("clean") == (0, [said], "")


@pytest.mark.parametrize("command", ["check", "count", "compare"])
def test_what_a_command_kept_is_removed(
    command: str, kept: Path, run: Callable[..., object]
) -> None:
    first = run(command, "a.md")
    assert [path.name for path in kept.iterdir()] == [FILE_NAME]
    size = (kept / FILE_NAME).stat().st_size
    assert run(command, "a.md") == first
    assert run("clean") == (0, [f"Removed {size:,} bytes from {kept}."], "")
    assert not kept.exists()
    assert run(command, "a.md") == first
    assert run("clean", "-q") == (0, [], "")
    assert not kept.exists()


@pytest.mark.parametrize("command", ["check", "count", "compare"])
def test_no_cache_reads_and_writes_none(
    command: str, kept: Path, run: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run(command, "--no-cache", "a.md")
    monkeypatch.setenv("TOKENLINT_NO_CACHE", "1")
    assert run(command, "a.md") == first
    assert not kept.exists()


def test_a_cache_that_was_forged_is_not_believed_with_no_cache(
    kept: Path, run: Callable[..., tuple[int, list[str], str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = run("count", "a.md")
    forged = "tokenlint.tokens.cache.Cache"
    monkeypatch.setattr(f"{forged}.get", lambda *_: 999_999)
    monkeypatch.setattr(f"{forged}.get_all", lambda _, keys: dict.fromkeys(keys, 999_999))
    assert "999,999" in run("count", "a.md")[1][-1]
    assert run("count", "--no-cache", "a.md") == right


def test_what_cannot_be_removed(kept: Path, run: Callable[..., tuple[int, list[str], str]]) -> None:
    (kept / FILE_NAME).mkdir(parents=True)
    code, out, error = run("clean")
    assert (code, out) == (2, [])
    assert error.startswith(f"error: {kept / FILE_NAME}: it cannot be removed: ")
