"""Frozen dataclasses whose methods are shared, and not compiled anew for each class.

A frozen dataclass compiles six functions, which takes half a millisecond. A run of `tokenlint
check` defines some seventy classes, and would pay for each before it has read a file.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from inspect import Signature

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field, Field))
def frozen(cls: type[T]) -> type[T]:
    """The class as a frozen dataclass: compared, hashed and shown by its fields."""
    made = dataclass(init=False, repr=False, eq=False)(cls)
    all_ = fields(made)  # type: ignore[arg-type]
    hashed = [one for one in all_ if (one.compare if one.hash is None else one.hash)]
    shared = {
        "__init__": _initialiser(made, all_),
        "__repr__": _repr,
        "__eq__": _eq,
        "__hash__": _hash,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__signature__": _Signature(),
        "_compared": tuple(one.name for one in all_ if one.compare),
        "_hashed": tuple(one.name for one in hashed),
    }
    for name, one in shared.items():
        if name not in cls.__dict__:
            setattr(made, name, one)
    return made


def replace(one: T, **changes: Any) -> T:
    """The same with other values in some fields."""
    return dataclasses.replace(one, **changes)  # type: ignore[type-var]


def _initialiser(cls: type, all_: Sequence[Field[Any]]) -> Callable[..., None]:
    """What fills a new instance: its dictionary, because attributes are frozen."""
    taken = tuple(one.name for one in all_ if one.init)
    defaults = {one.name: one.default for one in all_ if one.default is not MISSING}
    made = {one.name: one.default_factory for one in all_ if one.default_factory is not MISSING}
    needed = frozenset(taken) - defaults.keys() - made.keys()
    fits = frozenset(taken).issuperset
    then = getattr(cls, "__post_init__", None)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        given = self.__dict__
        given.update(defaults)
        given.update(zip(taken, args, strict=False))
        if kwargs:
            twice = args and not kwargs.keys().isdisjoint(taken[: len(args)])
            if twice or not fits(kwargs):
                raise _wrong(self, taken, args, kwargs)
            given.update(kwargs)
        if len(args) > len(taken) or not given.keys() >= needed:
            raise _wrong(self, taken, args, kwargs)
        for name, make in made.items():
            if name not in given:
                given[name] = make()
        if then is not None:
            then(self)

    return __init__


def _wrong(
    self: object, taken: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> TypeError:
    """What a compiled method would raise."""
    what = f"{type(self).__name__}.__init__()"
    if len(args) > len(taken):
        return TypeError(f"{what} takes {len(taken)} arguments, and {len(args)} were given")
    for name in kwargs:
        if name not in taken:
            return TypeError(f"{what} got an unexpected keyword argument {name!r}")
        if name in taken[: len(args)]:
            return TypeError(f"{what} got multiple values for argument {name!r}")
    missing = next(name for name in taken if name not in self.__dict__)
    return TypeError(f"{what} is missing the argument {missing!r}")


def _repr(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _eq(self: Any, other: Any) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    mine, theirs = self.__dict__, other.__dict__
    return all(mine[name] == theirs[name] for name in self._compared)


def _hash(self: Any) -> int:
    mine = self.__dict__
    return hash(tuple([mine[name] for name in self._hashed]))


def _refuse(self: Any, name: str, *_: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot change {name!r} of {type(self).__name__}")


class _Signature:
    """What `inspect.signature` is told, made when it asks."""

    def __get__(self, _: object, owner: type) -> Signature:
        from inspect import Parameter, Signature

        return Signature(
            [
                Parameter(
                    one.name,
                    Parameter.POSITIONAL_OR_KEYWORD,
                    default=_default(one),
                    annotation=one.type,
                )
                for one in fields(owner)
                if one.init
            ]
        )


def _default(one: Field[Any]) -> Any:
    from inspect import Parameter

    if one.default is not MISSING:
        return one.default
    return Parameter.empty if one.default_factory is MISSING else one.default_factory
