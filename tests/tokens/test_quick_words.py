"""The quick ways to count words give what the properties of `regex` give."""

from __future__ import annotations

import unicodedata
from itertools import product
from typing import TYPE_CHECKING

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.tokens import long_words, quick_words, word_bits
from tokenlint.tokens.word_bits import Tally, tallies
from tokenlint.tokens.words import GRAPHEME, UNSPACED_LETTER, WORD, Words, compiled, count_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ODD = st.sampled_from(
    [
        *("'", "\u2019", "\u00b7", "\u0387", "\u200c", "\u200d", "\u0301", "\u0323", "\ufe0f"),
        *("\u0e33", "\u0e34", "\u0ec8", "\u3099", "\u1100", "\u1161", "\u11a8", "\uac00"),
        *("\uac01", "\u0915\u094d\u0937", "\u0958", "\u0bcd", "\u4f60", "\u3007", "\u30d2"),
        *("\u30fc", "\uff76", "\uff9e", "\u0e20", "\u0e51", "\u1004", "\u1025\u102e", "\u0f40"),
        *("\u0f43", "\u0600", "\u0661", "\u00bd", "\u212b", "\uf900", "\ufb1d", "\u037e"),
        *("\U0001f44d", "\U0001f468\u200d\U0001f4bb", "\U0001f100", "\U0001fbf1", "\U00020000"),
        *("\U0001d400", "\U000e0041", "\ud83d", "\udc4d", "\r\n", " ", "\x1c", "_", "=\u0338"),
    ]
)
TEXTS = st.lists(st.characters(codec="utf-8") | ODD | st.sampled_from("ab1' \n")).map("".join)


def slowly(text: str) -> Words:
    """The words as the properties of each character have them."""
    text = unicodedata.normalize("NFC", text)

    def count(pattern: str) -> int:
        return len(regex.findall(pattern, text, regex.VERSION1))

    if 2 * count(UNSPACED_LETTER) > count(r"\p{L}"):
        return Words(count(GRAPHEME), "grapheme")
    return Words(count(WORD), "word")


def refuse(part: str) -> Tally:
    raise AssertionError(f"{part!r} was left to the slow way")


def figures(text: str, slow: Callable[[str], Tally], size: int = word_bits.PART) -> Iterator[Tally]:
    """What the quick way finds, as `words` asks for it."""
    return tallies(text, long_words.kinds, slow, size, in_nfc=long_words.kinds_in_nfc)


@pytest.fixture(autouse=True)
def long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text is taken for a long one."""
    monkeypatch.setattr(quick_words, "WORTH_IT", 0)


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii(text: str) -> None:
    assert quick_words.ascii_words(text) == slowly(text).count == count_words(text).count
    found = list(figures(text, refuse))
    assert sum(tally.letters for tally in found) == quick_words.ascii_letters(text)


@settings(max_examples=300)
@given(text=TEXTS)
def test_any_text(text: str) -> None:
    assert count_words(text) == slowly(text)


@settings(max_examples=200)
@given(text=TEXTS, size=st.integers(1, 20))
def test_parts_of_any_size_come_to_the_whole(text: str, size: int) -> None:
    assert "".join(part for part, _ in word_bits._parts(text, size)) == text
    found = figures(text, long_words.slowly, size)
    expected = len(regex.findall(WORD, unicodedata.normalize("NFC", text), regex.VERSION1))
    assert sum(tally.words for tally in found) == expected


NEIGHBOURS = ("", "a", "1", " ", "'", "a'", "\u4f60", "\u0301", "\u0e34", "\u0915")


def test_each_character_between_others() -> None:
    """Lines of a block are compared as a whole, and one by one only where that differs."""
    for block in (*range(0xD8), *range(0xE0, 0x200), *range(0x2F8, 0x2FB), 0xE00, 0xE01, 0x10FF):
        chars = [chr(number) for number in range(block << 8, (block + 1) << 8)]
        lines = [
            f"{before}{form}{behind}\n"
            for char, (before, behind) in zip(chars * 2, two(block), strict=False)
            for form in {char, unicodedata.normalize("NFD", char)}
        ]
        differ = [line for line in lines if quickly(line) != slow_words(line)]
        assert differ == [], hex(block)


def two(block: int) -> list[tuple[str, str]]:
    """Neighbours of the characters of a block: other ones for each, and each has two pairs."""
    pairs = list(product(NEIGHBOURS, (*NEIGHBOURS[:6], "'a", "\u4f60")))
    return [pairs[(7 * number + block) % len(pairs)] for number in range(512)]


def quickly(line: str) -> int:
    return sum(tally.words for tally in figures(line, long_words.slowly))


def slow_words(line: str) -> int:
    composed = unicodedata.normalize("NFC", line)
    return sum(1 for _ in compiled(WORD).finditer(composed))


def test_blocks_that_are_taken_to_be_alike_are() -> None:
    for family in word_bits._ALIKE:
        for kinds_of in (long_words.kinds, long_words.kinds_in_graphemes):
            assert len({word_bits._row(block, kinds_of) for block in family}) == 1


@pytest.mark.parametrize(
    "text",
    [
        "plain ASCII, it's 5'6 ",
        "Nguy\u1ec5n Ba\u0323n \u201cna\u00efve\u201d \u2014 x\u2019y \u00a9 \u00bd\n",
        "\u0420\u0443\u0441\u0441\u043a\u0438\u0439 \u0627\u0644\u0639\u064e\u0631\u0628\u061f ",
        "\u4f60\u597d\u3002\u30ab\u30fc\u30c9 \ud55c\uad6d\uc5b4 \u0e44\u0e17\u0e22 ",
        "\u0939\u093f\u0928\u094d\u0926\u0940\u0964 \u2764\ufe0f \U0001f44d\U0001f3fd ",
        "\u1112\u1161\u11ab\u1100\u116e\u11a8 e\u0302 \u1161 it's \u11a8\u1161 ",
        "\u1019\u103c\u1014\u103a\u1019\u102e\u104b \u1025\u102e ",
        "\U0001d400\u0301's \U0001d7ce1 x\U0001d11e \U00020000\U0002f800 \U000e0101 ",
    ],
)
def test_common_text_is_not_left_to_the_slow_way(text: str) -> None:
    for copies in (1, 300):
        found = figures(text * copies, refuse)
        assert sum(tally.words for tally in found) == slow_words(text * copies)


@pytest.mark.parametrize("end", ["", " ", "\n", "a b"])
@pytest.mark.parametrize(
    "word",
    ["Nguy\u1ec5n ", "\u4f60\u597d\u3002 ", "na\u00efve' 'x ", "a\u00e9", "x", "\u4f60", "1'a"],
)
def test_long_texts_count_like_short_ones(word: str, end: str) -> None:
    long = word * (50_000 // len(word) + 1) + end
    assert count_words(long) == slowly(long)


def test_where_a_text_is_parted() -> None:
    def parted(text: str) -> list[tuple[str, bool]]:
        return list(word_bits._parts(text, 2))

    assert parted("abcd") == [("ab", True), ("cd", False)]
    assert parted("a'b'c d") == [("a'b'c", False), (" d", False)]
    assert parted("\u4f60\u597d\u4f60") == [("\u4f60\u597d", False), ("\u4f60", False)]
    assert parted("\u00e9\u00e9\u00e9 \u00e9") == [
        ("\u00e9\u00e9\u00e9 ", False),
        ("\u00e9", False),
    ]


@pytest.mark.parametrize(
    "kinds_of", [long_words.kinds, long_words.kinds_in_nfc, long_words.kinds_in_graphemes]
)
def test_what_stands_in_is_the_same_to_a_word(kinds_of: word_bits.Kinds) -> None:
    """Also to graphemes, where a letter is none: nothing asks for letters there."""
    plain = kinds_of is not long_words.kinds_in_graphemes
    for kind, char in word_bits._STAND_INS.items():
        if plain or kind in (0, word_bits.WORD):
            assert kinds_of(char) == {char: kind}


def test_what_is_passed_over_beyond_the_plane_is_nothing_to_a_word() -> None:
    chars = [chr(number) for number in range(0x10000, 0x110000)]
    near = "".join(char for char in chars if not word_bits._FAR.match(char))
    assert "\U0001f44d" in near
    assert regex.findall(r"[\p{L}\p{M}\p{N}]|(?=\p{GCB=Prepend})(?s:.)", near) == []


def test_more_scripts_than_one_table_holds() -> None:
    """Then the parts get smaller, and the last ones are counted slowly."""
    text = "".join(chr(number) + " " for number in range(0x80, 0x2000, 3))
    assert count_words(text) == slowly(text)
