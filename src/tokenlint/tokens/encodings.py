"""What OpenAI publishes of its encodings, and what Qwen and DeepSeek publish of theirs.

Rank files are named by the sha256 that `tiktoken` pins for them (or that the makers of the model
publish), patterns and special tokens are the published ones; the tests hold every line of this
file to `tiktoken_ext.openai_public` and to the tokenizer files themselves.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping


@frozen
class Encoding:
    """How a name becomes a tokenizer: its rank file, its split pattern, its special tokens."""

    vocabulary: str
    pattern: str
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    nfc: bool = False


_R50K = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
_CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+|"
    r" ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
_UPPER, _LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_SUFFIX = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_O200K = (
    rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_SUFFIX}|"
    rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_SUFFIX}|"
    r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|"
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

_END = {"<|endoftext|>": 50256}
_FIM = ("<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>")
_CL100K_SPECIAL = {
    "<|endoftext|>": 100257,
    **dict(zip(_FIM, range(100258, 100261), strict=True)),
    "<|endofprompt|>": 100276,
}
_O200K_SPECIAL = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}
_HARMONY_NAMED = {
    "<|startoftext|>": 199998,
    "<|return|>": 200002,
    "<|constrain|>": 200003,
    "<|channel|>": 200005,
    "<|start|>": 200006,
    "<|end|>": 200007,
    "<|message|>": 200008,
    "<|call|>": 200012,
}
_HARMONY_RESERVED = (200000, 200001, 200004, *range(200009, 200012), *range(200013, 201088))
_HARMONY_SPECIAL = {
    **_O200K_SPECIAL,
    **_HARMONY_NAMED,
    **{f"<|reserved_{n}|>": n for n in _HARMONY_RESERVED},
}
_QWEN25_NAMES = (
    "<|endoftext|> <|im_start|> <|im_end|> <|object_ref_start|> <|object_ref_end|> <|box_start|> "
    "<|box_end|> <|quad_start|> <|quad_end|> <|vision_start|> <|vision_end|> <|vision_pad|> "
    "<|image_pad|> <|video_pad|> <tool_call> </tool_call> <|fim_prefix|> <|fim_middle|> "
    "<|fim_suffix|> <|fim_pad|> <|repo_name|> <|file_sep|>"
)
_DEEPSEEK_V3_NAMED = {
    "<\uff5cbegin\u2581of\u2581sentence\uff5c>": 0,
    "<\uff5cend\u2581of\u2581sentence\uff5c>": 1,
    "<\uff5c\u2581pad\u2581\uff5c>": 2,
    "<\uff5cfim\u2581hole\uff5c>": 128800,
    "<\uff5cfim\u2581begin\uff5c>": 128801,
    "<\uff5cfim\u2581end\uff5c>": 128802,
    "<\uff5cUser\uff5c>": 128803,
    "<\uff5cAssistant\uff5c>": 128804,
    "<|EOT|>": 128805,
    "<\uff5ctool\u2581calls\u2581begin\uff5c>": 128806,
    "<\uff5ctool\u2581calls\u2581end\uff5c>": 128807,
    "<\uff5ctool\u2581call\u2581begin\uff5c>": 128808,
    "<\uff5ctool\u2581call\u2581end\uff5c>": 128809,
    "<\uff5ctool\u2581outputs\u2581begin\uff5c>": 128810,
    "<\uff5ctool\u2581outputs\u2581end\uff5c>": 128811,
    "<\uff5ctool\u2581output\u2581begin\uff5c>": 128812,
    "<\uff5ctool\u2581output\u2581end\uff5c>": 128813,
    "<\uff5ctool\u2581sep\uff5c>": 128814,
}
_DEEPSEEK_V3_SPECIAL = {
    **_DEEPSEEK_V3_NAMED,
    **{f"<\uff5cplace\u2581holder\u2581no\u2581{n}\uff5c>": 128000 + n for n in range(800)},
}

ENCODINGS = {
    "o200k_base": Encoding("o200k_base", _O200K, _O200K_SPECIAL),
    "o200k_harmony": Encoding("o200k_base", _O200K, _HARMONY_SPECIAL),
    "cl100k_base": Encoding("cl100k_base", _CL100K, _CL100K_SPECIAL),
    "p50k_base": Encoding("p50k_base", _R50K, _END),
    "p50k_edit": Encoding(
        "p50k_base", _R50K, _END | dict(zip(_FIM, range(50281, 50284), strict=True))
    ),
    "r50k_base": Encoding("r50k_base", _R50K, _END),
    "gpt2": Encoding("r50k_base", _R50K, _END),
    "qwen2.5": Encoding(
        "qwen",
        _QWEN,
        dict(zip(_QWEN25_NAMES.split(), range(151643, 151665), strict=True)),
        nfc=True,
    ),
}
"Every encoding that a rank file makes, by name."

DEEPSEEK_V3_SPECIAL: Mapping[str, int] = _DEEPSEEK_V3_SPECIAL

EXTRAS = {"qwen2.5": "qwen", "deepseek-v3": "deepseek"}
"Short names, and the extra of this distribution that brings the vocabulary of each."
