"""How large what a template builds may become, asked before it is built.

The operating system bounds memory only where it can; these bounds hold on every one. They cover
what grows by more than a few times in one step: everything else meets the check of its result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

from jinja2.exceptions import TemplateRuntimeError
from jinja2.utils import generate_lorem_ipsum

_MAX_RANGE = 100_000  # as Jinja2's own sandbox
_MAX_BITS = 10_000  # Python spells no number of more than 4,300 digits
_DIRECTIVE = re.compile(r"%(?:\([^)]*\))?[-+ #0]*(\*|[0-9]*)(?:\.(\*|[0-9]*))?")
_LETTERS = 20  # of a word of lorem ipsum, at most


class LimitError(TemplateRuntimeError):
    """A limit that a template crossed."""


class Bounds(NamedTuple):
    """The bound on characters, which holds for the items of a list as well."""

    characters: int

    def require(self, size: int) -> None:
        """Refuse to build what would be larger."""
        if size > self.characters:
            raise LimitError(f"the template builds more than {self.characters:,} characters")

    def checked(self, value: Any) -> Any:
        """A value that was built, unless it is too long a text."""
        if isinstance(value, str):
            self.require(len(value))
        return value

    def concat(self, parts: Iterable[str]) -> str:
        """The parts as one text; a stream of them is left where it gets too long."""
        kept, size = [], 0
        for part in parts:
            size += len(part)
            self.require(size)
            kept.append(part)
        return "".join(kept)

    def weight(self, *values: Any) -> int:
        """Characters that spelling the values takes at least: lists can share parts and explode."""
        size = sum(map(_Weights().of, values))
        self.require(size)
        return size

    def spelled(self, value: Any) -> Any:
        """A value that is about to become text."""
        if isinstance(value, (list, tuple, dict)):
            self.weight(value)
        return value

    def operation(self, operator: str, left: Any, right: Any) -> None:
        """Refuse an operation whose result would be too large."""
        if operator == "+" and hasattr(left, "__len__") and hasattr(right, "__len__"):
            self.require(len(left) + len(right))
        elif operator == "%" and isinstance(left, str):
            self.printf(left, right)
        elif operator == "*":
            self._product(left, right)
        elif operator == "**" and isinstance(left, int) and isinstance(right, int):
            _require_bits(left.bit_length() * right)

    def _product(self, left: Any, right: Any) -> None:
        if isinstance(left, int) and isinstance(right, int):
            _require_bits(left.bit_length() + right.bit_length())
        for sequence, number in ((left, right), (right, left)):
            if hasattr(sequence, "__len__") and isinstance(number, int):
                self.require(len(sequence) * number)

    def printf(self, text: str, values: Any) -> None:
        """Refuse `text % values` where widths or values make too much of it."""
        widths = [width for found in _DIRECTIVE.findall(text) for width in found]
        given = values if isinstance(values, tuple) else (values,)
        size = len(text) + sum(_number(width) for width in widths if width != "*")
        if "*" in widths:
            size += sum(abs(value) for value in given if isinstance(value, int))
        times = len(widths) // 2 if isinstance(values, Mapping) else 1
        self.require(size + times * self.weight(*given))

    def width_of(self, spec: str) -> None:
        """Refuse a specification such as `>1000000000`."""
        for number in re.findall("[0-9]+", spec):
            self.require(_number(number))

    def lorem(self, n: int = 5, html: bool = True, min: int = 20, max: int = 100) -> str:  # noqa: A002
        """Jinja2's `lipsum`, not for ever."""
        self.require(_LETTERS * n * max)
        return generate_lorem_ipsum(n, html, min, max)


class _Weights(dict[int, int]):
    """What values weigh, by their identity: a part that is shared is looked at once."""

    def of(self, value: Any) -> int:
        if isinstance(value, str):
            return len(value)
        if not isinstance(value, (dict, list, tuple)):
            return 1
        if id(value) not in self:
            parts = chain.from_iterable(value.items()) if isinstance(value, dict) else value
            self[id(value)] = 1 + sum(map(self.of, parts))
        return self[id(value)]


def limited_range(*numbers: int) -> range:
    """A range that ends soon."""
    made = range(*numbers)
    if made[_MAX_RANGE:]:  # Python has no `len` for one of 2 ** 63 numbers
        raise LimitError(f"the template asks for a range of more than {_MAX_RANGE:,} numbers")
    return made


def _require_bits(bits: int) -> None:
    if bits > _MAX_BITS:
        raise LimitError("the template computes a number of more than 3,000 digits")


def _number(digits: str) -> int:
    return int(digits or "0") if len(digits) < 10 else 10**9
