"""Counts that are made once, whichever way, and are what tiktoken counts."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.errors import UncountableTextError
from tokenlint.tokens import Loader, counts, load_tokenizer, workers
from tokenlint.tokens.cache import FILE_NAME, Cache
from tokenlint.tokens.counts import Counts
from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer
from tokenlint.tokens.words import Words, count_words
from tokenlint.tokens.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tokenlint.tokens.tokenizer import Tokenizer


@dataclass
class Counter:
    """A tokenizer that tells how often it was asked."""

    identity: str | None = "counter 1"
    pattern: str = ""
    asked: list[str] = field(default_factory=list)

    def count(self, text: str) -> int:
        self.asked.append(text)
        if text == "refused":
            raise UncountableTextError("no count")
        return len(text)

    def expect(self, characters: int) -> None:
        """Long texts are nothing special here."""


def made(**said: Any) -> tuple[Tokenizer, list[str]]:
    counter: Any = Counter(**said)
    return counter, counter.asked


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / FILE_NAME


def test_a_text_is_counted_once_in_a_run() -> None:
    known, (tokenizer, asked) = Counts(), made()
    assert [known.tokens(text, tokenizer) for text in ("ab", "abc", "ab")] == [2, 3, 2]
    assert [known.begin(text, tokenizer)() for text in ("abc", "b" * 9)] == [3, 9]
    assert asked == ["ab", "abc", "b" * 9]


def test_and_once_in_many_runs(cache: Path) -> None:
    for _ in range(3):
        known, (tokenizer, asked) = Counts(Cache(cache)), made()
        assert known.tokens("ab", tokenizer) == known.begin("ab", tokenizer)() == 2
        known.keep()
    assert asked == []


@pytest.mark.parametrize("identity", ["counter 2", "counter", "counter 1 "])
def test_a_tokenizer_with_another_identity_counts_anew(identity: str, cache: Path) -> None:
    known = Counts(Cache(cache))
    known.tokens("ab", made()[0])
    known.keep()
    tokenizer, asked = made(identity=identity)
    assert Counts(Cache(cache)).tokens("ab", tokenizer) == 2
    assert asked == ["ab"]


def test_a_tokenizer_without_one_is_asked_each_time(cache: Path) -> None:
    known, (tokenizer, asked) = Counts(Cache(cache)), made(identity=None)
    known.tokens("ab", tokenizer)
    known.begin("ab", tokenizer)()
    known.keep()
    assert asked == ["ab", "ab"]
    assert not cache.exists()


def test_what_cannot_be_counted_is_said_where_the_count_is_waited_for() -> None:
    for threads in (1, 3):
        known = Counts(workers=Workers(threads, _seen=10**6))
        count = known.begin("refused", made()[0])
        for _ in range(2):
            with pytest.raises(UncountableTextError, match="no count"):
                count()
        with pytest.raises(UncountableTextError, match="no count"):
            known.tokens("refused", made()[0])
        known.workers.stop()


def test_more_counts_than_are_held_in_memory(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "_AT_ONCE", 10)
    texts = ["x" * size for size in range(35)]
    for kept in (None, Cache(cache)):
        known, (tokenizer, asked) = Counts(kept), made()
        assert [known.tokens(text, tokenizer) for text in texts] == list(range(35))
        assert len(known._new) <= 10
    assert [known.tokens(text, tokenizer) for text in texts] == list(range(35))
    assert len(asked) == 35


@pytest.mark.parametrize(
    "text",
    [
        "a few words",
        "Tiếng Việt " * 200,
        "\u4f60\u597d\u3002" * 600,
        "a word " * 20_000,
        "\U0001f600" * 2000,
    ],
)
@pytest.mark.parametrize("method", ["word", "whitespace", "unicode", "grapheme"])
def test_words_are_the_same_from_the_cache(text: str, method: Any, cache: Path) -> None:
    expected = count_words(text, method)
    for _ in range(2):
        known = Counts(Cache(cache))
        assert known.words(text, method) == expected
        known.keep()


def test_words_of_a_long_text_are_counted_once(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Counts(Cache(cache))
    known.words("\u00e9 " * 2000)
    known.keep()
    monkeypatch.setattr(counts, "count_words", lambda *_: Words(0, "word"))
    assert Counts(Cache(cache)).words("\u00e9 " * 2000) == Words(2000, "word")


# --- all ways count alike

TEXTS = st.lists(
    st.text(max_size=12)
    | st.sampled_from(
        ("word ", " a", "\n", "\n\n", "'s", "\r\n", "\u1ec7", "e\u0323\u0302", "漢字")
    )
).map("".join)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Counts]]:
    """Counts in threads, from a file, and of the moment."""
    file = tmp_path_factory.mktemp("cache") / FILE_NAME
    made = {
        "threads": Counts(workers=Workers(3, _seen=10**6)),
        "file": Counts(Cache(file)),
        "plain": Counts(workers=Workers(1)),
    }
    yield made
    made["threads"].workers.stop()
    made["file"].keep()


@settings(max_examples=60)
@given(text=TEXTS)
@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_cached_parallel_quick_and_plain_counts_are_equal(
    name: str, text: str, fresh: Mapping[str, Counts]
) -> None:
    tokenizer = load_tokenizer(name)
    assert isinstance(tokenizer, TiktokenTokenizer)
    ids = tokenizer.engine.encode(text, disallowed_special=())
    for known in fresh.values():
        assert known.begin(text, tokenizer)() == known.tokens(text, tokenizer) == len(ids)
    fresh["file"].keep()
    assert fresh["file"].tokens(text, tokenizer) == len(ids)


def test_a_long_text_in_threads_is_counted_in_parts(official_count: Any) -> None:
    text = "".join(f"Line {number}: một hai ba, 漢字 and so on.\n" for number in range(40_000))
    known = Counts(workers=Workers(3))
    tokenizer = load_tokenizer("o200k_base")
    begun = [known.begin(part, tokenizer) for part in (text, text, text[:70_000])]
    assert [count() for count in begun] == [
        official_count("o200k_base", text),
        official_count("o200k_base", text),
        official_count("o200k_base", text[:70_000]),
    ]
    known.workers.stop()


def test_what_threads_counted_is_kept(cache: Path) -> None:
    known = Counts(Cache(cache), workers=Workers(3, _seen=10**6))
    tokenizer, asked = made()
    assert known.begin("x" * 70_000, tokenizer)() == 70_000
    known.keep()
    known.workers.stop()
    again = Counts(Cache(cache))
    assert again.begin("x" * 70_000, tokenizer)() == again.tokens("x" * 70_000, tokenizer) == 70_000
    assert asked == ["x" * 70_000]


def test_threads_wait_until_there_is_enough_to_do() -> None:
    some = Workers(3)
    assert [some.are_for("x" * 25_000) for _ in range(4)] == [False, False, True, True]
    assert not Workers(2).are_for("x" * 10**6)
    assert Workers().threads <= workers.MOST


# --- fingerprints without engines


def test_a_known_count_loads_no_vocabulary_and_no_engine(tmp_path: Path) -> None:
    code = (
        "import sys; from tokenlint.tokens.loading import Loader;"
        "from tokenlint.tokens.counts import kept, end;"
        "loader = Loader(counts=kept());"
        "print([loader.count(name, 'x' * 9) for name in sys.argv[1:]]); end();"
        "heavy = {'tiktoken', 'tokenizers', 'regex', 'json', 'concurrent.futures', 'zlib'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    names = ("o200k_base", "cl100k_base", "o200k_harmony", "gpt-4o", "azure/gpt-4.1-mini", "o3")
    environment = {"TOKENLINT_CACHE_DIR": str(tmp_path), "PATH": "/usr/bin"}
    runs = [
        subprocess.run(
            [sys.executable, "-c", code, *names],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for _ in range(2)
    ]
    assert runs[0][0] == runs[1][0] == "[2, 2, 2, 2, 2, 2]"
    assert runs[1][1] in ("[]", "['zlib']")


def test_a_fingerprint_that_changes_empties(cache: Path) -> None:
    """Of two vocabularies under one name, each has counts of its own."""
    first = {bytes([byte]): byte for byte in range(256)}
    for ranks, digest, expected in ((first, "1", 2), ({**first, b"ab": 256}, "2", 1)):
        mine = TiktokenTokenizer("mine", ranks, r"\S+|\s+", {}, digest=digest, source="a test")
        known = Counts(Cache(cache))
        assert known.tokens("ab", mine) == expected
        known.keep()


def test_end_writes_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENLINT_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TOKENLINT_NO_CACHE", "1")
    assert counts.kept().get(b"key") is None
    monkeypatch.delenv("TOKENLINT_NO_CACHE")
    loader = Loader(counts=counts.kept())
    assert loader.count("o200k_base", "Tiếng Việt") == 3
    counts.end()
    key = loader.counts.key("Tiếng Việt", counts.identity_of(loader.require("o200k_base")) or "")
    again = Cache(tmp_path / FILE_NAME)
    assert again.get(key) == 3
    again.close()
