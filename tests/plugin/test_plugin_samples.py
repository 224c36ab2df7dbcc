"""The plugin as users have it, on the sample prompts of this repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_tokenbudget.fixtures import CountTokens, PromptFile

pytestmark = pytest.mark.token_budget(250, files="examples/prompts/**/*.md")


@pytest.mark.fertility_limit(2, files="examples/prompts/system/*.md")
def test_every_sample_is_small() -> None: ...


@pytest.mark.prompt_files("examples/prompts/**/*.md")
@pytest.mark.parametrize("tokenizer", ["o200k_base", "cl100k_base"])
def test_counts_are_those_of_tiktoken(
    prompt_file: PromptFile,
    tokenizer: str,
    count_tokens: CountTokens,
    official_count: Callable[[str, str], int],
) -> None:
    expected = official_count(tokenizer, prompt_file.path.read_text("utf-8"))
    assert count_tokens(prompt_file) == prompt_file.count(tokenizer) == expected
