"""What one test is held to: its marks, and the verdict once its body has run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from pytest_tokenbudget.errors import Mistake, fail, mistakes_fail
from pytest_tokenbudget.failures import Failure
from pytest_tokenbudget.markers import LimitMark, closest, marks_of
from pytest_tokenbudget.measuring import measure_of
from tokenlint.printable import printable

if TYPE_CHECKING:
    from pytest_tokenbudget.measuring import Measure


@dataclass(frozen=True)
class Held:
    """The marks of a test, those included that it adds while it runs, and which were served."""

    item: pytest.Item
    served: set[LimitMark] = field(default_factory=set)

    @property
    def on_texts(self) -> list[LimitMark]:
        """The marks that hold for what the test passes to the fixture."""
        return [mark for mark in marks_of(self.item) if not mark.files]

    @property
    def on_files(self) -> list[LimitMark]:
        """The marks that name files themselves."""
        return [mark for mark in marks_of(self.item) if mark.files]

    def serve(self, counted: tuple[str, ...], default: tuple[str, ...]) -> None:
        """Note that a text was counted: no mark on texts with one of these tokenizers is idle."""
        for mark in self.on_texts:
            if not set(counted).isdisjoint(mark.tokenizers or default):
                self.served.add(mark)

    def verdict(self, measure: Measure) -> Failure:
        """What is wrong once the test has run: files, and marks that checked nothing.

        Raises Mistake and TokenlintError.
        """
        of_files = measure.judge_files(self.on_files)
        held = dict.fromkeys(closest(self.on_texts, measure.tokenizers).values())
        idle = [
            f"{mark} checked nothing: give it files, or pass a text to the token_budget fixture"
            for mark in held
            if mark not in self.served
        ]
        return Failure(of_files.over, [*of_files.unchecked, *idle])


HELD = pytest.StashKey[Held]()


def hold(item: pytest.Item) -> None:
    """Begin with a test; marks with arguments that cannot be used fail it before it runs."""
    item.stash[HELD] = Held(item)
    try:
        marks_of(item)
    except Mistake as mistake:
        fail(printable(str(mistake)))


def held_by(item: pytest.Item) -> Held:
    """What a test is held to."""
    return item.stash.setdefault(HELD, Held(item))


def enforce(item: pytest.Item) -> None:
    """Fail a test that does not keep its marks."""
    with mistakes_fail():
        failure = held_by(item).verdict(measure_of(item.config))
    if failure:
        fail(failure)
