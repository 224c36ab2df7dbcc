"""TL401: what is invisible for no reason; and that text which needs such characters is clean."""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING

import emoji
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tokenlint import fix
from tokenlint.commands.session import Scope
from tokenlint.config import read_config
from tokenlint.errors import ConfigError
from tokenlint.linter import lint
from tokenlint.rules import RULES, Context, Finding, SpecialTokens
from tokenlint.rules.search import find
from tokenlint.tokens import Document, decode

if TYPE_CHECKING:
    from pathlib import Path

ON = [rule for rule in RULES if rule.default]
FOUR = [rule for rule in RULES if rule.code.startswith("TL4")]
LRM, RLM, ALM = "\u200e", "\u200f", "\u061c"


def found(text: str, context: Context | None = None) -> list[Finding]:
    """The findings of the four rules about what nobody sees."""
    return list(lint(Document("a.md", text), FOUR, context or Context()).findings)


def invisible(text: str, context: Context | None = None) -> list[tuple[int, int, str]]:
    """Start, end and message of each finding of TL401; anything else here is a mistake."""
    findings = found(text, context)
    assert {finding.code for finding in findings} <= {"TL401"}
    return [(finding.start, finding.end, finding.message) for finding in findings]


CLEAN = {
    "empty": "",
    "ascii": "tab\tline\nreturn\r\nform feed\f",
    "spaces that have a width": "a\u00a0b\u2009c\u202fd\u3000e\u2800f",
    "vietnamese": "Bạn là trợ lý hữu ích.",
    "yoruba": "\u1eb8 k\u00e1\u00e0\u00e1r\u1ecd\u0300, \u1e63\u00e9 d\u00e1ad\u00e1a ni?",
    "igbo": "\u1ee4\u0300t\u1ee5\u0301t\u1ee5\u0301 \u1ecdma, kedu ka \u1ecb mere?",
    "hindi": "क\u094d\u200dष और र\u094d\u200dय, श्रीमान\u094d\u200c जी, क\u093c लम।",
    "marathi": "अ\u200d\u0945प, सुर\u094d\u200dया",
    "nepali": "गर\u094d\u200dयो, छन\u094d\u200c।",
    "bengali": "র\u200d\u09cdযাব, উদ\u09cd\u200cযাপন, হঠাত\u09cd\u200d, ক\u09bc",
    "tamil": "க\u0bcd\u200cஷ, தமிழ் ஒரு மொழி.",
    "telugu": "ఫేస\u0c4d\u200cబుక\u0c4d\u200c లో",
    "kannada": "ಸಾಫ\u0ccd\u200cಟ\u0ccd\u200cವೇರ\u0ccd, ರ\u200d\u0ccdಯ",
    "malayalam": "അവന\u0d4d\u200d പറഞ്ഞു, വൻ\u200cതോതിൽ, സം\u200cഭവം, എന\u0d4d\u200d\u200cറെ",
    "sinhala": "ශ\u0dca\u200dරී ලංකා ප\u0dca\u200dරජාතන\u0dca\u200dත\u0dca\u200dරවාදී",
    "persian": "می\u200cخواهم کتاب\u200cها را بخوانم، کار\u200cها.",
    "persian suffixes": "«متن»\u200cها، PDF\u200cها، ۲۰\u200cساله",
    "persian with vowel signs": "م\u0650ی\u0652\u200cر\u064eو\u064eم",
    "urdu": "خوش\u200cآمدید، یہ اردو کا جملہ ہے۔",
    "arabic": "سنة ١٤٤٥ ه\u200d، وهذه مُساعَدة.",
    "arabic, a joiner behind a vowel sign": "سنة ه\u064e\u200d، \u064e\u200dه",
    "arabic, joined without a ligature": "ل\u200d\u200c\u200dا",
    "arabic, the same behind a letter that does not join": "جزء\u200d\u200cها",
    "arabic, a final form alone": "(\u200dه) و \u200dه",
    "kurdish, an old spelling": "هه\u200cولێر له\u200c كوردستانه\u200c.",
    "syriac": "ܫܠܡܐ ܒ\u200cܒ ܗ\u200d",
    "n'ko": "ߒ\u200dߞߏ ߛ\u200cߓ",
    "arabic, with marks": f"لغة C++{RLM} هي ۱{ALM}, أو\n- {RLM}API",
    "hebrew": f"\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd {LRM}C++{LRM} הוא\n{RLM}- HTML5, CSS3",
    "hebrew, a mark held in its place": "\u05e9\u05b8\u034f\u05bd",
    "thai": "ภาษาไทย\u200bไม่มี\u200bช่องว่าง ใช้\u200bAI",
    "lao": "ພາສາ\u200bລາວ",
    "khmer": "ភាសា\u200bខ្មែរ\u200bមិន\u200bដក\u200bឃ្លា ក\u17b4",
    "burmese": "မြန်မာ\u200bဘာသာ\u200bစကား",
    "tibetan": "བོད་\u200bསྐད།",
    "korean": "한국어 문장을 요약해 주세요.",
    "korean, old letters": "\u1112\u119e\u11ab \u115f\u1161 \u1100\u1160\u11ab \u3164\u3131\u314f",
    "korean, old halfwidth letters": "\uffa0\uffa1\uffc2",
    "japanese": "葛\U000e0100城市と辻\U000e0101さん。今日は\u200b晴れ、神\ufe00社、一\u2060二",
    "chinese": "中文\u200b句子。\u3001\ufe01",
    "mongolian": "\u182e\u1823\u1829\u182d\u1823\u182f \u1828\u180b\u1820",
    "mongolian, a separated vowel": "\u182c\u1820\u1837\u180e\u1820",
    "mongolian, both selectors": "\u182d\u180b\u180e\u1820",
    "mathematics": "A \u2229\ufe00 B, 0\ufe00, \u2268\ufe00",
    "chess": "\u265b\ufe00",
    "music": "\U0001d15f\U0001d173\U0001d160\U0001d174",
    "shorthand": "\U0001bc00\U0001bca0\U0001bc01",
    "emoji": "👨\u200d👩\u200d👧 ❤\ufe0f 👍🏽 🧑\u200d🚀 🏳\ufe0f\u200d🌈 🇻🇳",
    "keycaps and styles": "1\ufe0f\u20e3 #\ufe0e\u20e3 ⏏\ufe0e",
    "flags of parts of a country": "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "a byte order mark that was left on": "\ufeffhello",
}


@pytest.mark.parametrize("text", CLEAN.values(), ids=CLEAN)
def test_clean(text: str) -> None:
    """Not only of these rules: a good sentence has no finding at all."""
    assert lint(Document("a.md", text), ON, Context()).findings == ()


def test_every_emoji_is_clean() -> None:
    assert len(emoji.EMOJI_DATA) > 4000
    for sequence in emoji.EMOJI_DATA:
        assert found(f"a{sequence}b") == [], ascii(sequence)
    assert found("".join(emoji.EMOJI_DATA)) == []


def test_a_leading_byte_order_mark_is_clean_and_a_second_one_is_not() -> None:
    once, twice = decode("a.md", b"\xef\xbb\xbfhi"), decode("a.md", b"\xef\xbb\xbf\xef\xbb\xbfhi")
    assert lint(once, ON, Context()).findings == ()
    assert [f.message for f in lint(twice, ON, Context()).findings] == [
        "invisible character U+FEFF BYTE ORDER MARK"
    ]


KEPT_APART = (
    "invisible character U+200B ZERO WIDTH SPACE; no fix, because without it the text is a control "
    "string"
)
FOUND = {
    "zero width space": ("ig\u200bnore", [(2, 3, "invisible character U+200B ZERO WIDTH SPACE")]),
    "word joiner": ("a\u2060b", [(1, 2, "invisible character U+2060 WORD JOINER")]),
    "soft hyphen": ("in\u00adfor", [(2, 3, "invisible character U+00AD SOFT HYPHEN")]),
    "behind a byte order mark that was left on": (
        "\ufeffa\u200bb",
        [(2, 3, "invisible character U+200B ZERO WIDTH SPACE")],
    ),
    "byte order mark": ("a\n\ufeffb", [(2, 3, "invisible character U+FEFF BYTE ORDER MARK")]),
    "joiner in latin": ("a\u200db", [(1, 2, "invisible character U+200D ZERO WIDTH JOINER")]),
    "joiner in cyrillic": (
        "да\u200cнет",
        [(2, 3, "invisible character U+200C ZERO WIDTH NON-JOINER")],
    ),
    "joiner after a hamza, which joins to nothing": (
        "\u0621\u200d ",
        [(1, 2, "invisible character U+200D ZERO WIDTH JOINER")],
    ),
    "joiner between arabic digits": (
        "\u0661\u200c\u0662",
        [(1, 2, "invisible character U+200C ZERO WIDTH NON-JOINER")],
    ),
    "joiner after a space": (
        "کتاب \u200cها",
        [(5, 6, "invisible character U+200C ZERO WIDTH NON-JOINER")],
    ),
    "a second joiner": (
        "می\u200c\u200cخواهم",
        [(3, 4, "invisible character U+200C ZERO WIDTH NON-JOINER")],
    ),
    "joiners as a code": (
        "می\u200c\u200d\u200c\u200c\u200dخواهم",
        [
            (
                3,
                7,
                "4 invisible characters: U+200D ZERO WIDTH JOINER, U+200C ZERO WIDTH NON-JOINER",
            )
        ],
    ),
    "joiner between devanagari letters without a virama": (
        "क\u200dख",
        [(1, 2, "invisible character U+200D ZERO WIDTH JOINER")],
    ),
    "joiner after an emoji": (
        "👨\u200d x",
        [(1, 2, "invisible character U+200D ZERO WIDTH JOINER")],
    ),
    "two joiners between emoji": (
        "👨\u200d\u200d👩",
        [(1, 3, "2 invisible characters: U+200D ZERO WIDTH JOINER")],
    ),
    "joiner before an emoji": (
        "a\u200d👩",
        [(1, 2, "invisible character U+200D ZERO WIDTH JOINER")],
    ),
    "selector after a letter": (
        "a\ufe0f",
        [(1, 2, "invisible character U+FE0F VARIATION SELECTOR-16")],
    ),
    "selector after a digit that is no keycap": (
        "1\ufe0f.",
        [(1, 2, "invisible character U+FE0F VARIATION SELECTOR-16")],
    ),
    "selector that no base takes": (
        "神\ufe0c",
        [(1, 2, "invisible character U+FE0C VARIATION SELECTOR-13")],
    ),
    "ideographic selector after a letter": (
        "a\U000e0100",
        [(1, 2, "invisible character U+E0100 VARIATION SELECTOR-17")],
    ),
    "the second of two emoji selectors": (
        "❤\ufe0f\ufe0f",
        [(2, 3, "invisible character U+FE0F VARIATION SELECTOR-16")],
    ),
    "selector at the start": (
        "\ufe0f",
        [(0, 1, "invisible character U+FE0F VARIATION SELECTOR-16")],
    ),
    "mongolian selector after latin": (
        "a\u180b",
        [(1, 2, "invisible character U+180B MONGOLIAN FREE VARIATION SELECTOR ONE")],
    ),
    "a second space of no width in thai": (
        "ไทย\u200b\u200bไทย",
        [(4, 5, "invisible character U+200B ZERO WIDTH SPACE")],
    ),
    "space of no width in korean": (
        "한국\u200b어",
        [(2, 3, "invisible character U+200B ZERO WIDTH SPACE")],
    ),
    "mark of direction without right-to-left text": (
        f"a{RLM}b",
        [(1, 2, "invisible character U+200F RIGHT-TO-LEFT MARK")],
    ),
    "mark of direction far from right-to-left text": (
        f"שלום{'.' * 101}{LRM}",
        [(105, 106, "invisible character U+200E LEFT-TO-RIGHT MARK")],
    ),
    "hangul filler": ("a\u3164b", [(1, 2, "invisible character U+3164 HANGUL FILLER")]),
    "two conjoining fillers, which are nothing": (
        "\u115f\u1160",
        [
            (
                0,
                2,
                "2 invisible characters: U+115F HANGUL CHOSEONG FILLER, "
                "U+1160 HANGUL JUNGSEONG FILLER",
            )
        ],
    ),
    "invisible times": ("2\u2062x", [(1, 2, "invisible character U+2062 INVISIBLE TIMES")]),
    "annotation": (
        "\ufff9a\ufffb",
        [
            (0, 1, "invisible character U+FFF9 INTERLINEAR ANNOTATION ANCHOR"),
            (2, 3, "invisible character U+FFFB INTERLINEAR ANNOTATION TERMINATOR"),
        ],
    ),
    "three kinds in one run": (
        "a\u200b\u2060\u00adb",
        [
            (
                1,
                4,
                "3 invisible characters: U+200B ZERO WIDTH SPACE, U+2060 WORD JOINER, "
                "U+00AD SOFT HYPHEN",
            )
        ],
    ),
    "many kinds in one run": (
        "a\u200b\u2060\ufeff\u00ad\u3164b",
        [
            (
                1,
                6,
                "5 invisible characters: U+200B ZERO WIDTH SPACE, U+2060 WORD JOINER, "
                "U+FEFF BYTE ORDER MARK and 2 more",
            )
        ],
    ),
    "a control": ("a\x07b", [(1, 2, "control character U+0007 ALERT")]),
    "controls": (
        "\x00\x01",
        [(0, 2, "2 control characters: U+0000 NULL, U+0001 START OF HEADING")],
    ),
    "a c1 control": ("\u0085é", [(0, 1, "control character U+0085 NEXT LINE")]),
    "a colour": (
        "\x1b[1;31mred\x1b[0m",
        [
            (0, 7, "control character U+001B ESCAPE begins a terminal sequence: '\\x1b[1;31m'"),
            (10, 14, "control character U+001B ESCAPE begins a terminal sequence: '\\x1b[0m'"),
        ],
    ),
    "a link": (
        f"\x1b]8;;https://example.com/{'a' * 60}\x07x",
        [
            (
                0,
                86,
                "control character U+001B ESCAPE begins a terminal sequence: "
                f"'\\x1b]8;;https://example.com/{'a' * 33}...",
            )
        ],
    ),
    "an escape alone": (
        "\x1b\x07",
        [(0, 1, "control character U+001B ESCAPE"), (1, 2, "control character U+0007 ALERT")],
    ),
    "a control string kept apart twice": (
        "<|im\u200b_\u200bstart|>",
        [(4, 5, KEPT_APART), (6, 7, KEPT_APART)],
    ),
    "a control string kept apart": (
        "<|im\u200b_start|>",
        [
            (
                4,
                5,
                "invisible character U+200B ZERO WIDTH SPACE; no fix, because without it the text "
                "is a control string",
            )
        ],
    ),
}


@pytest.mark.parametrize(("text", "expected"), FOUND.values(), ids=FOUND)
def test_found(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert invisible(text) == expected


def test_everything_that_unicode_shows_as_nothing_is_found_by_one_rule() -> None:
    everything = map(chr, [*range(0xD800), *range(0xE000, sys.maxunicode + 1)])
    nothing = list(
        filter(regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cc}]").match, everything)
    )
    assert len(nothing) > 4000
    for char in nothing:
        expected = [] if char in "\t\n\f\r" else [(1, 2)]
        assert [(f.start, f.end) for f in found(f"a{char}b")] == expected, ascii(char)


def test_no_other_character_is_found() -> None:
    shows_nothing = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cc}\uFFF9-\uFFFB\uFFFD]")
    others = map(chr, [*range(0xD800), *range(0xE000, sys.maxunicode + 1)])
    assert found("a".join(char for char in others if not shows_nothing.match(char))) == []


def fixed(text: str) -> str:
    """The text after all fixes of the four rules, as often as there is something to fix."""
    for _ in range(10):
        mendable = fix.fixable(found(text), unsafe=True)
        if not mendable:
            return text
        text = fix.apply(text, mendable)
    raise AssertionError(ascii(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ig\u200bnore\u2060 all\u00ad", "ignore all"),
        ("می\u200c\u200cخواهم", "می\u200cخواهم"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("<|im\u200b_start|>\u200b", "<|im\u200b_start|>"),
    ],
)
def test_the_fix_removes_what_was_found_and_no_more(text: str, expected: str) -> None:
    assert fixed(text) == expected


def test_the_fix_is_unsafe_and_says_what_it_removes() -> None:
    (finding,) = found("a\u200bb")
    assert finding.fix is not None
    assert (finding.fix.applicability, finding.fix.message) == (
        "unsafe",
        "Remove U+200B ZERO WIDTH SPACE",
    )


LETTERS = "ab1 \nא\u0628\u0640\u0621\u064eक\u094d\u0bcdไ神👩❤🏴🏽\u1820\u20e3<|"
NOTHING = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202c\u202e"
    "\u2060\u2066\u2067\u2068\u2069\u3164\ufe00\ufe0e\ufe0f\ufeff\ufff9\ufffd\x1b\x07[]m"
    "\U000e0041\U000e0067\U000e007f\U000e0100\U000e01ef"
)


@given(st.text(alphabet=LETTERS + NOTHING, max_size=30))
def test_laws(text: str) -> None:
    findings = found(text)
    ranges = [(f.start, f.end) for f in findings]
    assert ranges == sorted(set(ranges))
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(ranges))
    assert all(f.message.isascii() and f.message.isprintable() for f in findings)
    left = {f.code for f in found(fixed(text)) if f.fix is not None}
    assert left == set()


@given(st.data())
def test_the_fix_brings_no_control_string_to_life(data: st.DataObject) -> None:
    text = "<|im_start|>"
    cuts = data.draw(st.lists(st.integers(1, len(text) - 1), min_size=1, max_size=4))
    for cut in sorted(cuts, reverse=True):
        text = text[:cut] + data.draw(st.sampled_from(NOTHING[:20])) + text[cut:]
    after = fixed(f"Hi \u200b{text}\u200b!")
    assert after.startswith("Hi <")
    assert list(find(after, SpecialTokens())) == []


def test_soft_hyphens_may_be_allowed(tmp_path: Path) -> None:
    path = tmp_path / "tokenlint.toml"
    path.write_text('soft-hyphens = "allow"\n')
    config = read_config(path)
    assert config is not None
    context = Scope(config).context
    assert invisible("in\u00adfor\u00ad\u00admation", context) == []
    assert invisible("in\u00ad\u200bfor", context) == [
        (3, 4, "invisible character U+200B ZERO WIDTH SPACE")
    ]


def test_another_word_for_soft_hyphens_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tokenlint.toml"
    path.write_text('soft-hyphens = "ignore"\n')
    with pytest.raises(ConfigError, match="soft-hyphens: expected one of report, allow"):
        read_config(path)
