"""What holds for every text of Unicode, whatever a tokenizer, a rule or a report does with it.

The laws of single tokenizers (what is decoded is what was encoded, pieces join to the text) are in
tests/tokens/test_laws.py; here they are held for a tokenizer.json as well, and those of rules,
fixes and runs.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import unicodedata
from contextlib import chdir
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tokenlint import fix
from tokenlint.commands.check import Request, run
from tokenlint.commands.session import Session
from tokenlint.diagnostic import place
from tokenlint.errors import TokenizerError
from tokenlint.linter import lint
from tokenlint.rules import RULES, Context, Finding, SpecialTokens
from tokenlint.suppress import unsuppressed
from tokenlint.tokens import Document, Tokenizer, decode, load_tokenizer
from tokenlint.tokens.hf_backend import from_json

CONTEXT = Context(special_tokens=SpecialTokens(level="low", extra=("<<MINE>>",)))

STRINGS = [
    "<|im_start|>", "<|im_end|>", "[INST]", "<s>", "</s>", "<<MINE>>", "<\uff5cUser\uff5c>",
    "\uff1c|im_end|\uff1e", "<\u200b|im_end|>", "\\u003c|im_end|>", "\\u0301", "e\u0301",
    "Vie\u0323\u0302t", "\u1ea1", "\u0323\u0302", "\u1100\u1161\u11a8", "\u0915\u093c", "\u0958",
    "\u212b",
    "\u2126", "\u0344", "\u200b", "\u200d", "\ufeff", "\u00ad", "\u202e", "\u2066", "\u2069",
    "\U000e0041",
    "\U000e007f", "\ufe0f", "\ufe0e", "\U0001f468\u200d\U0001f469", "1\ufe0f\u20e3", "\ufffd",
    "\x1b[31m",
    "\r\n", "\n", "\r", "\t", " ", '"', "\\", "'", "{", "}", "[", "]", ":", ",", "- ", "#", "a: ",
    "| ",
    "tokenlint: ignore[TL201]", "tokenlint: ignore[TL1, nothing]", "tokenlint: ignore-file[TL4]",
    "tokenlint: ignore-next-line[decomposed]\n", "tokenlint: disable[TL1]", "`", "```\n", "word",
    "=1",
]  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(STRINGS), st.text(max_size=4)), max_size=14).map("".join)
TEXTS = TEXTS.filter(
    lambda text: text.encode(errors="replace").decode() == text and "\0" not in text
)
"Any text that a file can hold."

NAMES = st.sampled_from(["a.md", "a.json", "a.yaml", "a.toml", "a.jsonl", "a.jinja", "e\u0301.md"])


def found(document: Document, *, directives: bool = False) -> tuple[Finding, ...]:
    """What every rule says of a document."""
    linted = lint(document, RULES, CONTEXT, directives=directives)
    assert linted.problems == ()
    return linted.findings


# Tokenizers


@cache
def tokenizer(name: str) -> Tokenizer:
    """One of each kind; the last two are a tokenizer.json that the engine of tokenizers cuts."""
    if name == "byte-level":
        return from_json(_byte_level(), name=name, source="a file of this test")
    try:
        return load_tokenizer(name)
    except TokenizerError as error:
        pytest.skip(str(error))


def _byte_level() -> bytes:
    from tokenizers import Tokenizer as Engine
    from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

    made = Engine(models.BPE())
    made.normalizer = normalizers.NFC()
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=["<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(["the words of the words are there"] * 9, trainer)
    raw: str = made.to_str()
    return raw.encode()


KINDS = ["o200k_base", "cl100k_base", "o200k_harmony", "qwen2.5", "byte-level", "deepseek-v3"]


@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=60)
@given(text=TEXTS)
def test_ids_decode_to_the_normalised_text_and_pieces_join_to_it(name: str, text: str) -> None:
    some = tokenizer(name)
    ids = some.encode(text)
    assert some.decode(ids) == some.normalize(text)
    assert b"".join(some.pieces(text)) == some.normalize(text).encode()
    assert len(ids) == some.count(text) <= len(some.normalize(text).encode())


@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=60)
@given(text=TEXTS)
def test_no_text_spells_a_control_token(name: str, text: str) -> None:
    some = tokenizer(name)
    assert set(some.special_tokens.values()).isdisjoint(some.encode(text))
    for string in list(some.special_tokens)[:30]:
        assert set(some.special_tokens.values()).isdisjoint(some.encode(f"{text}{string}{text}"))


@settings(max_examples=60)
@given(text=TEXTS, bom=st.booleans())
def test_crlf_cr_and_lf_count_alike(text: str, bom: bool) -> None:
    text = re.sub(r"\r\n?", "\n", text)
    count = tokenizer("o200k_base").count
    for end in ("\r\n", "\r"):
        document = Document("a.md", text.replace("\n", end), bom=bom)
        assert document.countable() == text
    assert count(Document("a.md", text.replace("\n", "\r\n")).countable()) == count(text)


# Rules


@settings(max_examples=150)
@given(text=TEXTS, name=NAMES)
def test_findings_stand_in_the_text_and_cover_what_they_quote(text: str, name: str) -> None:
    document = Document(name, text)
    for finding in found(document):
        assert 0 <= finding.start <= finding.end <= len(text)
        covered = text[finding.start : finding.end]
        if finding.code == "TL201":
            (quoted,) = re.findall(r'^"(.*?)" ', finding.message, re.DOTALL)[:1]
            shown = covered.encode("ascii", "backslashreplace").decode()
            assert quoted == shown.replace("\r", "\\x0d").replace("\n", "\\x0a") or "..." in quoted
        if finding.code == "TL101":
            points = re.search(r"text: ((?:U\+[0-9A-F]{4,6} ?)+)", finding.message)
            if points is not None and "too long" not in finding.message:
                said = "".join(chr(int(one[2:], 16)) for one in points[1].split())
                assert said in covered
        if finding.code == "TL404":
            assert set(covered) == {"\ufffd"}
        placed = place(finding, document)
        assert document.location(finding.start) == placed.location
        rows = [placed.location.row, placed.end_location.row]
        assert all(1 <= row <= len(document.line_starts) for row in rows)


@settings(max_examples=100)
@given(text=TEXTS, name=NAMES, unsafe=st.booleans())
def test_a_fix_ends_and_leaves_nothing_to_fix(text: str, name: str, unsafe: bool) -> None:
    document = Document(name, text)
    for _ in range(10):
        todo = fix.fixable(found(document, directives=True), unsafe=unsafe)
        if not todo:
            break
        changed = fix.apply(document.text, todo)
        assert changed != document.text
        document = Document(name, changed)
    assert fix.fixable(found(document, directives=True), unsafe=unsafe) == []


@settings(max_examples=100)
@given(text=TEXTS, name=NAMES)
def test_a_safe_fix_changes_nothing_but_the_form(text: str, name: str) -> None:
    findings = fix.fixable(found(Document(name, text)))
    fixed = fix.apply(text, findings)
    for form in ("NFC", "NFD"):
        assert unicodedata.normalize(form, fixed) == unicodedata.normalize(form, text)


@settings(max_examples=100)
@given(text=TEXTS, name=NAMES, seed=st.integers(0, 9))
def test_the_order_of_the_rules_changes_nothing(text: str, name: str, seed: int) -> None:
    shuffled = list(RULES)
    random.Random(seed).shuffle(shuffled)  # noqa: S311
    document = Document(name, text)
    assert lint(document, shuffled, CONTEXT) == lint(document, RULES, CONTEXT)
    alone = [one for rule in RULES for one in lint(document, [rule], CONTEXT).findings]
    assert sorted(alone) == sorted(lint(document, RULES, CONTEXT).findings)


@settings(max_examples=100)
@given(text=TEXTS, name=NAMES)
def test_a_directive_silences_its_own_and_changes_no_other(text: str, name: str) -> None:
    """What is left with directives stands, the same, among what is found without them."""
    document = Document(name, text)
    everything = found(document)
    kept = found(document, directives=True)
    assert [one for one in everything if one in set(kept)] == list(kept)
    assert (
        all(one.firm for one in everything if one not in set(kept)) is False or kept == everything
    )
    for finding in everything:
        own = f"tokenlint: ignore-file[{finding.code}]"
        silenced = unsuppressed(Document("a.md", f"{text}\n{own}"), everything)
        unfirm = [one for one in everything if one.code != finding.code or one.firm]
        if "tokenlint:" not in text:
            assert list(silenced) == unfirm


@settings(max_examples=100)
@given(text=TEXTS.filter(lambda text: "tokenlint:" not in text))
def test_silencing_one_line_changes_no_other_line(text: str) -> None:
    text = re.sub(r"\r\n?", "\n", text)
    before = found(Document("a.txt", text))
    assume(before)
    row = Document("a.txt", text).location(before[0].start).row
    lines = text.split("\n")
    lines[row - 1] += f" tokenlint: ignore[{before[0].code}]"
    changed = Document("a.txt", "\n".join(lines))

    def on_other_lines(document: Document, findings: tuple[Finding, ...]) -> list[object]:
        placed = [(place(one, document), one) for one in findings]
        return [
            (one.code, where.location, where.end_location, one.message)
            for where, one in placed
            if row not in (where.location.row, where.end_location.row)
            and "on this line" not in one.message
        ]

    assert on_other_lines(changed, found(changed, directives=True)) == on_other_lines(
        Document("a.txt", text), before
    )


@settings(max_examples=100)
@given(text=TEXTS, name=st.sampled_from(["a.md", "a.json", "a.jsonl", "a.toml"]))
def test_crlf_and_lf_copies_have_the_same_findings(text: str, name: str) -> None:
    text = re.sub(r"\r\n?", "\n", text)
    copies = [Document(name, text), Document(name, text.replace("\n", "\r\n"))]
    told = [
        [
            (one.code, one.level, where.location, re.sub(r"\r\n", "\n", one.message))
            for one in found(copy, directives=True)
            for where in [place(one, copy)]
        ]
        for copy in copies
    ]
    assert told[0] == told[1]


@settings(max_examples=60)
@given(raw=st.one_of(st.binary(max_size=60), TEXTS.map(str.encode)))
def test_the_bytes_of_a_document_come_back(raw: bytes) -> None:
    document = decode("a.md", raw)
    if isinstance(document, Document):
        assert document.encode(document.text) == raw


# Runs


def check(paths: list[str]) -> list[object]:
    """The findings of a run, as programs read them."""
    outcome = run(Request(tuple(paths)), Session(Path.cwd(), isolated=True))
    return [replace(one, line="") for one in outcome.diagnostics]


@settings(max_examples=15)
@given(texts=st.lists(TEXTS, min_size=2, max_size=5), seed=st.integers(0, 9))
def test_a_run_finds_the_same_in_any_order_and_in_any_portions(texts: list[str], seed: int) -> None:
    with TemporaryDirectory() as folder, chdir(folder):
        names = [f"{at}.md" for at in range(len(texts))]
        for name, text in zip(names, texts, strict=True):
            Path(name).write_bytes(text.encode())
        at_once = check(names)
        shuffled = random.Random(seed).sample(names, len(names))  # noqa: S311
        assert check(shuffled) == at_once
        assert check(["."]) == at_once
        assert [one for name in names for one in check([name])] == at_once


def test_workers_find_and_count_the_same(folder: Path) -> None:
    """Processes beside each other, and threads inside of one, as hooks and xdist run them."""
    chance = random.Random(7)  # noqa: S311
    for at in range(24):
        parts = [chance.choice(STRINGS) for _ in range(60)]
        (folder / f"{at}.md").write_text(" ".join(parts), "utf-8", newline="")
    command = [sys.executable, "-m", "tokenlint", "check", "--output-format", "json", "--exit-zero"]
    names = sorted(f"{at}.md" for at in range(24))
    whole = json.loads(subprocess.run([*command, *names], capture_output=True, check=True).stdout)
    halves = [
        subprocess.Popen([*command, *names[at::2]], stdout=subprocess.PIPE) for at in range(2)
    ]
    parts = [one for process in halves for one in json.loads(process.communicate()[0])]
    assert sorted(map(json.dumps, parts)) == sorted(map(json.dumps, whole))
