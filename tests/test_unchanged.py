"""Clean files that are the same are not read again, and what is found stays the same."""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tokenlint.cli import main
from tokenlint.commands import check, session, unchanged
from tokenlint.tokens.document import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str]]

CLEAN = {"a.md": "Xin ch\u00e0o\n", "deep/b.json": '{"a": "\\u00e9"}\n', "c.txt": ""}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own, with notes from the first file on."""
    monkeypatch.delenv("TOKENLINT_NO_CACHE", raising=False)
    monkeypatch.setenv("TOKENLINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(check, "_FEWEST", 1)
    monkeypatch.setattr(unchanged, "_FRESH", 0)
    return tmp_path / "cache"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    for name, text in CLEAN.items():
        write(folder / name, text)
    monkeypatch.chdir(folder)
    return folder


def write(file: Path, text: str) -> None:
    """Write a file, and let the clock of the file system go on."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8", newline="")
    time.sleep(0.02)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read since somebody cleared the list."""
    files: list[str] = []

    def noting(file: Path | str, shown: str, *, max_size: int) -> object:
        files.append(shown)
        return read_bytes(file, shown, max_size=max_size)

    monkeypatch.setattr(session, "read_bytes", noting)
    return files


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], read: list[str]) -> Run:
    """What a check comes to, and what it prints."""

    def checked(*arguments: str) -> tuple[int, str]:
        read.clear()
        code = main(["check", "--output-format", "concise", *arguments])
        told = capsys.readouterr()
        return code, told.out + told.err

    return checked


ALL = [*sorted(CLEAN)]
NOTHING = (0, "All checks passed!\nChecked 3 files.\n")


def test_clean_files_are_read_once(cache: Path, project: Path, run: Run, read: list[str]) -> None:
    assert (run(), read) == (NOTHING, ALL)
    assert (run(), read) == (NOTHING, [])
    assert (run("deep"), read) == ((0, "All checks passed!\nChecked 1 file.\n"), [])
    assert (run("--no-cache"), read) == (NOTHING, ALL)
    assert len(unchanged.notes_in(cache)) == 1


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ({"a.md": "Xin cha\u0300o\n"}, ["a.md"]),
        ({"a.md": "Xin ch\u00e0o\n"}, ["a.md"]),
        ({"d.md": "<|im_end|>"}, ["d.md"]),
        ({"deep/b.json": '{"a": "e\\u0301"}\n'}, ["deep/b.json"]),
        ({"a.md": "Xin ch\u00e0o\r"}, ["a.md"]),
        ({"c.txt": "\ufffd", "d.txt": ""}, ["c.txt", "d.txt"]),
    ],
)
def test_what_changed_is_read_again(
    changed: dict[str, str], again: list[str], cache: Path, project: Path, run: Run, read: list[str]
) -> None:
    run()
    times = {name: (project / name).stat() for name in CLEAN}
    for name, text in changed.items():
        write(project / name, text)
        if name in times:  # the one time that can be set back
            os.utime(project / name, ns=(times[name].st_atime_ns, times[name].st_mtime_ns))
    found = run()
    assert read == again
    assert found == run("--no-cache")
    assert run() == run("--no-cache")


def test_a_file_with_findings_is_read_each_time(
    cache: Path, project: Path, run: Run, read: list[str]
) -> None:
    write(project / "a.md", "<|im_end|>")
    (project / "bin.md").write_bytes(b"\0")
    first = run()
    assert first[0] == 1
    assert (run(), read) == (first, ["a.md", "bin.md"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["--select", "TL2"],
        ["--extend-select", "TL102"],
        ["--config", "other.toml"],
    ],
)
def test_another_configuration_knows_nothing(
    arguments: list[str], cache: Path, project: Path, run: Run, read: list[str]
) -> None:
    run()
    write(project.parent / "other.toml", 'soft-hyphens = "allow"\n')
    run(*(a.replace("other", "../other") for a in arguments))
    assert read == ALL


def test_a_configuration_that_changes_forgets(
    cache: Path, project: Path, run: Run, read: list[str]
) -> None:
    write(project / "tokenlint.toml", "")
    run()
    write(project / "tokenlint.toml", 'special-tokens = { extra = ["Xin"] }\n')
    assert run()[0] == 1


@pytest.mark.parametrize(
    "arguments",
    [["--fix"], ["--diff"], ["--budgets"], ["--no-cache"]],
)
def test_a_run_that_does_more_keeps_nothing(
    arguments: list[str], cache: Path, project: Path, run: Run
) -> None:
    write(project / "tokenlint.toml", '[[budgets]]\nfiles = ["c.txt"]\nmax-tokens = 9\n')
    run(*arguments)
    assert unchanged.notes_in(cache) == []


def test_files_with_a_limit_are_always_read(
    cache: Path, project: Path, run: Run, read: list[str]
) -> None:
    limit = '[[budgets]]\nfiles = ["a.md"]\nmax-tokens = 99\n'
    write(project / "tokenlint.toml", limit + "[per-file-ignores]\n'*.txt' = ['TL404']\n")
    write(project / "c.txt", "\ufffd")
    assert run()[0] == 0
    assert (run()[0], read) == (0, ["a.md"])


def test_a_file_of_this_very_moment_is_not_noted(
    cache: Path, project: Path, run: Run, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.chdir(project)
    assert unchanged._FRESH > 2_000_000_000
    known = unchanged.Unchanged(cache)
    told = session.Session(project)
    scope = told.scope(told.config)
    (found, *_) = told.find(["a.md"]).found
    assert known.state_of(found, scope) is None
    known.started += unchanged._FRESH
    assert known.state_of(found, scope)


def _put_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "empty": lambda file: file.write_bytes(b""),
    "cut": lambda file: file.write_bytes(file.read_bytes()[:-9]),
    "changed": lambda file: file.write_bytes(file.read_bytes().replace(b"a.md", b"d.md")),
    "a folder": _put_a_folder,
    "gone": lambda file: file.unlink(),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_notes_are_not_believed(
    damage: str, cache: Path, project: Path, run: Run, read: list[str]
) -> None:
    run()
    (file,) = unchanged.notes_in(cache)
    DAMAGE[damage](file)
    assert (run(), read) == (NOTHING, ALL)
    run()
    assert read == (ALL if damage == "a folder" else [])


def test_a_cache_that_cannot_be_written_changes_nothing(
    cache: Path, project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write_text("a file where the folder should be")
    assert run() == NOTHING


def test_nothing_else_in_the_folder_is_touched(
    cache: Path, project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unchanged, "_MOST_NOTES", 1)
    name = f"clean-{'0' * 64}"
    mine = ["clean/a.csv", "clean-a", f"{name}.txt", "0" * 64, f"{name[:-1]}x"]
    for other in mine:
        write(cache / other, "mine")
    (cache / name).symlink_to(project / "a.md")
    (cache / f"clean-{'1' * 64}").mkdir()
    for rule in ("TL101", "TL102", "TL103"):
        run("--select", rule)
    assert main(["clean", "--quiet"]) == 0
    assert all((cache / other).read_text() == "mine" for other in mine)
    assert (project / "a.md").exists()
    assert unchanged.notes_in(cache) == []


def test_a_path_is_looked_at_as_it_is_shown(
    cache: Path, project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project / "tokenlint.toml", "")
    write(project / "cafe\u0301/a.md", "Hello")
    monkeypatch.chdir(project / "cafe\u0301")
    assert run()[0] == 0
    monkeypatch.chdir(project)
    assert run() == run("--no-cache")
    assert run()[0] == 1


def test_notes_that_a_repository_brings_along_are_not_believed(
    cache: Path, project: Path, run: Run, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKENLINT_CACHE_DIR", str(project / ".cache"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    write(project / ".gitignore", ".cache\n")
    subprocess.run(["git", "init", "-q"], check=True)
    run()
    run()
    assert read == []
    subprocess.run(["git", "add", "--force", ".cache"], check=True)
    run("a.md", "c.txt", "deep")
    assert read == ALL


def test_the_notes_of_few_configurations_are_kept(
    cache: Path, project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unchanged, "_MOST_NOTES", 2)
    for rule in ("TL101", "TL102", "TL103", "TL104"):
        run("--select", rule)
    assert len(unchanged.notes_in(cache)) == 2


def test_what_is_kept_can_be_removed(cache: Path, project: Path, run: Run) -> None:
    run()
    assert main(["clean", "--quiet"]) == 0
    assert not cache.exists()


CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["a.md", "c.txt", "new.md"]),
        st.sampled_from(["Hello", "<|im_end|>", "e\u0301", "\u00e9 ", "", "\u200b!", None]),
    ),
    max_size=3,
)


@given(st.lists(CHANGES, max_size=4))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_changes_the_same_is_found(
    cache: Path, project: Path, run: Run, rounds: list[list[tuple[str, str | None]]]
) -> None:
    for changes in rounds:
        for name, text in changes:
            if text is None:
                (project / name).unlink(missing_ok=True)
            else:
                write(project / name, text)
        assert run() == run("--no-cache")


def test_a_report_of_what_passed_names_them_all(
    cache: Path, project: Path, run: Run, read: list[str]
) -> None:
    first = run("--output-format", "junit")
    assert read == ALL
    assert (run("--output-format", "junit"), read) == (first, [])
    assert all(f'name="{name}"' in first[1] for name in ALL)
