"""Standard streams: by their names as files, redirected, full, closed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tokenlint.cli import main
from tokenlint.streams import stream_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")

CSV = "path,row,column,end_row,end_column,code,name,level,message,fix,url\n"
CLEAN = "All checks passed!\nChecked 1 file.\n"
FULL = "No space left on device"
CLOSED = "Bad file descriptor"


@pytest.fixture(autouse=True)
def project(folder: Path) -> Path:
    """Two prompts in folders of their own, so that a log is none of them."""
    (folder / "p").mkdir()
    (folder / "p/a.md").write_text("Hello\n")
    return folder


def shell(command: str) -> tuple[int, str, str]:
    """What a command comes to, with `tokenlint` in it, in a shell that can redirect."""
    start = f"{sys.executable} -m tokenlint"
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONUNBUFFERED", "CI")}
    done = subprocess.run(
        ["/bin/sh", "-c", command.replace("tokenlint", start, 1)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("-", 1),
        ("/dev/stdout", 1),
        ("/dev/stderr", 2),
        ("/dev/fd/1", 1),
        ("/dev/fd/63", 63),
        ("/proc/self/fd/3", 3),
        ("/dev/null", None),
        ("/dev/fd/x", None),
        ("dev/stdout", None),
        ("--", None),
        ("report.txt", None),
    ],
)
def test_names_of_streams(name: str, number: int | None) -> None:
    assert stream_of(Path(name)) == number


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
def test_a_report_to_standard_output_by_name_is_added_to_its_file(name: str, project: Path) -> None:
    log = project / "log.txt"
    log.write_text("before\n")
    assert shell(f"tokenlint check p -o {name} >> log.txt")[0] == 0
    assert log.read_text() == f"before\n{CLEAN}"
    assert shell(f"tokenlint check p --also csv={name} >> log.txt")[0] == 0
    assert log.read_text() == f"before\n{CLEAN}{CLEAN}{CSV}"
    assert shell(f"(echo first; tokenlint check p -q -o r.txt --also csv={name}) > log.txt")[0] == 0
    assert log.read_text() == f"first\n{CSV}"
    assert not (project / "-").exists()


def test_other_streams_by_name(project: Path) -> None:
    log = project / "log.txt"
    log.write_text("before\n")
    assert shell("tokenlint check p -o /dev/stderr 2>> log.txt") == (0, "", "")
    assert shell("tokenlint check p --also csv=/dev/fd/3 3>> log.txt") == (0, CLEAN, "")
    assert log.read_text() == f"before\n{CLEAN}{CSV}"
    error = f"error: /dev/fd/9: the report cannot be written: {CLOSED}\n"
    assert shell("tokenlint check p --also csv=/dev/fd/9 9>&-") == (2, CLEAN, error)


def test_a_report_by_name_is_safe_in_a_log(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "##[error]x.md"
    (project / name).write_text("<|im_end|>\n")
    monkeypatch.setattr("tokenlint.cli._IN_CI", True)
    assert main(["check", name, "-q", "-o", "r.txt", "--also", "json=-"]) == 1
    shown = capsys.readouterr().out
    assert "##[" not in shown
    assert [finding["filename"] for finding in json.loads(shown)] == [name]


COMMANDS = (
    "check p",
    "check p -q --output-format json",
    "check p --show-files",
    "count p",
    "compare p",
    "diff --no-index p p -q",
    "explain --text x",
    "explain --merges hello",
    "rule TL101",
    "tokenizers",
    "config",
)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("where", "why"), [("> /dev/full", FULL), (">&-", CLOSED)])
def test_an_output_that_takes_nothing(command: str, where: str, why: str) -> None:
    if why == FULL and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    error = f"error: the report cannot be written to standard output: {why}\n"
    assert shell(f"tokenlint {command} {where}") == (2, "", error)


@pytest.mark.parametrize(("where", "why"), [("> /dev/full", FULL), (">&-", CLOSED)])
def test_a_help_that_nobody_gets(where: str, why: str) -> None:
    if why == FULL and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    error = f"error: standard output cannot be written: {why}\n"
    assert shell(f"tokenlint --help {where}") == (2, "", error)


def test_a_report_in_a_file_needs_no_standard_output(project: Path) -> None:
    assert shell("tokenlint check p -o r.txt >&-") == (0, "", "")
    assert (project / "r.txt").read_text() == CLEAN


def test_a_report_that_cannot_be_printed_keeps_no_other_back(project: Path) -> None:
    error = f"error: the report cannot be written to standard output: {CLOSED}\n"
    assert shell("tokenlint check p --also csv=r.csv >&-") == (2, "", error)
    assert (project / "r.csv").read_text() == CSV


@pytest.mark.parametrize("command", ["check -", "count -", "explain", "check --stdin-filename a"])
def test_a_closed_standard_input(command: str) -> None:
    error = f"error: standard input cannot be read: {CLOSED}\n"
    assert shell(f"tokenlint {command} <&-") == (2, "", error)


def test_without_standard_error_messages_go_nowhere() -> None:
    assert shell("tokenlint check p 2>&-") == (0, CLEAN, "")
    code, shown, _ = shell("tokenlint check nowhere.md 2>&-")
    assert (code, shown) == (2, "Checked 0 files, skipped 1 (1 missing).\n")
    assert shell("tokenlint check p <&- >&- 2>&-") == (2, "", "")
