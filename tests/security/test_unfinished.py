"""What a run that was killed in a write leaves behind: nobody reads it, and it does not stay."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tokenlint.atomic import is_unfinished, replace_file
from tokenlint.cli import main

if TYPE_CHECKING:
    from pathlib import Path

LEFT = ".tokenlint-4711-0123456789abcdef.tmp"
NOT_OURS = (
    ".tokenlint.toml",
    ".tokenlint-prompt.md",
    ".tokenlint-4711-0123456789abcdef.tmp.md",
    "a.tokenlint-4711-0123456789abcdef.tmp",
    ".tokenlint-4711-0123456789abcde.tmp",
    ".tokenlint--0123456789abcdef.tmp",
    ".tokenlint-4711-0123456789abcdef.tmp\n",
)


@pytest.mark.parametrize("name", NOT_OURS)
def test_no_other_name_is_left_out(name: str, folder: Path) -> None:
    """Whoever could hide a prompt behind such a name would."""
    assert not is_unfinished(name)
    assert not is_unfinished(f"{LEFT}/{name}")


def test_a_name_of_ours() -> None:
    assert is_unfinished(LEFT)
    assert is_unfinished(os.path.join("a", "b", LEFT))  # noqa: PTH118


KILLED_AT_RENAME = """\
import os, signal, sys
def watch(event, arguments):
    if event == "os.rename" and ".tokenlint-" in str(arguments[0]):
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(watch)
from tokenlint.cli import main
main(sys.argv[1:])
"""
WRITERS = [
    ("check", "--fix", "a.md"),
    ("check", "--write-baseline", "baseline.json"),
    ("train", "a.md", "--vocab-size", "300", "-o", "t.json"),
    ("count", "-o", "report.csv", "--output-format", "csv"),
]


@pytest.fixture(params=["repository", "folder"])
def place(request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if request.param == "repository":
        monkeypatch.delenv("GIT_CEILING_DIRECTORIES")
        subprocess.run(["git", "init", "-q", "."], check=True)
    (folder / "a.md").write_text("e\u0301 <|im_start|>", "utf-8")
    return folder


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals of Unix")
@pytest.mark.parametrize("command", WRITERS, ids=lambda command: " ".join(command[:2]))
def test_what_a_kill_leaves_is_never_read(
    place: Path, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    ran = subprocess.run([sys.executable, "-c", KILLED_AT_RENAME, *command], check=False)
    assert ran.returncode == -signal.SIGKILL
    left = [path for path in place.iterdir() if is_unfinished(path.name)]
    assert len(left) == 1
    assert main(["check", "--select", "TL201", "--exit-zero"]) == 0
    said = capsys.readouterr()
    assert said.out.endswith("Checked 1 file, skipped 1 (1 left by a killed run).\n")
    assert said.err == ""
    assert main(["count", "--output-format", "csv"]) == 0
    assert left[0].name not in capsys.readouterr().out
    old = time.time() - 4_000
    os.utime(left[0], (old, old))
    replace_file(place / "b.md", b"new")
    assert not left[0].exists()


def test_what_is_being_written_stays(folder: Path) -> None:
    """Another run may be at it just now; and a folder of that name is no file of ours."""
    (folder / LEFT).write_bytes(b"being written")
    other = folder / LEFT.replace("4711", "1")
    other.mkdir()
    os.utime(other, (1, 1))
    replace_file(folder / "b.md", b"new")
    assert {path.name for path in folder.iterdir()} == {LEFT, other.name, "b.md"}


def test_whoever_names_it_reads_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / LEFT).write_text("<|im_start|>", "utf-8")
    assert main(["check", LEFT, "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.startswith(f"{LEFT}:1:1: TL201 ")


def test_a_diff_does_not_count_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GIT_CEILING_DIRECTORIES")
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    (folder / "a.md").write_text("one", "utf-8")
    for command in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "x")):
        subprocess.run(["git", *command], check=True)
    (folder / LEFT).write_text("one two three", "utf-8")
    (folder / "b.md").write_text("one two", "utf-8")
    assert main(["diff", "HEAD", "--output-format", "csv"]) == 0
    out = capsys.readouterr().out
    assert "b.md" in out
    assert LEFT not in out


@pytest.mark.skipif(os.name == "nt", reason="needs modes of Unix")
def test_what_replaces_a_private_file_is_never_open_to_others(folder: Path) -> None:
    file = folder / "a.md"
    seen: list[int] = []
    file.write_bytes(b"old")
    file.chmod(0o600)

    def look(target: Path) -> None:
        seen.extend(p.stat().st_mode & 0o077 for p in folder.iterdir() if is_unfinished(p.name))

    replace_file(file, b"new", require=look)
    assert seen == [0]
    assert file.read_bytes() == b"new"


def test_what_must_last_is_on_the_disk_before_it_has_its_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut cannot be had in a test: what is held is that the disk is asked, and when."""
    done: list[str] = []
    name = "fdatasync" if hasattr(os, "fdatasync") else "fsync"
    monkeypatch.setattr(os, name, lambda handle: done.append(f"{os.fstat(handle).st_size} bytes"))
    replace_file(folder / "a.md", b"new", require=lambda target: done.append("renamed"))
    replace_file(folder / "a.md", b"new", lasting=False)
    assert done == ["3 bytes", "renamed"]
