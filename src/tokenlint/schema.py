"""The keys of the configuration: what each may hold, and what is said where it holds another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, NoReturn

from tokenlint.errors import ConfigError

Reader = Callable[[str, Any], Any]
"""Takes the name of a key and its value; returns the value to keep or raises ConfigError."""


def fail(key: str, message: str) -> NoReturn:
    """Raise the one sentence about a key."""
    raise ConfigError(f"{key}: {message}")


def _named(value: object) -> str:
    return _KINDS.get(type(value), "a date or time")


_KINDS: dict[type, str] = {
    bool: "true or false",
    str: "a string",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "a table",
}


def _kind(wanted: type, said: str) -> Reader:
    def read(key: str, value: Any) -> Any:
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            fail(key, f"expected {said}, found {_named(value)}")
        return value

    return read


string = _kind(str, "a string")
boolean = _kind(bool, "true or false")
_list = _kind(list, "a list")
_table = _kind(dict, "a table")


def strings(key: str, value: object) -> tuple[str, ...]:
    """A list of strings."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        fail(key, f"expected a list of strings, found {_named(value)}")
    return tuple(value)


def some_strings(key: str, value: object) -> tuple[str, ...]:
    """A list of strings with at least one in it."""
    found = strings(key, value)
    if not found:
        fail(key, "is an empty list; name at least one")
    return found


def whole(key: str, value: object) -> int:
    """A whole number that is not negative."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        found = f"{value}" if isinstance(value, int | float) else _named(value)
        fail(key, f"expected a whole number that is not negative, found {found}")
    return value


def positive(key: str, value: object) -> float:
    """A number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        found = f"{value}" if isinstance(value, int | float) else _named(value)
        fail(key, f"expected a number above 0, found {found}")
    return float(value)


def share(key: str, value: object) -> float:
    """A part of a whole, above 0 and at most 1."""
    number = positive(key, value)
    if number > 1:
        fail(key, f"expected a share of at most 1 (0.9 is 90 %), found {number:g}")
    return number


def choice(*allowed: str) -> Reader:
    """One of a few words."""

    def read(key: str, value: object) -> object:
        if value not in allowed:
            fail(key, f"expected one of {', '.join(allowed)}, found {value!r}")
        return value

    return read


def table(keys: Mapping[str, Reader]) -> Callable[[str, object], dict[str, Any]]:
    """A table with known keys; keys come back as Python names."""

    def read(key: str, value: Any) -> dict[str, Any]:
        value = _table(key, value)
        prefix = f"{key}." if key else ""
        for name in value:
            if name not in keys:
                fail(prefix + name, f"unknown key{_nearest(name, keys)}")
        return {
            name.replace("-", "_"): keys[name](prefix + name, inner)
            for name, inner in value.items()
        }

    return read


def list_of(read_one: Callable[[str, object], Any]) -> Reader:
    """A list whose items are all read alike."""

    def read(key: str, value: Any) -> tuple[Any, ...]:
        value = _list(key, value)
        return tuple(read_one(f"{key}[{at}]", item) for at, item in enumerate(value))

    return read


def mapping_of(read_one: Callable[[str, object], Any]) -> Reader:
    """A table with keys of the user's own, whose values are all read alike."""

    def read(key: str, value: Any) -> dict[str, Any]:
        value = _table(key, value)
        return {name: read_one(f'{key}."{name}"', inner) for name, inner in value.items()}

    return read


def _nearest(name: str, keys: Mapping[str, Reader]) -> str:
    near = get_close_matches(name.replace("_", "-"), keys, n=1)
    return f"; did you mean {near[0]}?" if near else f"; known keys: {', '.join(sorted(keys))}"
