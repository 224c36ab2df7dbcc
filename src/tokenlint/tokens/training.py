"""Trains a byte-level BPE on texts, with the trainer of Hugging Face's `tokenizers`.

The trainer is deterministic, whatever the order of the texts: of pairs seen equally often it joins
the one whose pieces were learned first. A pair that is seen only once is never joined.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tokenlint.errors import ConfigError
from tokenlint.frozen import frozen
from tokenlint.tokens.bpe import Merge, Pairs, single_bytes
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.equivalence import BYTE_OF, merge_parts, spelled_bytes
from tokenlint.tokens.loading import encoding_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tokenizers import Tokenizer as Engine
    from tokenizers.models import BPE

SIMPLE: Final = r" ?\w+| ?[^\w\s]+|\s+"
r"""A word or punctuation, each with the space before it, or white space.

`\w` is that of tiktoken and of the `regex` module: marks and joiners belong to a word. Python's
`re` ends a word at them, which cuts decomposed text and most Indic words to bits.
"""

BYTES: Final = len(BYTE_OF)
"The smallest vocabulary: with it every text can be spelled."

LARGEST: Final = 1_000_000
"The trainer sets memory aside for the whole vocabulary at once; none in use is half as large."

AT_LEAST: Final = 2
"How often a pair must be seen: one that stands in one place only says nothing about a language."

_CHUNK: Final = 1 << 15
_LONGEST: Final = 1 << 16
_BORDER: Final = re.compile(r"(?<=[^\W\d_])(?= [^\W\d_])|(?<=\S\n)(?=[^\s/])")

# What `\w` is to tiktoken and `regex`. To Oniguruma, the engine of `tokenizers`, it is less (no
# joiners) and more (the six Latin-1 signs such as U+00B2), so each part is named.
_WORD: Final = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d"


@frozen
class Recipe:
    """What to train: the vocabulary, special tokens included, and how text is cut before."""

    vocabulary_size: int
    pattern: str = SIMPLE
    nfc: bool = True
    special_tokens: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what cannot be trained. Raises ConfigError."""
        for special in self.special_tokens:
            if not special.strip() or not special.isprintable():
                raise ConfigError(f"{special!r} is no special token: it must be a visible string")
        if len(set(self.special_tokens)) < len(self.special_tokens):
            raise ConfigError("a special token is named twice; name each once")
        least = BYTES + len(self.special_tokens)
        if not least <= self.vocabulary_size <= LARGEST:
            raise ConfigError(
                f"a vocabulary of {self.vocabulary_size:,} cannot be trained: it must hold the "
                f"{BYTES} bytes and every special token, so give {least:,} to {LARGEST:,}"
            )


@dataclass(frozen=True, eq=False)
class Trained:
    """A trained tokenizer: its tokenizer.json, and its merges in the alphabet of bytes."""

    raw: bytes
    merges: tuple[tuple[str, str], ...]
    special_tokens: Mapping[str, int]
    _engine: Engine

    def words(self, texts: Iterable[str]) -> Counter[str]:
        """What texts are cut into before any merge, how often each, by first appearance."""
        normalizer, splitter = self._engine.normalizer, self._engine.pre_tokenizer
        words: Counter[str] = Counter()
        for text in texts:
            for chunk in chunks(text):
                normal = normalizer.normalize_str(chunk) if normalizer else chunk
                words.update(word for word, _ in splitter.pre_tokenize_str(normal))
        return words

    def count(self, words: Mapping[str, int], merges: int) -> int:
        """The tokens of words with only the first so many merges, as if no more were trained."""
        model = self._model(merges)
        return sum(len(model.tokenize(word)) * times for word, times in words.items())

    def _model(self, merges: int) -> BPE:
        from tokenizers import models

        # Pieces whose merge is left out stay in the vocabulary, where nothing can reach them.
        return models.BPE(self._engine.get_vocab(with_added_tokens=False), [*self.merges[:merges]])

    def first_merges(self, words: Mapping[str, int], most: int) -> Iterator[Merge[bytes]]:
        """The first merges, and how often the words have each pair when its turn comes."""
        pairs = Pairs({single_bytes(spelled_bytes(word)): n for word, n in words.items()})
        for merge in self.merges[:most]:
            left, right = map(spelled_bytes, merge)
            yield Merge(left, right, pairs.counts[left, right])
            pairs.join(left, right)


def pattern_of(name: str) -> str:
    """The split pattern of a name: `simple`, or an encoding (or a model that has one).

    Raises ConfigError.
    """
    if name == "simple":
        return SIMPLE
    encoding = ENCODINGS.get(encoding_for(name))
    if encoding is None:
        known = ", ".join(["simple", *ENCODINGS])
        raise ConfigError(f"no split pattern is known by the name {name!r}: use one of {known}")
    return encoding.pattern


def as_oniguruma(pattern: str) -> str:
    """The pattern in the words of Oniguruma, so that it cuts as tiktoken does.

    There `{1,3}+` repeats the group and is not possessive. Where nothing follows it in its branch
    there is nothing to give back to, and a plain `{1,3}` is the same.
    """
    pattern = re.sub(r"(\{\d+,\d+\})\+(?=\||$)", r"\1", pattern)
    return pattern.replace(r"[^\w\s]", rf"[^{_WORD}\s]").replace(r"\w", f"[{_WORD}]")


def chunks(text: str) -> Iterator[str]:
    """A text in parts, which together are cut as the whole is.

    Every pattern, and NFC, part a word from a space and a word after it, and a line that is not
    empty from a next one that begins with neither white space nor a slash. Where there is no such
    border, a part is as long as it is.
    """
    start = 0
    while len(text) - start > _CHUNK:
        border = _BORDER.search(text, start + _CHUNK)
        if border is None:
            break
        yield text[start : border.start()]
        start = border.start()
    yield text[start:]


def _bearable(texts: Iterable[str]) -> Iterator[str]:
    """Texts in parts that the trainer can bear.

    It takes some 70 times the memory of the texts that it works on, draws 256 at once, and takes
    the square of the time for a long run of the same kind. In a file without borders, such as
    minified JSON, one word in 65,536 characters is broken by this.
    """
    for text in texts:
        for chunk in chunks(text):
            for at in range(0, len(chunk), _LONGEST):
                yield chunk[at : at + _LONGEST]


def train(texts: Iterable[str], recipe: Recipe, *, progress: bool = False) -> Trained:
    """Train on texts, which are drawn one at a time; `progress` draws bars on stderr.

    Raises ConfigError where a special token is a piece that was learned.
    """
    from tokenizers import AddedToken, trainers
    from tokenizers.pre_tokenizers import ByteLevel

    engine = _untrained(recipe)
    trainer = trainers.BpeTrainer(
        vocab_size=recipe.vocabulary_size - len(recipe.special_tokens),
        min_frequency=AT_LEAST,
        initial_alphabet=ByteLevel.alphabet(),
        show_progress=progress,
    )
    engine.train_from_iterator(_bearable(texts), trainer)
    for special in recipe.special_tokens:
        if engine.token_to_id(special) is not None:
            raise ConfigError(f"{special!r} is an ordinary piece of text here, not a special token")
        engine.add_special_tokens([AddedToken(special, special=True, normalized=False)])
    raw = engine.to_str(pretty=True).encode()
    merges = tuple(map(merge_parts, json.loads(raw)["model"]["merges"]))
    return Trained(raw, merges, _special_ids(engine), engine)


def _special_ids(engine: Engine) -> dict[str, int]:
    return {token.content: id_ for id_, token in engine.get_added_tokens_decoder().items()}


def _untrained(recipe: Recipe) -> Engine:
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers
    from tokenizers.pre_tokenizers import ByteLevel, Sequence, Split

    engine = Tokenizer(models.BPE())
    if recipe.nfc:
        engine.normalizer = normalizers.NFC()
    split = Split(Regex(as_oniguruma(recipe.pattern)), behavior="isolated")
    engine.pre_tokenizer = Sequence([split, ByteLevel(add_prefix_space=False, use_regex=False)])
    engine.decoder = decoders.ByteLevel()
    return engine
