"""Token budgets in pytest: the markers and fixtures are found by themselves, see the README."""

from pytest_tokenbudget.errors import TokenBudgetExceeded

__all__ = ["TokenBudgetExceeded"]
