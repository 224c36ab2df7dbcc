"""What one run came to: its records gathered, the lock file updated, the summary told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_tokenbudget.summary import Request

WORKER_OUTPUT = "tokenbudget"
REPORTED = "tokenbudget_records"
"The attribute of a test report that carries its records, from a worker of xdist as well."


class Tally:
    """The hooks of a whole run. With xdist, the controller alone writes and tells."""

    def __init__(self, config: pytest.Config) -> None:
        """Nothing is gathered yet."""
        self.config = config
        self.values: list[Sequence[Any]] = []
        self.met = 0
        self.nodes: set[str] = set()
        self.is_partial = False
        self.lines: list[str] = []

    @property
    def is_worker(self) -> bool:
        """Whether this process only runs tests for another."""
        return hasattr(self.config, "workerinput")

    @property
    def requests(self) -> list[Request]:
        """What --tokenbudget-report asked for."""
        return self.config.getoption("tokenbudget_report") or []

    @property
    def updates(self) -> bool:
        """Whether --tokenbudget-update was said: nothing else ever writes the lock file."""
        return bool(self.config.getoption("tokenbudget_update"))

    def pytest_itemcollected(self) -> None:
        """Every test that pytest met: some plugins take tests out without telling."""
        self.met += 1

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note the tests that are left, where the lock file will be updated."""
        if self.updates:
            self.nodes.update(item.nodeid for item in session.items)
            self.is_partial |= self.met != len(session.items)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """What cannot be collected may hold tests that exist."""
        self.is_partial |= report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather what a test judged."""
        self.values += getattr(report, REPORTED, ())

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Gather what a worker of xdist met; one that crashed has met we do not know what."""
        output = getattr(node, "workeroutput", None) or {}
        nodes, is_partial = output.get(WORKER_OUTPUT, ((), True))
        self.nodes.update(nodes)
        self.is_partial |= is_partial

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write what was asked for; what could not be written makes the run fail."""
        if self.is_worker:
            output = self.config.workeroutput  # type: ignore[attr-defined]  # of xdist
            output[WORKER_OUTPUT] = (sorted(self.nodes), self.is_partial)
        elif self.values or self.requests or self.updates:
            from pytest_tokenbudget.finishing import finish

            self.lines, failed = finish(self, exitstatus)
            if failed and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell what there is to tell: most runs have nothing."""
        for line in self.lines:
            terminalreporter.write_line(line)
