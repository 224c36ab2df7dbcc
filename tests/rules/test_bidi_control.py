"""TL402: controls that show text in a false order, and the pairs that cannot."""

from __future__ import annotations

import pytest

from tokenlint.linter import lint
from tokenlint.rules import Context, bidi_control
from tokenlint.tokens import Document

LRE, RLE, PDF, LRO, RLO = "\u202a\u202b\u202c\u202d\u202e"
LRI, RLI, FSI, PDI = "\u2066\u2067\u2068\u2069"


def found(text: str) -> list[tuple[int, str]]:
    """Offset and message of each finding."""
    document = Document("a.md", text)
    findings = list(bidi_control.check(document, Context()))
    assert list(lint(document, [bidi_control.RULE], Context()).findings) == findings
    assert all((f.end, f.fix, f.level) == (f.start + 1, None, "error") for f in findings)
    return [(f.start, f.message.removeprefix("bidirectional control ")) for f in findings]


CLEAN = {
    "no control": "שלום C++",
    "marks, which are TL401": "שלום \u200eC++\u200e \u200f",
    "a latin name in hebrew": f"המוצר {LRI}iPhone 15 (Pro){PDI} חדש",
    "a number in arabic": f"الهاتف {LRI}+972-3-555{PDI}.",
    "an older latin name in arabic": f"لغة {LRE}C++{PDF} هي",
    "hebrew in english": f"the word {RLI}שלום (עולם){PDI} means peace",
    "older persian in english": f"the word {RLE}سلام!{PDF} means hello",
    "a placeholder that a translation library wraps": f"שלום {FSI}Anna{PDI}, {FSI}{PDI}",
    "one in another": f"א {RLI}ב {LRI}C#{PDI} ג{PDI}",
    "hebrew a hundred characters further on": f"{LRI}abc{PDI}{'.' * 99}שלום",
    "hebrew a hundred characters before": f"שלום{'.' * 99}{LRI}abc{PDI}",
    "hebrew inside of it, and nowhere else": f"x {LRI}a שלום{PDI} x",
    "two lines": f"א {LRI}a{PDI}\nב {LRI}b{PDI}",
}


@pytest.mark.parametrize("text", CLEAN.values(), ids=CLEAN)
def test_clean(text: str) -> None:
    assert found(text) == []


NAMES = {
    LRE: "U+202A LEFT-TO-RIGHT EMBEDDING",
    RLE: "U+202B RIGHT-TO-LEFT EMBEDDING",
    PDF: "U+202C POP DIRECTIONAL FORMATTING",
    LRO: "U+202D LEFT-TO-RIGHT OVERRIDE",
    RLO: "U+202E RIGHT-TO-LEFT OVERRIDE",
    LRI: "U+2066 LEFT-TO-RIGHT ISOLATE",
    RLI: "U+2067 RIGHT-TO-LEFT ISOLATE",
    FSI: "U+2068 FIRST STRONG ISOLATE",
    PDI: "U+2069 POP DIRECTIONAL ISOLATE",
}
FALSE_ORDER = "shows text in another order than it is read"
FALSE_DIRECTION = "says another direction than its text has"
USELESS = "has no right-to-left text in it or beside it"
OPEN = "is not closed on its line"
ALONE = "closes nothing on its line"


@pytest.mark.parametrize("control", NAMES)
def test_alone(control: str) -> None:
    why = ALONE if control in (PDF, PDI) else OPEN
    assert found(f"a{control}b") == [(1, f"{NAMES[control]} {why}")]
    assert found(f"א{control}ב") == [(1, f"{NAMES[control]} {why}")]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{RLO}txt.exe{PDF}", FALSE_ORDER),
        (f"{LRO}שלום{PDF}", FALSE_ORDER),
        (f"{RLI}if admin{PDI} שלום", FALSE_DIRECTION),
        (f"{RLE}123{PDF} שלום", FALSE_DIRECTION),
        (f"{LRI}שלום abc{PDI}", FALSE_DIRECTION),
        (f"{LRE}שלום{PDF} abc", FALSE_DIRECTION),
        (f"{LRI}abc{PDI} def", USELESS),
        (f"{FSI}Anna{PDI}, hello", USELESS),
        (f"{LRI}abc{PDI}{'.' * 100}שלום", USELESS),
    ],
)
def test_pairs(text: str, why: str) -> None:
    opener, closer = text[0], PDI if PDI in text else PDF
    assert found(text) == [
        (0, f"{NAMES[opener]} {why}"),
        (text.index(closer), f"{NAMES[closer]} closes the U+{ord(opener):04X} before it"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"א {LRI}a\n{PDI}", [(2, NAMES[LRI], OPEN), (5, NAMES[PDI], ALONE)]),
        (f"א {LRI}a\u2029{PDI}", [(2, NAMES[LRI], OPEN), (5, NAMES[PDI], ALONE)]),
        (f"א {LRI}a{PDF}", [(2, NAMES[LRI], OPEN), (4, NAMES[PDF], ALONE)]),
        (f"א {LRE}a{PDI}", [(2, NAMES[LRE], OPEN), (4, NAMES[PDI], ALONE)]),
        (f"א {LRI}{LRE}a{PDI}", [(3, NAMES[LRE], OPEN)]),
        (f"א {LRI}a{PDI}{PDI}", [(5, NAMES[PDI], ALONE)]),
        (f"א {LRE}{LRI}a{PDI}{PDI}{PDF}", [(6, NAMES[PDI], ALONE)]),
    ],
)
def test_what_closes_what(text: str, expected: list[tuple[int, str, str]]) -> None:
    assert found(text) == [(at, f"{name} {why}") for at, name, why in expected]


def test_code_that_looks_like_a_comment() -> None:
    text = f"/*{RLO} }} {LRI}if (admin){PDI} {LRI} begin admins only */\n"
    assert [at for at, _ in found(text)] == [2, 6, 17, 19]


def test_deeper_than_any_display_goes_is_never_harmless() -> None:
    assert found(RLI * 125 + "א" + PDI * 125) == []
    assert found(RLI * 126 + "א" + PDI * 126) == [
        (125, f"{NAMES[RLI]} is nested deeper than 125 levels, which nothing shows"),
        (127, f"{NAMES[PDI]} closes the U+2067 before it"),
    ]
