"""Where a configuration is found and how it is read: the nearest file, then the command line."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokenlint.errors import ConfigError
from tokenlint.rules import RULES
from tokenlint.settings import Config, loaded_plugins
from tokenlint.small_files import read_small

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = [
    "FILE_NAMES",
    "Config",
    "Configs",
    "load_config",
    "read_config",
]

FILE_NAMES = ("tokenlint.toml", ".tokenlint.toml", "pyproject.toml")
"Where a folder's configuration may stand; the first that has one holds."


def read_config(path: Path, *, allow_plugins: bool | None = None) -> Config | None:
    """The configuration in a file, or None where a pyproject.toml has none of ours.

    Its plugins are imported where that is allowed; None asks TOKENLINT_ALLOW_PLUGINS.
    Raises ConfigError, whose text names the file and the key.
    """
    try:
        raw = read_small(path)
    except OSError as error:
        raise ConfigError(f"{path}: {_why(path, error)}") from None
    in_pyproject = path.name == "pyproject.toml"
    if in_pyproject and b"tokenlint" not in raw:  # parsing TOML takes longer than a whole check
        return None
    content = _parse(path, raw)
    if in_pyproject:
        tool = content.get("tool")
        content = tool.get("tokenlint") if isinstance(tool, dict) else None
        if content is None:
            return None
    elif "tool" in content:
        raise ConfigError(
            f"{path}: tool: unknown key; in {path.name} the keys stand at the top level, without "
            "tool.tokenlint"
        )
    try:
        return Config(root=path.parent, path=path).apply(_values(content, allow_plugins), "file")
    except ConfigError as error:
        where = "[tool.tokenlint] " if in_pyproject else ""
        raise ConfigError(f"{path}: {where}{error}") from None


def _why(path: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError) and os.path.islink(path):  # noqa: PTH114  (as below)
        return "a symbolic link to a file that does not exist; correct or remove it"
    return str(error.strerror or error)


def _values(content: Any, allow_plugins: bool | None) -> dict[str, Any]:
    """The values of a table; plugins come first, because other keys may name their rules."""
    from tokenlint.keys import TABLE, modules, table_with  # without a file nobody needs them

    said = content.get("plugins") if isinstance(content, dict) else None
    if not said:
        return TABLE("", content)
    plugins = modules("plugins", said)
    if allow_plugins is None:
        allow_plugins = os.environ.get("TOKENLINT_ALLOW_PLUGINS") == "1"
    if not allow_plugins:
        raise ConfigError(
            f"plugins: the code of {', '.join(plugins)} would run; where you trust this file, "
            "allow it with --allow-plugins or TOKENLINT_ALLOW_PLUGINS=1"
        )
    loaded = loaded_plugins(plugins)
    return (
        TABLE("", content) if loaded is None else table_with((*RULES, *loaded.rules))("", content)
    )


def _parse(path: Path, raw: bytes) -> Any:
    from tokenlint.tokens.toml_text import loads

    try:
        return loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        wrong = f"byte 0x{error.object[error.start]:02x} at offset {error.start}"
        raise ConfigError(f"{path}: not UTF-8 ({wrong}), as TOML has to be") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from None


@dataclass(eq=False, repr=False)
class Configs:
    """Finds the configuration that governs a path: the nearest one at or above it."""

    working_folder: Path
    explicit: Path | None = None
    isolated: bool = False
    overrides: Mapping[str, Any] = field(default_factory=dict)
    allow_plugins: bool | None = None
    _found: dict[Path, Config] = field(default_factory=dict)

    def for_folder(self, folder: Path) -> Config:
        """The configuration of a folder.

        Raises ConfigError.
        """
        if self.explicit is not None or self.isolated:
            return self._everywhere
        way = [folder]
        while (config := self._found.get(way[-1]) or self._own(way[-1])) is None:
            if way[-1] == way[-1].parent:
                config = self._everywhere
                break
            way.append(way[-1].parent)
        self._found.update(dict.fromkeys(way, config))
        return config

    def _own(self, folder: Path) -> Config | None:
        for name in FILE_NAMES:
            path = folder / name
            if _may_say_something(path):
                config = read_config(path, allow_plugins=self.allow_plugins)
                if config is not None:
                    return self._finish(config)
        return None

    @cached_property
    def _everywhere(self) -> Config:
        """What holds where no folder says anything, or where the command line names a file."""
        if self.explicit is None:
            return self._finish(Config(root=self.working_folder))
        if self.isolated:
            raise ConfigError("--config names a file and --isolated wants none; leave one out")
        return self._finish(self._named(self.explicit))

    def _named(self, path: Path) -> Config:
        config = read_config(path, allow_plugins=self.allow_plugins)
        if config is None:
            raise ConfigError(f"{path}: has no [tool.tokenlint] table")
        return replace(config, root=self.working_folder)

    def _finish(self, config: Config) -> Config:
        """On the command line, patterns start where it stands."""
        said = (name for name in ("exclude", "extend_exclude") if self.overrides.get(name))
        anchors = dict.fromkeys(said, self.working_folder)
        return config.apply({**self.overrides, "anchors": anchors})


def _may_say_something(path: Path) -> bool:
    """Whether a configuration is there to be read, or something else in its place.

    A folder, a pipe or a broken link with the name of ours must not look like no configuration.
    """
    if path.name == "pyproject.toml":  # also that of other tools
        return os.path.isfile(path)  # noqa: PTH113  (Path.is_file raises where it may not look)
    return os.path.lexists(path)


def load_config(folder: Path, *, allow_plugins: bool | None = None) -> Config:
    """The configuration that governs a folder; None asks TOKENLINT_ALLOW_PLUGINS.

    Raises ConfigError.
    """
    return Configs(folder, allow_plugins=allow_plugins).for_folder(folder)
