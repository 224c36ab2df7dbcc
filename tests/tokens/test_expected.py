"""What a program is told that hands a tokenizer something else than a text or token ids."""

from __future__ import annotations

from typing import Any

import pytest

from tokenlint.errors import TokenizerError
from tokenlint.tokens import load_tokenizer


@pytest.mark.parametrize("name", ["o200k_base", "qwen2.5", "deepseek-v3"])
@pytest.mark.parametrize(
    ("method", "given", "sentence"),
    [
        ("count", "", None),
        ("decode", (), None),
        ("count", None, "expected a text (str), found NoneType"),
        ("count", b"x", "expected a text (str), found bytes; decode them first"),
        ("encode", 3, "expected a text (str), found int"),
        ("pieces", ["x"], "expected a text (str), found list"),
        ("normalize", None, "expected a text (str), found NoneType"),
        ("decode", None, "expected token ids (a list of int), found NoneType"),
        ("decode", "ab", "expected token ids (a list of int), found str"),
        ("decode", [1, "a"], "expected token ids (a list of int), found str in a list"),
        ("decode", [1.5], "expected token ids (a list of int), found float in a list"),
    ],
)
def test_other_things_are_refused_in_one_sentence(
    name: str, method: str, given: Any, sentence: str | None
) -> None:
    try:
        call = getattr(load_tokenizer(name), method)
    except TokenizerError as error:
        pytest.skip(str(error))
    if sentence is None:
        assert not call(given)
        return
    with pytest.raises(TypeError) as caught:
        call(given)
    assert str(caught.value) == sentence
