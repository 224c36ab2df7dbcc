"""What texts come to in a form and with a tokenizer, and what groups of them come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tokenlint.tokens.forms import Form
    from tokenlint.tokens.words import Unit, Words


@frozen
class Measure:
    """One text in one form with one tokenizer.

    `reference` is the tokens of its reference text, or None where there is none;
    `is_reference` is true of a text that is its own reference.
    """

    path: str
    language: str | None
    form: Form
    tokenizer: str
    tokens: int
    words: Words
    characters: int
    bytes: int
    reference: int | None = None
    is_reference: bool = False


@frozen
class Row:
    """What a text or a group came to; a figure without meaning is None."""

    path: str
    form: Form
    tokenizer: str
    tokens: int
    words: int | None
    word_unit: Unit | None
    characters: int
    bytes: int
    fertility: float | None
    characters_per_token: float | None
    bytes_per_token: float | None
    premium: float | None


def rows(measures: Iterable[Measure], name: Callable[[Measure], str]) -> list[Row]:
    """A row for each name that measures are given, form and tokenizer, in order of appearance."""
    groups: dict[tuple[str, str, str], list[Measure]] = {}
    for measure in measures:
        groups.setdefault((name(measure), measure.form, measure.tokenizer), []).append(measure)
    return [_row(path, group) for (path, _, _), group in groups.items()]


def _row(path: str, group: Sequence[Measure]) -> Row:
    """Sums come first and are divided once, so a long text weighs more than a short one."""
    tokens, characters, bytes_ = (
        sum(getattr(measure, what) for measure in group)
        for what in ("tokens", "characters", "bytes")
    )
    worded = [measure for measure in group if measure.words.count]
    units = {measure.words.unit for measure in worded or group}
    unit = units.pop() if len(units) == 1 else None  # words and graphemes have no sum
    words = sum(measure.words.count for measure in worded) if unit else 0
    return Row(
        path,
        group[0].form,
        group[0].tokenizer,
        tokens,
        words or None,
        unit,
        characters,
        bytes_,
        _ratio(sum(measure.tokens for measure in worded), words),
        _ratio(characters, tokens),
        _ratio(bytes_, tokens),
        _premium(group),
    )


def _premium(group: Sequence[Measure]) -> float | None:
    """Each text against its own reference; a reference counts only where nothing else does."""
    against = [measure for measure in group if measure.reference and measure.tokens]
    against = [measure for measure in against if not measure.is_reference] or against
    return _ratio(
        sum(measure.tokens for measure in against),
        sum(measure.reference or 0 for measure in against),
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if part and whole else None
