"""The door to pytest: hooks and fixtures, each a few lines that call what does the work.

What does the work is imported when a test first needs it: a run that uses none of it pays for
this page and little more.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from pytest_tokenbudget.keys import COLLECTED, COUNTED, RECORDS, SEEN
from pytest_tokenbudget.tally import REPORTED, Tally

if TYPE_CHECKING:
    from collections.abc import Generator

    from pytest_tokenbudget.asserting import AssertClean
    from pytest_tokenbudget.fixtures import (
        CountTokens,
        PromptFile,
        RunTokenizer,
        TokenBudget,
        TokensPerWord,
    )
    from pytest_tokenbudget.streams import TokenStream

LIMITS = ("token_budget", "fertility_limit")
"The markers that hold a test to something."


MARKERS = (
    "token_budget(max_tokens, *, files=None, tokenizer=None, extract=None, variables=None): fail "
    "the test where a file (globs from the rootdir), or a text passed to the token_budget fixture, "
    "has more tokens; extract says what of a file is the prompt",
    "fertility_limit(limit, *, files=None, tokenizer=None, extract=None, variables=None): fail the "
    "test where a file, or a text passed to the token_budget fixture, has more tokens per word",
    "prompt_files(*globs, extract=None, variables=None): run the test once for each file (globs "
    "from the rootdir), which its argument prompt_file then is",
)
"What `pytest --markers` says."

# A native TOML file of pytest 9 may hold a number only where the type is `int`, new in 8.4.
WHOLE = "int" if pytest.version_tuple >= (8, 4) else "string"

_TOKENIZER = "Tokenizers that count where a marker names none, separated by commas."
_MAX = "The most tokens of a text that no marker and no call limits."
_INCREASE = "How much a count may exceed tokenbudget.lock: tokens (20) or a percentage (5%)."
_XFAIL = "Collected limits that are expected to fail: node ids or globs of files, ': ' and why."
_JUNIT = "Write token counts into the properties of a JUnit XML report."


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options, and keys of the configuration file; not said is None."""
    _options(parser.getgroup("tokenbudget", "token budgets"))
    for name, help_, type_, default in (
        ("tokenbudget", "Collect the limits of [tool.tokenlint] as tests.", "bool", False),
        ("tokenbudget_tokenizer", _TOKENIZER, "string", ""),
        ("tokenbudget_max", _MAX, WHOLE, None),
        ("tokenbudget_max_increase", _INCREASE, "string", ""),
        ("tokenbudget_xfail", _XFAIL, "linelist", []),
        ("tokenbudget_junit", _JUNIT, "bool", False),
    ):
        parser.addini(name, help_, type=type_, default=default)  # type: ignore[arg-type]


def pytest_configure(config: pytest.Config) -> None:
    """Make the markers known, so that --strict-markers accepts them, and begin to gather."""
    for line in MARKERS:
        config.addinivalue_line("markers", line)
    config.stash[SEEN] = []
    config.pluginmanager.register(Tally(config), "tokenbudget-tally")
    if config.getoption("tokenbudget") or config.getini("tokenbudget"):
        from pytest_tokenbudget.collecting import Collecting

        config.pluginmanager.register(Collecting(config), "tokenbudget-collecting")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Refuse a run whose own numbers or lock file cannot be used: no single test is at fault."""
    if _says_something(session.config):
        from pytest_tokenbudget.starting import require_usable

        require_usable(session.config)


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test once for each prompt file, and over several tokenizers where it says so."""
    if metafunc.definition.get_closest_marker("prompt_files"):
        from pytest_tokenbudget.prompts import parametrize

        parametrize(metafunc)
    if {"count_tokens", "fertility", "token_stream"}.intersection(metafunc.fixturenames):
        from pytest_tokenbudget.prompts import widen

        widen(metafunc)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Read the marks of a test before its fixtures are set up: wrong arguments fail it here."""
    item.config.stash[SEEN].clear()
    if _is_marked(item):
        from pytest_tokenbudget.enforcing import hold

        hold(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Hold a test to its marks once its body has passed: its own failure or skip goes first."""
    try:
        result = yield
        if _is_marked(item):
            from pytest_tokenbudget.enforcing import enforce

            enforce(item)
        return result
    finally:
        if item.config.stash[SEEN]:
            from pytest_tokenbudget.records import keep

            item.stash[RECORDS] = keep(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give the report of a test what it judged, so that it reaches the controller of xdist."""
    report = yield
    if call.when == "call" and RECORDS in item.stash:
        setattr(report, REPORTED, item.stash[RECORDS])
    return report


def pytest_assertrepr_compare(
    config: pytest.Config, op: str, left: object, right: object
) -> list[str] | None:
    """Explain a comparison with a count."""
    if COUNTED not in config.stash:
        return None
    from pytest_tokenbudget.explaining import explain

    return explain(config, op, left, right)


@pytest.fixture(scope="session")
def tokenizer(request: pytest.FixtureRequest) -> RunTokenizer | object:
    """Which tokenizer counts: override it with a name, or parametrize it over several."""
    from pytest_tokenbudget.fixtures import RunTokenizer

    return getattr(request, "param", None) or RunTokenizer(request.config)


@pytest.fixture
def token_budget(request: pytest.FixtureRequest, tokenizer: object) -> TokenBudget:
    """Hold texts to a limit: `token_budget.check(text)` returns the count or fails the test."""
    from pytest_tokenbudget.enforcing import held_by
    from pytest_tokenbudget.fixtures import TokenBudget

    return TokenBudget(request.config, held_by(request.node), tokenizer)


@pytest.fixture(scope="session")
def count_tokens(pytestconfig: pytest.Config, tokenizer: object) -> CountTokens:
    """Count the tokens of a text, or of the file at a path: `count_tokens(text) -> int`."""
    from pytest_tokenbudget.fixtures import CountTokens

    return CountTokens(pytestconfig, tokenizer)


@pytest.fixture(scope="session")
def fertility(pytestconfig: pytest.Config, tokenizer: object) -> TokensPerWord:
    """Measure tokens per word of a text, or of a file: `fertility(text) -> float`."""
    from pytest_tokenbudget.fixtures import TokensPerWord

    return TokensPerWord(pytestconfig, tokenizer)


@pytest.fixture(scope="session")
def token_stream(pytestconfig: pytest.Config, tokenizer: object) -> TokenStream:
    """Send a text token by token, as bytes, the way a server does: `token_stream(text)`."""
    from pytest_tokenbudget.streams import TokenStream

    return TokenStream(pytestconfig, tokenizer)


@pytest.fixture(scope="session")
def assert_nfc(pytestconfig: pytest.Config) -> AssertClean:
    """Assert that a text, or a file, is in NFC; the failure shows where it is not."""
    from pytest_tokenbudget.asserting import nfc

    return nfc(pytestconfig)


@pytest.fixture(scope="session")
def assert_no_special_tokens(pytestconfig: pytest.Config) -> AssertClean:
    """Assert that a text, or a file, holds no control string; the failure shows where."""
    from pytest_tokenbudget.asserting import no_special_tokens

    return no_special_tokens(pytestconfig)


@pytest.fixture
def prompt_file() -> PromptFile:
    """One of the files that `@pytest.mark.prompt_files("prompts/**/*.md")` names."""
    from pytest_tokenbudget.errors import fail

    fail('prompt_file: mark the test with @pytest.mark.prompt_files("prompts/**/*.md")')


def _says_something(config: pytest.Config) -> bool:
    """Whether anything is said for all tests: most runs say nothing, and import nothing."""
    if config.getoption("tokenbudget_max") or os.environ.get("TOKENBUDGET_MAX"):
        return True
    try:
        said = [config.getini(name) for name in ("tokenbudget_max", "tokenbudget_max_increase")]
    except (TypeError, ValueError, pytest.UsageError):  # another kind of TOML value
        return True
    return said != [None, ""] or (config.rootpath / "tokenbudget.lock").exists()


def _is_marked(item: pytest.Item) -> bool:
    return COLLECTED not in item.stash and any(mark.name in LIMITS for mark in item.iter_markers())


def _options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--tokenbudget",
        action="store_true",
        default=None,
        help="Collect the limits of [tool.tokenlint] as tests.",
    )
    group.addoption(
        "--tokenbudget-tokenizer",
        action="append",
        metavar="NAME",
        help="Count with this tokenizer where a marker names none (repeatable: each must hold).",
    )
    group.addoption("--tokenbudget-max", metavar="TOKENS", help=_MAX)
    group.addoption(
        "--tokenbudget-report",
        action="append",
        type=_request,
        metavar="FORM",
        help="Show what was counted: term, term:all, json:FILE or markdown:FILE (repeatable).",
    )
    group.addoption(
        "--tokenbudget-update",
        action="store_true",
        default=None,
        help="Record the counts in tokenbudget.lock; later runs fail where a prompt grew.",
    )


def _request(text: str) -> object:
    from pytest_tokenbudget.summary import request

    return request(text)
