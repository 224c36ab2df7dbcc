"""Two plugins of pytest: which test reaches which line, and which tests notice a change."""

from __future__ import annotations

import collections
import contextlib
import importlib
import itertools
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mutation_changes import CHILD, KEPT, ROOT, SOURCE, Mutant, compiled, forget, install, living

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAP, RESULTS = KEPT / "map.json", KEPT / "results.jsonl"
SLOW = 0.03  # seconds from which a test waits until quicker ones have passed
MEMORY = 6 << 30

Timed = tuple[str, float]
"A test and the seconds that it took."


class Plugin:
    """The same examples in each run; no failing example is made smaller."""

    def pytest_collection(self) -> None:
        """Before the first test module is imported."""
        from hypothesis import Phase, settings

        usual, phases = settings.get_profile("unhurried"), [Phase.explicit, Phase.generate]
        settings.register_profile("mutation", usual, derandomize=True, database=None, phases=phases)
        settings.load_profile("mutation")


class Mapper(Plugin):
    """Runs every test once and writes down the lines that it reaches."""

    def __init__(self) -> None:
        from coverage import Coverage

        self.coverage = Coverage(data_file=None, config_file=False, source=[str(SOURCE)])
        self.took: dict[str, float] = {}

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run every test in a context of its own; one that fails as it is counts for nothing."""
        self.coverage.start()
        for item, following in itertools.pairwise([*session.items, None]):
            self.coverage.switch_context(item.nodeid)
            began = time.process_time()
            if _passes(item, following):
                self.took[item.nodeid] = time.process_time() - began
            else:
                print("fails as it is:", item.nodeid, file=sys.stderr)
        self.coverage.stop()
        self._keep()
        return True

    def _keep(self) -> None:
        numbers = {name: at for at, name in enumerate(self.took)}
        data = self.coverage.get_data()
        lines = {
            str(Path(file).relative_to(ROOT)): {
                line: sorted(numbers[one] for one in found if one in numbers)
                for line, found in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        MAP.write_text(json.dumps({"tests": list(self.took.items()), "lines": lines}))


def _passes(item: Any, following: Any) -> bool:
    from _pytest.runner import runtestprotocol

    return not any(one.failed for one in runtestprotocol(item, log=False, nextitem=following))


@dataclass(frozen=True)
class _Running:
    mutant: Mutant
    deadline: float
    folder: Path


class Runner(Plugin):
    """Tries changes, each in a copy (fork) of the process that has collected the tests."""

    def __init__(self, wanted: Sequence[Mutant], children: int, plenty: float) -> None:
        self.wanted, self.children, self.plenty = wanted, children, plenty
        known = json.loads(MAP.read_text())
        self.tests: list[Timed] = known["tests"]
        self.lines = {
            file: {int(line): tests for line, tests in lines.items()}
            for file, lines in known["lines"].items()
        }
        self.running: dict[int, _Running] = {}

    def pytest_runtestloop(self, session: Any) -> bool:
        """Instead of the tests themselves."""
        self.items = {one.nodeid: one for one in session.items}
        for path in {one.path for one in self.wanted}:
            name = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
            importlib.import_module(name.removesuffix(".__init__"))
        self.living = living()
        forget()
        with RESULTS.open("a") as self.kept:
            for mutant in self.wanted:
                self._wait_for_fewer_than(self.children)
                self._start(mutant)
            self._wait_for_fewer_than(1)
        return True

    def _start(self, mutant: Mutant) -> None:
        tests = self._tests(mutant)
        if not tests:
            self._said(mutant, "no test", "")
            return
        try:
            compiled(mutant)
        except SyntaxError:
            return
        folder, seconds = Path(tempfile.mkdtemp()), 3 + 4 * sum(took for _, took in tests)
        child = os.fork()
        if child == 0:
            self._live(mutant, [self.items[name] for name, _ in tests], folder, int(seconds))
        self.running[child] = _Running(mutant, time.monotonic() + 20 + 6 * seconds, folder)

    def _tests(self, mutant: Mutant) -> list[Timed]:
        """The tests that reach the line, then others of the module: a cache may hide the line."""
        lines: dict[int, list[int]] = self.lines.get(mutant.path, {})
        line = next((n for n in range(mutant.line, mutant.first, -1) if lines.get(n)), 0)
        reached, near = set(lines.get(line, [])), set(itertools.chain(*lines.values()))
        if CHILD in mutant.path:
            starting = self.lines["src/tokenlint/tokens/rendering/process.py"]
            reached.update(*starting.values())
        some = list(self._some(reached, self.plenty))
        return [*some, *self._some(near - reached, self.plenty / 3 if some else self.plenty)]

    def _some(self, numbers: Iterable[int], plenty: float) -> Iterator[Timed]:
        """As many tests as there is time for: quick ones first, and a row of each table first."""
        tests = [self.tests[at] for at in numbers if self.tests[at][0] in self.items]
        tables: dict[tuple[bool, str], list[Timed]] = collections.defaultdict(list)
        for one in sorted(tests, key=lambda one: one[1]):
            tables[one[1] > SLOW, one[0].partition("[")[0]].append(one)
        spent = 0.0
        for is_slow in (False, True):
            some = [rows for (slow, _), rows in tables.items() if slow is is_slow]
            for one in filter(None, itertools.chain(*itertools.zip_longest(*some))):
                spent += one[1] + 0.002
                if spent > plenty and spent > one[1] + 0.002:
                    return
                yield one

    def _live(self, mutant: Mutant, items: Sequence[Any], folder: Path, seconds: int) -> None:
        """In the copy: run tests until one fails, and be gone."""
        status = 1
        try:
            os.setpgid(0, 0)
            for kind, most in ((resource.RLIMIT_CPU, seconds + 1), (resource.RLIMIT_AS, MEMORY)):
                resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))
            vars(items[0].config._tmp_path_factory).update(  # noqa: SLF001
                _basetemp=None, _given_basetemp=folder / "t"
            )
            install(mutant, self.living, folder)
            status = _first_failure(items, folder / "by")
        finally:
            os._exit(status)

    def _wait_for_fewer_than(self, most: int) -> None:
        while len(self.running) >= most:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child:
                self._ended(child, status)
                continue
            for pid in [p for p, one in self.running.items() if time.monotonic() > one.deadline]:
                _end_group(pid)
            time.sleep(0.004)

    def _ended(self, child: int, status: int) -> None:
        one = self.running.pop(child)
        by = one.folder / "by"
        self._said(one.mutant, _verdict(status), by.read_text() if by.exists() else "")
        _end_group(child)
        shutil.rmtree(one.folder, ignore_errors=True)

    def _said(self, mutant: Mutant, verdict: str, by: str) -> None:
        row = {"key": mutant.key, **asdict(mutant), "verdict": verdict, "by": by}
        self.kept.write(json.dumps(row) + "\n")
        self.kept.flush()


def _first_failure(items: Sequence[Any], by: Path) -> int:
    for item, following in itertools.pairwise([*items, None]):
        by.write_text(item.nodeid)
        if not _passes(item, following):
            return 1
    by.write_text("")
    return 0


def _end_group(child: int) -> None:
    """End a copy with all that its tests started; most are gone by themselves."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)


def _verdict(status: int) -> str:
    if os.WIFSIGNALED(status):
        late = os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
        return "timed out" if late else "killed"
    return "killed" if os.WEXITSTATUS(status) else "survived"
