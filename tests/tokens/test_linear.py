"""Patterns that are taken for linear are: a matcher that counts its steps is the judge."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.tokens import equivalence
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.linear import PUBLISHED, are_linear, expressions, is_linear

LLAMA_3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
GPT_2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CLIP = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
LINEAR = [
    LLAMA_3, GPT_2, CLIP, *PUBLISHED,
    *(pattern for splits in equivalence._VERIFIED for pattern in splits),
    *(encoding.pattern for encoding in ENCODINGS.values()),
    " {2,}", r"\s+", r"\s?\p{L}+", r"\s?\p{P}+", "[\r\n]", r"\p{N}", r"\p{N}{1,3}",

    "[0-9][0-9][0-9]", "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+", r"\w+|[^\w\s]+",
    r".|\n", r"(?:'s|'t)?\p{L}+",
    r"\p{L}+(?i:'s|'t)?", r"\p{L}++", r"a+?", r"a+b*c?", r"[]a]+", r"[^]&]*", r"^a+", "",
]  # fmt: skip
UNKNOWN = [
    "(a|b|c)" * 7,  # choices
    "a*b|a", "(a+)+$", "(a|aa)+$", "a+a+b", "(?:ab*)*c", "a{2,}b", r"\s+$", r"\s+(?=x)", ".*x",
    "a*+b", "a{1,9}+b", "(?:a+)?b", "(?i:a*)b", r"(a)\1+b", "[a&&[b]]*c", "[[a]b]*c", "a(?=.*b)",
    "(?<=a.*)b", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s*[\r\n]+|\s", r"\s*\n|\s+(?!\S)|\s", "a+?b",
    "(?x) a* b", "(?:a|b)*c", "(?>a*)b", r"\w*\d", "(?:a{9}){9}+b", "[]a*b]*c", r"\Q*", "a**b",
    "a?" * 12 + "a" * 12, "(?:a|a|a|a)" * 6, "a{0,9}" * 4 + "b", "a{1,99}b", "a" * 1_001,
]  # fmt: skip


@pytest.mark.parametrize("pattern", LINEAR)
def test_taken_for_linear(pattern: str) -> None:
    assert is_linear(pattern)


@pytest.mark.parametrize("pattern", UNKNOWN)
def test_nobody_knows(pattern: str) -> None:
    assert not is_linear(pattern)


def test_many_are_too_many() -> None:
    assert are_linear(["a"] * 20)
    assert not are_linear(["a"] * 21)
    assert not are_linear(["a", "a*b"])
    assert are_linear([])


def test_expressions_are_found_wherever_they_stand() -> None:
    split = {"type": "Split", "pattern": {"Regex": "a"}, "behavior": "Isolated"}
    plain = {"type": "Replace", "pattern": {"String": "b"}, "content": "c"}
    state = {"type": "Sequence", "pretokenizers": [split, {"normalizers": [plain, split]}]}
    assert [*expressions(state)] == ["a", "a"]
    assert [*expressions(None)] == []


# The judge


class Step(NamedTuple):
    """A class of characters, so often; or, with `most` of -1, none of them may follow."""

    text: str
    characters: str
    least: int = 1
    most: int = 1


def steps(branches: list[list[Step]], text: str) -> int:
    """How often a plain matcher looks at a character or goes back, for all matches in a text."""
    taken = 0

    def end_of(branch: list[Step], at: int) -> int | None:
        nonlocal taken
        taken += 1
        if not branch:
            return at
        (_, characters, least, most), *rest = branch
        if most < 0:
            return None if text[at : at + 1] in {*characters} else end_of(rest, at)
        times = 0
        while times < most and at + times < len(text) and text[at + times] in characters:
            times += 1
        taken += times
        ends = (end_of(rest, at + count) for count in range(times, least - 1, -1))
        return next((end for end in ends if end is not None), None)

    at = 0
    while at < len(text):
        found = (end_of(branch, at) for branch in branches)
        at = max(at + 1, next((end for end in found if end is not None), 0))
    return taken


CLASSES = {
    "a": "a",
    "[ab]": "ab",
    r"[^\s]": "ab'",
    "'": "'",
    r"\s": " \n",
    r"[\r\n]": "\n",
    "b": "b",
}
TIMES = {"": (1, 1), "?": (0, 1), "*": (0, 999), "+": (1, 999), "{1,3}": (1, 3), "{2,}": (2, 999)}
STEPS = st.builds(
    lambda name, times: Step(name + times, CLASSES[name], *TIMES[times]),
    st.sampled_from([*CLASSES]),
    st.sampled_from([*TIMES]),
)
SPACE = Step(r"\s+", " \n", 1, 999)
TAIL = [
    [Step(r"\s*", " \n", 0, 999), Step(r"[\r\n]+", "\n", 1, 999)],
    [SPACE, Step(r"(?!\S)", "ab'", 0, -1)],
    [SPACE],
]
BRANCHES = st.lists(st.lists(STEPS, min_size=1, max_size=3), min_size=1, max_size=3)


def rendered(branches: list[list[Step]]) -> str:
    return "|".join("".join(step.text for step in branch) for branch in branches)


@settings(max_examples=400)
@given(BRANCHES, st.integers(0, 3), st.text("ab' \n", min_size=1, max_size=3))
def test_what_is_taken_for_linear_is(branches: list[list[Step]], tail: int, unit: str) -> None:
    branches = [*branches, *TAIL[3 - tail :]]
    if is_linear(rendered(branches)):
        short, long = steps(branches, unit * 40), steps(branches, unit * 160)
        assert long <= 5 * short + 100  # what is quadratic takes sixteen times as many


@pytest.mark.parametrize(
    ("branches", "unit"),
    [
        ([[Step("a*", "a", 0, 999), Step("b", "b")], [Step("a", "a")]], "a"),
        (TAIL[:1], " "),
        ([*TAIL[:2], [Step(r"\s", " \n")], [Step("a", "a")]], " a"),
    ],
)
def test_the_judge_sees_what_is_not(branches: list[list[Step]], unit: str) -> None:
    assert not is_linear(rendered(branches))
    grown = steps(branches, unit * 160) > 8 * steps(branches, unit * 40)
    assert grown or unit == " a"  # an unusual tail that does no harm to this text


@settings(max_examples=300)
@given(st.text("ab[]()|*+?{}1,9\\s^$&. -:i", max_size=12))
def test_any_text_is_judged(pattern: str) -> None:
    assert is_linear(pattern) in (True, False)
