"""`tokenlint rule TL201 --families`: the families of the catalogue, as a table or as JSON."""

from __future__ import annotations

import json
import textwrap
import tomllib
from collections import Counter
from dataclasses import asdict
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tokenlint.frozen import frozen
from tokenlint.reports.printable import printable
from tokenlint.reports.printable import width as columns

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEVELS = ("high", "medium", "low")
_TELLING = ("turn-start", "role-header", "user", "system", "turn-end", "bos", "eos")
"The roles that show best what a family looks like, the best first."


@frozen
class Family:
    """A family: what it is, what selects it, and how many strings it has at each level.

    A run of numbered strings counts once, under `runs`.
    """

    id: str
    name: str
    groups: tuple[str, ...]
    models: tuple[str, ...]
    strings: dict[str, int]
    runs: int
    example: str


def catalogue() -> list[Family]:
    """Every family, in the order in which messages name them."""
    source = files("tokenlint").joinpath("special_tokens.toml").read_bytes()
    return [_family(row) for row in tomllib.loads(source.decode())["family"]]


def _family(row: dict[str, Any]) -> Family:
    levels = Counter(token.get("tier", "high") for token in row["tokens"])
    return Family(
        row["id"],
        row["name"],
        tuple(row["groups"]),
        tuple(row.get("models", ())),
        {level: levels[level] for level in _LEVELS},
        len(row.get("runs", ())),
        _example(row["tokens"]),
    )


def _example(tokens: list[dict[str, Any]]) -> str:
    """The string that tells most: of the surest level, and by its role."""

    def rank(token: dict[str, Any]) -> tuple[int, int]:
        role = token["role"]
        place = _TELLING.index(role) if role in _TELLING else len(_TELLING)
        return _LEVELS.index(token.get("tier", "high")), place

    text: str = min(tokens, key=rank)["text"]
    return text


def as_table(found: list[Family], width: int) -> Iterator[str]:
    """A row a family, and below it what it is, wrapped to the width of the terminal."""
    size = max(len(family.id) for family in found)
    yield f"{'family':{size}}  high  medium  low  runs  example"
    for family in found:
        high, medium, low = (family.strings[level] for level in _LEVELS)
        row = f"{family.id:{size}}  {high:4}  {medium:6}  {low:3}  {family.runs:4}"
        example = printable(family.example.replace("\n", "\\n"))
        fits = len(row) + 2 + columns(example) <= width
        yield f"{row}  {example}" if fits else row
        yield from _about(family, "" if fits else example, width)


def _about(family: Family, example: str, width: int) -> Iterator[str]:
    parts = [
        f"example: {example}" if example else "",
        family.name,
        f"models: {', '.join(family.models)}" if family.models else "",
        f"groups: {', '.join(family.groups)}" if family.groups else "",
    ]
    for part in filter(None, parts):
        yield from textwrap.wrap(
            part, max(width, 40), initial_indent="    ", subsequent_indent="        "
        )


def as_json(found: list[Family]) -> str:
    """The families for another program, in ASCII."""
    return json.dumps([asdict(family) for family in found], indent=2)
