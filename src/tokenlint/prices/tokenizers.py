"""Which tokenizer a model has, as far as that is certain."""

from __future__ import annotations

import re

from tokenlint.tokens.encodings import ENCODINGS, EXTRAS
from tokenlint.tokens.model_names import encoding_for

_CERTAIN = (
    (re.compile(r"gpt-oss-\d+b"), "o200k_harmony"),
    (re.compile(r"qwen-?2\.5(-coder|-math)?(-\d+(\.\d+)?b)?(-instruct)?"), "qwen2.5"),
    (re.compile(r"deepseek-v3(\.\d)?(-base|-exp|-terminus|-\d{4})?"), "deepseek-v3"),
    (re.compile(r"deepseek-r1(-\d{4})?|deepseek-v4-(flash|pro)(-\d{4})?"), "deepseek-v3"),
)
"""Names of models that others serve too; what is distilled from them has another tokenizer.

DeepSeek V3, R1 and V4 differ in special tokens only, which a literal count does not know.
"""


def tokenizer_of(model: str) -> str | None:
    """The name of a model's own tokenizer; None where it is not known here."""
    encoding = encoding_for(model)
    if encoding in ENCODINGS or encoding in EXTRAS:
        return encoding
    bare = model.rpartition("/")[2].partition(":")[0].lower()
    return next((name for names, name in _CERTAIN if names.fullmatch(bare)), None)
