"""`tokenlint config`: the values that hold for a file or a folder, and who said them."""

from __future__ import annotations

import json
from dataclasses import is_dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from tokenlint.errors import TokenlintError
from tokenlint.files import absolute
from tokenlint.frozen import frozen
from tokenlint.growth import MaxIncrease
from tokenlint.keys import TABLE
from tokenlint.patterns import shown_path
from tokenlint.tokens.extract import Extract

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenlint.commands.session import Session
    from tokenlint.config import Config


@frozen
class Row:
    """The value of a key, and who said it: `default`, `file` or `command line`."""

    key: str
    value: Any
    origin: str


@frozen
class Shown:
    """What holds for a path. `file` is None where no configuration file governs it."""

    path: str
    file: str | None
    folder: str
    excluded: bool
    rules: tuple[str, ...]
    rows: tuple[Row, ...]


def run(argument: str, session: Session) -> Shown:
    """What holds for a file or a folder.

    Raises TokenlintError where there is no such path.
    """
    here = session.working_folder
    path = absolute(here / argument)
    if not path.exists():
        raise TokenlintError(f"{argument}: no such file or directory")
    config = session.config_of(path)
    rules = config.rules if path.is_dir() else config.rules_for(path)
    return Shown(
        path=shown_path(path, here),
        file=None if config.path is None else shown_path(absolute(here / config.path), here),
        folder=shown_path(config.root, here),
        excluded=session.excludes(path),
        rules=tuple(rule.code for rule in rules),
        rows=tuple(_rows(config)),
    )


def _rows(config: Config) -> Iterator[Row]:
    for key, known in TABLE.schema["properties"].items():
        name = key.replace("-", "_")
        layers = _layers(config) if name in ("select", "extend_select", "ignore") else [config]
        said = [layer for layer in layers if name in layer.origins]
        for layer in said or [config.DEFAULT]:
            origin = layer.origins.get(name, "default")
            yield Row(key, plain(getattr(layer, name), known), origin)


def _layers(config: Config) -> Iterator[Config]:
    """The configurations that say together which rules are on, the topmost first."""
    layer: Config | None = config
    while layer is not None:
        yield layer
        layer = None if layer.select is not None else layer.beneath


def plain(value: Any, schema: Mapping[str, Any]) -> Any:
    """A value of the configuration as TOML and JSON know it, under the keys that a file has."""
    if isinstance(value, Extract):
        said = {"extract": str(value), "variables": plain(value.variables, {})}
        return said if value.variables and "type" not in schema else said["extract"]
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, MaxIncrease):
        return f"{value.amount}%" if value.percent else int(value.amount)
    if is_dataclass(value):
        inner = {
            key: plain(getattr(value, key.replace("-", "_")), known)
            for key, known in schema["properties"].items()
        }
        return {key: one for key, one in inner.items() if one is not None}
    if isinstance(value, tuple | list):
        return [plain(item, schema.get("items", {})) for item in value]
    if isinstance(value, dict):
        return {key: plain(one, schema["additionalProperties"]) for key, one in value.items()}
    return value


def as_json(shown: Shown) -> str:
    """The values for another program."""
    return json.dumps(
        {
            "path": shown.path,
            "file": shown.file,
            "folder": shown.folder,
            "excluded": shown.excluded,
            "rules": shown.rules,
            "values": [vars(row) for row in shown.rows],
        },
        indent=2,
    )


def as_table(shown: Shown) -> Iterator[str]:
    """The values for people, as TOML writes them."""
    yield f"path: {shown.path}" + (" (excluded)" if shown.excluded else "")
    yield f"configuration: {shown.file or 'no file, the defaults'} (paths start at {shown.folder})"
    yield f"rules: {' '.join(shown.rules) or 'none'}"
    yield ""
    key_size = max(len(row.key) for row in shown.rows)
    origin_size = max(len(row.origin) for row in shown.rows)
    yield f"{'key':{key_size}}  {'origin':{origin_size}}  value"
    for row in shown.rows:
        yield f"{row.key:{key_size}}  {row.origin:{origin_size}}  {as_toml(row.value)}"


def as_toml(value: Any) -> str:
    """A value on one line of TOML; what nobody said is a hyphen."""
    if value is None:
        return "-"
    if isinstance(value, list):
        return f"[{', '.join(map(as_toml, value))}]"
    if isinstance(value, dict):
        pairs = (f"{_key(key)} = {as_toml(inner)}" for key, inner in value.items())
        return f"{{ {', '.join(pairs)} }}" if value else "{}"
    if isinstance(value, float):
        return str(value)  # json would write inf in a way of its own
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else _quoted(key)


def _quoted(text: str) -> str:
    """A basic string of TOML, which is one of JSON except for U+007F."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
