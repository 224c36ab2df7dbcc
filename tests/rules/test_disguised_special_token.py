"""TL202: control strings that appear once something is undone, and what stays silent."""

from __future__ import annotations

import itertools
import json
import re
import sys
import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.linter import lint
from tokenlint.rules import disguised_special_token as rule
from tokenlint.rules._catalogue import LITERALS
from tokenlint.rules.base import Context, SpecialTokens
from tokenlint.rules.escapes import shown
from tokenlint.rules.search import find
from tokenlint.tokens import Document

HIGH = SpecialTokens()
IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")
EVERY = [chr(code) for code in (*range(0xD800), *range(0xE000, sys.maxunicode + 1))]


def found(
    text: str, path: str = "a.md", chosen: SpecialTokens = HIGH
) -> list[tuple[int, int, str, str]]:
    """Row, column, the text that was found, and the message of each finding, in order of place."""
    document = Document(path, text)
    context = Context(special_tokens=chosen)
    findings = sorted(rule.check(document, context))
    assert list(lint(document, [rule.RULE], context).findings) == findings
    assert all(
        (one.path, one.code, one.level, one.fix) == (path, "TL202", "error", None)
        for one in findings
    )
    return [
        (*document.location(one.start), text[one.start : one.end], one.message) for one in findings
    ]


JSON = r'{"system": "\u003c|im_start|\u003esystem"}' + "\n"

CLEAN = {
    "empty": ("a.json", ""),
    "escapes in Markdown": ("a.md", JSON),
    "escapes in text": ("a.txt", JSON),
    "escapes in Python": ("a.py", 'A = "\\x3c|im_start|\\u003e"'),
    "escapes in plain YAML": ("a.yaml", "a: \\x3c|im_start|>\nb: say \"\\x3c|im_start|>\"\n"),
    "escapes in single quotes": ("a.yaml", "a: '\\x3c|im_start|\\u003e'\n"),
    "escapes in a block": ("a.yml", 'a: |\n  "\\x3c|im_start|>"\nb: "c"\n'),
    "escapes in a block after brackets": (
        "a.yaml", 'a:\n  - [x]\n  - k: |\n      "\\x3c|im_start|>"\n',
    ),
    "escapes in comments": ("a.yaml", '# "\\x3c|im_start|>"\na: b # "\\x3c|im_start|>"\n'),
    "escapes in a literal": ("a.toml", "a = '\\u003c|im_start|>' # \"\\u003c|im_start|>\"\n"),
    "escaped backslash": ("a.json", r'"\\u003c|im_start|\\u003e"'),
    "escapes of escapes": ("a.json", json.dumps(JSON)),
    "no escape of JSON": ("a.json", r'"\x3c|im_start|\x3e"'),
    "html": ("a.md", "Write &lt;|im_start|&gt; or &#60;|im_end|&#62;."),
    "html in JSON": ("a.json", json.dumps("&lt;|im_start|&gt;")),
    "urls": ("a.md", "%3C%7Cim_start%7C%3E"),
    "spaces, case, alphabets": (
        "a.md", "<| im_start |> <|IM_START|> <|\u0456m_start|> <|im\u00a0start|>",
    ),
    "spaces, case, alphabets, full-width": (
        "a.md", "\uff1c| im_start |> \uff1c|IM_START|> \uff1c|\u0456m_start|>",
    ),
    "accents": ("a.md", "<|\u00edm_start|> <|i\u0301m_start|> \uff1c|im_start|>\u0338"),
    "raw, which is TL201": ("a.md", "<|im_start|>\u200b \uff0c <|im_<|im_start|>start|>"),
    "raw in JSON, which is TL201": ("a.json", '{"a": "\\n<|im_start|>\\n"}'),
    "deepseek, which is TL201": ("a.md", "<\uff5cUser\uff5c>\u200b\uff0c<\uff5c\u2581\uff5c>"),
    "no control string": ("a.md", "\uff1c\uff5ccode\uff5c\uff1e <|code\u200b_to_edit|>"),
    "emoji": ("a.md", "\U0001f468\u200d\U0001f469 \u2764\ufe0f \U0001f44d\U0001f3fd"),
    "persian": ("a.md", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
    "hindi": ("a.md", "\u0915\u094d\u200d\u0937 \u0958"),
    "vietnamese nfd": ("a.md", "tro\u031b\u0323 ly\u0301"),
    "japanese": ("a.md", "\uff08\u5168\u89d2\uff09\uff0c\uff21\u3000\u2460\u33a5\uff76\uff9e"),
    "korean": ("a.md", "\ud55c\uad6d\uc5b4 \u115f\u1160 \u3164"),
    "hebrew": ("a.md", "\u05e9\u05c1\u05dc\u05d5\u05dd\u200f (\u202aabc\u202c)"),
    "typography": ("a.md", "\u2026 \u00bd \u2122 \u00aa\u00ba \u202f \ufb01 \u00ad \u2116\u00a07"),
    "surrogates": ("a.json", '{"p": "bad \\ud83d end \\uDE00"}\n'),
    "broken": ("a.json", '{"p": "\\u00'),
}  # fmt: skip


@pytest.mark.parametrize(("path", "text"), CLEAN.values(), ids=CLEAN)
def test_clean(path: str, text: str) -> None:
    assert found(text, path) == []


JSON_READ = "once JSON escapes are read"
ZERO_WIDTH = "once invisible characters (U+200B) are removed"
START = '"<|im_start|>"'

DISGUISED = {
    "json": ("a.json", JSON, [
        (1, 13, r"\u003c|im_start|\u003e",
         rf'"\u003c|im_start|\u003e" becomes {START} {JSON_READ}'),
    ]),
    "json lines": ("a.jsonl", '"a"\n"\\u003C|im_start|>"\n', [
        (2, 2, r"\u003C|im_start|>", rf'"\u003C|im_start|>" becomes {START} {JSON_READ}'),
    ]),
    "slashes": ("a.ipynb", r'"[\/INST] x<\/mm:think>"', [
        (1, 2, r"[\/INST]", rf'"[\/INST]" becomes "[/INST]" {JSON_READ}'),
        (1, 12, r"<\/mm:think>", rf'"<\/mm:think>" becomes "</mm:think>" {JSON_READ}'),
    ]),
    "deepseek as json.dumps writes it": (
        "a.json", json.dumps("<\uff5cUser\uff5c>x<\uff5cbegin\u2581of\u2581sentence\uff5c>"), [
            (1, 2, r"<\uff5cUser\uff5c>",
             rf'"<\uff5cUser\uff5c>" becomes "<<U+FF5C>User<U+FF5C>>" {JSON_READ}'),
            (1, 21, r"<\uff5cbegin\u2581of\u2581sentence\uff5c>",
             r'"<\uff5cbegin\u2581of\u2581sentence\uff5c>" becomes '
             rf'"<<U+FF5C>begin<U+2581>of<U+2581>sentence<U+FF5C>>" {JSON_READ}'),
        ],
    ),
    "json5": ("a.json5", r"'<\|im_start\x7c>'", [
        (1, 2, r"<\|im_start\x7c>",
         rf'"<\|im_start\x7c>" becomes {START} once JSON5 escapes are read'),
    ]),
    "yaml": ("a.yaml", 'a: "\\x3c|im_start|\\u003e"\n', [
        (1, 5, r"\x3c|im_start|\u003e",
         rf'"\x3c|im_start|\u003e" becomes {START} once YAML escapes are read'),
    ]),
    "yaml, after a block under a key in single quotes": (
        "a.yaml", "a:\n  'k': |\n    x\n  b: \"\\x3c|im_start|>\"\n", [
            (4, 7, r"\x3c|im_start|>",
             rf'"\x3c|im_start|>" becomes {START} once YAML escapes are read'),
        ],
    ),
    "yaml, over two lines": ("a.yml", 'a: "<|im_\\\n    start|>"\n', [
        (1, 5, "<|im_\\\n    start|>",
         rf'"<|im_\<U+000A>    start|>" becomes {START} once YAML escapes are read'),
    ]),
    "toml": ("a.toml", 'a = """\n\\U0000003c|im_start|>"""\n', [
        (2, 1, r"\U0000003c|im_start|>",
         rf'"\U0000003c|im_start|>" becomes {START} once TOML escapes are read'),
    ]),
    "zero width": ("a.md", "<|im\u200b_start|>\n<|im_start|\u200b>\n<|im_start\u2060|>\n", [
        (1, 1, "<|im\u200b_start|>", f'"<|im<U+200B>_start|>" becomes {START} {ZERO_WIDTH}'),
        (2, 1, "<|im_start|\u200b>", f'"<|im_start|<U+200B>>" becomes {START} {ZERO_WIDTH}'),
        (3, 1, "<|im_start\u2060|>",
         f'"<|im_start<U+2060>|>" becomes {START} once invisible characters (U+2060) are removed'),
    ]),
    "many, none at the ends": ("a.md", "\u200b<\u00ad|im\u200c\u00ad_\ufe0fstart\u200d|>\u200b", [
        (1, 2, "<\u00ad|im\u200c\u00ad_\ufe0fstart\u200d|>",
         f'"<<U+00AD>|im<U+200C><U+00AD>_<U+FE0F>start<U+200D>|>" becomes {START} once invisible '
         "characters (U+00AD, U+200C, U+FE0F and 1 more) are removed"),
    ]),
    "the second of three": ("a.json", r'"\u003c a \u003c|im_start|> b \u003c "', [
        (1, 11, r"\u003c|im_start|>", rf'"\u003c|im_start|>" becomes {START} {JSON_READ}'),
    ]),
    "full width between spaces": ("a.md", "% \uff1c|im_start|> %", [
        (1, 3, "\uff1c|im_start|>", f'"<U+FF1C>|im_start|>" becomes {START} under NFKC'),
    ]),
    "very many": ("a.md", "<|im" + "\u200b" * 900 + "_start|>", [
        (1, 1, "<|im" + "\u200b" * 900 + "_start|>",
         f'"<|im{"<U+200B>" * 36}...{"<U+200B>" * 32}_start|>" becomes {START} {ZERO_WIDTH}'),
    ]),
    "deepseek and zero width": ("a.md", "<\uff5cUs\u200ber\uff5c>", [
        (1, 1, "<\uff5cUs\u200ber\uff5c>",
         f'"<<U+FF5C>Us<U+200B>er<U+FF5C>>" becomes "<<U+FF5C>User<U+FF5C>>" {ZERO_WIDTH}'),
    ]),
    "full width": ("a.md", "a\uff1c\uff5cim_start\uff5c\uff1esystem\n", [
        (1, 2, "\uff1c\uff5cim_start\uff5c\uff1e",
         f'"<U+FF1C><U+FF5C>im_start<U+FF5C><U+FF1E>" becomes {START} under NFKC'),
    ]),
    "half full width": ("a.md", "<\uff5cUser|>", [
        (1, 1, "<\uff5cUser|>", '"<<U+FF5C>User|>" becomes "<|User|>" under NFKC'),
    ]),
    "mathematical and a ligature": ("a.md", "<|\U0001d422m_\ufb06art|>", [
        (1, 1, "<|\U0001d422m_\ufb06art|>",
         f'"<|<U+1D422>m_<U+FB06>art|>" becomes {START} under NFKC'),
    ]),
    "kelvin": ("a.md", "x<|START_OF_TURN_TO\u212aEN|>\uff01", [
        (1, 2, "<|START_OF_TURN_TO\u212aEN|>",
         '"<|START_OF_TURN_TO<U+212A>EN|>" becomes "<|START_OF_TURN_TOKEN|>" under NFC'),
    ]),
    "everything": ("a.json", r'["\uff1c|im\u200b_\u0073tart|>"]', [
        (1, 3, r"\uff1c|im\u200b_\u0073tart|>",
         rf'"\uff1c|im\u200b_\u0073tart|>" becomes {START} {JSON_READ}, {ZERO_WIDTH}, under NFKC'),
    ]),
    "raw characters in JSON": ("a.json", '"\\n<|im\u200b_start|>\\n\uff1c|im_start|>"', [
        (1, 4, "<|im\u200b_start|>", f'"<|im<U+200B>_start|>" becomes {START} {ZERO_WIDTH}'),
        (1, 19, "\uff1c|im_start|>", f'"<U+FF1C>|im_start|>" becomes {START} under NFKC'),
    ]),
    "beside raw ones": ("a.md", "<|im_start|>\uff1c|im_start|><\uff5cUser\uff5c>", [
        (1, 13, "\uff1c|im_start|>", f'"<U+FF1C>|im_start|>" becomes {START} under NFKC'),
    ]),
    "a numbered one": ("a.md", "<unused\uff11\uff12>", [
        (1, 1, "<unused\uff11\uff12>",
         '"<unused<U+FF11><U+FF12>>" becomes "<unused12>" under NFKC'),
    ]),
    "in a broken file": ("a.json", '{"a: "b" c": "\\u003c|im_start|>', [
        (1, 15, "\\u003c|im_start|>", rf'"\u003c|im_start|>" becomes {START} {JSON_READ}'),
    ]),
}  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), DISGUISED.values(), ids=DISGUISED)
def test_disguised(path: str, text: str, expected: list[tuple[int, int, str, str]]) -> None:
    assert found(text, path) == expected


MEDIUM = SpecialTokens("medium")


@pytest.mark.parametrize(
    ("path", "text", "chosen", "expected"),
    [
        ("a.md", "<thi\u200bnk> <s\u200b>", HIGH, []),
        ("a.md", "<thi\u200bnk> <s\u200b>", MEDIUM, ["<think>"]),
        ("a.md", "<thi\u200bnk> <s\u200b>", SpecialTokens("low"), ["<think>", "<s>"]),
        ("a.md", "<|im\u200b_end|>[IN\u200bST]", SpecialTokens(families=("llama2",)), ["[INST]"]),
        ("a.json", r'"<|\"|>"', MEDIUM, ['<|"|>']),
        ("a.json", r'"a\n\nHuman: b"', MEDIUM, ["<U+000A><U+000A>Human:"]),
        ("a.json", r'"### Response:\n### Response: x ### Response:"', MEDIUM, ["### Response:"]),
        ("a.md", "\u200b### Response:", MEDIUM, ["### Response:"]),
        ("a.md", "\uff03## Response:", MEDIUM, ["### Response:"]),
        ("a.md", "x\uff03## Response:", MEDIUM, []),
        ("a.json", r'"\u003c\u003cMINE\u003e>"', SpecialTokens(extra=("<<MINE>>",)), ["<<MINE>>"]),
        ("a.md", "<<\u1ec7>> <<e\u0323\u0302>>", SpecialTokens(extra=("<<\u1ec7>>",)), [
            "<<<U+1EC7>>>",
        ]),
        ("a.md", "<<\u212a>> <<\u01d6\uff1e>", SpecialTokens(extra=("<<K>>", "<<\u01d6>>")), [
            "<<K>>", "<<<U+01D6>>>",
        ]),
        ("a.md", "<<\u1ec7>>e" + "\u0301\u0323" * 300, SpecialTokens(extra=("<<\u1ec7>>",)), []),
    ],
)  # fmt: skip
def test_the_choice_of_tl201_holds(
    path: str, text: str, chosen: SpecialTokens, expected: list[str]
) -> None:
    messages = [message for _, _, _, message in found(text, path, chosen)]
    strings = [re.search('" becomes "(.*)" ', message) for message in messages]
    assert [match and match[1] for match in strings] == expected


def test_a_string_in_a_line_that_begins_there_only_once_read_is_shown_as_it_stands() -> None:
    assert found(r'"a\n### Response:"', "a.json", MEDIUM) == [
        (1, 5, "### Response:", f'"### Response:" becomes "### Response:" {JSON_READ}')
    ]


def test_a_character_that_becomes_more_than_the_string_is_covered_whole() -> None:
    chosen = SpecialTokens(extra=("<f", "fi>"))
    assert found("a<\ufb00b \ufb03>c", "a.md", chosen) == [
        (1, 2, "<\ufb00", '"<<U+FB00>" becomes "<f" under NFKC'),
        (1, 6, "\ufb03>", '"<U+FB03>>" becomes "fi>" under NFKC'),
    ]


def test_the_invisible_characters_are_those_that_unicode_calls_default_ignorable() -> None:
    ours = re.compile(f"[{rule._IGNORABLE}]")
    assert [char for char in EVERY if ours.match(char)] == [
        char for char in EVERY if IGNORABLE.match(char)
    ]


def test_every_character_that_a_normal_form_writes_with_ascii_is_tried() -> None:
    beyond = list(filter(unicodedata.decomposition, EVERY[128:]))
    nfkc = [char for char in beyond if re.search("[\0-\x7f]", unicodedata.normalize("NFKC", char))]
    assert len(nfkc) > 1_600
    assert all(map(re.compile(f"[{rule._COMPATIBLE}]").match, nfkc))
    nfc = [char for char in beyond if re.search("[\0-\x7f]", unicodedata.normalize("NFC", char))]
    assert nfc == sorted(rule._TWINS)


def full_width(string: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in string)


STRINGS = [text for text, (tier, after, _) in LITERALS.items() if tier == "high" and not after]


def test_every_string_is_found_in_full_width() -> None:
    for string in filter(str.isascii, STRINGS):
        written = full_width(string)
        assert [hit[2] for hit in found(f"\u4f60{written}\u597d")] == [written]


def test_every_string_is_found_in_escapes_and_with_something_in_its_middle() -> None:
    assert len(STRINGS) == 488
    for string in STRINGS:
        middle = len(string) // 2
        hidden = f"{string[:middle]}\u200b{string[middle:]}"
        assert [hit[2] for hit in found(f"x{hidden}y")] == [hidden]
        escaped = "".join(f"\\u{ord(char):04x}" for char in string)
        assert [hit[2] for hit in found(f'"x{escaped}y"', "a.json")] == [escaped]


PARTS = st.sampled_from(
    ["<|im_end|>", "<", "|", "im", "_", "end", "|>", ">", "\uff1c", "\uff5c", "\uff1e", "\uff4d",
     "<\uff5cUser\uff5c>", "User", "\u200b", "\u00ad", "\ufe0f", "\u0338", "\u0301", "[THIN", "K]",
     "\u212a]", "K", "\u1e9a", "\u00bd", "\n", " ", "\u4f60", "\ufb06", "<|endoftext", "[MASK",
     "\\u003c", "\\u200b", "\\uff5c", "\\u005c", "\\", "\\n", "\\\\"]
)  # fmt: skip
DISGUISES = st.lists(PARTS, max_size=10).map("".join)


def undone(text: str, path: str) -> list[str]:
    """Everything that pipelines make of a text, by other means than the rule's."""
    if path.endswith(".json"):
        text = regex.sub(r"\\u[0-9a-f]{4}|\\[\\n]", lambda m: json.loads(f'"{m[0]}"'), text)
    bare = IGNORABLE.sub("", text)
    return [text, bare] + [
        unicodedata.normalize(form, one) for form in ("NFC", "NFKC") for one in (text, bare)
    ]


@given(DISGUISES, st.sampled_from(["a.md", "a.json"]), st.sampled_from([HIGH, MEDIUM]))
def test_what_is_found_becomes_what_the_message_says(
    text: str, path: str, chosen: SpecialTokens
) -> None:
    for _, _, written, message in found(text, path, chosen):
        views = [[hit[2] for hit in find(view, chosen)] for view in undone(written, path)]
        said = message.partition('" becomes "')[2].rpartition('" ')[0].partition('" ')[0]
        assert any(hits and shown(hits[0]) == said for hits in views)


@given(DISGUISES, st.sampled_from(["a.md", "a.json"]))
def test_something_is_found_exactly_where_something_appears(text: str, path: str) -> None:
    if any(find(text, HIGH)):
        return  # then some of what appears is TL201
    appears = any(any(find(view, HIGH)) for view in undone(text, path))
    assert bool(found(text, path)) == appears


@given(DISGUISES, st.sampled_from(["a.md", "a.json"]))
def test_nothing_is_reported_twice_and_nothing_of_tl201(text: str, path: str) -> None:
    spans = [(one.start, one.end) for one in rule.check(Document(path, text), Context())]
    spans += [(start, end) for start, end, _ in find(text, HIGH)]
    spans.sort()
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))


def test_of_many_letters_that_compose_each_stands_where_it_stood() -> None:
    text = "a e\u0301 cafe\u0301! o\u0301 cafe\u0301! b"
    message = '"cafe<U+0301>!" becomes "caf<U+00E9>!" under NFC'
    assert found(text, chosen=SpecialTokens(extra=("caf\u00e9!",))) == [
        (1, 6, "cafe\u0301!", message),
        (1, 16, "cafe\u0301!", message),
    ]
