"""SentencePiece's table of characters: what is sound is used, and what is damaged never panics."""

from __future__ import annotations

import base64
import json
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from tokenlint.errors import TokenizerError
from tokenlint.tokens.hf_backend import from_json
from tokenlint.tokens.hf_charsmap import require_sound_charsmap

ROOT, LETTER, LEAF = 0, 256 ^ ord("a"), 128
IS_VALUE, HAS_VALUE, IS_FAR = 1 << 31, 1 << 8, 1 << 9
TEXTS = "caf\u00e9\0".encode()
TRIE = {
    ROOT: 256 << 10,
    LETTER: ord("a") | HAS_VALUE | (LETTER ^ LEAF) << 10,
    LEAF: IS_VALUE | 0,
}
"A trie of one key, `a`, and the place of its text."


def table(units: dict[int, int] = TRIE, texts: bytes = TEXTS, size: int = 512) -> bytes:
    """The bytes of a table: how long the trie is, the trie, the texts."""
    trie = struct.pack(f"<{size}I", *(units.get(at, 0) for at in range(size)))
    return struct.pack("<I", len(trie)) + trie + texts


def with_leaf(place: int) -> bytes:
    """A table in which the text of `a` stands at some place."""
    return table({**TRIE, LEAF: IS_VALUE | place})


def in_base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def spec(charsmap: object) -> bytes:
    """The bytes of a tokenizer.json with a table."""
    model = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}
    step = {"type": "Precompiled", "precompiled_charsmap": charsmap}
    return json.dumps({"added_tokens": [], "normalizer": step, "model": model}).encode()


SOUND = [
    (table(), "caf\u00e9"),
    (with_leaf(3), "\u00e9"),
    (with_leaf(5), ""),
    (with_leaf(6), ""),  # the end of all texts
    (table(texts=b""), ""),
    (table({**TRIE, ROOT: 1 << 10 | IS_FAR}), "caf\u00e9"),  # a step of 256, said otherwise
    (table({**TRIE, 300: IS_VALUE | 1 << 30}), "caf\u00e9"),  # a value that no key has
]


@pytest.mark.parametrize(("raw", "written"), SOUND)
def test_a_sound_table_is_used(raw: bytes, written: str) -> None:
    tokenizer = from_json(spec(in_base64(raw)), name="x", source="x.json")
    assert tokenizer.normalize("bab") == f"b{written}b"


def test_a_word_of_the_vocabulary_is_no_table() -> None:
    model = {"type": "WordLevel", "vocab": {"precompiled_charsmap": 0}, "unk_token": "a"}
    raw = json.dumps({"added_tokens": [], "model": model}).encode()
    assert from_json(raw, name="x", source="x.json").count("precompiled_charsmap") == 1


DAMAGED = [
    None,
    "",
    "AAAA",
    "////",
    "A",
    "!!!!",
    in_base64(table())[:-1],
    in_base64(table() + b"a")[:-3] + "B==",  # bits that stand for nothing
    in_base64(table()).replace("A", "\\", 1),
    in_base64(table()[:1000]),
    in_base64(table(size=255)),
    in_base64(table(texts=b"\xff\0")),
    in_base64(with_leaf(4)),  # inside of a character
    in_base64(with_leaf(7)),
    in_base64(table({**TRIE, ROOT: 512 << 10})),
    in_base64(table({**TRIE, ROOT: IS_VALUE | TRIE[ROOT]})),
    in_base64(table({**TRIE, ROOT: 2 << 10 | IS_FAR})),
    in_base64(table({**TRIE, LETTER: TRIE[LETTER] | 1 << 30})),
]


@pytest.mark.parametrize("charsmap", DAMAGED)
def test_a_damaged_table_is_one_sentence(
    charsmap: str | None, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(TokenizerError) as caught:
        from_json(spec(charsmap), name="x", source="x.json")
    assert str(caught.value) == (
        "x.json: not a usable tokenizer.json (its precompiled_charsmap is damaged); get the file "
        "again, or use another tokenizer"
    )
    assert capfd.readouterr() == ("", "")  # a panic writes to the file descriptor


@pytest.mark.parametrize("charsmaps", [["A" * 10_000_001], ["A" * 6_000_000] * 2])
def test_a_table_beyond_all_bounds_is_not_looked_at(charsmaps: list[str]) -> None:
    steps = [{"precompiled_charsmap": charsmap} for charsmap in charsmaps]
    with pytest.raises(ValueError, match=r"^its precompiled_charsmap has more than 10,000,000 "):
        require_sound_charsmap(json.dumps(steps).encode())


PLACES = st.sampled_from([0, *(4 + 4 * at + byte for at in TRIE for byte in range(4)), -1, -3])
CHANGES = st.lists(st.tuples(PLACES, st.integers(0, 255)), min_size=1, max_size=3)
TEXT = "a\u00e9 aa\u0101" + "".join(map(chr, range(1, 0x180)))


@given(CHANGES)
@settings(max_examples=200)
def test_what_is_taken_never_panics(changes: list[tuple[int, int]]) -> None:
    raw = bytearray(table())
    for at, byte in changes:
        raw[at] = byte
    content = spec(in_base64(bytes(raw)))
    try:
        require_sound_charsmap(content)
    except ValueError:
        return
    assert Tokenizer.from_str(content.decode()).normalizer.normalize_str(TEXT)
