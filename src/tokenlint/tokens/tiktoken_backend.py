"""tiktoken's engine behind the `Tokenizer` protocol."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from threading import Lock
from typing import TYPE_CHECKING, final

from tokenlint.errors import TokenizerError, UncountableTextError
from tokenlint.tokens.composed import is_surely_nfc
from tokenlint.tokens.expected import not_ids, not_text
from tokenlint.tokens.surrogates import replace_surrogates
from tokenlint.tokens.versions import version_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import tiktoken

    from tokenlint.tokens.fast_engine import FastEngine
    from tokenlint.tokens.quick_engine import QuickEngine
    from tokenlint.tokens.watched import Watched

_NOTHING: frozenset[str] = frozenset()


@final
class TiktokenTokenizer:
    """A byte-level BPE: ranks, a split pattern, special tokens, perhaps NFC before it."""

    def __init__(
        self,
        name: str,
        ranks: dict[bytes, int] | Callable[[], dict[bytes, int]],
        pattern: str,
        special_tokens: Mapping[str, int],
        *,
        digest: str,
        source: str,
        nfc: bool = False,
        quick: QuickEngine | None = None,
        fast: FastEngine | None = None,
        watched: Watched | None = None,
    ) -> None:
        """Build the engine (about 0.1 s for 200,000 ranks); `digest` stands for the ranks.

        Where the ranks are a function, that is put off until the engine is needed: short texts
        may do with the `quick` one, and long ones with the `fast` one. Raises TokenizerError
        where the engine refuses the ranks or the pattern.
        """
        self.name = name
        self.pattern = pattern
        self.special_tokens: Mapping[str, int] = dict(special_tokens)
        self.source = source
        self.normalizes_nfc = nfc
        self._digest = digest
        self._quick = quick
        self.fast = fast
        self._watched = watched  # who cuts in its place, where its pattern may take for ever
        given = ranks if callable(ranks) else lambda: ranks
        self._engine = _Engine(lambda: _build(name, given(), pattern, self.special_tokens, source))
        if not callable(ranks):
            self._engine.get()  # what is wrong with them is said now

    def named(self, name: str) -> TiktokenTokenizer:
        """The same tokenizer, and the same engine, under another name."""
        other = object.__new__(TiktokenTokenizer)
        other.__dict__.update(self.__dict__, name=name)
        return other

    @property
    def engine(self) -> tiktoken.Encoding:
        """The engine itself, for those who tell what it does."""
        return self._engine.get()

    _encoding = engine

    @cached_property
    def fingerprint(self) -> str:
        """Hex sha256 over the digest of the ranks, pattern, normaliser and special tokens."""
        parts = [
            self._digest,
            self.pattern,
            self.normalizes_nfc,
            sorted(self.special_tokens.items()),
        ]
        return hashlib.sha256(ascii(parts).encode()).hexdigest()

    @cached_property
    def identity(self) -> str:
        """All that a count depends on beside the text: the fingerprint, and who counts.

        That is tiktoken, even where another engine does: they are only asked where they say what
        it says, so a count that one of them made is as good as one of its own.
        """
        nfc = f" tokenizers {version_of('tokenizers')}" if self.normalizes_nfc else ""
        return f"{self.fingerprint} tiktoken {version_of('tiktoken')}{nfc}"

    def count(self, text: str) -> int:
        """The number of tokens; see `Tokenizer`."""
        if not isinstance(text, str):
            raise not_text(text)
        if self._quick is not None and self._engine.made is None:
            quick = self._quick.count(text)
            if quick is not None:
                return quick
        text = self.normalize(text)
        fast = None if self.fast is None else self.fast.count(text, self._count)
        return self._count(text) if fast is None else fast

    def expect(self, characters: int) -> None:
        """Note that a text of so many characters is to be counted in parts."""
        if self.fast is not None:
            self.fast.expect(characters)

    def _count(self, text: str) -> int:
        """The number of tokens of normalised text, without making a list of them."""
        encode = getattr(self.engine._core_bpe, "encode_to_tiktoken_buffer", None)  # noqa: SLF001
        if encode is None or self._may_drop_text:
            return len(self._encode(text))
        try:
            return memoryview(encode(text, _NOTHING)).nbytes // 4
        except ValueError:  # see `_encode`
            return len(self._encode(text))

    def most_tokens(self, text: str) -> int | None:
        """A number that the count of a text cannot exceed, seen without counting.

        Every token of a byte-level BPE stands for at least one byte. NFC may make a text longer,
        so where it comes first, only a text is answered for that it leaves alone.
        """
        if text.isascii():
            return len(text)
        if self.normalizes_nfc and not is_surely_nfc(text):
            return None
        return len(text.encode(errors="surrogatepass"))

    def encode(self, text: str, *, control: bool = False) -> list[int]:
        """The token ids; see `Tokenizer`."""
        if not isinstance(text, str):
            raise not_text(text)
        if control and self.special_tokens:
            return self._encode_control(text)
        return self._encode(self.normalize(text))

    def _encode(self, text: str) -> list[int]:
        if self._watched is not None:
            return self._watched.encode(text)
        try:
            ids = self._encoding.encode(text, disallowed_special=())
        except ValueError:  # the split pattern ran out of stack on a very long run
            return self._encode_long_runs(text)
        except BaseException as error:
            if isinstance(error, Exception) or type(error).__name__ != "PanicException":
                raise
            raise self._uncountable("its pattern breaks the engine") from None
        if self._may_drop_text and len(self._encoding.decode_bytes(ids)) != len(text.encode()):
            raise self._uncountable("its pattern leaves some of the text out")
        return ids

    @cached_property
    def _may_drop_text(self) -> bool:
        """Whether the split pattern is somebody's own: what it does not match has no tokens."""
        from tokenlint.tokens.long_runs import COMPARED

        return self.pattern not in COMPARED

    def _uncountable(self, why: str) -> UncountableTextError:
        return UncountableTextError(
            f"{self.name} cannot cut this text: {why}; correct the pattern in its table, so that "
            "it matches every character"
        )

    def _encode_control(self, text: str) -> list[int]:
        """Control strings are cut out before the rest is normalised, or NFC could break one."""
        ids: list[int] = []
        for part in self._control_strings.split(replace_surrogates(text)):
            token = self.special_tokens.get(part)
            ids += self.encode(part) if token is None else [token]
        return ids

    @cached_property
    def _control_strings(self) -> re.Pattern[str]:
        longest_first = sorted(self.special_tokens, key=len, reverse=True)
        return re.compile(f"({'|'.join(map(re.escape, longest_first))})")

    def decode(self, ids: Sequence[int]) -> str:
        """The text of token ids; see `Tokenizer`."""
        try:
            return b"".join(map(self._bytes_of, ids)).decode(errors="replace")
        except TypeError:
            raise not_ids(ids) from None

    def normalize(self, text: str) -> str:
        """The text as it is cut; see `Tokenizer`."""
        if not isinstance(text, str):
            raise not_text(text)
        text = replace_surrogates(text)
        if not self.normalizes_nfc or text.isascii() or is_surely_nfc(text):
            return text
        return _nfc()(text)

    def pieces(self, text: str) -> list[bytes]:
        """The bytes of each token; see `Tokenizer`."""
        return list(map(self._bytes_of, self.encode(text)))

    def _bytes_of(self, token: int) -> bytes:
        try:
            return self._encoding.decode_single_token_bytes(token)
        except (KeyError, OverflowError):
            raise TokenizerError(f"{self.name} has no token with the id {token}") from None

    def _encode_long_runs(self, text: str) -> list[int]:
        from tokenlint.tokens import long_runs

        if not long_runs.is_safe(self.pattern, text):
            raise UncountableTextError(
                f"{self.name} cannot cut this text: a run of the same kind of character is too "
                "long for its split pattern; break the run, or leave the file out"
            )
        single = self._encoding._encode_single_piece  # noqa: SLF001  (no public name for it)
        return [token for piece in long_runs.split(self.pattern, text) for token in single(piece)]


@dataclass(eq=False, repr=False)
class _Engine:
    """tiktoken's engine, made once somebody needs it, and shared by all names of a tokenizer."""

    make: Callable[[], tiktoken.Encoding]
    made: tiktoken.Encoding | None = None
    lock: Lock = field(default_factory=Lock)

    def get(self) -> tiktoken.Encoding:
        """The engine."""
        if self.made is None:
            with self.lock:
                if self.made is None:
                    self.made = self.make()
        return self.made


def _build(
    name: str, ranks: dict[bytes, int], pattern: str, special: Mapping[str, int], source: str
) -> tiktoken.Encoding:
    from tiktoken import Encoding

    # Without any, the engine looks for the empty string everywhere, at half its speed.
    special = dict(special) or {"<|endoftext|>": 2**32 - 1}
    try:
        return Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise  # pyo3's panic is no Exception, and its class cannot be imported
        why = (str(error) or type(error).__name__).splitlines()[0]
        raise TokenizerError(f"{source}: no tokenizer can be made of it ({why})") from None


@cache
def _nfc() -> Callable[[str], str]:
    """The NFC of `tokenizers`, whose tables differ from Python's for a few rare marks."""
    from tokenizers import normalizers

    return normalizers.NFC().normalize_str
