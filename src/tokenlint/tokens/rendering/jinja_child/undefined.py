"""Undefined values whose errors can say what was looked up, and in what."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from jinja2 import StrictUndefined, Undefined
from jinja2.exceptions import UndefinedError
from jinja2.utils import missing

if TYPE_CHECKING:
    from collections.abc import Iterable


class AbsentError(UndefinedError):
    """A name that stands for nothing; `obj` has no such part, or is Jinja2's `missing`."""

    def __init__(self, message: str, obj: Any, name: Any) -> None:
        super().__init__(message)
        self.obj, self.name = obj, name


class Remembering(Undefined):
    """Empty where it is only shown or tested, an error where something is done with it."""

    __slots__ = ()

    def __init__(
        self,
        hint: str | None = None,
        obj: Any = missing,
        name: str | None = None,
        exc: Any = UndefinedError,
    ) -> None:
        """What Jinja2 says of it; a `hint` is a sentence that needs no better one."""
        if exc is UndefinedError and hint is None:
            exc = partial(AbsentError, obj=obj, name=name)
        super().__init__(hint, obj, name, exc)


class StrictlyRemembering(Remembering, StrictUndefined):
    """An error wherever it is used, and also where a list is shown that it stands in."""

    __slots__ = ()
    __repr__ = StrictUndefined.__str__


def require_defined(values: Iterable[Any]) -> None:
    """Raise the error of the first undefined value, if there is one."""
    for value in values:
        if isinstance(value, Undefined):
            value()
