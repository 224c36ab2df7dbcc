"""The kinds of values in a configuration: how each is read, and how a JSON Schema says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, Generic, NoReturn, TypeVar

from tokenlint.errors import ConfigError
from tokenlint.frozen import frozen, replace

T = TypeVar("T")

Reader = Callable[[str, Any], Any]
"""Takes the name of a key and its value; returns the value to keep or raises ConfigError."""


@frozen
class Kind(Generic[T]):
    """A reader, and what a JSON Schema says of the values that it accepts."""

    read: Callable[[str, Any], T]
    schema: Mapping[str, Any]

    def __call__(self, key: str, value: Any) -> T:
        """The value to keep; raises ConfigError."""
        return self.read(key, value)

    def about(self, sentence: str) -> Kind[T]:
        """The same for one key, with the sentence that editors show for it."""
        return replace(self, schema={**self.schema, "description": sentence})


def kind(schema: Mapping[str, Any]) -> Callable[[Callable[[str, Any], T]], Kind[T]]:
    """A function that reads becomes a kind."""
    return lambda read: Kind(read, schema)


def fail(key: str, message: str) -> NoReturn:
    """Raise the one sentence about a key."""
    raise ConfigError(f"{key}: {message}" if key else message)


def _named(value: object) -> str:
    return _NAMES.get(type(value), "a date or time")


_NAMES: dict[type, str] = {
    bool: "true or false",
    str: "a string",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "a table",
}


def _of_type(wanted: type, said: str, json_type: str) -> Kind[Any]:
    @kind({"type": json_type})
    def read(key: str, value: Any) -> Any:
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            fail(key, f"expected {said}, found {_named(value)}")
        return value

    return read


string = _of_type(str, "a string", "string")
boolean = _of_type(bool, "true or false", "boolean")
_list = _of_type(list, "a list", "array")
_table = _of_type(dict, "a table", "object")


@kind({"type": "array", "items": {"type": "string"}})
def strings(key: str, value: object) -> tuple[str, ...]:
    """A list of strings."""
    if not isinstance(value, list):
        fail(key, f"expected a list of strings, found {_named(value)}")
    for item in value:
        if not isinstance(item, str):
            fail(key, f"expected a list of strings, found {_named(item)} in it")
    return tuple(value)


@kind({**strings.schema, "minItems": 1})
def some_strings(key: str, value: object) -> tuple[str, ...]:
    """A list of strings with at least one in it."""
    found = strings(key, value)
    if not found:
        fail(key, "is an empty list; name at least one")
    return tuple(dict.fromkeys(found))


@kind({"type": "integer", "minimum": 0})
def whole(key: str, value: object) -> int:
    """A whole number that is not negative."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        found = f"{value}" if isinstance(value, int | float) else _named(value)
        fail(key, f"expected a whole number that is not negative, found {found}")
    return value


@kind({"type": "integer", "minimum": 1})
def natural(key: str, value: object) -> int:
    """A whole number above 0."""
    number = whole(key, value)
    if not number:
        fail(key, "expected a whole number above 0, found 0")
    return number


@kind({"type": "number", "exclusiveMinimum": 0})
def positive(key: str, value: object) -> float:
    """A number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        found = f"{value}" if isinstance(value, int | float) else _named(value)
        fail(key, f"expected a number above 0, found {found}")
    return float(value)


@kind({**positive.schema, "maximum": 1})
def share(key: str, value: object) -> float:
    """A part of a whole, above 0 and at most 1."""
    number = positive(key, value)
    if number > 1:
        fail(key, f"expected a share of at most 1 (0.9 is 90 %), found {number:g}")
    return number


def choice(*allowed: str) -> Kind[Any]:
    """One of a few words."""

    @kind({"type": "string", "enum": list(allowed)})
    def read(key: str, value: object) -> object:
        if value not in allowed:
            fail(key, f"expected one of {', '.join(allowed)}, found {value!r}")
        return value

    return read


def table(keys: Mapping[str, Kind[Any]], **more: Any) -> Kind[dict[str, Any]]:
    """A table with known keys, which come back as Python names; `more` is for the schema."""
    properties = {name: known.schema for name, known in keys.items()}

    @kind({"type": "object", "additionalProperties": False, "properties": properties, **more})
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


def list_of(one: Kind[Any]) -> Kind[tuple[Any, ...]]:
    """A list whose items are all read alike."""

    @kind({"type": "array", "items": one.schema})
    def read(key: str, value: Any) -> tuple[Any, ...]:
        if isinstance(value, dict):
            fail(key, f"expected a list, found a table; for a list of tables write [[{key}]]")
        value = _list(key, value)
        return tuple(one(f"{key}[{at}]", item) for at, item in enumerate(value))

    return read


def some_of(*allowed: str) -> Kind[Any]:
    """A list of some of a few words, with at least one in it."""
    all_ = list_of(choice(*allowed))

    @kind({**all_.schema, "minItems": 1})
    def read(key: str, value: object) -> object:
        return all_(key, value) or fail(key, "is an empty list; name at least one")

    return read


def mapping_of(one: Kind[Any]) -> Kind[dict[str, Any]]:
    """A table with keys of the user's own, whose values are all read alike."""

    @kind({"type": "object", "additionalProperties": one.schema})
    def read(key: str, value: Any) -> dict[str, Any]:
        value = _table(key, value)
        return {name: one(f'{key}."{name}"', inner) for name, inner in value.items()}

    return read


def _nearest(name: str, keys: Mapping[str, Kind[Any]]) -> str:
    near = get_close_matches(name.replace("_", "-"), keys, n=1)
    return f"; did you mean {near[0]}?" if near else f"; known keys: {', '.join(sorted(keys))}"
