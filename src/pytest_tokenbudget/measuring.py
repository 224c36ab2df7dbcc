"""Texts and files are counted, and held to their limits."""

from __future__ import annotations

import glob
import os
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from pytest_tokenbudget.errors import Mistake
from pytest_tokenbudget.failures import Failure
from pytest_tokenbudget.globs import matching
from pytest_tokenbudget.markers import Key, LimitMark, closest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from tokenlint.config import Config
    from tokenlint.tokens import Fertility, Loader, Share, Tokenizer

EXCERPT = 40
"Characters of a paragraph that are shown, so that it is recognised and stays on its line."


@dataclass(frozen=True)
class Text:
    """What is counted, and how messages name it."""

    label: str
    content: str


@dataclass(frozen=True)
class Over:
    """A text that breaks a limit. It renders itself, and counts again only to do so."""

    text: Text
    tokenizer: Tokenizer
    maximum: float
    tokens: int
    fertility: Fertility | None = None

    @property
    def ratio(self) -> float:
        """The value as a share of its limit: above 1."""
        return self._value / self.maximum

    @property
    def sentence(self) -> str:
        """The text, how much it takes, how far that is over, and who counted."""
        more = f"({self.tokenizer.name}), +{100 * (self.ratio - 1):,.1f} %"
        if self.fertility is None:
            excess = f"{self.tokens - self.maximum:,.0f} over the budget of {self.maximum:,.0f}"
            return f"{self.text.label}: {_tokens(self.tokens)}, {excess} {more}"
        per = f"{self._value:.2f} tokens per {self.fertility.unit}"
        return f"{self.text.label}: {per}, over the limit of {self.maximum:g} {more}"

    def details(self, *, named: bool) -> Iterator[str]:
        """Where the tokens are, and what NFC would save; `named` repeats whose they are."""
        from tokenlint.tokens import heaviest

        of = f" of {self.text.label}" if named else ""
        shares = heaviest(self.text.content, self.tokenizer)
        if len(shares) > 1:
            yield f"The heaviest paragraphs{of}:"
            yield from map(_paragraph, shares)
        composed = self.tokenizer.count(unicodedata.normalize("NFC", self.text.content))
        if composed < self.tokens:  # it can be more as well: then there is nothing to gain
            fewer = f"{_tokens(composed)}, {self.tokens - composed:,} fewer"
            yield f"Normalised to NFC {self.text.label if named else 'it'} would take {fewer}."

    @property
    def _value(self) -> float:
        return self.tokens if self.fertility is None else self.fertility.value or 0


def _tokens(number: int) -> str:
    return f"{number:,} token{'' if number == 1 else 's'}"


def _paragraph(share: Share) -> str:
    last = share.row + share.text.rstrip().count("\n")
    where = f"line {share.row}" if last == share.row else f"lines {share.row}-{last}"
    begin = share.text.strip().splitlines()[0]
    excerpt = begin if len(begin) <= EXCERPT else f"{begin[: EXCERPT - 3]}..."
    # A terminal may lack the letters, and invisible ones would mislead: then the lines suffice.
    shown = f"  {excerpt}" if excerpt.isascii() and excerpt.isprintable() else ""
    return f"  {where}: {_tokens(share.tokens)}{shown}"


@dataclass(frozen=True)
class Measure:
    """Counts for one run: from the rootdir, with the tokenizers that were asked for."""

    root: Path
    config: Config
    loader: Loader
    tokenizers: tuple[str, ...]

    def text(self, source: object, label: str | None = None) -> Text:
        """A string as it is, or the file at a path, decoded as `tokenlint check` decodes it.

        Raises Mistake.
        """
        if isinstance(source, str):
            return Text(label or "the text", source)
        if isinstance(source, os.PathLike):
            return self._read(self._found(os.fsdecode(source)), label)
        raise Mistake(f"expected a str, or a path for a file, found {type(source).__name__}")

    def count(self, text: Text, tokenizers: Iterable[str]) -> int:
        """The tokens of a text; of several tokenizers, the largest count.

        Raises TokenlintError.
        """
        return max(self.loader.require(name).count(text.content) for name in tokenizers)

    def judge(self, text: Text, limits: Mapping[Key, float]) -> Failure:
        """What does not keep its limit, or has no words to be held to one.

        Raises TokenlintError.
        """
        over, unchecked = [], []
        for (kind, name), maximum in limits.items():
            judged = self._judge(text, kind, name, maximum)
            if isinstance(judged, Over):
                over.append(judged)
            elif judged is not None:
                unchecked.append(judged)
        return Failure(over, unchecked)

    def judge_files(self, marks: Iterable[LimitMark]) -> Failure:
        """What is wrong with the files that marks name, a glob that names none included.

        Raises Mistake and TokenlintError.
        """
        over: list[Over] = []
        found, unchecked = self._files(marks)
        for path, its_marks in sorted(found.items()):
            held = closest(its_marks, self.tokenizers)
            try:
                text = self._read(path)
            except Mistake as mistake:
                unchecked.append(str(mistake))
                continue
            failure = self.judge(text, {key: mark.maximum for key, mark in held.items()})
            over += failure.over
            unchecked += failure.unchecked
        return Failure(over, unchecked)

    def _judge(self, text: Text, kind: str, name: str, maximum: float) -> Over | str | None:
        from tokenlint.tokens import fertility

        tokenizer = self.loader.require(name)
        if kind == "token_budget":
            tokens = tokenizer.count(text.content)
            return Over(text, tokenizer, maximum, tokens) if tokens > maximum else None
        measured = fertility(text.content, tokenizer)
        if measured.value is None:
            return f"{text.label}: there are no words to hold to the fertility limit of {maximum:g}"
        if measured.value > maximum:
            return Over(text, tokenizer, maximum, measured.tokens, measured)
        return None

    def _files(self, marks: Iterable[LimitMark]) -> tuple[dict[Path, list[LimitMark]], list[str]]:
        found: dict[Path, list[LimitMark]] = {}
        unmatched = []
        for mark, pattern in ((one, pattern) for one in marks for pattern in one.files):
            paths = matching(self.root, pattern, self.config.excludes)
            if not paths:
                tried = self.root / pattern
                unmatched.append(f"{pattern}: no such file for {mark}, tried {tried}")
            for path in paths:
                found.setdefault(path, []).append(mark)
        return found, unmatched

    def _found(self, path: str) -> Path:
        """A path from the rootdir, in the form in which the file system has it."""
        exact = self.root / path
        if os.path.lexists(exact):
            return exact
        return next(iter(matching(self.root, glob.escape(path), lambda _: False)), exact)

    def _read(self, path: Path, label: str | None = None) -> Text:
        from tokenlint.tokens import Unreadable, read_document

        shown = label or self._shown(path)
        document = read_document(path, shown, max_size=self.config.max_file_size)
        if isinstance(document, Unreadable):
            tried = f", tried {path}" if document.reason == "missing" else ""
            raise Mistake(f"{document.message}{tried}")
        settings = self.config
        return Text(
            shown, document.countable(newlines=settings.newlines, count_bom=settings.count_bom)
        )

    def _shown(self, path: Path) -> str:
        return (
            path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)
        )


MEASURE = pytest.StashKey[Measure]()


def measure_of(config: pytest.Config) -> Measure:
    """The measure of a run, made when something is first counted.

    Raises Mistake and TokenlintError.
    """
    if MEASURE not in config.stash:
        from tokenlint.config import load_config

        settings = load_config(config.rootpath)
        tokenizers = _chosen(config) or settings.tokenizers
        config.stash[MEASURE] = Measure(config.rootpath, settings, settings.loader(), tokenizers)
    return config.stash[MEASURE]


def _chosen(config: pytest.Config) -> tuple[str, ...]:
    """The tokenizers of the command line, else of the environment, else of pytest's settings."""
    return (
        split_names(*config.getoption("tokenbudget_tokenizer") or ())
        or split_names(os.environ.get("TOKENBUDGET_TOKENIZER", ""))
        or split_names(_setting(config))
    )


def _setting(config: pytest.Config) -> str:
    try:
        return str(config.getini("tokenbudget_tokenizer"))
    except (TypeError, pytest.UsageError) as error:  # TOML that holds something else than a string
        raise Mistake(str(error)) from None


def split_names(*values: str) -> tuple[str, ...]:
    """The names in strings that separate them by commas or line breaks, each once."""
    names = (name.strip() for value in values for name in value.replace("\n", ",").split(","))
    return tuple(dict.fromkeys(name for name in names if name))
