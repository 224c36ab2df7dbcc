"""`tokenlint tokenizers NAME`: one tokenizer, opened."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from tokenlint.frozen import frozen
from tokenlint.reports.explain_visible import Marks, visible
from tokenlint.tokens.encodings import ENCODINGS, EXTRAS
from tokenlint.tokens.equivalence import MARK, is_spelled, spelled_bytes
from tokenlint.tokens.hf_backend import HfTokenizer
from tokenlint.tokens.hf_literal import state_of
from tokenlint.tokens.loading import encoding_for
from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer
from tokenlint.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tokenlint.tokens import Loader
    from tokenlint.tokens.tokenizer import Tokenizer

MOST_SPECIAL: Final = 20
"Special tokens that are listed unless all are asked for."

_MOST_SHOWN: Final = 60
"Characters of the longest token that the table shows."


@frozen
class Inside:
    """What an engine says of itself; `vocabulary` counts what text can become, specials aside.

    `fast` is the second engine, for long texts, where there may be one.
    """

    engine: str
    model: str | None = None
    vocabulary: int | None = None
    normalizer: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    longest: tuple[int, bytes] | None = None
    fast: str | None = None


@frozen
class Opened:
    """A tokenizer: the name that was asked for, what it means, and what is inside."""

    name: str
    resolves_to: str
    source: str
    fingerprint: str
    normalizes_nfc: bool
    special_tokens: Mapping[str, int]
    inside: Inside


def run(name: str, loader: Loader) -> Opened:
    """Open the tokenizer of a name.

    Raises TokenizerError.
    """
    tokenizer = loader.require(name)
    encoding = encoding_for(loader.table(name).source)
    return Opened(
        name,
        encoding if encoding in ENCODINGS or encoding in EXTRAS else tokenizer.source,
        tokenizer.source,
        tokenizer.fingerprint,
        tokenizer.normalizes_nfc,
        dict(sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])),
        _inside(tokenizer),
    )


def _inside(tokenizer: Tokenizer) -> Inside:
    if isinstance(tokenizer, TiktokenTokenizer):
        return _ranked(tokenizer)
    if isinstance(tokenizer, HfTokenizer):
        return _of_json(tokenizer)
    kind = type(tokenizer)
    return Inside(f"{kind.__module__}.{kind.__qualname__}, from a plugin")


def _ranked(tokenizer: TiktokenTokenizer) -> Inside:
    tokens = tokenizer.engine.token_byte_values()
    most = max(map(len, tokens))
    ids = ((tokenizer.engine.encode_single_token(raw), raw) for raw in tokens if len(raw) == most)
    return Inside(
        f"tiktoken {version('tiktoken')}",
        "BPE",
        len(tokens),
        ("NFC",) if tokenizer.normalizes_nfc else (),
        (tokenizer.pattern,),
        min(ids),
        None if tokenizer.fast is None else tokenizer.fast.description,
    )


def _of_json(tokenizer: HfTokenizer) -> Inside:
    engine = tokenizer.engine
    vocabulary = engine.get_vocab(with_added_tokens=False)
    normalizer, splits = state_of(engine.normalizer), state_of(engine.pre_tokenizer)
    in_bytes = "ByteLevel" in str((normalizer, splits))
    plain = {n: i for n, i in vocabulary.items() if n not in tokenizer.special_tokens}
    spelled = ((_raw(name, in_bytes), id_) for name, id_ in plain.items())
    longest = max(spelled, key=lambda found: (len(found[0]), -found[1]), default=None)
    return Inside(
        f"tokenizers {version('tokenizers')}",
        type(engine.model).__name__,
        len(plain),
        tuple(_steps(normalizer, "normalizers")),
        tuple(_steps(splits, "pretokenizers")),
        longest and (longest[1], longest[0]),
    )


def _raw(name: str, in_bytes: bool) -> bytes:
    spelled = in_bytes and is_spelled(name)
    return spelled_bytes(name) if spelled else name.replace(MARK, " ").encode()


def _steps(state: dict[str, Any] | None, inner: str) -> Iterator[str]:
    """The steps of a normaliser or of splits: the kind of each, and what it was given."""
    if state is None:
        return
    if state["type"] == "Sequence":
        for step in state[inner]:
            yield from _steps(step, inner)
        return
    given = {key: value for key, value in state.items() if key != "type"}
    told = json.dumps(given, ensure_ascii=False) if given else ""
    yield f"{state['type']} {told}".rstrip()


def as_json(opened: Opened) -> str:
    """All of it, for another program."""
    inside = asdict(opened.inside)
    longest = inside.pop("longest")
    text = longest and longest[1].decode(errors="replace")
    facts = {key: value for key, value in asdict(opened).items() if key != "inside"}
    shown = longest and {"id": longest[0], "bytes": longest[1].hex(), "text": text}
    return json.dumps({**facts, **inside, "longest": shown}, indent=2)


def as_table(opened: Opened, *, all_special: bool = False) -> Iterator[str]:
    """A line a fact; of many special tokens the first."""
    facts = list(_facts(opened, all_special=all_special))
    size = max(len(key) for key, _ in facts)
    for key, lines in facts:
        for number, line in enumerate(lines):
            yield f"{key if number == 0 else '':{size}}  {line}"


def _facts(opened: Opened, *, all_special: bool) -> Iterator[tuple[str, Iterable[str]]]:
    inside = opened.inside
    yield "name", [opened.name]
    yield "is", [opened.resolves_to]
    yield "engine", [f"{inside.engine}" + (f", {inside.model}" if inside.model else "")]
    if inside.fast is not None:
        yield "long texts", [inside.fast]
    if inside.vocabulary is not None:
        yield "vocabulary", [f"{counted(inside.vocabulary, 'token')}, special ones aside"]
    yield "normaliser", inside.normalizer or [_unsaid(inside, opened)]
    yield "splits", inside.splits or ["not known" if inside.model is None else "none"]
    yield "special", list(_special(opened.special_tokens, None if all_special else MOST_SPECIAL))
    if inside.longest is not None:
        yield "longest", [_longest(*inside.longest)]
    yield "fingerprint", [opened.fingerprint]
    yield "source", [opened.source]


def _unsaid(inside: Inside, opened: Opened) -> str:
    if inside.model is not None:
        return "none"
    return "applies NFC" if opened.normalizes_nfc else "not known"


def _special(special: Mapping[str, int], most: int | None) -> Iterator[str]:
    if not special:
        yield "none"
    for string, id_ in list(special.items())[:most]:
        yield f"{id_}  {string}"
    if most is not None and len(special) > most:
        yield f"... and {len(special) - most:,} more (--all shows them)"


def _longest(id_: int, raw: bytes) -> str:
    shown = visible(raw, Marks())
    cut = "..." if len(shown) > _MOST_SHOWN else ""
    return f"{counted(len(raw), 'byte')}, id {id_}: {shown[:_MOST_SHOWN]}{cut}"
