"""The first look at a document rules out nothing that the slow way would find."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokenlint.linter import _asked
from tokenlint.rules import RULES, Context, SpecialTokens, needed
from tokenlint.rules import unicode_ranges as ranges
from tokenlint.rules._catalogue import LITERALS, RUNS
from tokenlint.rules.invisibles import _hidden_runs, hidden_runs, invisible, present
from tokenlint.rules.quick import _suspect, can_compose, skeleton_of
from tokenlint.rules.search import find, may_hold
from tokenlint.rules.unicode_ranges import char_class
from tokenlint.tokens import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

QUICK = tuple(rule for rule in RULES if rule.may_find is not None)
CONTEXTS = (
    Context(),
    Context(special_tokens=SpecialTokens(level="medium")),
    Context(special_tokens=SpecialTokens(level="low")),
    Context(special_tokens=SpecialTokens(families=("deepseek", "llama2"))),
    Context(special_tokens=SpecialTokens(extra=("stop", "<<My Own>>", "A\x02B", "x"))),
    Context(special_tokens=SpecialTokens(extra=("caf\u00e9", "\u200d!"))),
)
SUFFIXES = (".md", ".json", ".json5", ".yaml", ".toml", ".py")

PIECES = (
    "<|im_end|>", "[/INST]", "<|", "im_start", "|>", "<s>", "[INST", "]", "<",
    "GPT4 Correct User:", "<fim_prefix>", "<fim", "_prefix>", "<\uff5cUser\uff5c>", "\u2581",
    "<image_12>", "[unused9]\u7cfb\u7edf\uff1a", "User:", "\n", "\r\n", " ", "stop", "<<My",
    " Own>>", "A\x02B", "/", "]<]start of", " speech[>[", "\u200b", "\u200d", "\u200c", "\xad",
    "\ufe0f", "\u2060", "\ufeff", "\U000e0041", "\U000e0101", "\uff1c", "\uff5c", "\uff1e",
    "\uff33", "\u212a", "\u2122", "\xa0", "\u2026", "\xbd", "\uff0c", "\ufb01", "e", "\u0301",
    "\u093c", "\u0928", "\u094d", "\u1112", "\u1161", "\u11ab", "\u0591", "\u05b4", "\u3099",
    "\u304b", "\u2764", "\U0001f469", "\U0001f4bb", "\u06cc", "\u0645", "\u4f60", "\u202e",
    "\u2067", "\u05d0", "\ufffd", "\x1b[", "\x07", "\\u003c", "\\u007c", "\\u003e", "\\u0301",
    "\\u093c", "\\u200b", "\\u00a0", "\\ud83d\\udc69", "\\u05b4", "\\uff5c", "\\", "\\n", "\\/",
    "\\\\", "\\\"", "\"", "'", ": ", "- ", "\\x3c", "\\U0000003c", "tokenlint: ignore[TL1]",
    "\xe9",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=9).map("".join) | st.text(max_size=6)


def missed(document: Document, context: Context) -> Iterator[str]:
    """The rules that find something in a document, and that the first look would not ask."""
    asked = {rule.code for rule, _ in _asked(document, QUICK, context)}
    for rule in QUICK:
        assert rule.check is not None
        if rule.code not in asked and list(rule.check(document, context)):
            yield rule.code


@given(TEXTS, st.sampled_from(SUFFIXES), st.sampled_from(CONTEXTS))
@settings(max_examples=600)
@example('"<|im_st\u200bart|>"', ".md", CONTEXTS[0])
@example('"<|im_\\u003c"', ".json", CONTEXTS[0])
@example('"\\\\u003c\\u0301"', ".json", CONTEXTS[0])
@example('"x\\u006dx <|i\\u006d_end|> x\\u006dx"', ".json", CONTEXTS[0])
@example('"GPT4\u200b\n  Correct User:"', ".yaml", CONTEXTS[2])
@example('"GPT4\n\u200b  Correct User:"', ".yaml", CONTEXTS[2])
def test_what_is_ruled_out_is_not_there(text: str, suffix: str, context: Context) -> None:
    assert list(missed(Document(f"a{suffix}", text), context)) == []


@given(TEXTS, st.sampled_from((".json", ".yaml", ".toml")), st.sampled_from(CONTEXTS))
@settings(max_examples=300)
def test_what_is_ruled_out_is_not_there_once_escapes_are_read(
    text: str, suffix: str, context: Context
) -> None:
    written = {".toml": "a = "}.get(suffix, "") + json.dumps(text)
    assert list(missed(Document(f"a{suffix}", written), context)) == []


STRINGS = sorted({*LITERALS, *(f"{beginning}1" for beginning, _, _ in RUNS.values())})
WAYS = ("plain", "removed", "wide", "escaped", "folded", "broken")


@pytest.mark.parametrize("way", WAYS)
def test_every_control_string_in_every_disguise(way: str) -> None:
    for string in STRINGS:
        for at in (0, 1, len(string) // 2, len(string) - 1):
            for context in CONTEXTS[:3]:
                document = disguised(string, at, way)
                assert list(missed(document, context)) == [], (string, at)


MEANINGS = {
    char: meaning
    for char in map(chr, range(0x80, 0x30000))
    if len(meaning := unicodedata.normalize("NFKC", char)) > 1 and meaning.isascii()
}
BEGIN = {meaning[0]: char for char, meaning in MEANINGS.items()}
END = {meaning[-1]: char for char, meaning in MEANINGS.items()}


@pytest.mark.parametrize("context", CONTEXTS[:3])
def test_a_string_that_begins_or_ends_inside_of_what_a_character_means(context: Context) -> None:
    for string in STRINGS:
        for text in (END.get(string[0], "") + string[1:], string[:-1] + BEGIN.get(string[-1], "")):
            document = Document("a.md", f"word {text} word\n")
            assert list(missed(document, context)) == [], text


NUMBERED = st.sampled_from(sorted(RUNS)).flatmap(
    lambda pattern: st.from_regex(re.compile(pattern, re.ASCII), fullmatch=True)
)


@given(NUMBERED, st.integers(0, 20), st.sampled_from(WAYS))
@settings(max_examples=300)
def test_every_numbered_string_in_every_disguise(string: str, at: int, way: str) -> None:
    assert list(missed(disguised(string, at % len(string), way), CONTEXTS[2])) == []


def disguised(string: str, at: int, way: str) -> Document:
    """A control string in a text, with one character of it written otherwise."""
    before, char, after = string[:at], string[at], string[at + 1 :]
    wide = chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char
    texts = {
        "plain": ("a.md", string),
        "removed": ("a.md", f"{before}\u200b\ufe0f{char}{after}"),
        "wide": ("a.md", f"{before}{wide}{after}"),
        "escaped": ("a.json", f'"{before}\\u{ord(char):04x}{after}"'),
        "folded": ("a.yaml", '"' + string.replace(" ", "\n  ") + '\\n"'),
        "broken": ("a.yaml", f'"{before}\\\n  {char}{after}"'),
    }
    path, text = texts[way]
    return Document(path, f"word {text} word\n")


@pytest.mark.parametrize("context", CONTEXTS)
def test_every_control_string_begins_as_it_must(context: Context) -> None:
    for string in STRINGS:
        for text in (string, f"\n{string}\n", f"a\n{string}\x00b", f"\u4f60\n{string}\u00e9"):
            if next(find(text, context.special_tokens), None):
                assert may_hold(text, context.special_tokens)


@pytest.mark.parametrize("marks", [499, 500, 501, 1200])
@pytest.mark.parametrize("before", ["", "e", "\u4f60", "x" * 333, "x" * 500])
def test_a_run_of_marks_that_is_too_long(marks: int, before: str) -> None:
    run = "\u05b4\u0591" * marks
    whole = "".join(f"\\u{ord(char):04x}" for char in run)
    mixed = "".join(f"\\u{ord(c):04x}" if at % 2 else c for at, c in enumerate(run))
    for document in (
        Document("a.md", before + run[:marks]),
        Document("a.json", f'"{before}{whole[: 6 * marks]}"'),
        Document("a.json", f'"{before}{mixed[: 7 * marks // 2]}"'),
    ):
        assert list(missed(document, CONTEXTS[0])) == []


def test_common_characters_are_what_no_rule_asks_for() -> None:
    asked = re.compile(
        char_class(
            ranges.DEFAULT_IGNORABLE,
            ranges.CONTROLS,
            ranges.ANNOTATIONS,
            ranges.NFC_CHANGES,
            ranges.COMPATIBLE,
            "FFFD 10000-10FFFF",
        )
    )
    every = "".join(map(chr, range(0x110000)))
    assert _suspect().findall(every) == asked.findall(every)


def test_whatever_nfc_changes_or_joins_is_known() -> None:
    for code in range(0x110000):
        char = chr(code)
        if unicodedata.normalize("NFC", char) != char:
            assert can_compose(char), hex(code)
        parts = [
            chr(int(part, 16))
            for part in unicodedata.decomposition(char).split()
            if "<" not in part
        ]
        if len(parts) == 2 and unicodedata.normalize("NFC", "".join(parts)) == char:
            assert can_compose(parts[1]), hex(code)


@given(TEXTS)
@settings(max_examples=300)
def test_what_the_rules_about_invisible_characters_share(text: str) -> None:
    document = Document("a.md", text)
    assert present(document) == frozenset(invisible().findall(text))
    assert hidden_runs(document) == tuple(_hidden_runs(text))


@given(st.lists(TEXTS, min_size=1, max_size=4))
@settings(max_examples=300)
def test_what_was_said_of_neighbours_holds_in_every_text(texts: list[str]) -> None:
    for text in texts:
        for at, char in enumerate(text):
            test = needed._tests().get(char)
            assert needed.is_needed(text, at) == (test is not None and test(text, at))


def test_half_a_pair_has_no_skeleton() -> None:
    assert skeleton_of("a <\ud800B|\u1ec7\udc00>") == "<B|>"
