"""The process of the command: it says everything, runs what was registered, and leaves."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

START = (
    "import atexit, sys; atexit.register(print, 'registered'); sys.argv = ['tokenlint', *{!r}]; "
    "from tokenlint.entry import run; run()"
)


def process(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", START.format(list(arguments))],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "code", "out", "err"),
    [
        (("check", "--isolated", "a.md"), 0, "All checks passed!\nChecked 1 file.\n", ""),
        (("check", "--isolated", "-q", "--output-format", "concise", "b.md"), 1, "b.md:1:1: ", ""),
        (("check", "no.md"), 2, "", "error: no.md: no such file or directory\n"),
        (("check", "--nope"), 2, "", "unrecognized arguments: --nope"),
        (("--version",), 0, "tokenlint ", ""),
        ((), 2, "usage: tokenlint ", ""),
    ],
)
def test_codes_and_outputs(
    folder: Path, arguments: tuple[str, ...], code: int, out: str, err: str
) -> None:
    (folder / "a.md").write_text("a\n")
    (folder / "b.md").write_text("<|im_end|>\n")
    done = process(folder, *arguments)
    assert done.returncode == code
    assert done.stdout.startswith(out)
    assert done.stdout.endswith("registered\n")
    assert err in done.stderr


def test_an_interrupt_before_anything_began(folder: Path) -> None:
    program = (
        "import sys; sys.modules['tokenlint.cli'] = type(sys)('cli'); "
        "from tokenlint.entry import run\n"
        "def main(): raise KeyboardInterrupt\n"
        "sys.modules['tokenlint.cli'].main = main; run()"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_much_output_arrives_whole(folder: Path) -> None:
    (folder / "b.md").write_text("<|im_end|>\n" * 5000)
    done = process(folder, "check", "--isolated", "--output-format", "concise", "b.md")
    assert done.stdout.count("b.md:") == 5000
    assert "Found 5,000 findings." in done.stdout


def test_a_reader_that_had_enough(folder: Path) -> None:
    (folder / "b.md").write_text("<|im_end|>\n" * 20000)
    command = [sys.executable, "-c", START.format(["check", "--isolated", "b.md"])]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as started:
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdout.read(10)
        started.stdout.close()
        assert started.wait() == 1
        assert started.stderr.read() == b""
