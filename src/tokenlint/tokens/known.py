"""Tokenizers that are known by a name: the published encodings, one engine for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.errors import TokenizerError
from tokenlint.tokens import vocabularies
from tokenlint.tokens.encodings import DEEPSEEK_V3_SPECIAL, ENCODINGS, EXTRAS
from tokenlint.tokens.rank_files import RANK_FILES
from tokenlint.tokens.tokenizer_files import check_pin

if TYPE_CHECKING:
    from tokenlint.tokens.encodings import Encoding
    from tokenlint.tokens.fast_engine import FastEngine
    from tokenlint.tokens.loading import TokenizerTable
    from tokenlint.tokens.quick_engine import QuickEngine
    from tokenlint.tokens.rank_files import Packed, Published
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer
    from tokenlint.tokens.tokenizer import Tokenizer

ENGINES: dict[str, TiktokenTokenizer] = {}
"One engine for each encoding in a process: building one takes 0.2 s and 80 MB."


def known(encoding: str, name: str, table: TokenizerTable, *, network: bool) -> Tokenizer:
    """The tokenizer of an encoding, one engine for all of its names. Raises TokenizerError."""
    vocabulary = ENCODINGS[encoding].vocabulary if encoding in ENCODINGS else EXTRAS[encoding]
    check_pin(table.source, RANK_FILES[vocabulary].sha256, table)
    if encoding not in ENGINES:
        made = _from_ranks(encoding, network=network) if encoding in ENCODINGS else _deepseek()
        ENGINES[encoding] = made
    return ENGINES[encoding].named(name)


def _from_ranks(name: str, *, network: bool) -> TiktokenTokenizer:
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

    encoding = ENCODINGS[name]
    found = vocabularies.find_ranks(encoding.vocabulary, network=network)
    return TiktokenTokenizer(
        name,
        lambda: found.ranks,
        encoding.pattern,
        encoding.special_tokens,
        digest=found.sha256,
        source=found.source,
        nfc=encoding.nfc,
        quick=_quick(encoding, found),
        fast=_fast(encoding, found),
    )


def _quick(encoding: Encoding, found: Published | Packed) -> QuickEngine | None:
    """The engine for short texts, where the vocabulary is one that this package brings."""
    from tokenlint.tokens.quick_engine import QuickEngine
    from tokenlint.tokens.rank_files import Packed

    if encoding.nfc or not isinstance(found, Packed):
        return None
    return QuickEngine(encoding.pattern, lambda: found.tokens)


def _fast(encoding: Encoding, found: Published | Packed) -> FastEngine | None:
    """The engine for long texts, where there may be one. Raises TokenizerError."""
    from tokenlint.tokens import fast_engine
    from tokenlint.tokens.rank_files import Packed

    if encoding.vocabulary not in fast_engine.VOCABULARIES or not isinstance(found, Packed):
        return None
    if not fast_engine.is_allowed():
        return None
    return fast_engine.FastEngine(encoding.vocabulary, encoding.pattern, lambda: found.tokens)


def _deepseek() -> TiktokenTokenizer:
    """DeepSeek V3: the vocabulary, merges and splits of the V4 file, V3's own special tokens."""
    from tokenlint.tokens.equivalence import ranks_of_json
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

    raw, source = vocabularies.find_raw("deepseek")
    table = ranks_of_json(raw)
    if table is None:
        raise TokenizerError(f"{source}: the tokenizer there is not the one that was expected")
    return TiktokenTokenizer(
        "deepseek-v3",
        table.ranks,
        table.pattern,
        DEEPSEEK_V3_SPECIAL,
        digest=RANK_FILES["deepseek"].sha256,
        source=source,
    )
