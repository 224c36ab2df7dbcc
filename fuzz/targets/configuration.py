"""Bytes become a configuration file; what is read is asked everything that a run asks."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp

from tokenlint.config import read_config
from tokenlint.errors import ConfigError

FOLDER = Path(mkdtemp(prefix="tokenlint-fuzz-"))
PATHS = [FOLDER / name for name in ("a.md", "prompts/vi/a.md", "e\u0301/b.json")]


def target(raw: bytes) -> None:
    """One configuration, from its bytes to its verdicts."""
    file = FOLDER / ("pyproject.toml" if raw[:1] == b"P" else "tokenlint.toml")
    file.write_bytes(raw[1:])
    try:
        config = read_config(file, allow_plugins=False)
    except ConfigError as error:
        assert str(error).startswith(f"{file}: "), str(error)
        return
    if config is None:
        return
    assert not config.plugins
    assert not config.network
    limits, loader = config.limits(), config.loader()
    for path in PATHS:
        config.rules_for(path)
        config.trust_of(path)
        config.counted_as(path)
        config.excludes(path)
        limits.limits_for(path)
    for name in config.tokenizers:
        loader.surely_unknown(name)
