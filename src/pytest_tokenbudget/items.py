"""The kinds of limit that a configuration sets, each of them one test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import pytest

from pytest_tokenbudget.errors import Mistake
from pytest_tokenbudget.failures import Failure
from pytest_tokenbudget.records import Record
from pytest_tokenbudget.verdicts import OverPremium, Oversized, OverTotal

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_tokenbudget.markers import Kind
    from pytest_tokenbudget.measuring import Measure
    from tokenlint.tokens import Limit


def _of(limit: Limit) -> str:
    """What of a file a limit is about, in a node id, where the budget itself says it."""
    return "" if limit.extract is None else f"-{limit.extract}"


@dataclass(frozen=True)
class TokenLimit:
    """A file's tokens, or tokens per word, with one tokenizer."""

    path: Path
    limit: Limit

    @property
    def kind(self) -> Kind:
        """The marker that says the same in a test."""
        return "fertility_limit" if self.limit.quantity == "fertility" else "token_budget"

    @property
    def name(self) -> str:
        """The last part of the node id."""
        each = "_each" * self.limit.each
        return f"{self.kind}{each}[{self.limit.tokenizer}{_of(self.limit)}]"

    @property
    def marks(self) -> tuple[pytest.MarkDecorator, ...]:
        """`-m token_budget` means every collected limit, `-m fertility_limit` these alone."""
        own = (pytest.mark.fertility_limit,) if self.kind == "fertility_limit" else ()
        return (pytest.mark.token_budget, *own)

    def judge(self, measure: Measure) -> Failure:
        """What does not keep the limit.

        Raises Mistake and TokenlintError.
        """
        limits = {(self.kind, self.limit.tokenizer or ""): self.limit.maximum}
        text = measure.read(self.path, limit=self.limit)
        texts = text.each if self.limit.each else [text]
        judged = (measure.judge(one, limits, self.limit.warn_at) for one in texts)
        return sum(judged, start=Failure())


@dataclass(frozen=True)
class ByteLimit:
    """A file's bytes or characters."""

    path: Path
    limit: Limit
    marks = (pytest.mark.token_budget,)

    @property
    def name(self) -> str:
        """The last part of the node id."""
        of = _of(self.limit)
        return self.kind + (f"[{of.removeprefix('-')}]" if of else "")

    @property
    def kind(self) -> Literal["byte_budget", "character_budget"]:
        """What is limited."""
        return "byte_budget" if self.limit.quantity == "bytes" else "character_budget"

    def judge(self, measure: Measure) -> Failure:
        """What does not keep the limit.

        Raises Mistake.
        """
        text = measure.read(self.path, limit=self.limit)
        in_bytes = self.limit.quantity == "bytes"
        value, unit = (text.size, "byte") if in_bytes else (len(text.content), "character")
        maximum, warn_at = self.limit.maximum, self.limit.warn_at
        measure.seen.append(
            Record(text.label, self.kind, "", value, maximum, warn_at, 0, unit, recorded=False)
        )
        over = [Oversized(text.label, value, unit, maximum)] if value > maximum else []
        return Failure(over)


@dataclass(frozen=True)
class TotalLimit:
    """The tokens of a group of files together, with one tokenizer."""

    group: str
    paths: tuple[Path, ...]
    limit: Limit
    marks = (pytest.mark.token_budget,)

    @property
    def name(self) -> str:
        """The last part of the node id."""
        return f"token_budget_total[{self.group}-{self.limit.tokenizer}]"

    def judge(self, measure: Measure) -> Failure:
        """What does not keep the limit; a file that cannot be read leaves the total unknown.

        Raises Mistake and TokenlintError.
        """
        name, maximum = self.limit.tokenizer or "", self.limit.maximum
        try:
            texts = [measure.read(path, limit=self.limit) for path in self.paths]
        except Mistake as mistake:
            raise Mistake(f"{mistake}; so the total of {self.group} is unknown") from None
        counts = {text.label: measure.tokens(text, name) for text in texts}
        total = sum(counts.values())
        measure.seen.append(
            Record(
                self.group,
                "token_budget_total",
                name,
                total,
                maximum,
                self.limit.warn_at,
                total,
                recorded=False,
            )
        )
        over = [OverTotal(self.group, name, maximum, counts)] if total > maximum else []
        return Failure(over)


@dataclass(frozen=True)
class PremiumLimit:
    """A translation's tokens beside those of the text that it translates."""

    path: Path
    reference: Path
    maximum: float
    tokenizer: str
    again: str = ""
    marks = (pytest.mark.token_budget,)

    @property
    def name(self) -> str:
        """The last part of the node id."""
        return f"premium_limit[{self.tokenizer}{self.again}]"

    def judge(self, measure: Measure) -> Failure:
        """What does not keep the limit; a reference that cannot be read leaves it unknown.

        Raises Mistake and TokenlintError.
        """
        text = measure.read(self.path)
        if (why := measure.config.boundary.refusal(self.reference)) is not None:
            raise Mistake(f"{self.reference}: {why}; so the premium of {text.label} is unknown")
        try:
            reference = measure.read(self.reference)
        except Mistake as mistake:
            raise Mistake(f"{mistake}; so the premium of {text.label} is unknown") from None
        tokens = measure.tokens(text, self.tokenizer)
        base = measure.tokens(reference, self.tokenizer)
        if not base:
            why = f"no tokens, so {text.label} has no premium to hold to {self.maximum:g}"
            return Failure(unchecked=[f"{reference.label}: {why}"])
        record = Record(
            text.label,
            "premium_limit",
            self.tokenizer,
            tokens / base,
            self.maximum,
            measure.config.warn_at,
            tokens,
            f"times {reference.label}",
            recorded=False,
        )
        measure.seen.append(record)
        tokenizer = measure.loader.require(self.tokenizer)
        verdict = OverPremium(text, tokenizer, self.maximum, tokens, base, reference.label)
        return Failure([verdict] if record.is_over else [])


@dataclass(frozen=True)
class Problem:
    """Something in the configuration that checks nothing or cannot be used: it always fails."""

    name: str
    sentence: str
    marks = (pytest.mark.token_budget,)

    def judge(self, measure: Measure) -> Failure:  # noqa: ARG002  (as every limit)
        """The sentence."""
        return Failure(unchecked=[self.sentence])
