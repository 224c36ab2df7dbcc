"""The door to pytest: hooks and fixtures, each a few lines that call what does the work.

What does the work is imported when a test first needs it: a run that uses none of it pays for
this page and nothing more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

    from pytest_tokenbudget.fixtures import CountTokens, TokenBudget

MARKERS = {
    "token_budget": (
        "token_budget(max_tokens, *, files=None, tokenizer=None): fail the test where a file "
        "(globs from the rootdir), or a text passed to the token_budget fixture, has more tokens"
    ),
    "fertility_limit": (
        "fertility_limit(limit, *, files=None, tokenizer=None): fail the test where a file, "
        "or a text passed to the token_budget fixture, has more tokens per word"
    ),
}
"The markers, and what `pytest --markers` says about them."


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which tokenizers count where a marker names none; not said is None."""
    parser.getgroup("tokenbudget", "token budgets").addoption(
        "--tokenbudget-tokenizer",
        action="append",
        metavar="NAME",
        help="Count with this tokenizer where a marker names none (repeatable: each must hold).",
    )
    parser.addini(
        "tokenbudget_tokenizer",
        "Tokenizers that count where a marker names none, separated by commas.",
        default="",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the markers known, so that --strict-markers accepts them."""
    for line in MARKERS.values():
        config.addinivalue_line("markers", line)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Read the marks of a test before its fixtures are set up: wrong arguments fail it here."""
    if _is_marked(item):
        from pytest_tokenbudget.enforcing import hold

        hold(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Hold a test to its marks once its body has passed: its own failure or skip goes first."""
    result = yield
    if _is_marked(item):
        from pytest_tokenbudget.enforcing import enforce

        enforce(item)
    return result


@pytest.fixture
def token_budget(request: pytest.FixtureRequest) -> TokenBudget:
    """Hold texts to a limit: `token_budget.check(text)` returns the count or fails the test."""
    from pytest_tokenbudget.enforcing import held_by
    from pytest_tokenbudget.fixtures import TokenBudget

    return TokenBudget(request.config, held_by(request.node))


@pytest.fixture(scope="session")
def count_tokens(pytestconfig: pytest.Config) -> CountTokens:
    """Count the tokens of a text, or of the file at a path: `count_tokens(text) -> int`."""
    from pytest_tokenbudget.fixtures import CountTokens

    return CountTokens(pytestconfig)


def _is_marked(item: pytest.Item) -> bool:
    return any(mark.name in MARKERS for mark in item.iter_markers())
