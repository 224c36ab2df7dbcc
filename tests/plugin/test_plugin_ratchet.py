"""The lock file: what is recorded, what may grow, and that no run harms what it did not see."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_tokenbudget import lock
from pytest_tokenbudget.errors import Mistake

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Project

INI = "[pytest]\nasyncio_default_fixture_loop_scope = function\n"
SOURCE = """
import pytest

@pytest.mark.token_budget(100, files="p/*.md", tokenizer=["o200k_base", "cl100k_base"])
def test_files(): ...

@pytest.mark.fertility_limit(9)
def test_text(token_budget):
    token_budget.check(TEXT)
    token_budget.check("one", label="short")
    token_budget.check("one two", label="short")

@pytest.mark.parametrize("case", ["a", "b"])
def test_case(token_budget, case):
    token_budget.check("one", max_tokens=5)
"""
VIETNAMESE = "Tất nhiên, tôi sẽ giúp bạn"
FILES: dict[str, str | bytes] = {
    "test_it.py": SOURCE.replace("TEXT", '"one two three"'),
    "p/a.md": VIETNAMESE,
    "p/b.md": "one two",
}
LOCK = f"""{lock.HEAD}"p/a.md".cl100k_base = 16
"p/a.md".o200k_base = 8
"p/b.md".cl100k_base = 2
"p/b.md".o200k_base = 2
"test_it.py::test_case[a]".o200k_base = 1
"test_it.py::test_case[b]".o200k_base = 1
"test_it.py::test_text".o200k_base = 3
"test_it.py::test_text (short)".o200k_base = 2
"""
GROW = {"p/b.md": "one two three"}


@pytest.fixture
def locked(project: Project) -> Project:
    project.write({**FILES, "tokenbudget.lock": LOCK})
    return project


def _read(project: Project) -> str:
    return (project.pytester.path / "tokenbudget.lock").read_bytes().decode()


def _told(project: Project, *arguments: str) -> list[str]:
    result = project.pytester.runpytest_inprocess(
        "-p", "no:hypothesispytest", "-p", "no:anyio", *arguments
    )
    start = "tokenbudget: "
    return [line.removeprefix(start) for line in result.outlines if line.startswith(start)]


def test_nothing_is_written_without_the_flag(project: Project) -> None:
    assert project.run(FILES).outcomes == {"passed": 4}
    assert not (project.pytester.path / "tokenbudget.lock").exists()


@pytest.mark.parametrize("in_ci", [False, True])
def test_the_flag_records_the_counts(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    official_count: Callable[[str, str], int],
    in_ci: bool,
) -> None:
    if in_ci:
        monkeypatch.setenv("CI", "true")
    project.write(FILES)
    assert _told(project, "--tokenbudget-update") == ["tokenbudget.lock updated: 8 new"]
    assert _read(project) == LOCK
    counts = tomllib.loads(_read(project))["p/a.md"]
    assert counts == {name: official_count(name, VIETNAMESE) for name in counts}
    assert _told(project, "--tokenbudget-update") == []
    assert project.run({}).outcomes == {"passed": 4}
    assert [path.name for path in project.pytester.path.glob("*tokenbudget*")] == [
        "tokenbudget.lock"
    ]


def test_growth_fails_and_says_so(locked: Project) -> None:
    text = {"test_it.py": SOURCE.replace("TEXT", '"one two three four"')}
    ran = locked.run({**GROW, **text})
    rest = "in tokenbudget.lock"
    do = "shorten it, or accept it with --tokenbudget-update"
    assert ran.failures == {
        "test_files": "Failed: p/b.md: 3 tokens, 1 more than the 2 "
        f"{rest} (o200k_base), +50.0 %; {do}\n"
        f"p/b.md: 3 tokens, 1 more than the 2 {rest} (cl100k_base), +50.0 %; {do}",
        "test_text": "TokenBudgetExceeded: the text: 4 tokens, 1 more than the 3 "
        f"{rest} (o200k_base), +33.3 %; {do}",
    }
    assert _read(locked) == LOCK
    assert _told(locked, "--tokenbudget-update") == ["tokenbudget.lock updated: 3 grew"]
    assert locked.run({}).outcomes == {"passed": 4}


def test_over_the_budget_as_well(locked: Project) -> None:
    ran = locked.run({"p/b.md": "one " * 100 + "end"}, "-k", "files")
    assert ran.failures["test_files"].splitlines() == [
        "Failed: p/b.md: 101 tokens, 1 over the budget of 100 (o200k_base), +1.0 %",
        "p/b.md: 101 tokens, 1 over the budget of 100 (cl100k_base), +1.0 %",
        "That is 99 more than the 2 in tokenbudget.lock.",
    ]


@pytest.mark.parametrize(
    ("allowed", "outcomes"),
    [
        ("0", {"failed": 1}),
        ("1", {"passed": 1}),
        ("49 %", {"failed": 1}),
        ("49.9%", {"failed": 1}),
        ("50%", {"passed": 1}),
    ],
)
def test_an_increase_that_is_allowed(
    locked: Project, allowed: str, outcomes: dict[str, int]
) -> None:
    ini = f"{INI}tokenbudget_max_increase = {allowed}\n"
    ran = locked.run({**GROW, "pytest.ini": ini}, "test_it.py::test_files")
    assert ran.outcomes == outcomes
    if "failed" in outcomes:
        where = "" if allowed == "0" else f" where {allowed} is allowed"
        assert f"+50.0 %{where}; shorten it" in ran.failures["test_files"]


def test_a_count_that_fell_is_offered(locked: Project) -> None:
    locked.write({"p/b.md": "one", "p/c.md": "one"})
    offer = "beside tokenbudget.lock: 2 fell, 2 new; --tokenbudget-update records them"
    assert _told(locked) == [offer]
    assert _read(locked) == LOCK
    assert _told(locked, "--tokenbudget-update") == ["tokenbudget.lock updated: 2 new, 2 fell"]


@pytest.mark.parametrize(
    ("arguments", "gone"),
    [
        (("-k", "case"), False),
        (("test_it.py::test_text",), False),
        (("test_it.py",), False),
        (("--deselect", "test_it.py::test_case"), False),
        (("--ignore", "x.py"), False),
        (("-p", "shard"), False),
        (("--maxfail=1",), False),
        (("-n2", "-k", "case"), False),
        (("-n2", "-p", "shard"), False),
        ((), True),
        (("-n2",), True),
    ],
)
def test_a_run_that_is_not_whole_deletes_nothing(
    locked: Project, arguments: tuple[str, ...], gone: bool
) -> None:
    shard = "def pytest_collection_modifyitems(items):\n    del items[2:]\n"
    old = '"old.md".o200k_base = 3\n'
    stale = '"test_it.py::test_removed".o200k_base = 3\n'
    locked.write({"shard.py": shard, "tokenbudget.lock": lock.HEAD + old + stale})
    locked.pytester.syspathinsert()
    assert locked.run({}, "--tokenbudget-update", *arguments).outcomes.get("failed") is None
    kept = _read(locked)
    assert (old in kept, stale in kept) == (not gone, not gone)
    assert kept.count("\n") > 2
    if gone:
        assert kept == LOCK


def test_what_a_whole_run_does_not_come_across_is_kept(locked: Project) -> None:
    elsewhere = '"more/test_more.py::test_more".o200k_base = 3\n'
    locked.write(
        {"more/test_more.py": "def test_more(): ...\n", "sub/test_ok.py": "def test_a(): 0\n"}
    )
    locked.write({"pytest.ini": f"{INI}testpaths = sub\n", "tokenbudget.lock": LOCK + elsewhere})
    locked.run({}, "--tokenbudget-update")
    assert _read(locked) == LOCK + elsewhere


def test_a_run_that_broke_off_deletes_nothing(locked: Project) -> None:
    locked.write({"test_broken.py": "import nowhere\n"})
    entry = '"old.md".o200k_base = 3\n'
    locked.write({"tokenbudget.lock": lock.HEAD + entry})
    for more in (
        (),
        ("--continue-on-collection-errors",),
        ("-n2", "--continue-on-collection-errors"),
    ):
        locked.run({}, "--tokenbudget-update", *more)
        assert entry in _read(locked)
    assert "p/a.md" in _read(locked)


def test_texts_that_are_made_up_are_not_recorded(project: Project) -> None:
    source = """
from hypothesis import given, settings, strategies as st

@settings(max_examples=3, database=None, deadline=None)
@given(st.text())
def test_it(token_budget, text):
    token_budget.check(text, max_tokens=10_000)

def test_outside(token_budget, tmp_path_factory):
    path = tmp_path_factory.mktemp("x") / "a.md"
    path.write_text("one")
    token_budget.check(path, max_tokens=5)
"""
    project.write({"test_it.py": source})
    settings = "from hypothesis import settings, HealthCheck\nsettings.register_profile("
    settings += "'x', suppress_health_check=list(HealthCheck))\nsettings.load_profile('x')\n"
    project.write({"conftest.py": settings})
    result = project.pytester.runpytest_inprocess("--tokenbudget-update")
    assert result.parseoutcomes() == {"passed": 2}
    assert "test_it.py" not in _read(project)


EXPECTED = "expected a tokenizer and its count; restore the file"
ANEW = "restore it from git, or remove it and record anew with --tokenbudget-update"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("<<<<<<< ours\n", "; resolve the merge, or restore the file"),
        ('"a".x = 1\n"a".x = 2\n', "; resolve the merge, or restore the file"),
        (f'{lock.HEAD}"a".x = "1"\n', f': "a": {EXPECTED}'),
        (f'{lock.HEAD}"a".x = -1\n', f': "a": {EXPECTED}'),
        (f'{lock.HEAD}"a" = 1\n', f': "a": {EXPECTED}'),
        ("\udcff", "; resolve the merge, or restore the file"),
        ("", f": it is empty; {ANEW}"),
        ("\n", f": the line that it begins with is missing; {ANEW}"),
        ("# a comment\n", f": the line that it begins with is missing; {ANEW}"),
        ('"a".x = 1\n', f": the line that it begins with is missing; {ANEW}"),
        (lock.HEAD[:40], f": the line that it begins with is missing; {ANEW}"),
        (lock.HEAD[:-1], f": its last line is cut off; {ANEW}"),
        (LOCK[:-1], f": its last line is cut off; {ANEW}"),
        (f'{lock.HEAD}"a".x = 12', f": its last line is cut off; {ANEW}"),
        (LOCK[:-6], "; resolve the merge, or restore the file"),
    ],
)
@pytest.mark.parametrize("update", [(), ("--tokenbudget-update",)])
def test_a_broken_file_is_never_overwritten(
    locked: Project, content: str, sentence: str, update: tuple[str, ...]
) -> None:
    raw = content.encode("utf-8", "surrogateescape")
    locked.write({"tokenbudget.lock": raw})
    path = locked.pytester.path / "tokenbudget.lock"
    result = locked.pytester.runpytest_inprocess(*update)
    assert (result.ret, result.outlines) == (4, [])
    (said,) = filter(None, result.errlines)
    assert said.startswith(f"ERROR: {path}: ".removesuffix(" "))
    assert said.endswith(sentence)
    assert path.read_bytes() == raw


def test_of_a_file_that_was_cut_only_whole_lines_are_read(tmp_path: Path) -> None:
    path, whole = tmp_path / "tokenbudget.lock", LOCK.encode()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        if size >= len(lock.HEAD) and whole[:size].endswith(b"\n"):
            assert len(lock.read(path) or {}) == whole[:size].count(b"\n") - 1
        else:
            with pytest.raises(Mistake):
                lock.read(path)


def test_line_ends_of_windows_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "tokenbudget.lock"
    path.write_text(LOCK, "utf-8")
    recorded = lock.read(path)
    path.write_bytes(LOCK.replace("\n", "\r\n").encode())
    assert (lock.read(path), len(recorded or {})) == (recorded, 8)


def test_two_updates_at_the_same_time_leave_it_whole(project: Project) -> None:
    source = """
import pytest
@pytest.mark.parametrize("case", range(40))
def test_{name}(token_budget, case):
    token_budget.check("one", max_tokens=5)
"""
    names = "abc"
    project.write({f"test_{name}.py": source.replace("{name}", name) for name in names})
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", "--tokenbudget-update", f"test_{name}.py"],
            cwd=project.pytester.path,
            stdout=subprocess.DEVNULL,
        )
        for name in names
    ]
    assert [process.wait() for process in running] == [0, 0, 0]
    recorded = lock.read(project.pytester.path / "tokenbudget.lock")
    assert recorded == {
        (f"test_{name}.py::test_{name}[{case}]", "o200k_base"): 1
        for name in names
        for case in range(40)
    }


def test_a_parallel_run_updates_and_holds(locked: Project) -> None:
    run = locked.pytester.runpytest_subprocess
    (locked.pytester.path / "tokenbudget.lock").unlink()
    run("-n2", "--tokenbudget-update")
    assert _read(locked) == LOCK
    locked.write(GROW)
    assert run("-n2").parseoutcomes() == {"failed": 1, "passed": 3}


ENTRIES = st.dictionaries(
    st.tuples(
        st.text(st.characters(codec="utf-8")).map(lock.subject),
        st.text(st.characters(codec="utf-8"), min_size=1),
    ),
    st.integers(0, 10**9),
)


@settings(deadline=None, max_examples=30)
@given(ENTRIES, ENTRIES)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory,
    first: dict[tuple[str, str], int],
    second: dict[tuple[str, str], int],
) -> None:
    path = tmp_path_factory.mktemp("lock") / "tokenbudget.lock"
    assert lock.read(path) is None
    lock.update(path, first)
    assert lock.read(path) == first
    lock.update(path, second)
    assert lock.read(path) == {**first, **second}
    assert not lock.update(path, second)
    assert path.read_bytes().decode() == lock.written({**first, **second})
    lock.update(path, {}, {name for name, _ in first})
    assert not any(name in {name for name, _ in first} for name, _ in lock.read(path) or {})


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Mistake, match="not updated: No such file"):
        lock.update(tmp_path / "none" / "tokenbudget.lock", {("a", "b"): 1})


def test_git_merges_counts_of_different_prompts(tmp_path: Path) -> None:
    def merged(ours: dict[str, int], theirs: dict[str, int]) -> str:
        base = dict.fromkeys("abcdefgh", 1)
        for name, counts in {"base": {}, "ours": ours, "theirs": theirs}.items():
            entries = {(key, "o200k_base"): count for key, count in (base | counts).items()}
            (tmp_path / name).write_text(lock.written(entries), "utf-8")
        done = subprocess.run(
            ["git", "merge-file", "-p", "ours", "base", "theirs"],
            cwd=tmp_path,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode()

    both = dict.fromkeys("abcdefgh", 1) | {"a": 2, "g": 3}
    expected = {(key, "o200k_base"): count for key, count in both.items()}
    assert merged({"a": 2}, {"g": 3}) == lock.written(expected)
