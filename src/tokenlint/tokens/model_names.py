"""The encodings of OpenAI's models.

tiktoken knows them all; its table, with the whole of tiktoken, takes longer to import than a count
that is in the cache. So the names that most people use are here as well, and the tests hold them
to tiktoken's.
"""

from __future__ import annotations

import re

from tokenlint.tokens.encodings import ENCODINGS, EXTRAS

_RECENT = {
    **dict.fromkeys(("gpt-4o", "gpt-4.1", "gpt-5", "o1", "o3", "o4-mini"), "o200k_base"),
    **dict.fromkeys(("gpt-4", "gpt-3.5-turbo"), "cl100k_base"),
}
_RECENT_BEGINNINGS = {
    **dict.fromkeys(
        ("gpt-4o-", "gpt-4.1-", "gpt-5", "o1-", "o3-", "o4-mini-", "chatgpt-4o-"), "o200k_base"
    ),
    **dict.fromkeys(("gpt-4-", "gpt-3.5-turbo-"), "cl100k_base"),
    "gpt-oss-": "o200k_harmony",
}

_GPT_5_AND_MORE = re.compile(r"gpt-5[0-9a-z]")

_PROVIDERS = ("openai/", "azure/", "azure_openai/", "azure-openai/", "openrouter/openai/")


def encoding_for(name: str) -> str:
    """The encoding of an OpenAI model name; any other name is returned as it is.

    A fine-tuned model counts like its base: `ft:gpt-4.1-mini:org::id` like `gpt-4.1-mini`.
    """
    if name in ENCODINGS or name in EXTRAS:
        return name
    model = name
    for prefix in _PROVIDERS:
        model = model.removeprefix(prefix)
    if model.startswith("ft:"):
        model = model.split(":")[1]
    if _GPT_5_AND_MORE.match(model):  # tiktoken takes gpt-55 for a gpt-5
        return name
    if (found := _recent(model)) is not None:
        return found
    from tiktoken.model import encoding_name_for_model

    try:
        return encoding_name_for_model(model)
    except KeyError:
        return name


def _recent(model: str) -> str | None:
    """What tiktoken would say of a model that is in the tables above."""
    if model in _RECENT:
        return _RECENT[model]
    found = (name for start, name in _RECENT_BEGINNINGS.items() if model.startswith(start))
    return next(found, None)
