"""What pytest was told: of marker, command line, environment and file the earlier one holds."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from pytest_tokenbudget.errors import Mistake

if TYPE_CHECKING:
    from pathlib import Path


def tokenizers(config: pytest.Config) -> tuple[str, ...]:
    """The tokenizers of the command line, else of the environment, else of pytest's settings."""
    return (
        split_names(*config.getoption("tokenbudget_tokenizer") or ())
        or split_names(os.environ.get("TOKENBUDGET_TOKENIZER", ""))
        or split_names(_ini(config, "tokenbudget_tokenizer"))
    )


def default_maximum(config: pytest.Config) -> int | None:
    """The limit of texts that no marker and no call limits.

    Raises Mistake.
    """
    for name, ask in (
        ("--tokenbudget-max", lambda: config.getoption("tokenbudget_max")),
        ("TOKENBUDGET_MAX", lambda: os.environ.get("TOKENBUDGET_MAX")),
        ("tokenbudget_max", lambda: _ini(config, "tokenbudget_max")),
    ):
        if said := ask():
            if not re.fullmatch(r"\d+", said, re.ASCII) or int(said) == 0:
                raise Mistake(f"{name}: expected a whole number above 0, found {said!r}")
            return int(said)
    return None


@dataclass(frozen=True)
class Increase:
    """How much a count may exceed the one in the lock file; `text` is as the user wrote it."""

    text: str = "0"

    def most(self, before: int) -> float:
        """The most tokens that a text may have that had so many before."""
        if self.text.endswith("%"):
            return before * (1 + float(self.text.removesuffix("%")) / 100)
        return before + int(self.text)


def increase(config: pytest.Config) -> Increase:
    """What `tokenbudget_max_increase` allows: nothing unless it says so.

    Raises Mistake.
    """
    said = _ini(config, "tokenbudget_max_increase").strip() or "0"
    if not re.fullmatch(r"\d+|\d+(\.\d+)?\s*%", said, re.ASCII):
        raise Mistake(f"tokenbudget_max_increase: expected tokens or a percentage, found {said!r}")
    return Increase(said)


def lock_path(config: pytest.Config) -> Path:
    """Where the lock file stands."""
    return config.rootpath / "tokenbudget.lock"


def _ini(config: pytest.Config, name: str) -> str:
    try:
        value = config.getini(name)
    except (TypeError, ValueError, pytest.UsageError) as error:  # another kind of value
        if name in str(error):
            raise Mistake(str(error)) from None
        found = str(error).rpartition(": ")[2]  # of a number, pytest names no key
        raise Mistake(f"{name}: expected a whole number above 0, found {found}") from None
    return "" if value is None else str(value)


def split_names(*values: str) -> tuple[str, ...]:
    """The names in strings that separate them by commas or line breaks, each once."""
    names = (name.strip() for value in values for name in value.replace("\n", ",").split(","))
    return tuple(dict.fromkeys(name for name in names if name))
