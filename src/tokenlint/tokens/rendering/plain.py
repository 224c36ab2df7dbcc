"""Variables as the plain data that a template is given: text, numbers, lists and mappings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import Any

from tokenlint.errors import RenderError

_MAX_DEPTH = 100
_MAX_SIZE = 10_000_000
"In characters: what a few anchors of YAML can multiply must end somewhere."

_VALUE = 50  # what a number, a list or a mapping counts, beside the characters in it
_MAX_BITS = 10_000
"A number of 3,000 digits; Python refuses to spell those of over 4,300."

_SHOWN = 100
_FIT = "a template is given text, numbers, true, false, null, dates, lists and mappings"


def plain(variables: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the variables that JSON can carry; dates and times become their ISO form.

    Raises RenderError, which names the variable.
    """
    try:
        return _Copier().mapping(variables, 0)
    except _UnfitError as error:
        raise RenderError(f"{error.variable} {error}") from None


class _UnfitError(Exception):
    """What is wrong with one value; the way to it is found on the way back from it."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.steps: list[str] = []

    @property
    def variable(self) -> str:
        path = "".join(reversed(self.steps)).removeprefix(".")
        if not path:
            return "the mapping of the variables"
        shown = path if len(path) <= _SHOWN else path[:_SHOWN] + "..."
        return f"the variable {shown!r}"


class _Copier:
    """Copies values as long as there is room for them."""

    def __init__(self) -> None:
        self._room = _MAX_SIZE

    def mapping(self, value: Mapping[Any, Any], depth: int) -> dict[str, Any]:
        copied = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise _UnfitError(f"has the key {key!r}; put quotes around it")
            self._spend(len(key))
            copied[str.__str__(key)] = self._below(f".{key}", item, depth)
        return copied

    def _below(self, step: str, value: Any, depth: int) -> Any:
        if depth == _MAX_DEPTH:
            raise RenderError(f"the variables are nested more than {_MAX_DEPTH} deep")
        try:
            return self._value(value, depth + 1)
        except _UnfitError as error:
            error.steps.append(step)
            raise

    def _value(self, value: Any, depth: int) -> Any:
        if isinstance(value, str):
            self._spend(len(value))
            return str.__str__(value)  # without what a subclass adds, such as the name of an enum
        self._spend(_VALUE)
        if value is None or isinstance(value, (int, float)):
            return _number(value)
        if isinstance(value, (dict, Mapping)):  # asking for dict first saves most of the time
            return self.mapping(value, depth)
        if isinstance(value, (list, Sequence)) and not isinstance(value, (bytes, bytearray)):
            return [self._below(f"[{at}]", item, depth) for at, item in enumerate(value)]
        if isinstance(value, (date, time)):
            return value.isoformat()
        raise _UnfitError(f"is a {type(value).__name__}; {_FIT}")

    def _spend(self, size: int) -> None:
        self._room -= size
        if self._room < 0:
            raise RenderError(f"the variables are larger than {_MAX_SIZE:,} characters")


def _number(value: float | None) -> float | None:
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        raise _UnfitError("is a number of more than 3,000 digits")
    return value
