from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Project

VIETNAMESE = "Tất nhiên, tôi sẽ giúp bạn"
PARAGRAPHS = "Be short.\n\nBe kind to everyone,\nand patient.\n\nĐừng dài dòng.\n"


def _test(decorator: str, body: str = "...", *, name: str = "test_it") -> str:
    return f"import pytest\n@pytest.mark.{decorator}\ndef {name}(token_budget):\n    {body}\n"


@pytest.mark.parametrize(("encoding", "tokens"), [("o200k_base", 8), ("cl100k_base", 16)])
def test_published_counts(
    project: Project, official_count: Callable[[str, str], int], encoding: str, tokens: int
) -> None:
    assert official_count(encoding, VIETNAMESE) == tokens
    body = f"assert token_budget.check({VIETNAMESE!r}) == {tokens}"
    ran = project.run(
        {"test_it.py": _test(f"token_budget({tokens}, tokenizer={encoding!r})", body)}
    )
    assert ran.outcomes == {"passed": 1}


@pytest.mark.parametrize("kind", ["text", "file"])
@pytest.mark.parametrize(
    ("maximum", "sentence"),
    [
        (9, None),
        (8, None),
        (7, "8 tokens, 1 over the budget of 7 (o200k_base), +14.3 %"),
        (1, "8 tokens, 7 over the budget of 1 (o200k_base), +700.0 %"),
    ],
)
def test_a_limit_includes_itself(
    project: Project, kind: str, maximum: int, sentence: str | None
) -> None:
    if kind == "text":
        source = _test(f"token_budget({maximum})", f"token_budget.check({VIETNAMESE!r})")
        start = "TokenBudgetExceeded: the text: "
    else:
        source = _test(f"token_budget({maximum}, files='a.md')")
        start = "Failed: a.md: "
    ran = project.run({"test_it.py": source, "a.md": VIETNAMESE})
    assert ran.failures == ({} if sentence is None else {"test_it": start + sentence})


def test_a_failure_says_where_the_tokens_are(project: Project) -> None:
    ran = project.run(
        {"test_it.py": _test("token_budget(10, files='p/*.md')"), "p/a.md": PARAGRAPHS}
    )
    assert ran.failures["test_it"] == (
        "Failed: p/a.md: 16 tokens, 6 over the budget of 10 (o200k_base), +60.0 %\n"
        "The heaviest paragraphs:\n"
        "  lines 3-4: 8 tokens  Be kind to everyone,\n"
        "  line 6: 5 tokens\n"
        "  line 1: 3 tokens  Be short."
    )


def test_a_failure_says_what_nfc_would_save(project: Project) -> None:
    body = r"token_budget.check('Te\u0302\u0301t nhie\u0302n', label='greeting')"
    ran = project.run({"test_it.py": _test("token_budget(3)", body)})
    assert ran.failures["test_it"] == (
        "TokenBudgetExceeded: greeting: 8 tokens, 5 over the budget of 3 (o200k_base), +166.7 %\n"
        "Normalised to NFC it would take 3 tokens, 5 fewer."
    )


def test_nfc_is_not_recommended_where_it_saves_nothing(project: Project) -> None:
    ran = project.run(
        {"test_it.py": _test("token_budget(1)", r"token_budget.check('\u0958\u0959')")}
    )
    assert "\n" not in ran.failures["test_it"]


def test_several_files_have_a_sentence_each_and_the_worst_is_explained(project: Project) -> None:
    files = {f"p/{name}.md": "Hello. " * (3 + at) for at, name in enumerate("abcdefgh")}
    files["p/c.md"] = "Cha\u0300o ba\u0323n.\n\n" + "Hello. " * 40
    ran = project.run({"test_it.py": _test("token_budget(5, files='p/*.md')"), **files})
    assert ran.failures["test_it"].splitlines() == [
        "Failed: p/c.md: 88 tokens, 83 over the budget of 5 (o200k_base), +1,660.0 %",
        "p/h.md: 21 tokens, 16 over the budget of 5 (o200k_base), +320.0 %",
        "p/g.md: 19 tokens, 14 over the budget of 5 (o200k_base), +280.0 %",
        "p/f.md: 17 tokens, 12 over the budget of 5 (o200k_base), +240.0 %",
        "p/e.md: 15 tokens, 10 over the budget of 5 (o200k_base), +200.0 %",
        "p/d.md: 13 tokens, 8 over the budget of 5 (o200k_base), +160.0 %",
        "... and 2 more",
        "The heaviest paragraphs of p/c.md:",
        "  line 3: 81 tokens  Hello. Hello. Hello. Hello. Hello. He...",
        "  line 1: 7 tokens",
        "Normalised to NFC p/c.md would take 85 tokens, 3 fewer.",
    ]


def test_every_tokenizer_must_hold(project: Project) -> None:
    mark = "token_budget(10, tokenizer=['o200k_base', 'cl100k_base'])"
    ran = project.run({"test_it.py": _test(mark, f"token_budget.check({VIETNAMESE!r})")})
    assert ran.failures == {
        "test_it": "TokenBudgetExceeded: the text: 16 tokens, 6 over the budget of 10 "
        "(cl100k_base), +60.0 %"
    }


def test_fertility_of_files_and_texts(project: Project) -> None:
    ran = project.run(
        {
            "a.md": VIETNAMESE,
            "zh.md": "你是一个乐于助人的助手。",
            "emoji.md": "👍 🎉",
            "test_it.py": _test("fertility_limit(8 / 6, files='a.md')", name="test_at_limit")
            + _test("fertility_limit(1.33, files='a.md')", name="test_file")
            + _test("fertility_limit(1.3)", f"token_budget.check({VIETNAMESE!r})", name="test_text")
            + _test("fertility_limit(0.5, files='zh.md')", name="test_graphemes")
            + _test("fertility_limit(99, files='emoji.md')", name="test_no_words")
            + _test(
                "fertility_limit(99)", "token_budget.check('...')", name="test_no_words_in_text"
            ),
        }
    )
    no_words = "there are no words to hold to the fertility limit of 99"
    assert ran.failures == {
        "test_file": "Failed: a.md: 1.33 tokens per word, over the limit of 1.33 (o200k_base), "
        "+0.3 %",
        "test_text": "TokenBudgetExceeded: the text: 1.33 tokens per word, over the limit of 1.3 "
        "(o200k_base), +2.6 %",
        "test_graphemes": "Failed: zh.md: 0.82 tokens per grapheme, over the limit of 0.5 "
        "(o200k_base), +63.6 %",
        "test_no_words": f"Failed: emoji.md: {no_words}",
        "test_no_words_in_text": f"TokenBudgetExceeded: the text: {no_words}",
    }
    assert ran.outcomes == {"passed": 1, "failed": 5}


def test_a_marker_that_checks_nothing_fails(project: Project) -> None:
    ran = project.run(
        {
            "a.md": "Hello.",
            "test_it.py": _test("token_budget(800)", name="test_no_text")
            + _test("fertility_limit(2.5)", name="test_no_text_for_fertility")
            + _test("token_budget(800, files=['a.md', 'none/*.md'])", name="test_no_file")
            + _test(
                "token_budget(7, tokenizer='o200k_base')\n@pytest.mark.token_budget(9)",
                "token_budget.check('a', tokenizer='cl100k_base')",
                name="test_one_idle",
            )
            + _test("token_budget(1)", "token_budget.check('a b c', max_tokens=3)", name="test_ok"),
        }
    )
    rest = "checked nothing: give it files, or pass a text to the token_budget fixture"
    assert ran.failures == {
        "test_no_text": f"Failed: token_budget(800) {rest}",
        "test_no_text_for_fertility": f"Failed: fertility_limit(2.5) {rest}",
        "test_no_file": "Failed: none/*.md: no such file for token_budget(800), tried "
        f"{project.pytester.path / 'none/*.md'}",
        "test_one_idle": f"Failed: token_budget(7, tokenizer=o200k_base) {rest}",
    }


def test_what_the_body_says_goes_first(project: Project) -> None:
    ran = project.run(
        {
            "a.md": "Hello there.",
            "test_it.py": _test(
                "token_budget(1, files='a.md')", "assert 0, 'body'", name="test_fail"
            )
            + _test("token_budget(1, files='a.md')", "pytest.skip('later')", name="test_skip")
            + _test("token_budget(1)", "pytest.xfail('known')", name="test_xfail_call")
            + _test("skip\n@pytest.mark.token_budget(-1)", name="test_skip_mark")
            + _test("xfail\n@pytest.mark.token_budget(1, files='a.md')", name="test_xfail_file")
            + _test("xfail\n@pytest.mark.token_budget(-1)", name="test_xfail_arguments")
            + _test(
                "xfail(raises=AssertionError, strict=True)\n@pytest.mark.token_budget(1)",
                "token_budget.check('Hello there.')",
                name="test_xfail_text",
            )
            + _test("xfail\n@pytest.mark.token_budget(9, files='a.md')", name="test_xpass")
            + _test(
                "xfail(strict=True)\n@pytest.mark.token_budget(9, files='a.md')", name="test_strict"
            ),
        }
    )
    assert ran.outcomes == {"failed": 2, "skipped": 2, "xfailed": 4, "xpassed": 1}
    assert ran.failures["test_fail"].startswith("AssertionError: body")
