"""What a comparison of two states came to: the values that its reports are made from."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from tokenlint.frozen import frozen
from tokenlint.tokens import WARN_AT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokenlint.diagnostic import Diagnostic

Status = Literal["added", "modified", "deleted", "renamed", "unchanged"]
When = Literal["before", "after"]


@frozen
class State:
    """One of the two states: what it is called, its commit if it is one, and why it was taken."""

    name: str
    commit: str | None = None
    why: str = ""

    def __str__(self) -> str:
        """As sentences name it."""
        short = self.commit[:10] if self.commit else ""
        facts = "; ".join(filter(None, ("" if short == self.name[:10] else short, self.why)))
        return f"{self.name} ({facts})" if facts else self.name


@frozen
class Figures:
    """What one state of a file has, or of all files.

    `decomposed` and `other` are the tokens, among `tokens`, that decomposed text takes more than
    composed text would, and that other noise of the encoding takes.
    """

    bytes: int = 0
    characters: int = 0
    words: int | None = None
    tokens: Mapping[str, int] = field(default_factory=dict)
    decomposed: Mapping[str, int] = field(default_factory=dict)
    other: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, more: Figures) -> Figures:
        """The sums; files without words add none."""
        words = [w for w in (self.words, more.words) if w is not None]
        return Figures(
            self.bytes + more.bytes,
            self.characters + more.characters,
            sum(words) if words else None,
            _sum(self.tokens, more.tokens),
            _sum(self.decomposed, more.decomposed),
            _sum(self.other, more.other),
        )


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}


@frozen
class Difference:
    """Tokens with one tokenizer, before and after, and what the difference consists of."""

    tokenizer: str
    before: int
    after: int
    decomposed: int = 0
    other: int = 0

    @property
    def change(self) -> int:
        """What was added, with its sign."""
        return self.after - self.before

    @property
    def noise(self) -> int:
        """The part of the change that is no text."""
        return self.decomposed + self.other

    @property
    def text(self) -> int:
        """The part of the change that is text."""
        return self.change - self.noise

    @property
    def percent(self) -> float | None:
        """The change in percent of what was there."""
        return 100 * self.change / self.before if self.before else None


def difference(name: str, before: Figures | None, after: Figures | None) -> Difference:
    """How two states differ with a tokenizer; what is not there has no tokens."""
    old, new = before or Figures(), after or Figures()
    return Difference(
        name,
        old.tokens.get(name, 0),
        new.tokens.get(name, 0),
        new.decomposed.get(name, 0) - old.decomposed.get(name, 0),
        new.other.get(name, 0) - old.other.get(name, 0),
    )


@frozen
class Share:
    """How much of a budget was taken, and is; None where there was no file, or is none."""

    tokenizer: str
    maximum: float
    origin: str
    before: int | None
    after: int | None
    warn_at: float = WARN_AT

    @property
    def percent(self) -> int | None:
        """How much is taken now, rounded down as a budget's own finding does."""
        return percent_of(self.after, self.maximum)

    @property
    def is_near(self) -> bool:
        """Whether so much is taken that a warning is due, or more than all."""
        return self.after is not None and self.after >= self.warn_at * self.maximum

    @property
    def percent_before(self) -> int | None:
        """How much was taken."""
        return percent_of(self.before, self.maximum)


def percent_of(value: int | None, maximum: float) -> int | None:
    """A share of a maximum in percent, rounded down."""
    return None if value is None else int(100 * value / maximum)


@frozen
class File:
    """A file that differs. Without `before` or `after` it had, or has, no text to count.

    `uncounted` are the states in which it has one that could not be counted. Nobody knows by how
    much such a file changed, so no sum has it.
    """

    path: str
    status: Status
    old_path: str | None = None
    before: Figures | None = None
    after: Figures | None = None
    note: str = ""
    shares: tuple[Share, ...] = ()
    uncounted: tuple[When, ...] = ()

    @property
    def is_counted(self) -> bool:
        """Whether its change is known."""
        return not self.uncounted

    def difference(self, tokenizer: str) -> Difference:
        """How its two states differ with a tokenizer, or nothing where nobody knows."""
        if not self.is_counted:
            return Difference(tokenizer, 0, 0)
        return difference(tokenizer, self.before, self.after)


@frozen
class Group:
    """The files of a budget together, changed or not, with one of its tokenizers."""

    origin: str
    difference: Difference
    files_before: int
    files_after: int
    maximum: int | None = None
    uncounted: int = 0


@frozen
class Skipped:
    """A file that differs, or that belongs to the total, and that could not be counted.

    `is_missed` where somebody would look for it among the counts, which is not so of a picture.
    """

    path: str
    reason: str
    is_missed: bool = False


class Cost(Protocol):
    """What the change costs, where the user gave a model and a volume."""

    def headline(self, quote: Callable[[str], str]) -> str:
        """The difference in a few words, such as `+1.9 cents on 1,000 calls of gpt-5`."""

    def lines(self) -> Iterable[str]:
        """Lines for a terminal."""

    def markdown(self) -> Iterable[str]:
        """Lines of Markdown, escaped."""

    def as_json(self) -> Any:
        """What programs read."""


@frozen
class Report:
    """Everything that a comparison came to.

    `total_before` and `total_after` are those of the files that differ, or of all files where
    `unchanged`, the number of the others, is not None. `folder` is the one that was looked at,
    where it is not the whole repository.
    """

    base: State
    head: State
    tokenizers: tuple[str, ...]
    files: Sequence[File] = ()
    total_before: Figures = Figures()
    total_after: Figures = Figures()
    files_before: int = 0
    files_after: int = 0
    unchanged: int | None = None
    groups: Sequence[Group] = ()
    findings: Sequence[Diagnostic] = ()
    skipped: Sequence[Skipped] = ()
    cost: Cost | None = None
    folder: str = ""

    def difference(self, tokenizer: str) -> Difference:
        """The total with a tokenizer."""
        return difference(tokenizer, self.total_before, self.total_after)

    @property
    def totals(self) -> list[Difference]:
        """The total with each tokenizer."""
        return [self.difference(name) for name in self.tokenizers]

    @property
    def together(self) -> int:
        """How many files the total is of, those that are gone among them."""
        return sum(file.is_counted for file in self.files) + (self.unchanged or 0)

    @property
    def uncounted(self) -> int:
        """How many files are missing in the total."""
        rows = [file for file in self.files if not file.is_counted]
        named = {path for file in rows for path in (file.path, file.old_path)}
        return len(rows) + len({one.path for one in self.skipped if one.is_missed} - named)

    @property
    def reasons(self) -> Counter[str]:
        """How many files were left out for which reason."""
        return Counter(skipped.reason for skipped in self.skipped)

    @property
    def shown(self) -> list[File]:
        """The files that a table lists: not those that have as many tokens as before."""
        return [
            file
            for file in self.files
            if file.status in ("added", "deleted", "renamed")
            or not file.is_counted
            or self.moves(file)
        ]

    def moves(self, file: File) -> bool:
        """Whether the tokens of a file differ, or what they are spent on."""
        differences = map(file.difference, self.tokenizers)
        return any(one.change or one.decomposed or one.other for one in differences)

    @property
    def has_noise(self) -> bool:
        """Whether some of what was added or removed is no text."""
        return any(
            one.decomposed or one.other
            for file in self.files
            for one in map(file.difference, self.tokenizers)
        )
