r"""Text in which nothing hides and nothing passes for something else."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.reports.explain_visible import Marks, as_named, marks_for, visible

UNICODE, PLAIN = marks_for("utf-8"), marks_for("ascii")


@pytest.mark.parametrize("text", ["one", "\u1ec5", "\u65e5\u672c", "\U0001f9d1", "|#<&>\"'"])
def test_what_has_a_shape_stays(text: str) -> None:
    assert visible(text.encode(), UNICODE) == text


@pytest.mark.parametrize(
    ("raw", "shown", "plain"),
    [
        (b" a b", "\u00b7a\u00b7b", "\\sa\\sb"),
        (b"\n\r\t", "\u23ce\\r\\t", "\\n\\r\\t"),
        (b"\\n", "\\\\n", "\\\\n"),
        (b"a\x1b[0m\x00", "a\\u001b[0m\\u0000", "a\\u001b[0m\\u0000"),
        (b"\xe1\xba", "\\xe1\\xba", "\\xe1\\xba"),
        (b" \xe1\xba", "\u00b7\\xe1\\xba", "\\s\\xe1\\xba"),
        (b"\xbdn", "\\xbdn", "\\xbdn"),
        ("\u00b7\u23ce".encode(), "\\u00b7\\u23ce", "\\u00b7\\u23ce"),
        ("\u2502|".encode(), "\\u2502|", "\\u2502\\u007c"),
        ("\u0323a\u0323".encode(), "\\u0323a\u0323", "\\u0323a\\u0323"),
        ("\u202ea\u200d\ufe0f".encode(), "\\u202ea\\u200d\\ufe0f", "\\u202ea\\u200d\\ufe0f"),
        ("\u00a0\u2028\u3164".encode(), "\\u00a0\\u2028\\u3164", "\\u00a0\\u2028\\u3164"),
        ("\U000e0041\U0001f9d1".encode(), "\\U000e0041\U0001f9d1", "\\U000e0041\\U0001f9d1"),
        ("\u1ec5".encode(), "\u1ec5", "\\u1ec5"),
    ],
)
def test_what_hides_is_shown(raw: bytes, shown: str, plain: str) -> None:
    assert visible(raw, UNICODE) == shown
    assert visible(raw, PLAIN) == plain


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "ascii", "cp437", "shift_jis"])
def test_an_output_that_lacks_a_mark_has_plain_ones(encoding: str) -> None:
    assert marks_for(encoding) == Marks("\\s", "\\n", "|", encoding)


def test_an_output_that_says_nothing_has_all() -> None:
    assert marks_for(None) == UNICODE == Marks()
    assert marks_for("utf-16") == Marks(encoding="utf-16")


def unseen(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in "CZ" and category != "Cn"


ANY_PIECE = st.one_of(st.binary(), st.text().map(str.encode))


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
@given(raw=ANY_PIECE)
def test_no_two_pieces_look_alike(encoding: str, raw: bytes) -> None:
    marks = marks_for(encoding)
    shown = visible(raw, marks)
    assert read_back(shown, marks) == raw
    assert marks.separator not in shown
    assert not any(map(unseen, shown))
    shown.encode(encoding)  # or the output would have to escape once more


ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([nrts\\]))")
NAMED = {"n": b"\n", "r": b"\r", "t": b"\t", "s": b" ", "\\": b"\\"}


def read_back(shown: str, marks: Marks) -> bytes:
    """What a reader makes of it, who knows the rules and nothing else."""
    raw, at = b"", 0
    for match in ESCAPE.finditer(shown):
        raw += _plain(shown[at : match.start()], marks)
        byte, short, long, name = match.groups()
        if byte:
            raw += bytes.fromhex(byte)
        else:
            raw += NAMED[name] if name else chr(int(short or long, 16)).encode()
        at = match.end()
    return raw + _plain(shown[at:], marks)


def _plain(text: str, marks: Marks) -> bytes:
    if len(marks.space) == 1:
        text = text.replace(marks.space, " ").replace(marks.newline, "\n")
    assert "\\" not in text
    return text.encode()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("\u0120ch\u00c3\u0142o", "\u0120ch\u00c3\u0142o"),
        ("\u00c2\u00b7\\", "\u00c2\u00b7\\"),
        ("\u2581a\nb\u2502", "\u2581a\\x0ab\\u2502"),
    ],
)
def test_names_of_a_vocabulary_stay_what_they_are(name: str, shown: str) -> None:
    assert as_named(name, UNICODE) == shown
