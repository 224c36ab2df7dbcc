"""The start of a run: what was said for all of its tests has to be usable before the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_tokenbudget.errors import Mistake
from pytest_tokenbudget.lock import Entry, read
from pytest_tokenbudget.settings import default_maximum, increase, lock_path
from tokenlint.printable import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

RECORDED = pytest.StashKey["Mapping[Entry, int]"]()


def require_usable(config: pytest.Config) -> None:
    """Refuse numbers and a lock file that cannot be used: no single test is at fault.

    Raises UsageError.
    """
    try:
        default_maximum(config)
        increase(config)
        recorded(config)
    except Mistake as mistake:
        raise pytest.UsageError(printable(str(mistake))) from None


def recorded(config: pytest.Config) -> Mapping[Entry, int]:
    """The counts of the lock file as the run met it; none where there is no such file.

    Raises Mistake.
    """
    if RECORDED not in config.stash:
        config.stash[RECORDED] = read(lock_path(config)) or {}
    return config.stash[RECORDED]
