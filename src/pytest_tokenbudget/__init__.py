"""Token budgets in pytest: the markers and fixtures are found by themselves, see the README."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_tokenbudget.errors import TokenBudgetExceeded
    from tokenlint.tokens.streaming import incremental

__all__ = ["TokenBudgetExceeded", "incremental"]

_FROM = {
    "TokenBudgetExceeded": "pytest_tokenbudget.errors",
    "incremental": "tokenlint.tokens.streaming",
}


def __getattr__(name: str) -> object:
    """Import what is promised when it is asked for: every run of pytest loads this page."""
    if name in _FROM:
        from importlib import import_module

        return getattr(import_module(_FROM[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
