"""The forms of a text, and what "without diacritics" means in each script."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.tokens.forms import FORMS, in_form, plain

MARKED = st.text(
    st.characters(exclude_categories=["Cs"])
    | st.sampled_from("aeoAđĐưệñйё\u0301\u0323\u0338\u302eأآ\u064b\u0651ש\u05c1")
    | st.sampled_from("क\u093c\u094dが\u3099가\u1100\u1161ที\u0e38\u0e49")
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain ASCII, as it is.",
        # What no mark was added to, and letters that are one code point.
        "\u0141\u00f8\u0127\u0131\u00df",
        # Indic: vowel signs, virama, nukta (as NFC keeps it), candrabindu.
        "क्या बताएँ हिन्दी फ\u093cल গ\u09bcাঢ\u09bcা தமிழ்",
        # Thai, Lao, Khmer, Burmese, Tibetan: vowels and tone marks below and above.
        "ที่ผู้น้ำ ຂ້ອຍ ក៏អ្នក မြန်မာ བོད་ཡིག",
        "がぱギ",
        "한국 각",
        # Symbols and emoji keep their marks.
        "\u2260 \u226e 1\ufe0f\u20e3 \u2764\ufe0f",
        " \u0301 1\u0304",
    ],
)
def test_what_plain_leaves_alone(text: str) -> None:
    assert plain(text) == text
    assert plain(unicodedata.normalize("NFD", text)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Đường đi có việc phở", "Duong di co viec pho"),
        ("U\u031b\u0323 u\u031b\u0309", "U u"),
        ("São Tomé, façade, Łódź", "Sao Tome, facade, Łodz"),
        ("Άγιος ἄνθρωπος", "Αγιος ανθρωπος"),
        ("Ёлка, йод", "Елка, иод"),
        # Arabic: vowel signs, tanween, shadda, sukun, small alef; hamza and madda of a letter.
        ("مُسَاعِدٌ أَنْتَ الرَّحْم\u0670ن", "مساعد انت الرحمن"),
        ("أإآ ؤ ئ", "ااا و ي"),
        ("\u0640\u064e", "\u0640"),
        ("שָׁלוֹם", "שלום"),
        ("x\u0338 q\u0307\u0323", "x q"),
        ("\u0130", "I"),
        ("\u1112\u302e\u1161\u11ab", "한"),
    ],
)
def test_what_plain_takes_away(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    "text", ["Bạn là trợ lý hữu ích.", "مُفِيدٌ للقارئ", "Élève naïf", "Ξένος", "Съешь ещё"]
)
def test_plain_drops_every_mark_of_a_class_where_scripts_do_without(text: str) -> None:
    marks = unicodedata.normalize("NFD", text)
    bare = "".join(char for char in marks if not unicodedata.combining(char))
    expected = unicodedata.normalize("NFC", bare.replace("đ", "d").replace("Đ", "D"))
    assert plain(text) == expected


@given(MARKED)
def test_plain_is_the_same_for_nfc_and_nfd_and_when_done_twice(text: str) -> None:
    once = plain(text)
    assert plain(unicodedata.normalize("NFC", text)) == once
    assert plain(unicodedata.normalize("NFD", text)) == once
    assert plain(once) == once
    assert unicodedata.is_normalized("NFC", once)


@given(MARKED)
def test_the_other_forms_are_those_of_unicode(text: str) -> None:
    assert in_form(text, "as-is") == text
    assert in_form(text, "nfc") == unicodedata.normalize("NFC", text)
    assert in_form(text, "nfd") == unicodedata.normalize("NFD", text)
    assert in_form(text, "plain") == plain(text)
    assert FORMS == ("as-is", "nfc", "nfd", "plain")


@pytest.mark.parametrize(
    ("text", "characters", "size"),
    [
        ("The model reads the text", 24, 24),
        ("النموذج يقرأ النص", 17, 32),
        ("النَّموذَجُ يَقرَأُ النَّصَّ", 28, 54),
    ],
)
def test_marks_are_characters_and_bytes(text: str, characters: int, size: int) -> None:
    assert (len(text), len(text.encode())) == (characters, size)
    assert plain(text) in ("The model reads the text", "النموذج يقرا النص")
