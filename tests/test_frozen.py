"""Frozen classes behave as frozen dataclasses do."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass
from functools import cached_property
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.frozen import frozen, replace


@frozen
class Ours:
    """The class that is tested."""

    path: str
    size: int = 0
    tags: list[str] = field(default_factory=list, compare=False)
    note: str = field(default="", repr=False)
    twice: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.__dict__["twice"] = 2 * self.size

    @cached_property
    def shout(self) -> str:
        return self.path.upper()


@dataclass(frozen=True)
class Theirs:
    """The judge."""

    path: str
    size: int = 0
    tags: list[str] = field(default_factory=list, compare=False)
    note: str = field(default="", repr=False)
    twice: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "twice", 2 * self.size)


NAMES = st.sampled_from(["path", "size", "tags", "note"])
VALUES: dict[str, Any] = {"path": "a", "size": 3, "tags": ["x"], "note": "n"}


@given(st.lists(st.sampled_from(["a", 1]), max_size=4), st.sets(NAMES))
def test_arguments_are_taken_and_refused_alike(args: list[Any], names: set[str]) -> None:
    kwargs = {name: VALUES[name] for name in names}
    made: list[Any] = []
    for cls in (Ours, Theirs):
        try:
            made.append(asdict(cls(*args, **kwargs)))
        except TypeError:
            made.append(TypeError)
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((), {}, "Ours.__init__() is missing the argument 'path'"),
        (("a",), {"path": "b"}, "Ours.__init__() got multiple values for argument 'path'"),
        (("a",), {"x": 1}, "Ours.__init__() got an unexpected keyword argument 'x'"),
        (("a", 1, [], "n", 5), {}, "Ours.__init__() takes 4 arguments, and 5 were given"),
        ((), {"size": 1}, "Ours.__init__() is missing the argument 'path'"),
    ],
)
def test_wrong_arguments(args: tuple[Any, ...], kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        Ours(*args, **kwargs)
    assert str(caught.value) == message


@given(st.text(), st.integers(), st.text(), st.integers())
def test_compared_hashed_and_shown_by_its_fields(a: str, m: int, b: str, n: int) -> None:
    assert (Ours(a, m) == Ours(b, n)) == (Theirs(a, m) == Theirs(b, n))
    assert hash(Ours(a, m)) == hash(Theirs(a, m))
    assert repr(Ours(a, m)).replace("Ours", "Theirs") == repr(Theirs(a, m))


def test_what_is_not_compared() -> None:
    assert Ours("a", tags=["x"]) == Ours("a", tags=["y"])
    assert Ours("a") != Theirs("a")  # type: ignore[comparison-overlap]
    assert Ours("a", note="x") != Ours("a")


def test_it_is_frozen() -> None:
    one = Ours("a")
    with pytest.raises(FrozenInstanceError, match="cannot change 'path' of Ours"):
        one.path = "b"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del one.path
    assert one.shout == "A"


def test_it_is_a_dataclass_to_everybody_else() -> None:
    one: Any = Ours("a", 2)
    assert is_dataclass(one)
    assert [each.name for each in fields(one)] == [each.name for each in fields(Theirs)]
    assert copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one))  # noqa: S301
    assert copy.copy(one) == one == Ours("a", 2)


def test_changed_matched_and_described() -> None:
    one = Ours("a", 2)
    assert replace(one, size=3) == Ours("a", 3)
    match one:
        case Ours(path, size):
            assert (path, size) == ("a", 2)
    assert list(inspect.signature(Ours).parameters) == ["path", "size", "tags", "note"]
    assert str(inspect.signature(Ours)).startswith("(path: 'str', size: 'int' = 0, tags: ")


def test_defaults_are_made_anew() -> None:
    assert Ours("a").tags is not Ours("a").tags


@frozen
class Longer(Ours):
    """A class that adds a field, and brings a method of its own."""

    more: str = "m"

    def __repr__(self) -> str:
        return "mine"


def test_a_class_that_inherits() -> None:
    one = Longer("a", 1, more="x")
    assert (one.path, one.twice, one.more, repr(one)) == ("a", 2, "x", "mine")
    assert one != Ours("a", 1)
    assert one == Longer("a", 1, more="x") != Longer("a", 1)
