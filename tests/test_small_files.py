"""Files that are read whole: a device, a pipe or a folder in their place is named, never read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from pytest_tokenbudget import lock
from pytest_tokenbudget.errors import Mistake
from tokenlint.cli import main
from tokenlint.small_files import read_small

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[[Path], None]

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that are files")

NO_FILE = "not a regular file"
CLEAN = "All checks passed!\nChecked 1 file.\n"


@pytest.fixture(autouse=True)
def project(folder: Path) -> Path:
    """A prompt in a folder of its own."""
    (folder / "p").mkdir()
    (folder / "p/a.md").write_text("Hello\n")
    return folder


def zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder_(path: Path) -> None:
    path.mkdir()


SPECIAL = [(zero, NO_FILE), (pipe, NO_FILE), (folder_, "Is a directory")]


def test_a_file_up_to_its_bound(folder: Path) -> None:
    file = folder / "a"
    file.write_bytes(b"12345")
    assert read_small(file) == read_small(file, 5) == b"12345"
    with pytest.raises(OSError, match="5 bytes, and at most 4 are read") as caught:
        read_small(file, 4)
    assert caught.value.strerror == "5 bytes, and at most 4 are read"


def test_the_null_device_is_an_empty_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "p", "--config", os.devnull]) == 0
    assert capsys.readouterr() == (CLEAN, "")


@pytest.mark.parametrize("option", ["--config", "--baseline", "--write-baseline"])
@pytest.mark.parametrize(("make", "why"), SPECIAL)
def test_what_the_command_line_names(
    option: str, make: Make, why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(folder / "x")
    assert main(["check", "p", option, "x"]) == 2
    assert capsys.readouterr().err == f"error: x: {why}\n"


@pytest.mark.parametrize("name", ["x.json", "x.tiktoken"])
@pytest.mark.parametrize("make", [zero, pipe])
def test_a_tokenizer(
    name: str, make: Make, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(folder / name)
    assert main(["count", "p", "-t", name]) == 2
    sentence = f"error: {folder / name}: {NO_FILE}; no tokenizer there\n"
    assert capsys.readouterr().err == sentence


@pytest.mark.parametrize("name", ["tokenlint.toml", ".tokenlint.toml"])
@pytest.mark.parametrize(("make", "why"), SPECIAL)
def test_a_configuration_that_is_none_must_not_look_like_no_configuration(
    name: str, make: Make, why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(folder / "p" / name)
    assert main(["check", "p"]) == 2
    assert capsys.readouterr() == ("", f"error: {folder / 'p' / name}: {why}\n")


@pytest.mark.parametrize("make", [zero, pipe, folder_])
def test_a_pyproject_that_is_none_may_be_that_of_others(
    make: Make, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(folder / "pyproject.toml")
    assert main(["check", "p"]) == 0
    assert capsys.readouterr() == (CLEAN, "")


@pytest.mark.parametrize("make", [zero, pipe, folder_])
def test_a_gitignore_that_is_none_is_left_out_of_account(
    make: Make, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(folder / ".gitignore")
    assert main(["check", "p"]) == 0
    assert capsys.readouterr() == (CLEAN, "")


@pytest.mark.parametrize(("make", "why"), SPECIAL)
def test_a_lock_file(make: Make, why: str, folder: Path) -> None:
    file = folder / "tokenbudget.lock"
    assert lock.read(file) is None
    make(file)
    with pytest.raises(Mistake) as caught:
        lock.read(file)
    assert str(caught.value) == f"{file}: {why}"
