"""TL104: strings that are decomposed once their escapes are read."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.linter import lint
from tokenlint.rules import decomposed, decomposed_escape
from tokenlint.rules.base import Context
from tokenlint.tokens import Document


def found(text: str, path: str = "a.json") -> list[tuple[int, int, str, str]]:
    """Row, column, the text that was found, and the message of each finding."""
    document = Document(path, text)
    findings = list(decomposed_escape.check(document, Context()))
    assert list(lint(document, [decomposed_escape.RULE], Context()).findings) == findings
    assert all(
        (one.path, one.code, one.level, one.fix) == (path, "TL104", "error", None)
        for one in findings
    )
    return [
        (*document.location(one.start), text[one.start : one.end], one.message) for one in findings
    ]


CLEAN = {
    "empty": ("a.json", ""),
    "no escapes": ("a.json", '{"a": "caf\u00e9"}'),
    "composed": ("a.json", r'"caf\u00e9 \u1ec7 \ud55c"'),
    "python": ("a.py", 'A = "cafe\\u0301"'),
    "typescript": ("a.ts", 'const a = "cafe\\u0301";'),
    "markdown": ("a.md", '"cafe\\u0301"'),
    "raw, which is TL101": ("a.json", '"\\n cafe\u0301 \\n"'),
    "raw in part, which is TL101": ("a.json", '"cafe\u0301\\u0323"'),
    "escaped backslash": ("a.json", r'"cafe\\u0301"'),
    "yoruba and igbo": ("a.json", r'"\u1ecd\u0300r\u1ecd\u0300 \u1ecb\u0300"'),
    "nukta": ("a.json", r'"\u0915\u093c \u0958"'),
    "emoji": ("a.json", r'"\ud83d\udc68\u200d\ud83d\udc69 \u2764\ufe0f"'),
    "singletons, which are TL102": ("a.json", r'"\u212b \u212a"'),
    "marks alone": ("a.json", r'"\u0301" "\u0301a" "a\n\u0301"'),
    "surrogates": ("a.json", r'"bad \ud83d\u0301 end"'),
    "plain and single-quoted YAML": ("a.yaml", "a: cafe\\u0301\nb: 'cafe\\u0301'\n"),
    "literal TOML": ("a.toml", "a = 'cafe\\u0301' # \"e\\u0301\"\n"),
}


@pytest.mark.parametrize(("path", "text"), CLEAN.values(), ids=CLEAN)
def test_clean(path: str, text: str) -> None:
    assert found(text, path) == []


READ = "decomposed text once JSON escapes are read:"
ACUTE = "U+00E9 LATIN SMALL LETTER E WITH ACUTE in NFC"
HIGH = r"\ud800\udf76\ud800\uddfd" * 300  # U+10376 and U+101FD, which stand in the other order
DECOMPOSED = {
    "two pairs of surrogates": ("a.json", r'"\ud804\udc99\ud804\udcba"', [
        (1, 2, r"\ud804\udc99\ud804\udcba",
         rf'{READ} "\ud804\udc99\ud804\udcba" is U+1109A KAITHI LETTER DDDHA in NFC'),
    ]),
    "a mark": ("a.json", r'{"a": "cafe\u0301"}', [
        (1, 11, r"e\u0301", rf'{READ} "e\u0301" is {ACUTE}'),
    ]),
    "a letter and its mark": ("a.jsonl", '"x"\n"\\u0065\\u0301"', [
        (2, 2, r"\u0065\u0301", rf'{READ} "\u0065\u0301" is {ACUTE}'),
    ]),
    "a letter, and a raw mark": ("a.json", '"\\u0065\u0301"', [
        (1, 2, "\\u0065\u0301", rf'{READ} "\u0065<U+0301>" is {ACUTE}'),
    ]),
    "a raw letter that is composed": ("a.json", '"\u01a1\\u0323"', [
        (1, 2, "\u01a1\\u0323", rf'{READ} "<U+01A1>\u0323" is '
         "U+1EE3 LATIN SMALL LETTER O WITH HORN AND DOT BELOW in NFC"),
    ]),
    "several characters": ("a.json", r'"o\u031e\u0303"', [
        (1, 2, r"o\u031e\u0303", rf'{READ} "o\u031e\u0303" is U+00F5 U+031E in NFC'),
    ]),
    "hangul": ("a.json", r'"\u1112\u1161\u11ab\u1100\u116e"', [
        (1, 2, r"\u1112\u1161\u11ab",
         rf'{READ} "\u1112\u1161\u11ab" is U+D55C HANGUL SYLLABLE HAN in NFC'),
        (1, 20, r"\u1100\u116e", rf'{READ} "\u1100\u116e" is U+AD6C HANGUL SYLLABLE GU in NFC'),
    ]),
    "beside raw text": ("a.json", '"e\u0301 e\\u0301"', [
        (1, 5, r"e\u0301", rf'{READ} "e\u0301" is {ACUTE}'),
    ]),
    "after an escaped line end": ("a.json", r'"a\ne\u0301"', [
        (1, 5, r"e\u0301", rf'{READ} "e\u0301" is {ACUTE}'),
    ]),
    "a run that is too long": ("a.json", '"e' + r"\u0301\u0323" * 300 + '"', [
        (1, 2, "e" + r"\u0301\u0323" * 300, f"{READ} 601 characters in a run that is not NFC"),
    ]),
    "yaml": ("a.yml", 'a: "cafe\\\n  \\u0301"\n', [
        (1, 8, "e\\\n  \\u0301",
         'decomposed text once YAML escapes are read: '
         rf'"e\<U+000A>  \u0301" is {ACUTE}'),
    ]),
    "too many marks of a higher plane": ("a.json", f'"a{HIGH}"', [
        (1, 2, f"a{HIGH}", f"{READ} 601 characters in a run that is not NFC"),
    ]),
    "toml": ("a.toml", 'a = "cafe\\u0301"\n', [
        (1, 9, r"e\u0301", rf'decomposed text once TOML escapes are read: "e\u0301" is {ACUTE}'),
    ]),
}  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), DECOMPOSED.values(), ids=DECOMPOSED)
def test_decomposed(path: str, text: str, expected: list[tuple[int, int, str, str]]) -> None:
    assert found(text, path) == expected


def test_every_composed_character_is_found_in_its_escaped_nfd() -> None:
    composed = [
        char
        for char in map(chr, [*range(0xC0, 0xD7A4), *range(0xF900, 0x20000)])
        if unicodedata.normalize("NFD", char) != char == unicodedata.normalize("NFC", char)
    ]
    assert len(composed) > 12_000
    written = [json.dumps(unicodedata.normalize("NFD", char)) for char in composed]
    hits = found("\n".join(written))
    assert [hit[2] for hit in hits] == [text.strip('"') for text in written]


TANGLE = st.text("aeo \n\"\\\u0301\u0302\u0323\u031b\u0327\u0338\u1112\u1161\u11ab\uad6c"
                 "\u0bc6\u0bbe\u0958\u093c\u212b\u00e9\u1ee3\U0001d15e", max_size=20)  # fmt: skip


@given(TANGLE)
def test_what_json_escapes_is_found_like_what_it_does_not(text: str) -> None:
    raw = decomposed.check(Document("a.md", f'"{text}"'), Context())
    spelled = [f'"{text}"'[one.start : one.end] for one in raw]
    hits = [json.loads(f'"{hit[2]}"') for hit in found(json.dumps(text))]
    assert hits == spelled


@given(TANGLE)
def test_what_json_does_not_escape_is_left_to_tl101(text: str) -> None:
    assert found(json.dumps(text, ensure_ascii=False)) == []
