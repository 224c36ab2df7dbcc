"""The shared core: bytes and names in, text and numbers out."""

from tokenlint.tokens.document import (
    MAX_FILE_SIZE,
    ColumnUnit,
    Document,
    Location,
    Unreadable,
    decode,
    read_document,
)
from tokenlint.tokens.loading import DEFAULT_TOKENIZER, Loader, TokenizerTable, load_tokenizer
from tokenlint.tokens.measure import WARN_AT, Fertility, Limit, Share, fertility, heaviest
from tokenlint.tokens.tokenizer import Tokenizer
from tokenlint.tokens.words import Words, count_words

__all__ = [
    "DEFAULT_TOKENIZER",
    "MAX_FILE_SIZE",
    "WARN_AT",
    "ColumnUnit",
    "Document",
    "Fertility",
    "Limit",
    "Loader",
    "Location",
    "Share",
    "Tokenizer",
    "TokenizerTable",
    "Unreadable",
    "Words",
    "count_words",
    "decode",
    "fertility",
    "heaviest",
    "load_tokenizer",
    "read_document",
]
