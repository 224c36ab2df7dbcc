"""Make the tokens of prompts visible and hold them to limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokenlint.errors import TokenlintError
    from tokenlint.tokens import Tokenizer, load_tokenizer

__all__ = ["Tokenizer", "TokenlintError", "__version__", "load_tokenizer"]

__version__ = "0.1.0"

_HOMES = {
    "Tokenizer": "tokenlint.tokens",
    "TokenlintError": "tokenlint.errors",
    "load_tokenizer": "tokenlint.tokens",
}


def __getattr__(name: str) -> Any:
    """Import a promised name on its first use: `tokenlint --version` needs none of them."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
