"""The filters and methods that can make much of little, and how much each call would make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .bounds import Bounds, LimitError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_MAX_PRECISION = 1000
_INDENT = 16  # a wider one is counted for each value of the JSON


class Call(NamedTuple):
    """A filter or a method, about to be called on a value."""

    bounds: Bounds
    value: Any
    given: tuple[Any, ...]
    named: Mapping[str, Any]

    def argument(self, at: int, name: str) -> Any:
        """An argument by its position or its name; None where it is left out."""
        return self.given[at] if len(self.given) > at else self.named.get(name)

    def size(self, at: int, name: str) -> int:
        """What an argument adds: itself if it is a text, spaces if it is a number."""
        return _size(self.argument(at, name))

    @property
    def sizes(self) -> list[int]:
        """The sizes of all arguments."""
        return [_size(one) for one in (*self.given, *self.named.values())]

    @property
    def text(self) -> str:
        """The value as the text that it is, or will be."""
        return str(self.bounds.spelled(self.value))


def require_small(known: Mapping[str, Callable[[Call], int]], name: str, call: Call) -> None:
    """Refuse a call that would make too much."""
    if name in known:
        call.bounds.require(known[name](call))


def joinable(bounds: Bounds, between: object, items: Iterable[Any]) -> list[Any]:
    """The items to join, known to be small enough."""
    kept = list(items)
    bounds.require(len(str(between)) * (len(kept) - 1) + bounds.weight(*kept))
    return kept


def _size(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    return abs(value) if isinstance(value, int) else 0


def _width(call: Call) -> int:
    return call.size(0, "width")


def _replaced(call: Call) -> int:
    old, new = str(call.argument(0, "old")), str(call.argument(1, "new"))
    times, most = call.text.count(old), call.argument(2, "count")
    if isinstance(most, int) and most >= 0:
        times = min(times, most)
    return len(call.text) + times * (len(new) - len(old))


def _indented(call: Call) -> int:
    return (call.text.count("\n") + 1) * call.size(0, "width")


def _tabs(call: Call) -> int:
    return call.text.count("\t") * call.size(0, "tabsize")


def _translated(call: Call) -> int:
    table = call.argument(0, "table")
    longest = max((_size(new) for new in table.values()), default=0) if _is_dict(table) else 0
    return len(call.text) * (longest if longest <= call.bounds.characters else 1)


def _is_dict(value: object) -> bool:
    return isinstance(value, dict)


METHODS: Mapping[str, Callable[[Call], int]] = {
    "center": _width,
    "expandtabs": _tabs,
    "ljust": _width,
    "replace": _replaced,
    "rjust": _width,
    "to_bytes": lambda call: call.size(0, "length"),
    "translate": _translated,
    "zfill": _width,
}
"Methods of text and numbers."


def _json(call: Call) -> int:
    indent = max(call.sizes, default=0)
    return call.bounds.weight(call.value) * (indent if indent > _INDENT else 1)


def _rows(call: Call) -> int:
    return max(call.sizes, default=0)


def _rounded(call: Call) -> int:
    if call.size(0, "precision") > _MAX_PRECISION:
        raise LimitError(f"the template rounds to more than {_MAX_PRECISION:,} digits")
    return 0


def _formatted(call: Call) -> int:
    call.bounds.printf(call.text, dict(call.named) if call.named else call.given)
    return 0


def _wrapped(call: Call) -> int:
    return len(call.text) * max(1, call.size(2, "wrapstring"))


def _linked(call: Call) -> int:
    added = [one for one in (*call.given, *call.named.values()) if isinstance(one, str)]
    return len(call.text) + len(call.text.split()) * sum(map(len, added))


FILTERS: Mapping[str, Callable[[Call], int]] = {
    "batch": _rows,
    "center": _width,
    "format": _formatted,
    "indent": _indented,
    "replace": _replaced,
    "round": _rounded,
    "slice": _rows,
    "tojson": _json,
    "urlize": _linked,
    "wordwrap": _wrapped,
}
"Filters."
