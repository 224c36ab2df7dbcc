"""Tokenizers in files: a tokenizer.json, a folder that holds one, a `.tiktoken` file."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import TYPE_CHECKING

from tokenlint.errors import TokenizerError
from tokenlint.small_files import TOKENIZER, read_small
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.rank_files import RANK_FILES, parse_ranks

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokenlint.tokens.counts import Counts
    from tokenlint.tokens.hf_backend import HfTokenizer
    from tokenlint.tokens.loading import TokenizerTable
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer
    from tokenlint.tokens.tokenizer import Tokenizer
    from tokenlint.tokens.watched import Watched


def from_file(
    path: Path, *, name: str, table: TokenizerTable, counts: Counts | None = None
) -> Tokenizer:
    """The tokenizer in a tokenizer.json, in a folder that holds one, or in a `.tiktoken` file.

    What `counts` know to have been opened before is opened once it is needed: every other file is
    opened at once, so that what is wrong with it is said here. Raises TokenizerError.
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
        return _sound(_from_rank_file(path, raw, digest, name=name, table=table), counts)
    return _sound(_from_json(raw, name=name, source=str(path)), counts)


def check_pin(what: str, digest: str, table: TokenizerTable) -> None:
    """Refuse what is not what the configuration pins. Raises TokenizerError."""
    if table.sha256 is not None and table.sha256.lower() != digest:
        raise TokenizerError(
            f"{what}: its sha256 is {digest}, but the configuration pins {table.sha256}; "
            "restore the file or change the pin"
        )


def _from_rank_file(
    path: Path, raw: bytes, digest: str, *, name: str, table: TokenizerTable
) -> TiktokenTokenizer:
    from tokenlint.tokens.linear import is_linear
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

    ranks = partial(_ranks, path, raw)
    known = _pattern_of(digest, table)
    if known is None:
        ranks()  # what is wrong with the file itself is said first
        raise _without_pattern(path)
    pattern, special, nfc = known
    made = {"name": name, "pattern": pattern, "digest": digest, "source": str(path)}
    watched = None if is_linear(pattern) else _watched(raw, made)
    return TiktokenTokenizer(
        name, ranks, pattern, special, digest=digest, source=str(path), nfc=nfc, watched=watched
    )


def _ranks(path: Path, raw: bytes) -> dict[bytes, int]:
    try:
        return parse_ranks(raw)
    except ValueError as error:
        raise TokenizerError(f"{path}: not a usable .tiktoken file ({error})") from None


def _watched(raw: bytes, made: Mapping[str, str]) -> Watched:
    from tokenlint.tokens.watched import Watched

    return Watched(raw, made)


def _pattern_of(digest: str, table: TokenizerTable) -> tuple[str, Mapping[str, int], bool] | None:
    """The split pattern and the rest: as the table says, or as a file is known to be split."""
    if table.pattern is not None:
        known = ENCODINGS.get(table.pattern)
        if known is not None:
            return known.pattern, table.special_tokens, known.nfc
        return table.pattern, table.special_tokens, False
    for encoding in ENCODINGS.values():
        if RANK_FILES[encoding.vocabulary].sha256 == digest:
            return encoding.pattern, encoding.special_tokens, encoding.nfc
    return None


def _without_pattern(path: Path) -> TokenizerError:
    return TokenizerError(
        f"{path}: a .tiktoken file does not say how it splits text; give it a table "
        f'[tool.tokenlint.tokenizer.NAME] with source = "{path.name}" and pattern = a regular '
        "expression or the name of an encoding that splits alike"
    )


def _from_json(raw: bytes, *, name: str, source: str) -> HfTokenizer:
    from tokenlint.tokens import hf_backend

    return hf_backend.from_json(raw, name=name, source=source, later=True)


def _sound(tokenizer: HfTokenizer | TiktokenTokenizer, counts: Counts | None) -> Tokenizer:
    """The tokenizer, opened unless that was done before, so that it surely can be."""
    if counts is None or not counts.has_opened(tokenizer.identity):
        _ = tokenizer.engine
        if counts is not None:
            counts.note_opened(tokenizer.identity)
    return tokenizer
