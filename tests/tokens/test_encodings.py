"""Every line of the table of encodings against what the vendors publish."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from tokenlint.tokens import vocabularies
from tokenlint.tokens.encodings import DEEPSEEK_V3_SPECIAL, ENCODINGS, EXTRAS
from tokenlint.tokens.rank_files import RANK_FILES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

pytest_plugins = ["reference_engines"]

OPENAI = sorted(import_module("tiktoken_ext.openai_public").ENCODING_CONSTRUCTORS)


def test_every_encoding_of_tiktoken_is_there_and_nothing_else() -> None:
    assert sorted(ENCODINGS.keys() - EXTRAS.keys()) == OPENAI


@pytest.mark.parametrize("name", OPENAI)
def test_patterns_and_special_tokens_are_those_of_tiktoken(
    name: str, published: Callable[[str], Mapping[str, Any]]
) -> None:
    said = published(name)
    assert ENCODINGS[name].pattern == said["pat_str"]
    assert ENCODINGS[name].special_tokens == said["special_tokens"]
    assert not ENCODINGS[name].nfc


@pytest.mark.parametrize("name", [name for name in OPENAI if name != "gpt2"])
def test_hashes_and_addresses_are_those_of_tiktoken(
    name: str, published: Callable[[str], Mapping[str, Any]]
) -> None:
    file = RANK_FILES[ENCODINGS[name].vocabulary]
    assert (file.url, file.sha256) == published(name)["mergeable_ranks"]


def test_gpt2_has_the_ranks_of_r50k_base() -> None:
    # tiktoken builds it of two older files with the same content, which is not packaged anywhere.
    assert ENCODINGS["gpt2"] == ENCODINGS["r50k_base"]


@pytest.mark.parametrize(
    ("token", "number"),
    [
        ("<|endoftext|>", 151643),
        ("<|im_start|>", 151644),
        ("<|im_end|>", 151645),
        ("<|vision_start|>", 151652),
        ("<tool_call>", 151657),
        ("</tool_call>", 151658),
        ("<|fim_prefix|>", 151659),
        ("<|file_sep|>", 151664),
    ],
)
def test_special_tokens_of_qwen(token: str, number: int) -> None:
    special = ENCODINGS["qwen2.5"].special_tokens
    assert special[token] == number
    assert sorted(special.values()) == list(range(151643, 151665))


def test_special_tokens_of_deepseek_have_the_ids_of_its_file() -> None:
    if vocabularies.locate("deepseek") is None:
        pytest.skip("the extra 'deepseek' is not installed")
    added = json.loads(vocabularies.find_raw("deepseek")[0])["added_tokens"]
    newer = {token["content"]: token["id"] for token in added}
    # The file is V4's. What V4 has no use for it calls a place holder, under the same ids.
    assert DEEPSEEK_V3_SPECIAL.items() <= newer.items()
    assert len(DEEPSEEK_V3_SPECIAL) == 818


def test_the_whole_table_of_deepseek_is_in_order() -> None:
    assert sorted(DEEPSEEK_V3_SPECIAL.values()) == [0, 1, 2, *range(128000, 128815)]


@pytest.mark.parametrize("name", EXTRAS)
def test_an_extra_is_a_name_of_a_vocabulary_and_of_the_remedy(name: str) -> None:
    extra = EXTRAS[name]
    assert RANK_FILES[extra].remedy == (
        f"install it with: pip install 'pytest-tokenbudget[{extra}]'"
    )
