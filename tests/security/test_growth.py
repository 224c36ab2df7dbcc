"""Twice the text takes twice the time, whatever the text: nobody can stop a run with a small file.

Each case is done with a text and with one four times as long, in processor time. What is linear
takes four times as long, what is quadratic sixteen times; what takes next to no time may do as it
likes.
"""

from __future__ import annotations

import gc
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tokenizers import Regex
from tokenizers.pre_tokenizers import Split

from pytest_tokenbudget.verdicts import Text, where_the_tokens_are
from tokenlint.baseline import parse
from tokenlint.diagnostic import place
from tokenlint.errors import TokenlintError
from tokenlint.linter import lint
from tokenlint.patterns import PathPatterns
from tokenlint.reports import formats
from tokenlint.reports.checked import Checked
from tokenlint.rules import RULES, Context, SpecialTokens
from tokenlint.tokens import Document, count_words, load_tokenizer, read_document
from tokenlint.tokens.canonical import normalized
from tokenlint.tokens.chat import conversations
from tokenlint.tokens.explanation import explained
from tokenlint.tokens.extract import Extract, Extractor
from tokenlint.tokens.forms import FORMS, in_form
from tokenlint.tokens.linear import PUBLISHED
from tokenlint.tokens.rendering import Renderer
from tokenlint.tokens.toml_text import loads
from tokenlint.tokens.words import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = 3_000
"Characters of the shorter text."

LITTLE = 0.01
"Seconds that are next to nothing."

TRIES = 3


def grows_in_proportion(work: Callable[[str], object], make: Callable[[int], str]) -> bool:
    """Whether four times the text takes about four times as long; a busy machine may try again."""
    short, long = make(SIZE), make(4 * SIZE)
    for _ in range(TRIES):
        before = max(seconds(work, short), LITTLE)
        if seconds(work, long) < 9 * before:
            return True
    return False


def seconds(work: Callable[[str], object], text: str) -> float:
    gc.collect()
    gc.disable()  # it would look through all that other tests left, as often as this one allocates
    try:
        began = time.process_time()
        work(text)
        return time.process_time() - began
    finally:
        gc.enable()


def repeated(unit: str, before: str = "", behind: str = "") -> Callable[[int], str]:
    return lambda size: before + unit * max(1, size // len(unit)) + behind


# fmt: off
UNITS = [
    "a", "A", "<", "<|", "<|a", "[INST", "<|im_start", "<|im_start|>", "<s>", "\uff1c", "\uff5c",
    "\u0301", "\u0301\u0323", "\u0323\u0301\u0f73", "a\u0301", "\u0300<", "\u1100", "\u1161\u11a8",
    "\u0915\u093c", "\u0958", "\u0f71\u0f72", "\u0cc6\u0cc2\u0cd5", "\u200b", "\u200d", "x\u200b",
    "<\u200b", "<|\u200b", "\uff1c\u200b|", "\u202e", "\u2066", "\u2069", "\u2066\u2069",
    "\u05d0\u202b",
    "\ufe0f", "1\ufe0f\u20e3", "\U000e0041", "\U0001f468\u200d", "\U0001f1e6", "\U0001f3fb",
    "\ufffd",
    "\u00ad", "\ufeff", "\x1b", "\n", "\r", "\r\n", " ", "\t", "`", "```\n", "`a", "\\", "\\u0301",
    "&lt;", "&#60;", "tokenlint:", "tokenlint: ignore[", "tokenlint: ignore[TL1]", "_", "{{", "{%",
    "tokenlint: ignore[TL1]\n", "tokenlint: x-", "\u2581", "\u2028", "|", "~", "#", ">", "---\n",
]
PARSED = {
    "a.json": ["[", "{", "\"", "[1,", "{\"a\":", "\"a\",", "\\u", "\\ud83d", "\\\"", "1", "-",
               " ", ","],
    "a.jsonl": [" ", "\r", "\n", "{}\n", "\"a\"\n", "\\u0301", "\"", "[]"],
    "a.yaml": ["- ", "- a\n", "a: 1\n", "a:\n ", "? ", ": ", "&a ", "*a ", "|\n", "'", "\"",
               "\\x41", "---\n", "#", "%a\n", "!!", "[", "{", "<<: ", "  \n", "\t", "\\\n",
               "a\n\n", "''"],
    "a.toml": ["a.", "\"\".", "a=", "a=1\n", "[a]\n", "[[a]]\n", "[[", "'", "'''", "\"", "\"\"\"",
               "#", "\\", "{a=", "\\u0041", "[1,", " ", "1", "1_"],
}
AROUND = {
    "a.json": ("{\"a\": \"", "\"}"), "a.jsonl": ("{\"a\": \"", "\"}"),
    "a.yaml": ("a: \"", "\"\nb: |\n  x"), "a.toml": ("a = \"\"\"", "\"\"\""),
}
# fmt: on

CONTEXT = Context(special_tokens=SpecialTokens(level="low", extra=("<<MINE>>", "aab", "<\u200b|")))
EXTRACTOR = Extractor(read_document, Renderer())


def checked(name: str) -> Callable[[str], object]:
    """Every rule on a file of that name, and the reports of what was found."""

    def work(text: str) -> None:
        document = Document(name, text)
        linted = lint(document, RULES, CONTEXT)
        assert not any("defect" in problem for problem in linted.problems), linted.problems
        placed = [place(finding, document) for finding in linted.findings[:200]]
        for form in ("full", "github", "markdown"):
            list(formats.lines(form, Checked(placed)))

    return work


@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_every_rule_on_text(unit: str) -> None:
    assert grows_in_proportion(checked("a.md"), repeated(unit))


READ = [(name, unit) for name, units in PARSED.items() for unit in units]


@pytest.mark.parametrize(("name", "unit"), READ, ids=ascii)
def test_every_rule_on_files_that_are_parsed(name: str, unit: str) -> None:
    assert grows_in_proportion(checked(name), repeated(unit))


def extracted(name: str) -> Callable[[str], object]:
    """All values of a file with their places, or the sentence that says why there are none."""

    def work(text: str) -> None:
        document = Document(name, text)
        with suppress(TokenlintError):
            for part in EXTRACTOR.parts(document, Extract.parse("*")):
                part.span(0, len(part.text))
        with suppress(TokenlintError):
            conversations(document)

    return work


@pytest.mark.parametrize(("name", "unit"), READ, ids=ascii)
def test_reading_values(name: str, unit: str) -> None:
    assert grows_in_proportion(extracted(name), repeated(unit))


@pytest.mark.parametrize("name", PARSED)
@pytest.mark.parametrize("unit", ["a", "\\", "\\\\", " ", "\\u0041", "\u0301\u0323"], ids=ascii)
def test_reading_long_strings(name: str, unit: str) -> None:
    before, behind = AROUND[name]
    assert grows_in_proportion(extracted(name), repeated(unit, before, behind))


@pytest.mark.parametrize("unit", ["a", "\n", "---\n", " ", "-", "\r", "--- \t"], ids=ascii)
@pytest.mark.parametrize("before", ["", "---\n", "+++\n"], ids=ascii)
def test_front_matter(unit: str, before: str) -> None:
    def work(text: str) -> object:
        return EXTRACTOR.parts(Document("a.md", text), Extract("body"))

    assert grows_in_proportion(work, repeated(unit, before))


MARKS = [
    "\u0301\u0323",
    "\u0323\u0301\u0f73",
    "a\u0301\u0323\u0301",
    "\U0001f1e6",
    "\u1100\u1161",
    "'a",
]


@pytest.mark.parametrize("unit", MARKS, ids=ascii)
def test_words_and_forms(unit: str) -> None:
    for method in METHODS:
        assert grows_in_proportion(partial(count_words, method=method), repeated(unit)), method
    for form in FORMS:
        assert grows_in_proportion(partial(in_form, form=form), repeated(unit)), form


@pytest.mark.parametrize("unit", MARKS, ids=ascii)
def test_what_explains_a_count(unit: str) -> None:
    tokenizer = load_tokenizer("o200k_base")
    tokenizer.count("warm")
    assert grows_in_proportion(lambda text: explained(text, tokenizer, 100), repeated(unit))
    assert grows_in_proportion(
        lambda text: list(where_the_tokens_are(Text("a", text), tokenizer, named=False)),
        repeated(unit),
    )


# Globs, as a .gitignore and a configuration have them

GLOBS = [
    ("*a", "a", "b"), ("a*", "a", "b"), ("*?", "a", "/b"), ("**/a/", "a/", "b"),
    ("**/*a/", "a/", "b"), ("*[ab]", "a", "c"), ("a**", "a", "b"), ("*a/", "a/", "b"),
    ("/**/a", "/a", "b"), ("*\\a", "a", "b"),
]  # fmt: skip


@pytest.mark.parametrize(("glob", "unit", "end"), GLOBS)
@pytest.mark.parametrize("times", [2, 5, 40])
def test_globs(glob: str, unit: str, end: str, times: int) -> None:
    """The pattern stays and the path grows: paths of files cannot get as long as this."""
    patterns = PathPatterns(Path("/r"), (glob * times + "c",))

    def work(path: str) -> object:
        return patterns.verdict(Path(f"/r/{path}"), is_folder=False)

    assert grows_in_proportion(work, repeated(unit, behind=end))


@pytest.mark.parametrize(
    "unit", ["*", "**/", "[", "[a-", "\\", "?", "[!", "[[:alpha:]]", "a*", " ", "\u0301\u0323"]
)
def test_long_globs(unit: str) -> None:
    def work(glob: str) -> object:
        return PathPatterns(Path("/r"), (glob,)).match(Path("/r/aaaaaaaaaa/b"))

    assert grows_in_proportion(work, repeated(unit))


# What the repository brings besides text


@pytest.mark.parametrize("unit", ["a.", '"".', "a=1\n", "[a.b]\n", "'", "#", "[", "{a="])
def test_toml(unit: str) -> None:
    def work(text: str) -> None:
        for whole in (text, f"{text}a = 1", f"[{text}a]"):
            with suppress(ValueError, RecursionError):
                loads(whole)

    assert grows_in_proportion(work, lambda size: repeated(unit)(4 * size))


@pytest.mark.parametrize("unit", ["<<<<<<< ", "\n", "=======", "{", "[", '{"a":', "\u0301\u0323"])
def test_baselines(unit: str) -> None:
    def work(text: str) -> None:
        entry = f'{{"path": "{text}", "code": "TL1", "count": 1}}'
        for raw in (text, f'{{"version": 1, "entries": [{entry}]}}'):
            with suppress(TokenlintError):
                parse(raw.encode())

    assert grows_in_proportion(work, repeated(unit))


@pytest.mark.parametrize("unit", ["\u0301\u0323", "\u0323\u0344", "a\u0323\u0307\u0323"], ids=ascii)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_normal_forms(unit: str, form: str) -> None:
    assert grows_in_proportion(lambda text: normalized(form, text), repeated(unit))  # type: ignore[arg-type]


@pytest.mark.parametrize("pattern", sorted(PUBLISHED))
def test_patterns_that_are_taken_for_linear_by_name(pattern: str) -> None:
    cut = Split(Regex(pattern), "isolated").pre_tokenize_str
    for unit in (" ", "\n", "a", "A", "aA", "\u02b0", "\u0301", "A\u0301", "1", "(", " (", "\n "):
        assert grows_in_proportion(cut, repeated(unit)), unit
