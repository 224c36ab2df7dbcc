"""Tokenizers in files: a tokenizer.json, a folder that holds one, a `.tiktoken` file."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from tokenlint.errors import TokenizerError
from tokenlint.small_files import TOKENIZER, read_small
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.rank_files import RANK_FILES, parse_ranks

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokenlint.tokens.loading import TokenizerTable
    from tokenlint.tokens.tokenizer import Tokenizer


def from_file(path: Path, *, name: str, table: TokenizerTable) -> Tokenizer:
    """The tokenizer in a tokenizer.json, in a folder that holds one, or in a `.tiktoken` file.

    Raises TokenizerError.
    """
    try:
        if path.is_dir():
            path = path / "tokenizer.json"
        raw = read_small(path, TOKENIZER)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        why = getattr(error, "strerror", None) or error
        raise TokenizerError(f"{path}: {why}; no tokenizer there") from None
    digest = hashlib.sha256(raw).hexdigest()
    check_pin(str(path), digest, table)
    if path.suffix == ".tiktoken":
        return _from_rank_file(path, raw, digest, name=name, table=table)
    return _from_json(raw, name=name, source=str(path))


def check_pin(what: str, digest: str, table: TokenizerTable) -> None:
    """Refuse what is not what the configuration pins. Raises TokenizerError."""
    if table.sha256 is not None and table.sha256.lower() != digest:
        raise TokenizerError(
            f"{what}: its sha256 is {digest}, but the configuration pins {table.sha256}; "
            "restore the file or change the pin"
        )


def _from_rank_file(
    path: Path, raw: bytes, digest: str, *, name: str, table: TokenizerTable
) -> Tokenizer:
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

    try:
        ranks = parse_ranks(raw)
    except ValueError as error:
        raise TokenizerError(f"{path}: not a usable .tiktoken file ({error})") from None
    pattern, special, nfc = _pattern_of(path, digest, table)
    return TiktokenTokenizer(
        name, ranks, pattern, special, digest=digest, source=str(path), nfc=nfc
    )


def _pattern_of(
    path: Path, digest: str, table: TokenizerTable
) -> tuple[str, Mapping[str, int], bool]:
    """The split pattern and the rest: as the table says, or as the known file's name says."""
    if table.pattern is not None:
        known = ENCODINGS.get(table.pattern)
        if known is not None:
            return known.pattern, table.special_tokens, known.nfc
        return table.pattern, table.special_tokens, False
    for encoding in ENCODINGS.values():
        if RANK_FILES[encoding.vocabulary].sha256 == digest:
            return encoding.pattern, encoding.special_tokens, encoding.nfc
    raise TokenizerError(
        f"{path}: a .tiktoken file does not say how it splits text; give it a table "
        f'[tool.tokenlint.tokenizer.NAME] with source = "{path.name}" and pattern = a regular '
        "expression or the name of an encoding that splits alike"
    )


def _from_json(raw: bytes, *, name: str, source: str) -> Tokenizer:
    from tokenlint.tokens import hf_backend

    return hf_backend.from_json(raw, name=name, source=source)
