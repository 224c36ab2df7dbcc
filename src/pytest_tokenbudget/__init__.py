"""Token budgets in pytest: the markers and fixtures are found by themselves, see the README."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_tokenbudget.errors import TokenBudgetExceeded

__all__ = ["TokenBudgetExceeded"]


def __getattr__(name: str) -> object:
    """Import what is promised when it is asked for: every run of pytest loads this page."""
    if name in __all__:
        from pytest_tokenbudget import errors

        return getattr(errors, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
