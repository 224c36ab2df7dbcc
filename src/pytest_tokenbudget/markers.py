"""Marker arguments become limits, or one sentence that says what is wrong with them."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as short_repr
from typing import TYPE_CHECKING, Literal, cast

from pytest_tokenbudget.errors import Mistake
from tokenlint.nearest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pytest

    from tokenlint.tokens.extract import Extract

Kind = Literal["token_budget", "fertility_limit"]
Key = tuple[Kind, str]
"What a limit is about: its kind and a tokenizer. Limits about different things all hold."

NUMBER: Mapping[str, str] = {"token_budget": "max_tokens", "fertility_limit": "limit"}
"The markers, and what each calls its number."


@dataclass(frozen=True)
class LimitMark:
    """One marker: no `files` means the texts of the test, no `tokenizers` the default ones.

    `extract` says what of the files is the prompt, where that is not what the configuration says.
    `depth` is how deep in the tree its node stands; the function of a test is the deepest.
    """

    kind: Kind
    maximum: float
    files: tuple[str, ...] = ()
    tokenizers: tuple[str, ...] = ()
    depth: int = 0
    extract: Extract | None = None

    def __str__(self) -> str:
        """The marker as a person would name it."""
        by = f", tokenizer={', '.join(self.tokenizers)}" if self.tokenizers else ""
        by += f", extract={self.extract}" if self.extract else ""
        return f"{self.kind}({self.maximum:.15g}{by})"


def marks_of(item: pytest.Item) -> tuple[LimitMark, ...]:
    """Every limit that a test carries, from all levels.

    Raises Mistake, with the file and line of the test.
    """
    try:
        return tuple(
            parse(mark, len(node.listchain()))
            for node, mark in item.iter_markers_with_node()
            if mark.name in NUMBER
        )
    except Mistake as mistake:
        path, line, _ = item.location
        raise Mistake(f"{path}:{(line or 0) + 1}: {mistake}") from None


def closest(marks: Iterable[LimitMark], default: tuple[str, ...]) -> dict[Key, LimitMark]:
    """The limits that hold: of several about the same, the closest to the test, then the smallest.

    `default` are the tokenizers of the marks that name none.
    """
    held: dict[Key, LimitMark] = {}
    for mark in sorted(marks, key=lambda mark: (-mark.depth, mark.maximum)):
        for tokenizer in mark.tokenizers or default:
            held.setdefault((mark.kind, tokenizer), mark)
    return held


def parse(mark: pytest.Mark, depth: int = 0) -> LimitMark:
    """The limit that a marker's arguments mean.

    Raises Mistake.
    """
    kind = cast("Kind", mark.name)
    said = _arguments(kind, mark)
    number = NUMBER[kind]
    read = whole if kind == "token_budget" else positive
    files, tokenizer = said.get("files"), said.get("tokenizer")
    return LimitMark(
        kind,
        read(f"{kind}: {number}", said[number]),
        () if files is None else globs(f"{kind}: files", files),
        () if tokenizer is None else strings(f"{kind}: tokenizer", tokenizer),
        depth,
        _extract(kind, said),
    )


def extract_of(what: str, extract: object, variables: object = None) -> Extract | None:
    """What of a file is the prompt, as arguments say it.

    Raises Mistake.
    """
    if extract is None:
        if variables is not None:
            raise Mistake(f'{what}: variables is for templates; add extract="jinja"')
        return None
    from tokenlint.errors import TokenlintError
    from tokenlint.tokens.extract import Extract

    (text,) = strings(f"{what}: extract", extract) if isinstance(extract, str) else ("",)
    if not text:
        raise Mistake(f"{what}: extract: expected a string, found {short_repr(extract)}")
    if variables is not None and not isinstance(variables, str | os.PathLike):
        raise Mistake(
            f"{what}: variables: expected the path of a JSON, YAML or TOML file, found "
            f"{short_repr(variables)}; or render the text yourself and pass it on"
        )
    try:
        return Extract.parse(text, None if variables is None else Path(variables))
    except TokenlintError as error:
        raise Mistake(f"{what}: extract: {error}") from None


def _extract(kind: Kind, said: Mapping[str, object]) -> Extract | None:
    found = extract_of(kind, said.get("extract"), said.get("variables"))
    if found is not None and said.get("files") is None:
        raise Mistake(f"{kind}: extract is about files; say which with files=")
    return found


def _arguments(kind: Kind, mark: pytest.Mark) -> dict[str, object]:
    """The arguments by name, each known and the number among them."""
    number = NUMBER[kind]
    known = (number, "files", "tokenizer", "extract", "variables")
    if len(mark.args) > 1:
        second = short_repr(mark.args[1])
        raise Mistake(f"{kind}: only {number} goes without a name; what is {second}?")
    for name in mark.kwargs:
        if name not in known:
            near = did_you_mean(name, known) or f"; it takes {', '.join(known)}"
            raise Mistake(f"{kind}: unknown argument {name}{near}")
    if mark.args and number in mark.kwargs:
        raise Mistake(f"{kind}: {number} is given twice")
    said = {**dict(zip(known, mark.args, strict=False)), **mark.kwargs}
    if number not in said:
        raise Mistake(f"{kind}: {number} is missing; write @pytest.mark.{kind}({number}, ...)")
    return said


def whole(what: str, value: object) -> int:
    """A whole number above 0.

    Raises Mistake.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise Mistake(f"{what}: expected a whole number above 0, found {short_repr(value)}")
    return value


def positive(what: str, value: object) -> float:
    """A finite number above 0.

    Raises Mistake.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise Mistake(f"{what}: expected a number above 0, found {short_repr(value)}")
    return value


def globs(what: str, value: object) -> tuple[str, ...]:
    """Globs, or paths of files, as strings.

    Raises Mistake.
    """
    if isinstance(value, list | tuple):
        return strings(what, list(map(_plain, value)))
    return strings(what, _plain(value))


def _plain(value: object) -> object:
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def strings(what: str, value: object) -> tuple[str, ...]:
    """A string, or several in a list, each once and none of them blank.

    Raises Mistake.
    """
    found = value if isinstance(value, list | tuple) else [value]
    if not found or not all(isinstance(item, str) and item.strip() for item in found):
        raise Mistake(f"{what}: expected a string or a list of strings, found {short_repr(value)}")
    return tuple(dict.fromkeys(found))
