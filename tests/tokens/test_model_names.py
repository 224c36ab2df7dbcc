"""The table of models is tiktoken's."""

from __future__ import annotations

import pytest
from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING, encoding_name_for_model

from tokenlint.tokens import model_names
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.model_names import encoding_for

BEGINNINGS = (*MODEL_PREFIX_TO_ENCODING, *model_names._RECENT_BEGINNINGS)
MODELS = sorted(
    {
        *MODEL_TO_ENCODING,
        *model_names._RECENT,
        *(f"{start}{end}" for start in BEGINNINGS for end in ("", "mini", "2030-01-01", "-x")),
    }
)


NO_MODELS = {"gpt-5mini", "gpt-52030-01-01"}  # to tiktoken all of them begin like gpt-5


@pytest.mark.parametrize(
    "model", [name for name in MODELS if not name.startswith("ft:") and name not in NO_MODELS]
)
def test_every_model_has_the_encoding_that_tiktoken_says(model: str) -> None:
    expected = model if model in ENCODINGS else encoding_name_for_model(model)
    assert encoding_for(model) == encoding_for(f"azure/{model}") == expected


@pytest.mark.parametrize("name", ["gpt-55", "gpt-50", "gpt-5mini", "azure/gpt-55"])
def test_a_mistyped_model_does_not_count_as_another(name: str) -> None:
    assert encoding_for(name) == name


@pytest.mark.parametrize("name", ["", "gpt", "gpt-4", "gpt-6", "o5", "llama-3", "openai/", "ft:"])
def test_what_tiktoken_does_not_know_stays_as_it_is(name: str) -> None:
    known = {"gpt-4": "cl100k_base"}
    assert encoding_for(name) == known.get(name, name)
