"""Whole files are known by their bytes, as they would be by their decoded text, or not at all."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.tokens import Document, counts, decode, load_tokenizer
from tokenlint.tokens.cache import FILE_NAME, Cache
from tokenlint.tokens.counts import Counts
from tokenlint.tokens.recall import Figures, Recall, digest_of
from tokenlint.tokens.words import Words

if TYPE_CHECKING:
    from pathlib import Path

NOT_TEXT = [
    b"\xff\xfea\0",
    b"\0\0\xfe\xffa",
    b"a\0b",
    b"\xed\xa0\x80",
    b"ok \xed\xbf\xbf",
]
PIECES = st.sampled_from(
    [*NOT_TEXT, b"\r\n", b"\r", b"\n", b"\xef\xbb\xbf", b"a", b"\xc3\xa9", b"\xed\x95\x9c", b"\xe4"]
)


@pytest.mark.parametrize("raw", NOT_TEXT)
def test_what_a_prompt_may_hold_and_a_file_may_not_has_no_digest(raw: bytes) -> None:
    assert digest_of(raw, newlines="lf", count_bom=False) is None


@pytest.mark.parametrize("newlines", ["lf", "as-is"])
@pytest.mark.parametrize("count_bom", [False, True])
@given(raw=st.lists(PIECES | st.binary(max_size=3)).map(b"".join))
def test_the_digest_is_that_of_the_text_that_is_counted(
    newlines: Literal["lf", "as-is"], count_bom: bool, raw: bytes
) -> None:
    document = decode("x.md", raw)
    digest = digest_of(raw, newlines=newlines, count_bom=count_bom)
    if isinstance(document, Document):
        text = document.countable(newlines=newlines, count_bom=count_bom)
        assert digest in (None, sha256(text.encode()).digest())
        assert digest is not None or b"\0" in raw or b"\xed" in raw


def test_what_was_counted_is_known_by_its_bytes_in_the_next_run(tmp_path: Path) -> None:
    tokenizer = load_tokenizer("o200k_base")
    raw = "Tiếng Việt\r\n".encode()
    digest = digest_of(raw, newlines="lf", count_bom=False)
    assert digest is not None
    first = Counts(Cache(tmp_path / FILE_NAME))
    recall = Recall.with_(first, [tokenizer])
    assert recall is not None
    assert recall.look([digest, None]) == [None, None]
    first.tokens("Tiếng Việt\n", tokenizer)
    assert recall.look([digest]) == [None]
    recall.note(digest, 11, Words(2, "word"))
    known = Figures(11, Words(2, "word"), (tokenizer.count("Tiếng Việt\n"),))
    assert recall.look([None, digest]) == [None, known]
    first.keep()
    again = Recall.with_(Counts(Cache(tmp_path / FILE_NAME)), [tokenizer])
    assert again is not None
    assert again.look([digest]) == [known]


@pytest.mark.parametrize(
    ("characters", "words"),
    [(0, Words(0, "word")), (7, Words(7, "grapheme")), (2**30 - 1, Words(2**30 - 1, "grapheme"))],
)
def test_figures_of_any_size_come_back(characters: int, words: Words, tmp_path: Path) -> None:
    known = Counts(Cache(tmp_path / FILE_NAME))
    recall = Recall(known, ())
    recall.note(b"digest", characters, words)
    known.keep()
    assert recall.look([b"digest"]) == [Figures(characters, words, ())]


def test_a_text_too_long_for_a_row_is_not_kept() -> None:
    recall = Recall(Counts(), ())
    recall.note(b"digest", 2**30, Words(1, "word"))
    assert recall.look([b"digest"]) == [None]


def test_other_tables_of_characters_and_other_tokenizers_know_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = Counts()
    Recall(known, ()).note(b"digest", 1, Words(1, "word"))
    assert Recall(known, ("another",)).look([b"digest"]) == [None]
    monkeypatch.setattr("tokenlint.tokens.recall.unicode_tables", lambda: "99")
    assert Recall(known, ()).look([b"digest"]) == [None]


def test_a_tokenizer_that_has_to_be_asked_makes_it_forget() -> None:
    plugin: Any = object()
    assert Recall.with_(Counts(), [load_tokenizer("o200k_base"), plugin]) is None


def test_a_digest_that_was_met_is_not_made_again() -> None:
    known, text = Counts(), "some text"
    before = known.key(text, "identity")
    known.meet(text, b"another")
    assert known.key(text, "identity") == counts.key_of(b"another", "identity")
    assert known.key("".join(list(text)), "identity") == before
