"""Bytes become a tokenizer.json or a `.tiktoken` file; what loads counts and gives the text back.

Only the engines' own text is at stake here: a file that loads may still be a poor tokenizer, but
it must not end the process, hang, or count what it does not encode.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp

from tokenlint.errors import TokenlintError
from tokenlint.tokens import Loader, TokenizerTable

FOLDER = Path(mkdtemp(prefix="tokenlint-fuzz-"))
TEXTS = ("", "a b", "e\u0301 <|x|> \U0001f600\n", "aaaaaaaa" * 8)


def target(raw: bytes) -> None:
    """One file of a tokenizer."""
    is_ranks = raw[:1] == b"T"
    file = FOLDER / ("a.tiktoken" if is_ranks else "tokenizer.json")
    file.write_bytes(raw[1:])
    table = TokenizerTable(str(file), pattern="o200k_base" if is_ranks else None)
    loader = Loader(FOLDER, {"mine": table})
    try:
        tokenizer = loader.require("mine")
        for text in TEXTS:
            ids = tokenizer.encode(text)
            assert tokenizer.count(text) == len(ids)
            if is_ranks:
                assert tokenizer.decode(ids) == tokenizer.normalize(text)
    except TokenlintError as error:
        assert "\n" not in str(error), str(error)
