from __future__ import annotations

from pathlib import Path

import pytest

from pytest_tokenbudget.errors import Mistake
from pytest_tokenbudget.markers import LimitMark, closest, parse

BUDGET = pytest.mark.token_budget
FERTILITY = pytest.mark.fertility_limit
DEFAULT = ("o200k_base",)


@pytest.mark.parametrize(
    ("decorator", "expected"),
    [
        (BUDGET(1), LimitMark("token_budget", 1)),
        (BUDGET(max_tokens=800), LimitMark("token_budget", 800)),
        (BUDGET(8, files=None, tokenizer=None), LimitMark("token_budget", 8)),
        (BUDGET(8, files="a/*.md"), LimitMark("token_budget", 8, ("a/*.md",))),
        (BUDGET(8, files=["a", "b", "a"]), LimitMark("token_budget", 8, ("a", "b"))),
        (BUDGET(8, tokenizer="gpt-5"), LimitMark("token_budget", 8, (), ("gpt-5",))),
        (BUDGET(8, tokenizer=("a", "b")), LimitMark("token_budget", 8, (), ("a", "b"))),
        (FERTILITY(2), LimitMark("fertility_limit", 2)),
        (FERTILITY(0.5, files="a"), LimitMark("fertility_limit", 0.5, ("a",))),
        (FERTILITY(limit=2.2, tokenizer="a"), LimitMark("fertility_limit", 2.2, (), ("a",))),
    ],
)
def test_arguments_become_a_limit(decorator: pytest.MarkDecorator, expected: LimitMark) -> None:
    assert parse(decorator.mark) == expected


@pytest.mark.parametrize(
    ("decorator", "sentence"),
    [
        (
            BUDGET(),
            "token_budget: max_tokens is missing; write @pytest.mark.token_budget(max_tokens, ...)",
        ),
        (BUDGET(0), "token_budget: max_tokens: expected a whole number above 0, found 0"),
        (BUDGET(-1), "token_budget: max_tokens: expected a whole number above 0, found -1"),
        (BUDGET(1.5), "token_budget: max_tokens: expected a whole number above 0, found 1.5"),
        (BUDGET(True), "token_budget: max_tokens: expected a whole number above 0, found True"),
        (BUDGET("8"), "token_budget: max_tokens: expected a whole number above 0, found '8'"),
        (BUDGET(None), "token_budget: max_tokens: expected a whole number above 0, found None"),
        (
            BUDGET(8, "prompts/*.md"),
            "token_budget: only max_tokens goes without a name; what is 'prompts/*.md'?",
        ),
        (BUDGET(8, max_tokens=9), "token_budget: max_tokens is given twice"),
        (BUDGET(8, file="a"), "token_budget: unknown argument file; did you mean files?"),
        (
            BUDGET(8, xyz=1),
            "token_budget: unknown argument xyz; it takes max_tokens, "
            "files, tokenizer, extract, variables",
        ),
        (
            BUDGET(8, files="a", extract="jinja", variables={"a": 1}),
            "token_budget: variables: expected the path of a JSON, YAML or TOML file, found "
            "{'a': 1}; or render the text yourself and pass it on",
        ),
        (
            BUDGET(8, files=[]),
            "token_budget: files: expected a string or a list of strings, found []",
        ),
        (
            BUDGET(8, files=" "),
            "token_budget: files: expected a string or a list of strings, found ' '",
        ),
        (
            BUDGET(8, files=["a", 1]),
            "token_budget: files: expected a string or a list of strings, found ['a', 1]",
        ),
        (
            BUDGET(8, tokenizer=3),
            "token_budget: tokenizer: expected a string or a list of strings, found 3",
        ),
        (
            FERTILITY(),
            "fertility_limit: limit is missing; write @pytest.mark.fertility_limit(limit, ...)",
        ),
        (FERTILITY(0), "fertility_limit: limit: expected a number above 0, found 0"),
        (FERTILITY("2"), "fertility_limit: limit: expected a number above 0, found '2'"),
        (FERTILITY(False), "fertility_limit: limit: expected a number above 0, found False"),
        (
            FERTILITY(float("nan")),
            "fertility_limit: limit: expected a number above 0, found nan",
        ),
        (
            FERTILITY(float("inf")),
            "fertility_limit: limit: expected a number above 0, found inf",
        ),
        (
            FERTILITY(2, max_tokens=3),
            "fertility_limit: unknown argument max_tokens; it takes limit, "
            "files, tokenizer, extract, variables",
        ),
    ],
)
def test_wrong_arguments_are_refused_by_name(
    decorator: pytest.MarkDecorator, sentence: str
) -> None:
    with pytest.raises(Mistake) as caught:
        parse(decorator.mark)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("files", "read"),
    [
        ("p/*.md", ("p/*.md",)),
        (Path("p/*.md"), ("p/*.md",)),
        ([Path("p/a.md"), "p/b.md", "p/a.md"], ("p/a.md", "p/b.md")),
    ],
)
def test_files_are_globs_or_paths(files: object, read: tuple[str, ...]) -> None:
    assert parse(BUDGET(8, files=files).mark).files == read


def _budget(maximum: int, depth: int, *tokenizers: str) -> LimitMark:
    return LimitMark("token_budget", maximum, (), tokenizers, depth)


@pytest.mark.parametrize(
    ("marks", "held"),
    [
        ([], {}),
        ([_budget(40, 1), _budget(30, 1)], {"o200k_base": 30}),
        ([_budget(1, 2), _budget(2, 2), _budget(40, 1)], {"o200k_base": 1}),
        ([_budget(10, 3), _budget(20, 2), _budget(5, 1)], {"o200k_base": 10}),
        ([_budget(5, 1), _budget(20, 2)], {"o200k_base": 20}),
        (
            [_budget(10, 3, "cl100k_base"), _budget(20, 2)],
            {"cl100k_base": 10, "o200k_base": 20},
        ),
        (
            [_budget(10, 3, "cl100k_base", "o200k_base"), _budget(20, 2)],
            {"cl100k_base": 10, "o200k_base": 10},
        ),
    ],
)
def test_the_closest_level_holds_and_in_it_the_smallest(
    marks: list[LimitMark], held: dict[str, int]
) -> None:
    for order in (marks, marks[::-1]):
        found = closest(order, DEFAULT)
        assert {key: mark.maximum for key, mark in found.items()} == {
            ("token_budget", name): maximum for name, maximum in held.items()
        }


def test_limits_of_two_kinds_do_not_hide_one_another() -> None:
    fertility = LimitMark("fertility_limit", 2, depth=2)
    assert list(closest([fertility, _budget(9, 1)], DEFAULT)) == [
        ("fertility_limit", "o200k_base"),
        ("token_budget", "o200k_base"),
    ]
