"""Counts and findings of texts in batches, for corpora that outgrow one machine.

An engine such as Dask, Ray Data or Spark cuts a table into batches, and has many processes work on
them. `Batches` knows none of these engines: a column of texts goes in, plain columns come out. It
is a few bytes to send to a process, which loads the tokenizers at its first batch and keeps them.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from itertools import chain, starmap
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, NamedTuple

from tokenlint.columns import named, texts_of
from tokenlint.diagnostic import place
from tokenlint.errors import ConfigError, TokenlintError
from tokenlint.frozen import frozen, replace
from tokenlint.linter import Linted, lint
from tokenlint.reports.rule_pages import url_of
from tokenlint.settings import Config
from tokenlint.tokens import Document, Unreadable, count_words, decode
from tokenlint.tokens.loading import is_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokenlint.columns import Text
    from tokenlint.diagnostic import Diagnostic
    from tokenlint.rules import Context
    from tokenlint.tokens import Loader, Tokenizer

__all__ = ["Batches"]

_FIGURES = ("bytes", "characters", "words")
_ERROR = "error"

_KEYS = (
    *("tokenizers", "tokenizer", "select", "extend-select", "ignore", "inline-directives"),
    *("special-tokens", "soft-hyphens", "not-nfc"),
)
"The keys of the configuration that are about texts; all others are about files."


class _Row(NamedTuple):
    """A finding as a row. Its names are the columns, those of `check --output-format csv`."""

    path: Any
    row: int
    column: int
    end_row: int
    end_column: int
    code: str
    name: str
    level: str
    message: str
    fix: str | None
    url: str | None


class Batches:
    """Counts and checks columns of texts, as many at a time as an engine hands over.

    Each keyword is a key of the configuration, written with `_` for `-`: `tokenizers`,
    `tokenizer`, `select`, `extend_select`, `ignore`, `inline_directives`, `special_tokens`,
    `soft_hyphens` and `not_nfc`. No configuration file is looked for.

    A text is counted as it is, like a value that `count --extract` selects. With `as_files` it is
    the content of a file: CRLF and CR count as LF, and a leading byte order mark is not counted.
    Raises TokenlintError where a keyword, or a name in it, cannot be used.
    """

    def __init__(self, *, as_files: bool = False, **settings: Any) -> None:
        if not isinstance(as_files, bool):
            said = type(as_files).__name__
            raise ConfigError(f"as_files: expected true or false, found a value of type {said}")
        self._as_files = as_files
        self._settings = _as_json(settings)
        self._work.require_usable()

    def __repr__(self) -> str:
        """What makes the same once more."""
        said = {"as_files": self._as_files, **json.loads(self._settings)}
        shown = (f"{key.replace('-', '_')}={value!r}" for key, value in said.items())
        return f"Batches({', '.join(shown)})"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of `count`: bytes, characters, words, one for each tokenizer, and error."""
        return (*_FIGURES, *self._work.config.tokenizers, _ERROR)

    def count(self, texts: Iterable[Any]) -> dict[str, list[Any]]:
        """The figures of each text, by column; None stands for a text that is missing.

        Words are None as well where most of a text is in a script without spaces. A text that
        cannot be counted has no figures, and the sentence that says why under `error`. Raises
        TokenlintError where the column holds something other than texts, or without a tokenizer.
        """
        counted = _Counted(self._work.tokenizers(), self._as_files)
        return _columns(self.columns, map(counted.figures, texts_of(texts)))

    def check(
        self, texts: Iterable[Any], names: Iterable[Any] | None = None
    ) -> dict[str, list[Any]]:
        """The findings in texts as rows, by column: those of `check --output-format csv`.

        `path` is the name of the text as it was given, or its place in the batch, from 0. A
        missing text has no findings. What kept a rule from looking is a row whose `code` and `name`
        are empty; its `message` says why. Raises TokenlintError where the column holds something
        other than texts.
        """
        self._work.require_control_strings()
        checked = _Checked(self._work, self._as_files)
        each = starmap(checked.findings, named(texts_of(texts), names))
        return _columns(_Row._fields, chain.from_iterable(each))

    @property
    def _work(self) -> _Work:
        """What is kept in this process; only the settings are sent from one to another."""
        with _LOCK:
            return _work(self._settings, os.getcwd())  # noqa: PTH109


_LOCK = RLock()
"Held while something is made: threads wait for the first of them, and do not all load the same."


@frozen
class _Work:
    """A configuration at work in this process."""

    config: Config
    loader: Loader
    context: Context

    def require_usable(self) -> None:
        """Raise TokenlintError for what can be seen to be wrong without loading anything.

        A path may be one that only the processes that count have.
        """
        for name in self.config.tokenizers:
            if name in (*_FIGURES, _ERROR):
                raise ConfigError(f"tokenizers: {name!r} is a column already; name it otherwise")
            error = self.loader.surely_unknown(name)
            if error is not None and not is_path(self.loader.table(name).source):
                raise error

    def tokenizers(self) -> tuple[Tokenizer, ...]:
        """The tokenizers, loaded once. Raises TokenizerError."""
        with _LOCK:
            return tuple(map(self.loader.require, self.config.tokenizers))

    def require_control_strings(self) -> None:
        """Raise TokenizerError where the tokenizers say what to look for, and one is missing."""
        if self.config.special_tokens.families == "tokenizers":
            self.tokenizers()


@lru_cache(maxsize=8)
def _work(settings: str, folder: str) -> _Work:
    """Settings at work; whoever wrote them may name any file, unlike a configuration file."""
    from tokenlint.keys import TABLE

    said = json.loads(settings)
    values = TABLE("", said)
    for key in said:
        if key not in _KEYS:
            raise ConfigError(
                f"{key}: says something of files, and a batch has none; leave it out. Of the "
                f"configuration's keys these are about texts: {', '.join(_KEYS)}"
            )
    config = Config(root=Path(folder), outside=True).apply(values)
    loader = config.loader()
    return _Work(config, loader, config.context({}, {}, loader))


def _as_json(settings: Mapping[str, Any]) -> str:
    """Settings as text: equal settings are equal, and no process depends on another's objects."""
    named = {key.replace("_", "-"): value for key, value in settings.items()}
    try:
        return json.dumps(named, sort_keys=True)
    except (TypeError, ValueError) as error:
        raise ConfigError(
            f"the settings hold what no configuration file can ({error}); write them as texts, "
            "numbers, lists and dictionaries"
        ) from None


@frozen
class _Counted:
    """Counts texts with tokenizers that are loaded."""

    tokenizers: tuple[Tokenizer, ...]
    as_files: bool

    def figures(self, text: Text | None) -> tuple[Any, ...]:
        """A row of figures, and of why there are none."""
        nothing = (None,) * (len(_FIGURES) + len(self.tokenizers))
        if text is None:
            return *nothing, None
        document = _document("", text, self.as_files)
        if isinstance(document, Unreadable):
            return *nothing, document.detail
        try:
            return *self._of(document), None
        except TokenlintError as error:
            return *nothing, _of_a_text(str(error))

    def _of(self, document: Document) -> Iterator[int | None]:
        text = document.countable(newlines="lf" if self.as_files else "as-is")
        words = count_words(text)
        yield document.size
        yield len(text)
        yield words.count if words.unit == "word" else None
        for tokenizer in self.tokenizers:
            yield tokenizer.count(text)


@frozen
class _Checked:
    """Asks the rules about texts."""

    work: _Work
    as_files: bool

    def findings(self, text: Text | None, name: Any) -> list[_Row]:
        """The findings in a text, in order of place, and what kept rules from looking."""
        if text is None:
            return []
        path = str(name)
        document = _document(path, text, self.as_files)
        with _ONE_AT_A_TIME:
            linted = self._lint(document)
            found = [place(finding, document) for finding in linted.findings]
        problems = [_of_a_text(said.removeprefix(f"{path}: ")) for said in linted.problems]
        if isinstance(document, Unreadable) and not found:
            problems.append(document.detail)
        return [
            *(_row(name, one) for one in sorted(found, key=_order_of)),
            *(_Row(name, 1, 1, 1, 1, "", "", "error", said, None, None) for said in problems),
        ]

    def _lint(self, document: Document | Unreadable) -> Linted:
        config = self.work.config
        directives = config.inline_directives
        return lint(document, config.rules, self.work.context, directives=directives)


_ONE_AT_A_TIME = Lock()
"The rules remember what they were asked about last: no two threads may ask them at once."


def _order_of(one: Diagnostic) -> tuple[Any, ...]:
    return one.location, one.code, one.end_location


def _row(name: Any, one: Diagnostic) -> _Row:
    fix = None if one.fix is None else one.fix.applicability
    start, end = one.location, one.end_location
    said = one.code, one.name, one.level, one.message
    return _Row(name, *start, *end, *said, fix=fix, url=url_of(one.code))


def _document(path: str, text: Text, as_files: bool) -> Document | Unreadable:
    raw = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    if as_files:
        return _decoded(path, raw)
    try:
        return Document(path, text if isinstance(text, str) else raw.decode(), size=len(raw))
    except UnicodeDecodeError:
        return _decoded(path, raw)  # knows how to say what is wrong with it


def _decoded(path: str, raw: bytes) -> Document | Unreadable:
    document = decode(path, raw)
    if isinstance(document, Unreadable):
        return replace(document, detail=_of_a_text(document.detail))
    return document


def _of_a_text(said: str) -> str:
    """What is said of a file, said of a text: whoever has a batch may have no file at all."""
    for of_a_file, of_a_text in _OF_TEXTS.items():
        said = said.replace(of_a_file, of_a_text)
    return said


_OF_TEXTS = {
    "convert the file to UTF-8": "convert the text to UTF-8",
    "binary file (": "binary data (",
    "leave the file out": "leave the text out",
}


def _columns(names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> dict[str, list[Any]]:
    columns: list[list[Any]] = [[] for _ in names]
    for row in rows:
        for column, value in zip(columns, row, strict=True):
            column.append(value)
    return dict(zip(names, columns, strict=True))
