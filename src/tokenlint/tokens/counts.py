"""Counts, each made once: in a run, and from run to run where there is a cache."""

from __future__ import annotations

import atexit
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

from tokenlint.tokens import boundary
from tokenlint.tokens.words import UNITS, Words, count_words
from tokenlint.tokens.workers import Workers

if TYPE_CHECKING:
    from _hashlib import HASH
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokenlint.tokens.cache import Cache
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer
    from tokenlint.tokens.tokenizer import Tokenizer
    from tokenlint.tokens.words import Method

VERSION = "1"
"Part of every key: another one, and nothing that was counted before is believed."

_AT_ONCE = 20_000  # counts that are kept in memory before they are written
_WORTH_A_THREAD = 2_000  # characters, for a text that is not waited for at once
_WORTH_KEEPING = 1_000  # characters from which words are kept, of ASCII a hundred times as many


class Expected(NamedTuple):
    """A count that somebody will ask for, and its text."""

    key: bytes
    text: str


@dataclass(eq=False, repr=False)
class Counts:
    """What is known of texts, by their sha256; `cache` is where it outlives the run."""

    cache: Cache | _Later | None = None
    workers: Workers = field(default_factory=Workers)
    _new: dict[bytes, int] = field(default_factory=dict)
    _begun: dict[bytes, _Begun] = field(default_factory=dict)
    _last: tuple[str | None, bytes] = (None, b"")
    _met: dict[int, tuple[str | None, bytes]] = field(default_factory=dict)  # of what is expected

    def tokens(self, text: str, tokenizer: Tokenizer) -> int:
        """The count of a text.

        Raises UncountableTextError, and TokenizerError where the engine cannot be made.
        """
        identity = identity_of(tokenizer)
        if identity is None:
            return tokenizer.count(text)
        begun = self._begun.get(self.key(text, identity)) if self._begun else None
        if begun is not None:
            return begun.result()
        return self._known(text, identity, lambda: tokenizer.count(text))

    def expect(self, text: str, tokenizer: Tokenizer) -> Expected | None:
        """Start to count a text beside other work, where that pays; `tokens` will wait for it.

        What it returns is given to `forget` once nobody will ask any more.
        """
        identity = identity_of(tokenizer)
        if len(text) < _WORTH_A_THREAD or not self._goes_in_threads(tokenizer) or identity is None:
            return None
        key = self.key(text, identity)
        if key in self._begun:
            return None
        if (known := self.get(key)) is not None:
            self._begun[key] = _Begun(self, key, lambda: known, known)
        elif self.workers.are_for(text):
            self._start(key, text, tokenizer)
        self._met[id(text)] = self._last
        return Expected(key, text)

    def forget(self, expected: Iterable[Expected]) -> None:
        """Wait no longer for what was expected."""
        for key, text in expected:
            self._begun.pop(key, None)
            self._met.pop(id(text), None)

    def begin(self, text: str, tokenizer: Tokenizer) -> Callable[[], int]:
        """Start to count a text beside other work; the function waits for the count.

        It raises what `tokens` raises.
        """
        identity = identity_of(tokenizer)
        if identity is None or not self._goes_in_threads(tokenizer):
            return lambda: self.tokens(text, tokenizer)
        key = self.key(text, identity)
        if (known := self.get(key)) is not None:
            return lambda: known
        if not self.workers.are_for(text):
            return lambda: self.tokens(text, tokenizer)
        if key not in self._begun:
            self._start(key, text, tokenizer)
        return self._begun[key].result

    def _goes_in_threads(self, tokenizer: Tokenizer) -> bool:
        return hasattr(tokenizer, "pattern") and self.workers.threads > 2  # tiktoken's only

    def _start(self, key: bytes, text: str, tokenizer: Tokenizer) -> None:
        wait = self.workers.begin(text, cast("TiktokenTokenizer", tokenizer))
        self._begun[key] = _Begun(self, key, wait)

    def has_opened(self, identity: str) -> bool:
        """Whether this version opened the tokenizer before: another one may refuse the file."""
        return self.get(_key_of_opened(identity)) is not None

    def note_opened(self, identity: str) -> None:
        """Remember that a tokenizer can be opened."""
        self.note(_key_of_opened(identity), 1)

    def words(self, text: str, method: Method = "word") -> Words:
        """The words of a text, as `count_words` says."""
        if len(text) < _WORTH_KEEPING * (100 if text.isascii() else 1):
            return count_words(text, method)
        packed = self._known(
            text, f"{method} {unicode_tables()}", lambda: _packed(count_words(text, method))
        )
        return Words(packed // len(UNITS), UNITS[packed % len(UNITS)])

    def keep(self) -> None:
        """Write what is new into the cache, and let go of it."""
        if self.cache is not None:
            new, self._new = self._new, {}
            self.cache.put(new)

    def key(self, text: str, identity: str) -> bytes:
        """What a count is kept under."""
        from hashlib import sha256

        if self._last[0] is not text:  # several tokenizers ask about the same text in a row
            met = self._met.get(id(text))
            digest = None if met is None else met[1]
            self.meet(text, digest or sha256(text.encode(errors="surrogatepass")).digest())
        return key_of(self._last[1], identity)

    def meet(self, text: str, digest: bytes) -> None:
        """Take the sha256 of a text, in UTF-8, from somebody who knows it already."""
        self._last = (text, digest)

    def get(self, key: bytes) -> int | None:
        """The value of a key, if it is known."""
        return self.get_all((key,)).get(key)

    def get_all(self, keys: Sequence[bytes]) -> dict[bytes, int]:
        """The values that are known, by their keys."""
        known = {key: self._new[key] for key in keys if key in self._new}
        if self.cache is not None and len(known) < len(keys):
            known |= self.cache.get_all([key for key in keys if key not in known])
        return known

    def note(self, key: bytes, value: int) -> None:
        """Remember a value."""
        if len(self._new) >= _AT_ONCE:
            self.keep()
            self._new.clear()  # where there is no cache
        self._new[key] = value

    def finish(self, begun: _Begun) -> int:
        """Wait for a count, and remember it."""
        self._begun.pop(begun.key, None)
        value = begun.wait()
        self.note(begun.key, value)
        return value

    def _known(self, text: str, identity: str, count: Callable[[], int]) -> int:
        key = self.key(text, identity)
        if (value := self.get(key)) is None:
            value = count()
            self.note(key, value)
        return value


@dataclass(eq=False, repr=False)
class _Begun:
    """A count under way, which several may wait for."""

    counts: Counts
    key: bytes
    wait: Callable[[], int]
    value: int | None = None

    def result(self) -> int:
        """The count."""
        if self.value is None:
            self.value = self.counts.finish(self)
        return self.value


_OPEN: list[Counts] = []


def kept() -> Counts:
    """Counts that outlive this process, where the environment allows it.

    They are written by `end`, or when the process ends.
    """
    return _opened(Counts(_Later()))


class _Later:
    """The cache of the user, which is only looked for where something is counted."""

    @cached_property
    def _cache(self) -> Cache | None:
        from tokenlint.tokens.cache import FILE_NAME, Cache, cache_folder

        folder = cache_folder()
        if folder is None or boundary.is_brought_along(folder / FILE_NAME):
            return None
        return Cache(folder / FILE_NAME)

    def get_all(self, keys: Sequence[bytes]) -> dict[bytes, int]:
        """The values that are known, by their keys."""
        return {} if self._cache is None else self._cache.get_all(keys)

    def put(self, new: Mapping[bytes, int]) -> None:
        """Keep what is new, and that what was read was of use."""
        if (new or "_cache" in self.__dict__) and self._cache is not None:
            self._cache.put(new)


def passing() -> Counts:
    """Counts of this run alone."""
    return _opened(Counts())


def _opened(counts: Counts) -> Counts:
    if not _OPEN:
        atexit.register(end)
    _OPEN.append(counts)
    return counts


def end() -> None:
    """Count no further, and write what was counted."""
    while _OPEN:
        counts = _OPEN.pop()
        counts.workers.stop()
        counts.keep()


def key_of(digest: bytes, identity: str) -> bytes:
    """What is kept of a text with a sha256 under, where it depends on all that an identity says."""
    key = _before(identity).copy()
    key.update(digest)
    return key.digest()


@cache
def _before(identity: str) -> HASH:
    from hashlib import sha256

    return sha256(f"{VERSION} {identity} ".encode())


def _key_of_opened(identity: str) -> bytes:
    import tokenlint

    return key_of(b"", f"opened by {tokenlint.__version__} {identity}")


def identity_of(tokenizer: Tokenizer) -> str | None:
    """All that a count depends on beside the text; None where a tokenizer does not say it.

    Those of plugins do not: a fingerprint that somebody forgot to change would bring wrong counts
    back from the cache.
    """
    return getattr(tokenizer, "identity", None)


def _packed(words: Words) -> int:
    return words.count * len(UNITS) + UNITS.index(words.unit)


@cache
def unicode_tables() -> str:
    """The tables that say what is a letter: Python's, and those of `regex`."""
    from unicodedata import unidata_version

    from tokenlint.tokens.versions import version_of

    return f"{unidata_version} {version_of('regex')}"
