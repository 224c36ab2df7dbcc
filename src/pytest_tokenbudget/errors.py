"""How a test fails: a limit that does not hold, or something that the user can put right."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import pytest

from tokenlint.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator


class TokenBudgetExceeded(AssertionError):  # noqa: N818  (it reads as what happened)
    """A text that was passed to `token_budget.check` does not keep a limit."""

    # pytest's own outcomes do the same: the summary line has no room for a module name.
    __module__ = "builtins"


class Mistake(Exception):  # noqa: N818  (it is the user's, not the program's)
    """Something that the user wrote and that cannot be used; the text is one sentence."""


def fail(message: object) -> NoReturn:
    """Fail the test with a text of our own and no traceback, which would show only the plugin."""
    raise pytest.fail.Exception(str(message), pytrace=False) from None


@contextmanager
def mistakes_fail() -> Iterator[None]:
    """What the user can put right becomes the failure of this test; the other tests go on."""
    from tokenlint.errors import TokenlintError

    try:
        yield
    except (Mistake, TokenlintError) as error:
        fail(printable(str(error)))
