"""What stands beside suspects: nothing is called harmless that a rule would report."""

from __future__ import annotations

import pytest

from tokenlint.linter import lint
from tokenlint.rules import RULES, Context, SpecialTokens
from tokenlint.tokens import Document


def found(text: str) -> list[tuple[str, int, int]]:
    """The code and the place of each finding: the same whether anything was seen before or not."""
    fresh = SpecialTokens(extra=(f"<<{text!a}>>",))  # a search that remembers nothing yet
    seen, unseen = (
        lint(Document("a.md", text), RULES, Context(special_tokens=chosen)).findings
        for chosen in (SpecialTokens(), fresh)
    )
    assert seen == unseen
    return [(finding.code, finding.start, finding.end) for finding in seen]


@pytest.mark.parametrize(
    "text",
    [
        "\u0645\u06cc\u200c\u062e",
        "a \u2764\ufe0f b \u2764\ufe0f",
        "\U0001f469\u200d\U0001f4bb \U0001f469\u200d\U0001f4bb",
        "x \u0915\u093c y",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f x",
    ],
)
def test_what_is_needed_is_clean_wherever_it_stands(text: str) -> None:
    for whole in (text, f"{text}\n", f"- {text} -", f"{text} {text}"):
        assert found(whole) == []


@pytest.mark.parametrize("size", [2, 1, 3, 31, 32, 33, 40])
@pytest.mark.parametrize(("before", "behind"), [("", ""), ("", "x"), ("x", ""), ("a x", "x b")])
def test_a_run_at_either_end_or_inside(before: str, behind: str, size: int) -> None:
    text = before + "\u200b" * size + behind
    assert found(text) == [("TL401", len(before), len(before) + size)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\u0645\u06cc\u200c\u062e \u0645\u06cc\u200cx a\u200cb", [("TL401", 11, 12)]),
        ("\u2764\ufe0f a\ufe0f", [("TL401", 4, 5)]),
        ("\u0645\u200c\u062e a\u200cb \u0645\u200c\u062e", [("TL401", 5, 6)]),
        ("x\U000e007fy", [("TL403", 1, 2)]),
        ("\u2764\ufe0f\ufe0f", [("TL401", 2, 3)]),
        ("e\u0301 \u00e9", [("TL101", 0, 2)]),
        ("\u00e9 \u0915\u093c e\u0301", [("TL101", 5, 7)]),
        ("<|im_\u200dend|>", [("TL202", 0, 11), ("TL401", 5, 6)]),
        ("\ufffd", [("TL404", 0, 1)]),
        ("\u05d0\u202e", [("TL402", 1, 2)]),
    ],
)
def test_one_of_many_that_is_not(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert found(text) == expected
