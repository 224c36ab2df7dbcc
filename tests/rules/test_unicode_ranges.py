"""The sets of characters that the rules know without a library are those of Unicode."""

from __future__ import annotations

import sys
import unicodedata

import pytest
import regex

from tokenlint.rules import unicode_ranges as ranges
from tokenlint.rules.invisibles import named

ALL = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
# Characters that are younger than the Unicode data of this Python may be missing from either side.
KNOWN = [char for char in ALL if unicodedata.category(char) != "Cn"]


def having(properties: str, chars: list[str] = KNOWN) -> set[str]:
    """The characters with some properties, according to the regex module."""
    return set(filter(regex.compile(f"(?V1)[{properties}]").match, chars))


def members(line: str, chars: list[str] = KNOWN) -> set[str]:
    """The characters of a set of ours."""
    return set(filter(ranges.member(line), chars))


@pytest.mark.parametrize(
    ("line", "properties"),
    [
        (ranges.DEFAULT_IGNORABLE, r"\p{Default_Ignorable_Code_Point}"),
        (ranges.CONTROLS, r"\p{Cc}--[\t\n\f\r]"),
        (ranges.TAGS, r"\p{Block=Tags}"),
        (ranges.SELECTORS, r"\p{Variation_Selector}--\p{Script=Mongolian}--[\u180B-\u180F]"),
        (ranges.CHILLUS, r"\p{InSC=Consonant_Dead}"),
    ],
)
def test_equal(line: str, properties: str) -> None:
    assert members(line) == having(properties)


@pytest.mark.parametrize("line", [ranges.DEFAULT_IGNORABLE, ranges.TAGS])
def test_unassigned_code_points_too(line: str) -> None:
    properties = r"\p{DI}" if line == ranges.DEFAULT_IGNORABLE else r"\p{Block=Tags}"
    assert members(line, ALL) == having(properties, ALL)


@pytest.mark.parametrize(
    ("line", "least", "most"),
    [
        pytest.param(
            ranges.JOINING,
            r"[\p{JT=D}\p{JT=R}\p{JT=L}\p{JT=C}]--\u200D",
            r"\p{JT=D}\p{JT=R}\p{JT=L}\p{JT=C}\p{JT=T}",
            id="joining",
        ),
        pytest.param(
            ranges.VIRAMAS,
            r"\p{InSC=Virama}\p{InSC=Invisible_Stacker}\p{InSC=Pure_Killer}",
            # the killers of Batak, which Unicode 16 gave a value of their own
            r"\p{InSC=Virama}\p{InSC=Invisible_Stacker}\p{InSC=Pure_Killer}\u1BF2\u1BF3",
            id="viramas",
        ),
        pytest.param(
            ranges.RIGHT_TO_LEFT,
            r"\p{L}&&[\p{bc=R}\p{bc=AL}]",
            r"[\p{L}&&[\p{bc=R}\p{bc=AL}]]\p{M}",
            id="right-to-left",
        ),
        pytest.param(
            ranges.EMOJI,
            r"\p{Emoji}--[\p{Emoji_Component}--\p{Extended_Pictographic}]",
            r"\p{Extended_Pictographic}",
            id="emoji",
        ),
        pytest.param(
            ranges.IDEOGRAPHS,
            r"\p{Unified_Ideograph}",
            r"\p{Unified_Ideograph}\p{Ideographic}",
            id="ideographs",
        ),
        pytest.param(
            ranges.INDIC,
            r"[\p{L}\p{M}]--\p{InSC=Other}--[\u1DFB\u20F0]",
            r"^\p{Latin}\p{Greek}\p{Cyrillic}\p{Hebrew}\p{Arabic}\p{Han}\p{Hangul}\p{Kana}\p{Hira}",
            id="indic",
        ),
        pytest.param(
            ranges.SPACELESS,
            r"[\p{Thai}\p{Lao}\p{Khmr}\p{Mymr}\p{Tibt}\p{Hani}\p{Hira}\p{Kana}\p{Bopo}\p{lb=SA}]"
            r"&&\p{L}--[\u3005\u3007]--\p{So}--\p{Lm}",
            r"^\p{Latin}\p{Greek}\p{Cyrillic}\p{Hebrew}\p{Arabic}\p{Hangul}\p{Deva}\p{Beng}\p{Mong}",
            id="spaceless",
        ),
        pytest.param(
            ranges.MONGOLIAN,
            r"\p{Mongolian}&&\p{L}&&\p{Block=Mongolian}",
            r"\p{Mongolian}&&[\p{L}\p{M}]",
            id="mongolian",
        ),
    ],
)
def test_between(line: str, least: str, most: str) -> None:
    """Where marks and letters of a block stand in between, the set is bounded from both sides."""
    found = members(line)
    assert having(least) - found == set()
    assert found - having(most) == set()


def test_what_carries_a_standardized_variant() -> None:
    """One base of each group in StandardizedVariants.txt, and neighbours that are none."""
    bases = "0\u2019\u2205\u2112\u2229\u22da\u2a3c\u2acb\u265b\u1000\ua856\ua9e0\uaa60\u3001\uff01"
    assert set(filter(ranges.member(ranges.STANDARDIZED), bases)) == set(bases)
    assert not any(map(ranges.member(ranges.STANDARDIZED), "1aA\u2228\u2230.,\u0915\uff11\u2653"))


def test_the_empty_string_is_in_no_set() -> None:
    assert ranges.member(ranges.EMOJI)("") is None


def test_names_of_controls_are_their_aliases() -> None:
    for char in having(r"\p{Cc}"):
        assert unicodedata.lookup(named(char).partition(" ")[2]) == char


def test_names_of_others() -> None:
    assert named("\u200b") == "U+200B ZERO WIDTH SPACE"
    assert named("\ufeff") == "U+FEFF BYTE ORDER MARK"
    assert unicodedata.lookup("BYTE ORDER MARK") == "\ufeff"
    assert named("\U000e0080") == "U+E0080 (unassigned)"
