"""Texts and files are counted, and held to their limits."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from pytest_tokenbudget import lock, settings
from pytest_tokenbudget.errors import Mistake
from pytest_tokenbudget.failures import Failure
from pytest_tokenbudget.globs import matching
from pytest_tokenbudget.keys import SEEN
from pytest_tokenbudget.markers import Key, LimitMark, closest
from pytest_tokenbudget.reading import Reader
from pytest_tokenbudget.records import Record
from pytest_tokenbudget.verdicts import Grown, Over, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tokenlint.tokens.extract import Extract
    from tokenlint.tokens.prompts import Prompt

MOST_REMEMBERED = 64
"Counts that are kept: one text is often held to several limits, but a run may see thousands."

NO_INCREASE = settings.Increase()


@dataclass(frozen=True)
class Ratchet:
    """What texts took before, and how much more they may take now."""

    before: Mapping[lock.Entry, int] = field(default_factory=dict)
    increase: settings.Increase = NO_INCREASE
    holds: bool = True

    def known(self, text: Text, tokenizer: str) -> int | None:
        """What the lock file has for a text."""
        return None if text.subject is None else self.before.get((text.subject, tokenizer))


@dataclass(frozen=True)
class Measure(Reader):
    """Counts for one run: from the rootdir, with the tokenizers that were asked for."""

    tokenizers: tuple[str, ...] = ()
    maximum: int | None = None
    ratchet: Ratchet = Ratchet()
    seen: list[Record] = field(default_factory=list)
    _counted: dict[tuple[tuple[Prompt, ...] | str, str], int] = field(default_factory=dict)

    def tokens(self, text: Text, tokenizer: str) -> int:
        """The tokens of a text.

        Raises TokenlintError.
        """
        key = (text.prompts or text.content, tokenizer)
        if key not in self._counted:
            if len(self._counted) >= MOST_REMEMBERED:
                self._counted.clear()
            self._counted[key] = self._count(text, tokenizer)
        return self._counted[key]

    def _count(self, text: Text, tokenizer: str) -> int:
        if not text.prompts:
            return self.loader.count(tokenizer, text.content)
        return sum(self.prompts.count(prompt, tokenizer) for prompt in text.prompts)

    def count(self, text: Text, tokenizers: Iterable[str]) -> int:
        """The tokens of a text; of several tokenizers, the largest count.

        Raises TokenlintError.
        """
        return max(self.tokens(text, name) for name in tokenizers)

    def per_word(self, text: Text, tokenizer: str) -> tuple[float | None, str]:
        """Tokens for each word, and what a word is; None where there are none.

        Raises TokenlintError.
        """
        from tokenlint.tokens import Fertility, count_words

        words = count_words(text.content)
        count = self.loader.require(tokenizer).count
        tokens = sum(count(prompt.text) for prompt in text.prompts)  # a frame has no words
        measured = Fertility(tokens or self.tokens(text, tokenizer), words.count, words.unit)
        return measured.value, measured.unit

    def judge(
        self, text: Text, limits: Mapping[Key, float], warn_at: float | None = None
    ) -> Failure:
        """What does not keep its limit, or has no words to be held to one, or grew.

        Raises TokenlintError.
        """
        over: list[Over | Grown] = []
        unchecked = []
        for (kind, name), maximum in limits.items():
            judged = self._judge(text, kind, name, maximum, warn_at or self.config.warn_at)
            if isinstance(judged, Over):
                over.append(judged)
            elif judged is not None:
                unchecked.append(judged)
        failed = {verdict.tokenizer.name for verdict in over}
        grown = (self._grown(text, name) for name in dict.fromkeys(name for _, name in limits))
        over += (one for one in grown if one is not None and one.tokenizer.name not in failed)
        return Failure(over, unchecked)

    def judge_files(self, marks: Iterable[LimitMark]) -> Failure:
        """What is wrong with the files that marks name, a glob that names none included.

        Raises Mistake and TokenlintError.
        """
        failure = Failure()
        found, unmatched = self._files(marks)
        for (path, how), its_marks in sorted(found.items(), key=lambda pair: pair[0][0]):
            held = closest(its_marks, self.tokenizers)
            try:
                text = self.read(path, how=how)
            except Mistake as mistake:
                failure += Failure(unchecked=[str(mistake)])
                continue
            failure += self.judge(text, {key: mark.maximum for key, mark in held.items()})
        return Failure(failure.over, [*unmatched, *failure.unchecked])

    def _judge(
        self, text: Text, kind: str, name: str, maximum: float, warn_at: float
    ) -> Over | str | None:
        tokens = self.tokens(text, name)
        per_word, unit = None, "token"
        if kind == "fertility_limit":
            per_word, unit = self.per_word(text, name)
            if per_word is None:
                return (
                    f"{text.label}: there are no words to hold to the fertility limit of "
                    f"{maximum:g}"
                )
        record = Record(
            text.subject or text.label,
            "token_budget" if per_word is None else "fertility_limit",
            name,
            tokens if per_word is None else per_word,
            maximum,
            warn_at,
            tokens,
            unit,
            recorded=text.subject is not None,
        )
        self.seen.append(record)
        if not record.is_over:
            return None
        before = self.ratchet.known(text, name)
        is_request = any(prompt.conversation for prompt in text.prompts) and per_word is None
        how = self.prompts.frame(name).label if is_request else ""
        return Over(text, self.loader.require(name), maximum, tokens, per_word, unit, before, how)

    def _grown(self, text: Text, name: str) -> Grown | None:
        before, tokens = self.ratchet.known(text, name), self.tokens(text, name)
        if before is None or not self.ratchet.holds:
            return None
        if tokens <= max(before, self.ratchet.increase.most(before)):
            return None
        return Grown(text, self.loader.require(name), tokens, before, self.ratchet.increase.text)

    def _files(
        self, marks: Iterable[LimitMark]
    ) -> tuple[dict[tuple[Path, Extract | None], list[LimitMark]], list[str]]:
        found: dict[tuple[Path, Extract | None], list[LimitMark]] = {}
        unmatched = []
        for mark, pattern in ((one, pattern) for one in marks for pattern in one.files):
            paths = matching(self.root, pattern, self.config.excludes)
            if not paths:
                tried = self.root / pattern
                unmatched.append(f"{pattern}: no such file for {mark}, tried {tried}")
            for path in paths:
                found.setdefault((path, mark.extract), []).append(mark)
        return found, unmatched


MEASURE = pytest.StashKey[Measure]()


def measure_of(config: pytest.Config) -> Measure:
    """The measure of a run, made when something is first counted.

    Raises Mistake and TokenlintError.
    """
    if MEASURE not in config.stash:
        from tokenlint.config import load_config
        from tokenlint.tokens.counts import kept

        chosen = load_config(config.rootpath)
        chosen = chosen.apply({"tokenizers": settings.tokenizers(config) or None})
        config.stash[MEASURE] = Measure(
            config.rootpath,
            chosen,
            replace(chosen.loader(), counts=kept()),
            chosen.tokenizers,
            settings.default_maximum(config),
            _ratchet(config),
            config.stash[SEEN],
        )
    return config.stash[MEASURE]


def _ratchet(config: pytest.Config) -> Ratchet:
    from pytest_tokenbudget.starting import recorded

    before = recorded(config)
    holds = not config.getoption("tokenbudget_update")
    return Ratchet(before, settings.increase(config), holds)
