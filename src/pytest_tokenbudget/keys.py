"""Where the plugin keeps things between hooks; nothing heavy is imported for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections import deque

    from pytest_tokenbudget.explaining import Counted
    from pytest_tokenbudget.records import Record

SEEN: pytest.StashKey[list[Record]] = pytest.StashKey()
"In the config's stash: what was judged since the running test began."

COUNTED: pytest.StashKey[deque[Counted]] = pytest.StashKey()
"In the config's stash: the latest counts that tests asked for."

RECORDS: pytest.StashKey[list[tuple[Any, ...]]] = pytest.StashKey()
"In an item's stash: what it judged, ready to travel."

COLLECTED: pytest.StashKey[bool] = pytest.StashKey()
"In the stash of items that stand for a configured limit: they hold themselves to it."
