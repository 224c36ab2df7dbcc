"""Baselines as values: what an entry is, what a file may hold, and the laws of accepting."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.baseline import Entry, entry_of, gathered, parse, written
from tokenlint.commands.ledger import Ledger
from tokenlint.errors import TokenlintError
from tokenlint.linter import lint
from tokenlint.rules import RULES, Context, Finding
from tokenlint.rules.base import Measured
from tokenlint.tokens import Document, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HERE = Path("/nowhere")  # a folder without any file, so that what was not looked at is gone


def of(text: str, found: str, *, level: Any = "error", path: str = "a.md") -> Entry:
    """The entry of a finding about a part of a text."""
    start = text.index(found)
    finding = Finding(path, start, start + len(found), "TL201", "x", "any message", level)
    return entry_of(finding, Document(path, text), path, str)


# What makes two findings the same


@pytest.mark.parametrize(
    "other",
    [
        of("above\n\nHi <|x|> there\nbelow", "<|x|>"),
        of("Hi <|x|> there", "<|x|>"),
        of("   Hi <|x|> there\t\n", "<|x|>"),
        of("\r\nHi <|x|> there\r\nbelow", "<|x|>"),
    ],
    ids=["moved", "alone", "indented", "CRLF"],
)
def test_a_finding_stays_the_same(other: Entry) -> None:
    assert other == of("Hi <|x|> there\n", "<|x|>")


def test_far_away_on_a_long_line_anything_may_change() -> None:
    before, after = (
        of(f"a{'.' * 40}<|x|>{'.' * 40}b", "<|x|>"),
        of("." * 41 + "<|x|>" + "." * 99, "<|x|>"),
    )
    assert before == after


@pytest.mark.parametrize(
    "other",
    [
        of("Hi <|x|> here\n", "<|x|>"),
        of("Hi <|y|> there\n", "<|y|>"),
        of("Hi <|x|> there\n", "<|x|> "),
        of("Hi <|x|> there\n", "<|x|>", level="warning"),
        of("Hi <|x|> there\n", "<|x|>", path="b.md"),
    ],
    ids=["another line", "another string", "another range", "another level", "another file"],
)
def test_another_finding_is_another_entry(other: Entry) -> None:
    assert other.key != of("Hi <|x|> there\n", "<|x|>").key


def test_a_finding_about_a_whole_file_has_no_content() -> None:
    finding = Finding("a\u0301.md", 0, 0, "TL103", "decomposed-file-name", "...")
    assert entry_of(finding, Document("a\u0301.md", "text"), "a\u0301.md", str) == Entry(
        "\u00e1.md", "TL103"
    )
    unreadable = Unreadable("a.md", "not UTF-8", "...")
    finding = Finding("a.md", 0, 0, "TL901", "not-utf-8", "...")
    entry = entry_of(finding, unreadable, "a.md", str)
    assert entry == Entry("a.md", "TL901")
    assert not entry.likeness


def test_a_figure_is_known_by_what_it_measures() -> None:
    measured = Measured(
        2.5, ("premium", "body"), "/srv/tokenizer.json", "prompts.a", "../en.md", "text"
    )
    finding = Finding("a.md", 0, 4, "TL304", "over-premium", "...", measured=measured)
    entry = entry_of(finding, Document("a.md", "text"), "a.md", lambda path: f"<{path}>")
    assert entry == Entry(
        "a.md",
        "TL304",
        "premium; body; </srv/tokenizer.json>; <../en.md>",
        "prompts.a",
        entry.content,
        2.5,
    )
    assert len(entry.content) == 32
    size = replace(finding, measured=Measured(9, ("bytes",)))
    assert entry_of(size, Document("a.md", "text"), "a.md", str) == Entry(
        "a.md", "TL304", "bytes", amount=9
    )
    assert entry.key == ("a.md", "TL304", entry.of, "prompts.a", "")


# The file


ENTRIES = (
    Entry("a.md", "TL201", content="0a", amount=2),
    Entry("a.md", "TL301", "tokens; o200k_base", amount=215),
    Entry("b.md", "TL303", "fertility; o200k_base", content="0b", amount=2.185),
    Entry("\u1ea1.md", "TL901"),
)
TEXT = """\
{"version": 1, "entries": [
{"path": "a.md", "code": "TL201", "count": 2, "content": "0a"},
{"path": "a.md", "code": "TL301", "of": "tokens; o200k_base", "most": 215},
{"path": "b.md", "code": "TL303", "of": "fertility; o200k_base", "most": 2.185, "content": "0b"},
{"path": "\\u1ea1.md", "code": "TL901", "count": 1}
]}
"""


def test_a_baseline_has_an_entry_a_line_in_order() -> None:
    assert written(reversed(ENTRIES)) == TEXT
    assert written([]) == '{"version": 1, "entries": [\n]}\n'


@pytest.mark.parametrize(
    "raw",
    [
        TEXT.encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        json.dumps(json.loads(TEXT), indent=4, ensure_ascii=False).encode(),
        TEXT.replace("\\u1ea1", "a\u0323").encode(),
    ],
    ids=["as written", "BOM", "CRLF", "formatted anew", "NFD"],
)
def test_a_baseline_is_read(raw: bytes) -> None:
    assert parse(raw) == ENTRIES


def with_entry(**fields: Any) -> str:
    return json.dumps({"version": 1, "entries": [{"path": "a", "code": "TL1", **fields}]})


RESTORE = "; restore the file, or delete it and write it anew"
CONFLICT = TEXT.replace('{"path": "b.md"', '<<<<<<< HEAD\n{"path": "b.md"')
NO_BASELINE = "not a baseline; name a file that --write-baseline has written"
TWICE = '{"path": "a.md", "code": "TL201", "count": 9, "content": "0a"},\n{"path": "b.md"'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", f"not valid JSON: Expecting value: line 1 column 1 (char 0){RESTORE}"),
        (
            TEXT[:40],
            "not valid JSON: Unterminated string starting at: line 2 column 10 (char 37)" + RESTORE,
        ),
        ("[" * 100_000, f"nested too deeply{RESTORE}"),
        (
            CONFLICT,
            "line 4 marks a conflict of a merge; keep the entries of both sides, or take one side "
            "and write the baseline anew",
        ),
        (
            TEXT.replace('{"path": "b.md"', TWICE),
            "entries 1 and 3 are about the same (TL201 in a.md); keep one of them, or write the "
            "baseline anew",
        ),
        (
            '{"version": 2, "unheard of": []}',
            "written by a newer tokenlint (version 2 of the format, and this one knows up to 1); "
            "update tokenlint",
        ),
        ("[]", NO_BASELINE),
        ('{"name": "x", "version": "1.0.0"}', NO_BASELINE),
        ('{"version": true, "entries": []}', NO_BASELINE),
        ('{"version": 1, "entries": {}}', NO_BASELINE),
        ('{"version": 1, "entries": [3]}', f"entry 1 is damaged{RESTORE}"),
        (with_entry(), f"entry 1 is damaged{RESTORE}"),
        (
            '{"version": 1, "entries": [{"path": "a", "count": 1}]}',
            f"entry 1 is damaged{RESTORE}",
        ),
        (with_entry(count=0), f"entry 1 is damaged{RESTORE}"),
        (with_entry(count=1.5), f"entry 1 is damaged{RESTORE}"),
        (with_entry(count=True), f"entry 1 is damaged{RESTORE}"),
        (with_entry(count=1, path=""), f"entry 1 is damaged{RESTORE}"),
        (with_entry(count=1, path=7), f"entry 1 is damaged{RESTORE}"),
        (with_entry(count=1, line=7), f"entry 1 is damaged{RESTORE}"),
        (with_entry(count=1, name="a"), f"entry 1 is damaged{RESTORE}"),
        (with_entry(count=1, of="tokens"), f"entry 1 is damaged{RESTORE}"),
        (with_entry(most=1), f"entry 1 is damaged{RESTORE}"),
        (with_entry(of="tokens", most=-1), f"entry 1 is damaged{RESTORE}"),
        (
            with_entry(of="tokens", most=float("inf")),
            f"not valid JSON: Infinity is no number of JSON{RESTORE}",
        ),
    ],
)
def test_a_broken_baseline_is_never_a_pass(text: str, sentence: str) -> None:
    with pytest.raises(TokenlintError) as raised:
        parse(text.encode())
    assert str(raised.value) == sentence


def test_a_baseline_in_another_encoding() -> None:
    with pytest.raises(TokenlintError, match=r"^not UTF-8 \(byte 0xff at offset 0\); restore"):
        parse(TEXT.encode("utf-16"))


TEXTS = st.text(st.characters(), max_size=8)  # lone surrogates among them
NAMED = st.text(st.characters(), min_size=1, max_size=8)
ANY_ENTRY = st.builds(Entry, NAMED, NAMED, content=TEXTS, amount=st.integers(1, 9)) | st.builds(
    Entry, NAMED, NAMED, NAMED, TEXTS, TEXTS, st.floats(0, 1e9) | st.integers(0, 10**6)
)


@given(st.lists(ANY_ENTRY, max_size=8))
def test_what_is_written_is_read(entries: list[Entry]) -> None:
    composed = [replace(entry, path=parse_path(entry.path)) for entry in entries]
    once = gathered(composed)
    text = written(once)
    assert parse(text.encode()) == once
    assert text.isascii()
    assert len(text.splitlines()) == len(once) + 2


def parse_path(path: str) -> str:
    """A path as every entry has it: in NFC, as Python's own tables say."""
    import unicodedata

    return unicodedata.normalize("NFC", path)


def test_findings_alike_are_added_up_and_of_figures_the_largest_holds() -> None:
    one, figure = ENTRIES[0], ENTRIES[1]
    assert gathered([figure, one, replace(figure, amount=300), one]) == (
        replace(one, amount=4),
        replace(figure, amount=300),
    )


# The laws of accepting, on texts that the rules read

RULES_OF_TEXT = tuple(rule for rule in RULES if rule.code < "TL3" or rule.code > "TL4")
LINES = st.sampled_from(
    [
        "plain",
        "Ba\u0323n",
        "a <|im_end|>",
        "b <|im_end|>",
        "<|im_start|>u<|im_end|>",
        "x\u200by",
        "",
    ]
)
FILES = st.dictionaries(
    st.sampled_from(["a.md", "b.md", "c/d.md"]), st.lists(LINES, max_size=7), min_size=1
)


def findings(path: str, lines: Iterable[str]) -> tuple[Document, tuple[Finding, ...]]:
    document = Document(path, "\n".join(lines))
    return document, lint(document, RULES_OF_TEXT, Context()).findings


def judge(ledger: Ledger, files: Mapping[str, list[str]]) -> list[Finding]:
    new: list[Finding] = []
    for path in files:
        ledger.look_at(Path(path), ())  # no file is gone that is about to be judged
    for path, lines in files.items():
        document, found = findings(path, lines)
        new += ledger.judge(Path(path), found, document)
        ledger.look_at(Path(path), [rule.code for rule in RULES_OF_TEXT])
        ledger.settle()
    return new


def baseline(files: Mapping[str, list[str]]) -> Ledger:
    """A baseline that was written for files and read again."""
    recorder = Ledger(HERE / "baseline.json", HERE, accepts_all=True)
    assert judge(recorder, files) == []
    entries = parse(written(recorder.renewed(lambda _: ())).encode())
    return Ledger(HERE / "baseline.json", HERE, entries)


@given(FILES, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_what_was_accepted_is_not_new_wherever_its_lines_move(files: Any, random: Any) -> None:
    ledger = baseline(files)
    shuffled = [(path, random.sample(lines, len(lines))) for path, lines in files.items()]
    random.shuffle(shuffled)
    assert judge(ledger, dict(shuffled)) == []
    assert ledger.absent(lambda _: ()) == 0
    assert ledger.renewed(lambda _: ()) == ledger.entries


@given(FILES, st.data())
@settings(max_examples=60)
def test_one_more_is_one_new_finding_the_last_of_those_alike(files: Any, data: Any) -> None:
    ledger = baseline(files)
    path = data.draw(st.sampled_from(sorted(files)))
    at = data.draw(st.integers(0, len(files[path])))
    lines = [*files[path][:at], "a <|im_end|>", *files[path][at:]]
    new = judge(ledger, {**files, path: lines})
    assert [(finding.path, finding.code) for finding in new] == [(path, "TL201")]
    document, _ = findings(path, lines)
    last = len(lines) - 1 - lines[::-1].index("a <|im_end|>")
    assert document.location(new[0].start).row == last + 1


@given(FILES)
@settings(max_examples=40)
def test_renamed_files_keep_what_was_accepted_in_them(files: Any) -> None:
    ledger = baseline(files)
    assert judge(ledger, {f"new/{path}": lines for path, lines in files.items()}) == []
    everywhere = [rule.code for rule in RULES_OF_TEXT]
    assert ledger.absent(lambda _: everywhere) == 0
    assert [entry.path for entry in ledger.renewed(lambda _: everywhere)] == [
        f"new/{entry.path}" for entry in ledger.entries
    ]


@given(FILES, FILES)
@settings(max_examples=60)
def test_every_finding_is_new_or_accepted_and_every_entry_met_or_absent(
    before: Any, after: Any
) -> None:
    ledger = baseline(before)
    accepted = sum(entry.amount for entry in ledger.entries)
    new = judge(ledger, after)
    found = sum(len(findings(path, lines)[1]) for path, lines in after.items())
    assert len(new) + len(ledger.met) == found
    everywhere = [rule.code for rule in RULES_OF_TEXT]
    assert len(ledger.met) + ledger.absent(lambda _: everywhere) == accepted
    again = Ledger(HERE / "baseline.json", HERE, ledger.renewed(lambda _: everywhere))
    assert judge(again, after) == new


def test_a_file_that_is_still_there_gives_nothing_to_another(tmp_path: Path) -> None:
    (tmp_path / "a.md").touch()
    ledger = replace(
        baseline({"a.md": ["a <|im_end|>"]}), file=tmp_path / "b.json", working_folder=tmp_path
    )
    assert [finding.path for finding in judge(ledger, {"b.md": ["a <|im_end|>"]})] == ["b.md"]
    (tmp_path / "a.md").unlink()
    ledger = replace(
        baseline({"a.md": ["a <|im_end|>"]}), file=tmp_path / "b.json", working_folder=tmp_path
    )
    assert judge(ledger, {"b.md": ["a <|im_end|>"]}) == []
    assert [finding.path for finding in judge(ledger, {"c.md": ["a <|im_end|>"]})] == ["c.md"]


def figure(value: float, name: str, text: str) -> Finding:
    measured = Measured(value, ("tokens", "each"), "o200k_base", name, text=text)
    return Finding("a.jsonl", 0, 1, "TL301", "over-budget", "too much", measured=measured)


def test_a_prompt_that_moved_in_its_file_takes_its_figure_along() -> None:
    before = [figure(50, "[0]", "long"), figure(40, "[1]", "short")]
    recorder = Ledger(HERE / "baseline.json", HERE, accepts_all=True)
    document = Document("a.jsonl", "xyz")
    recorder.judge(Path("a.jsonl"), before, document)
    recorder.settle()
    ledger = Ledger(HERE / "baseline.json", HERE, recorder.renewed(lambda _: ()))
    now = [figure(45, "[0]", "new"), figure(50, "[1]", "long"), figure(41, "[2]", "short!")]
    new = ledger.judge(Path("a.jsonl"), now, document)
    assert [finding.message for finding in new] == ["too much"]
    assert new[0].measured == now[2].measured
