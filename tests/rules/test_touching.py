"""Neighbours of what is undone: the same from one character and from a run of any length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.rules import Context, disguised_special_token
from tokenlint.rules.base import SpecialTokens
from tokenlint.rules.search import search_for
from tokenlint.rules.touching import Neighbours
from tokenlint.tokens import Document

UNSEEN = "\u200b\u200d\u2060\ufe0f\U000e0041\U000e0100"
LONG = 6000
NEAR = search_for(SpecialTokens()).neighbours


def touches(text: str, found: str = "\u200b") -> bool:
    """Whether a control string may touch where a character is removed."""
    return NEAR.may_touch(text, found, "")


@pytest.mark.parametrize("size", [1, 2, 15, 16, 17, 18, 40, LONG])
@pytest.mark.parametrize(
    "around", [("", ""), ("a ", " b"), ("<", " "), (" ", "|>"), ("", "|>"), ("<|", "")]
)
def test_a_run_between_what_no_string_holds(around: tuple[str, str], size: int) -> None:
    assert not touches(("\u200b" * size).join(around))


@pytest.mark.parametrize("size", [1, 2, 15, 16, 17, 18, 40, LONG])
@pytest.mark.parametrize("found", ["\u200b", "\u2060"])
def test_a_run_inside_of_a_string(found: str, size: int) -> None:
    text = "%\u200b\u2060% <" + "\u200b" * size + "\u2060|im_start|>"
    assert touches(text, found)
    assert not touches(text.replace("<", "%"), found)


def test_the_first_runs_do_not_hide_the_last() -> None:
    run = "\u200b" * 100
    assert touches(f"%{run}%{run}% <{run}|")
    assert not touches(f"%{run}%{run}% <{run}%")


def strip(text: str) -> tuple[str, str]:
    """The last and the first character that show; the judge knows of no runs."""
    return text.rstrip(UNSEEN)[-1:], text.lstrip(UNSEEN)[:1]


@given(
    st.lists(st.one_of(st.sampled_from("a<|>"), st.text(UNSEEN, max_size=40))).map("".join),
    st.sampled_from(UNSEEN),
)
def test_every_place_is_judged_by_what_shows_beside_it(text: str, found: str) -> None:
    places = [at for at, char in enumerate(text) if char == found]
    pairs = {(strip(text[:at])[0], strip(text[at + 1 :])[1]) for at in places}
    assert touches(text, found) == bool(pairs & NEAR.pairs)


def test_a_run_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    judge = Neighbours._touches

    def counting(self: Neighbours, text: str, start: int, end: int, became: str) -> bool:
        asked.append(start)
        return judge(self, text, start, end, became)

    monkeypatch.setattr(Neighbours, "_touches", counting)
    run = "\u200b\u2060" * LONG
    assert not touches(f"%{run}%{run}%")
    assert asked == [1, 2 * LONG + 2]


@pytest.mark.parametrize("size", [1, 20, LONG])
def test_a_control_string_with_a_run_in_it_is_found(size: int) -> None:
    text = "a <|im" + "\u200b" * size + "_start|> b"
    (finding,) = disguised_special_token.check(Document("a.md", text), Context())
    assert (finding.start, finding.end) == (2, len(text) - 2)
