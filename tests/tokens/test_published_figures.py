"""Figures that were published, or measured with the vendors' own libraries, to the token."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from tokenlint.errors import TokenizerError
from tokenlint.tokens import Document, load_tokenizer

if TYPE_CHECKING:
    from tokenlint.tokens.tokenizer import Tokenizer

pytest_plugins = ["reference_engines"]
pytestmark = pytest.mark.usefixtures("no_network")

NAMES = ("cl100k_base", "o200k_base", "qwen2.5", "deepseek-v3")


def tokenizer(name: str) -> Tokenizer:
    try:
        return load_tokenizer(name)
    except TokenizerError as error:
        pytest.skip(str(error))


PUBLISHED: dict[str, tuple[int | None, ...]] = {
    "Tất nhiên, tôi sẽ giúp bạn": (16, 8, 8, 12),
    "Trường Đại học Bách khoa Hà Nội": (15, 9, 10, None),
    "Tiếng Việt": (6, 3, 4, None),
    "Nguyễn": (5, 2, 3, None),
    "12345678": (3, 3, 8, None),
    "2026-10-17": (6, 6, 10, None),
    "<|im_start|>": (6, 6, 6, None),
    # Control strings, read literally.
    "The marker <|endoftext|> ends a document.\n": (12, 13, None, None),
    "<|start|>system<|message|>Say yes.<|end|>\n": (None, 18, None, None),
    "Complete: <|fim_prefix|>def f(<|fim_suffix|>\n<|fim_middle|>": (24, 22, None, None),
    # JSON as it stands in the file, escaped and not, and the text that it means.
    '{"text": "\\uc694\\uc57d\\ud574 \\uc8fc\\uc138\\uc694"}': (21, 21, None, None),
    '{"text": "요약해 주세요"}': (11, 9, None, None),
    "요약해 주세요": (6, 4, None, None),
    "You are a helper.\n": (5, 5, None, None),
    "\ufeffYou are a helper.\n": (6, 6, None, None),
    "bad \ud83d end": (3, 3, None, None),
}
FIGURES = [
    (text, name, count)
    for text, counts in PUBLISHED.items()
    for name, count in zip(NAMES, counts, strict=True)
    if count is not None
]


@pytest.mark.parametrize(("text", "name", "count"), FIGURES)
def test_counts(text: str, name: str, count: int) -> None:
    assert tokenizer(name).count(text) == count


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("o200k_base", "Tiếng Việt", 8),
        ("o200k_base", "Bạn là trợ lý hữu ích.", 20),
        ("qwen2.5", "Bạn là trợ lý hữu ích.", 7),
        ("qwen2.5", "Tiếng Việt", 4),
    ],
)
def test_counts_of_decomposed_text(name: str, text: str, count: int) -> None:
    assert tokenizer(name).count(unicodedata.normalize("NFD", text)) == count


@pytest.mark.parametrize(("name", "count"), [("o200k_base", 7), ("qwen2.5", 7)])
def test_counts_of_the_same_text_composed(name: str, count: int) -> None:
    assert tokenizer(name).count("Bạn là trợ lý hữu ích.") == count


def test_a_control_string_read_literally_and_as_a_token() -> None:
    qwen = tokenizer("qwen2.5")
    assert qwen.encode("<|im_start|>") == [27, 91, 318, 4906, 91, 29]
    assert qwen.encode("<|im_start|>", control=True) == [151644]
    assert qwen.normalizes_nfc


@pytest.mark.parametrize(
    ("name", "text", "literal", "control"),
    [
        ("cl100k_base", "The marker <|endoftext|> ends a document.\n", 12, 8),
        ("o200k_base", "The marker <|endoftext|> ends a document.\n", 13, 8),
        ("o200k_base", "<|start|>system<|message|>Say yes.<|end|>\n", 18, 18),
        ("o200k_harmony", "<|start|>system<|message|>Say yes.<|end|>\n", 18, 8),
        (
            "cl100k_base",
            "Complete: <|fim_prefix|>def f(<|fim_suffix|>\n<|fim_middle|>",
            24,
            10,
        ),
    ],
)
def test_what_reading_control_tokens_changes(
    name: str, text: str, literal: int, control: int
) -> None:
    assert tokenizer(name).count(text) == literal
    assert len(tokenizer(name).encode(text, control=True)) == control


LF = "# Role\n\nYou help.\n\n## Rules\n\n- Be short.\n- Be kind.\n"


@pytest.mark.parametrize(
    ("name", "as_it_is"),
    [("cl100k_base", 17), ("o200k_base", 17), ("qwen2.5", 17), ("deepseek-v3", 31)],
)
def test_a_windows_checkout_costs_the_same(name: str, as_it_is: int) -> None:
    document = Document("p.md", LF.replace("\n", "\r\n"))
    assert tokenizer(name).count(LF) == 17
    assert tokenizer(name).count(document.countable()) == 17
    assert tokenizer(name).count(document.countable(newlines="as-is")) == as_it_is


def test_a_byte_order_mark_costs_nothing() -> None:
    document = Document("p.md", "You are a helper.\n", bom=True)
    counter = load_tokenizer("o200k_base")
    assert counter.count(document.countable()) == 5
    assert counter.count(document.countable(count_bom=True)) == 6
