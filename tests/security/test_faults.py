"""A full disk, a lost permission, a kill at the worst moment, two at once: nothing is lost.

A process of its own runs until a chosen call of the operating system, and there the fault happens.
Whatever it was, the file is the old one or the new one, and whole; the next run works.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import tomllib
import unicodedata
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from pytest_tokenbudget import lock
from tokenlint.atomic import is_unfinished, replace_file
from tokenlint.baseline import parse
from tokenlint.cli import main

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of Unix")

DECOMPOSED = "Tie\u0302\u0301ng Vie\u0323\u0302t\n" * 1_000
COMPOSED = unicodedata.normalize("NFC", DECOMPOSED)

FAULT = """\
import os, resource, signal, sys
what, call, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
if what in ("full", "cut"):  # as a full disk, or a kill in a write, after so many bytes
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN if what == "full" else signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (number, number))
else:
    def watch(event, arguments, seen=[0]):
        if event == call and any(part in str(arguments) for part in (".tokenlint-", "counts.")):
            seen[0] += 1
            if seen[0] == number:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(watch)
"""
PYTEST = "import pytest; raise SystemExit(pytest.main(sys.argv[4:]))\n"
TOKENLINT = "from tokenlint.cli import main; raise SystemExit(main(sys.argv[4:]))\n"


def run(
    fault: Sequence[object], *arguments: str, program: str = TOKENLINT
) -> subprocess.CompletedProcess[str]:
    """A run of the command line in which a fault happens."""
    return subprocess.run(
        [sys.executable, "-c", FAULT + program, *map(str, fault), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path_factory.mktemp("cache")
    monkeypatch.delenv("TOKENLINT_NO_CACHE", raising=False)
    monkeypatch.setenv("TOKENLINT_CACHE_DIR", str(made))
    return made


KILLS = [("kill", "open", 1), ("kill", "os.chmod", 1), ("kill", "os.rename", 1), ("cut", "", 999)]
FULL = [("full", "", 0), ("full", "", 4_096)]


def left_over(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if is_unfinished(path.name)]


@pytest.mark.parametrize("fault", [*KILLS, *FULL], ids=str)
def test_fix(folder: Path, fault: tuple[str, str, int]) -> None:
    file = folder / "a.md"
    file.write_text(DECOMPOSED, "utf-8")
    file.chmod(0o640)
    ran = run(fault, "check", "--fix", "a.md", "--quiet", "--no-cache")
    assert file.read_text("utf-8") in (DECOMPOSED, COMPOSED)
    assert file.stat().st_mode & 0o777 == 0o640
    assert "Traceback" not in ran.stderr
    if fault[0] == "full":
        assert ran.returncode == 2
        assert "error: a.md: not fixed: File too large" in ran.stderr
        assert left_over(folder) == []
    elif fault[0] == "cut":
        assert ran.returncode == -signal.SIGXFSZ
        assert [(folder / name).stat().st_size for name in left_over(folder)] == [999]
    assert main(["check", "--fix", "--quiet"]) == 0
    assert file.read_text("utf-8") == COMPOSED


@pytest.mark.parametrize("fault", [*KILLS, *FULL], ids=str)
def test_a_baseline(folder: Path, fault: tuple[str, str, int]) -> None:
    for at in range(100):
        (folder / f"{at}.md").write_text("<|im_start|>", "utf-8")
    assert main(["check", "--quiet", "--write-baseline", "b.json", "0.md"]) == 0
    before = (folder / "b.json").read_bytes()
    ran = run(fault, "check", "--quiet", "--no-cache", "--write-baseline", "b.json")
    now = (folder / "b.json").read_bytes()
    assert len(parse(now)) in (1, 100)
    assert now == before or len(parse(now)) == 100
    assert "Traceback" not in ran.stderr
    if fault[0] == "full":
        assert ran.returncode == 2
        assert "b.json: the baseline cannot be written: File too large" in ran.stderr
        assert left_over(folder) == []


@pytest.mark.parametrize("fault", [*KILLS, ("full", "", 9), FULL[1]], ids=str)
def test_a_lock_file(folder: Path, fault: tuple[str, str, int]) -> None:
    (folder / "pytest.ini").write_text(
        "[pytest]\nasyncio_default_fixture_loop_scope = function\n", "utf-8"
    )
    (folder / "test_it.py").write_text(
        "import pytest\n@pytest.mark.token_budget(99, files='*.md')\ndef test_it():\n    pass\n",
        "utf-8",
    )
    (folder / "a.md").write_text("hello", "utf-8")
    old = lock.written({("a.md", "o200k_base"): 5, ("gone.md", "o200k_base"): 1})
    file = folder / "tokenbudget.lock"
    file.write_text(old, "utf-8")
    ran = run(
        fault,
        *(
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:faulthandler",
            "-p",
            "no:xdist",
            "-p",
            "no:randomly",
            "test_it.py",
        ),
        *("--tokenbudget-update", "-s"),
        program=PYTEST,
    )
    now = file.read_text("utf-8")
    assert now == old or tomllib.loads(now)["a.md"] == {"o200k_base": 1}
    assert "Traceback" not in ran.stderr + ran.stdout
    if fault == ("full", "", 9):
        assert now == old
        assert "tokenbudget.lock: not updated: File too large" in ran.stdout


IN_SQLITE = [("kill", "sqlite3.connect", 1), *(("cut", "", at) for at in (1, 600, 5_000))]


@pytest.mark.parametrize("fault", [*IN_SQLITE, *FULL], ids=str)
def test_a_cache(folder: Path, cache: Path, fault: tuple[str, str, int]) -> None:
    for at in range(50):
        (folder / f"{at}.md").write_text(f"hello {at}\n", "utf-8")
    ran = run(fault, "count", "--output-format", "csv")
    assert "Traceback" not in ran.stderr
    if fault[0] == "full":
        assert ran.returncode == 0
    elif fault[0] == "cut":
        assert ran.returncode == -signal.SIGXFSZ
    again = run(("full", "", 10**9), "count", "--output-format", "csv")
    third = run(("full", "", 10**9), "count", "--output-format", "csv", "--no-cache")
    assert again.stdout == third.stdout
    assert again.returncode == third.returncode == 0
    with closing(sqlite3.connect(cache / "counts.sqlite3")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_kill_in_the_middle_of_many_cache_writes(folder: Path, cache: Path) -> None:
    """Ten runs that are killed at any moment leave a cache that says what is true, or nothing."""
    for at in range(100):
        (folder / f"{at}.md").write_text(f"hello {at} " * 50, "utf-8")
    command = [sys.executable, "-m", "tokenlint", "count", "--output-format", "csv"]
    for tenth in (2, 4, 6, 8):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(tenth / 10)
        process.send_signal(signal.SIGKILL)
        assert process.communicate()[1] == b""
    cached = subprocess.run(command, capture_output=True, check=True).stdout
    plain = subprocess.run([*command, "--no-cache"], capture_output=True, check=True).stdout
    assert cached == plain


def test_two_of_everything(folder: Path) -> None:
    """Four processes at the same work: none fails but for a file that another one changed."""
    for at in range(40):
        (folder / f"{at}.md").write_text(f"{DECOMPOSED[:200]} {at} <|im_start|>", "utf-8")
    work = [
        ["check", "--fix", "--quiet", "--exit-zero"],
        ["check", "--quiet", "--exit-zero", "--write-baseline", "b.json", "--select", "TL201"],
        ["count", "--output-format", "csv"],
    ]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tokenlint", *one],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for one in work
        for _ in range(2)
    ]
    said = [process.communicate(timeout=120)[1] for process in running]
    for one in said:
        assert "Traceback" not in one
        errors = [line for line in one.splitlines() if line.startswith("error")]
        known = ("it changed while it was checked", "not everything was checked")
        assert all(any(why in line for why in known) for line in errors), errors
    for at in range(40):
        old = f"{DECOMPOSED[:200]} {at} <|im_start|>"
        now = (folder / f"{at}.md").read_text("utf-8")
        assert now in (old, unicodedata.normalize("NFC", old))
    assert len(parse((folder / "b.json").read_bytes())) <= 40
    assert left_over(folder) == []
    assert main(["check", "--fix", "--quiet", "--exit-zero"]) == 0
    for at in range(40):
        assert "\u0301" not in (folder / f"{at}.md").read_text("utf-8")


def test_two_updates_of_a_lock_file(folder: Path) -> None:
    """Each records its own prompts, and none of the other's is lost."""
    code = (
        "import sys\nfrom pathlib import Path\nfrom pytest_tokenbudget import lock\n"
        "for at in range(40):\n"
        "    lock.update(Path('tokenbudget.lock'), {(f'{sys.argv[1]}{at}', 'o200k_base'): at})\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, name]) for name in "abc"]
    assert [process.wait(120) for process in running] == [0, 0, 0]
    assert len(lock.read(folder / "tokenbudget.lock") or {}) == 120


is_root = not hasattr(os, "geteuid") or os.geteuid() == 0


@pytest.mark.skipif(
    not is_root or shutil.which("setpriv") is None, reason="needs root to be another"
)
def test_permission_is_lost_midway(folder: Path) -> None:
    """The folder is closed once the file was read: the file stays, and one sentence says why."""
    folder.chmod(0o755)
    (folder / "sub").mkdir()
    file = folder / "sub/a.md"
    file.write_text(DECOMPOSED, "utf-8")
    for path in (folder, folder / "sub", file):
        os.chown(path, 65534, 65534)
    for above in folder.parents[:3]:
        above.chmod(0o755)
    closing = "import os; from tokenlint import fix; real = fix.write\n"
    closing += "def write(*a): os.chmod('sub', 0o500); real(*a)\nfix.write = write\n"
    ran = subprocess.run(
        [
            *("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable),
            *("-c", f"import sys\n{closing}{TOKENLINT}", "", "", ""),
            *("check", "--fix", "--no-cache", "--quiet", "sub/a.md"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    (folder / "sub").chmod(0o755)
    closed = "PermissionError" in ran.stderr and "site-packages" in ran.stderr
    if closed or "error while loading shared libraries" in ran.stderr:
        pytest.skip("the installation is closed to others")
    assert "error: sub/a.md: not fixed: Permission denied" in ran.stderr
    assert ran.returncode == 2
    assert file.read_text("utf-8") == DECOMPOSED


# What a file keeps


@pytest.mark.skipif(not is_root, reason="needs root to give a file away")
def test_owner_mode_and_links_are_kept(folder: Path) -> None:
    file, link = folder / "a.json", folder / "link.json"
    file.write_bytes(b"{}")
    link.symlink_to("a.json")
    file.chmod(0o604)
    os.chown(file, 1234, 1235)
    replace_file(link, b"[]")
    status = file.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (1234, 1235, 0o604)
    assert link.is_symlink()
    assert file.read_bytes() == b"[]"
    file.write_text(DECOMPOSED[:20], "utf-8")
    assert main(["check", "--fix", "--quiet", "--select", "TL1", "link.json"]) == 0
    status = file.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (1234, 1235, 0o604)
    assert link.is_symlink()


def test_a_new_file_has_the_mode_of_new_files(folder: Path) -> None:
    replace_file(folder / "a.json", b"[]")
    (folder / "b.json").write_bytes(b"[]")
    assert (folder / "a.json").stat().st_mode == (folder / "b.json").stat().st_mode
