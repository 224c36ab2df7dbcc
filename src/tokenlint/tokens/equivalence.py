"""Proves that a byte-level BPE of a tokenizer.json gives the same ids on tiktoken's engine.

The two engines differ in what they merge next. `tokenizers` takes the pair that stands first
in the list of merges; tiktoken takes the pair whose joined bytes have the lowest rank, whether
or not the pair is in the list. They agree if

1. ranks are ids, and the list of merges is sorted by the ids of its results;
2. every token of two or more bytes is *reached*: cutting its own bytes with all merges of lower
   rank leaves exactly two tokens, and that pair is in the list.

Why that is enough: neighbours in any state of the cutting, taken alone, are cut the same way,
for no merge ever crossed their outer borders. So by 2 only one pair of neighbours can ever join
to a given token, the same in both engines and at the same point of the order; other pairs with
the same bytes, listed or not, never come to stand side by side.

Splitting must agree as well: only patterns that were compared over every code point and over
megabytes of text are accepted. Text that is not NFC must go through the NFC of `tokenizers`
itself, whose tables differ from Python's for a few rare marks.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MARK: Final = "\u2581"
"What SentencePiece writes for a space."

Pair = tuple[int, int]
"The ids of two neighbours."

_QWEN: Final = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_LLAMA_3: Final = _QWEN.replace(r"|\p{N}|", r"|\p{N}{1,3}|")
_O200K: Final = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

# DeepSeek V3, R1 and V4 split three times, each time inside the pieces of the time before.
_DEEPSEEK_SPLITS: Final = (
    r"\p{N}{1,3}",
    "[一-龥\u3040-ゟ゠-ヿ]+",
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
    "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
)

# One pattern that cuts alike. A run of kana and Han is itself cut by the third split (kana may
# hold punctuation and U+309B, U+309C), and a digit or such a run ends every other piece.
_C: Final = r"\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff"
_DEEPSEEK: Final = "|".join(
    (
        r"\p{N}{1,3}",
        rf"[[{_C}]&&[^\p{{L}}\p{{P}}\p{{S}}]]?[[\p{{L}}\p{{M}}]&&[{_C}]]+",
        rf"[[\p{{P}}\p{{S}}]&&[{_C}]]+",
        rf"(?:[[{_C}]&&[^\p{{L}}\p{{M}}\p{{P}}\p{{S}}]](?![[\p{{L}}\p{{M}}]&&[{_C}]]))+",
        r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+",
        rf"[^\r\n\p{{L}}\p{{P}}\p{{S}}\p{{N}}{_C}]?[[\p{{L}}\p{{M}}]&&[^{_C}]]+",
        rf" ?[[\p{{P}}\p{{S}}]&&[^{_C}]]+[\r\n]*",
        r"\s*[\r\n]+",
        rf"\s+(?![^\s\p{{N}}{_C}])",
        r"\s+",
        rf"(?:[^\s\p{{L}}\p{{M}}\p{{N}}\p{{P}}\p{{S}}{_C}](?![[\p{{L}}\p{{M}}]&&[^{_C}]]))+",
        r"[\s\S]",
    )
)

_VERIFIED: Final[Mapping[tuple[str, ...], str]] = {
    (_QWEN,): _QWEN,
    (_LLAMA_3,): _LLAMA_3,
    (_O200K,): _O200K,
    _DEEPSEEK_SPLITS: _DEEPSEEK,
}
"The splits of a tokenizer.json that were compared, and the one pattern that cuts alike."

_PROVEN: Final = {"8f9f37ca37fdc4f5fd36d5cf4d3b0e8392edb4e894fd10cc0d70b4957c8633cf"}
"Hashes of files (DeepSeek V4) that the tests prove, which need not spend half a second each time."


def _byte_alphabet() -> dict[str, int]:
    """The characters with which a byte-level BPE spells bytes: GPT-2's, the same everywhere."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(0x100) if byte not in set(plain)]
    return {chr(byte): byte for byte in plain} | {chr(0x100 + i): b for i, b in enumerate(rest)}


BYTE_OF: Final[Mapping[str, int]] = _byte_alphabet()
"The byte that each character of a byte-level token stands for."

_BYTE_TABLE: Final = str.maketrans({character: chr(byte) for character, byte in BYTE_OF.items()})

_SPELLED: Final = re.compile(f"[{re.escape(''.join(BYTE_OF))}]+")


@dataclass(frozen=True, slots=True)
class RankTable:
    """What tiktoken's engine needs; ids need not be contiguous. With `nfc`, NFC comes first."""

    ranks: dict[bytes, int]
    pattern: str
    nfc: bool


def ranks_of_json(raw: bytes) -> RankTable | None:
    """The rank table of the bytes of a tokenizer.json, or None where nothing is proven."""
    proven = hashlib.sha256(raw).hexdigest() in _PROVEN
    try:
        return as_ranks(json.loads(raw), proven=proven)
    except (ValueError, RecursionError):
        return None


def as_ranks(spec: Any, *, proven: bool = False) -> RankTable | None:
    """The rank table of a parsed tokenizer.json, or None where equal ids are not proven.

    With `proven` the merges are taken as they are: the caller has compared the file's hash.
    """
    try:
        return _as_ranks(spec, proven=proven)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None  # not shaped like a tokenizer.json, so nothing is proven


def _as_ranks(spec: dict[str, Any], *, proven: bool) -> RankTable | None:
    pattern = _VERIFIED.get(tuple(_splits(spec["pre_tokenizer"])))
    nfc = _normalizer_is_nfc(spec.get("normalizer"))
    if pattern is None or nfc is None or not _is_plain(spec["model"]):
        return None
    ids = _spelled_ids(spec["model"]["vocab"])
    if not _is_complete(ids) or _is_touched(spec.get("added_tokens") or [], ids):
        return None
    if not proven and not _is_proven(ids, spec["model"]["merges"]):
        return None
    return RankTable({spelled_bytes(token): id_ for token, id_ in ids.items()}, pattern, nfc)


def is_spelled(token: str) -> bool:
    """Whether a token is written in the byte alphabet, as all that comes from text is."""
    return _SPELLED.fullmatch(token) is not None


def spelled_bytes(token: str) -> bytes:
    """The bytes of a token that is written in the byte alphabet."""
    return token.translate(_BYTE_TABLE).encode("latin-1")


def is_blank(content: str, *, special: bool) -> bool:
    """Whether an added token is white space that the tokenizer reads as ordinary text."""
    return not special and content.replace(MARK, " ").isspace()


def _splits(pre_tokenizer: dict[str, Any]) -> Iterator[str]:
    """The patterns of splits that are followed by a ByteLevel step which only spells bytes."""
    *splits, last = pre_tokenizer["pretokenizers"]
    if (last["type"], last["add_prefix_space"], last["use_regex"]) != ("ByteLevel", False, False):
        raise ValueError("the last step changes the text")
    for split in splits:
        kind = (split["behavior"], split["invert"])
        # `Removed` and inverted drops what no match covers: nothing, where one pattern covers all.
        if kind != ("Isolated", False) and (kind != ("Removed", True) or len(splits) > 1):
            raise ValueError("a split of another kind")
        yield split["pattern"]["Regex"]


def _normalizer_is_nfc(normalizer: dict[str, Any] | None) -> bool | None:
    """True for NFC, False for a normaliser that does nothing, None for any other."""
    if normalizer is None or normalizer == {"type": "Sequence", "normalizers": []}:
        return False
    return True if normalizer == {"type": "NFC"} else None


def _is_plain(model: dict[str, Any]) -> bool:
    # Unknown tokens and byte fallback play no part once all 256 bytes are in the vocabulary.
    odd = ("dropout", "continuing_subword_prefix", "end_of_word_suffix")
    return model.get("type", "BPE") == "BPE" and not any(model.get(key) for key in odd)


def _spelled_ids(vocabulary: dict[str, int]) -> dict[str, int]:
    # What is not spelled in the byte alphabet (`<｜end▁of▁sentence｜>`) cannot come from text.
    return {token: id_ for token, id_ in vocabulary.items() if is_spelled(token)}


def _is_complete(ids: dict[str, int]) -> bool:
    plausible = all(type(id_) is int and id_ >= 0 for id_ in ids.values())
    return plausible and len(set(ids.values())) == len(ids) and ids.keys() >= BYTE_OF.keys()


def _is_touched(added: Iterable[dict[str, Any]], ids: dict[str, int]) -> bool:
    """Whether literal text meets added tokens: a piece of the vocabulary, or white space."""
    return any(
        token["content"] in ids or is_blank(token["content"], special=token["special"])
        for token in added
    )


def _is_proven(ids: dict[str, int], merges: list[Any]) -> bool:
    """Whether the merges are in the order of ids and reach every token of two or more bytes."""
    triples = [_merge_ids(ids, *merge_parts(merge)) for merge in merges]
    results = [result for _, _, result in triples]
    if any(later < earlier for earlier, later in pairwise(results)):
        return False
    there = {ids[character] for character in BYTE_OF}
    split: dict[int, Pair] = {}
    joined: dict[Pair, int] = {}
    for result, group in groupby(triples, key=itemgetter(2)):
        parts = {(left, right) for left, right, _ in group if left in there and right in there}
        reached = [pair for pair in parts if _is_stable(*pair, result, split, joined)]
        if len(reached) != 1:
            return False
        split[result], joined[reached[0]] = reached[0], result
        there.add(result)
    return len(there) == len(ids)


def merge_parts(merge: str | list[str]) -> tuple[str, str]:
    """The two halves of a merge, which older files write as one string."""
    left, right = merge.split(" ") if isinstance(merge, str) else merge
    return left, right


def _merge_ids(ids: dict[str, int], left: str, right: str) -> tuple[int, int, int]:
    return ids[left], ids[right], ids[left + right]


def _is_stable(
    left: int, right: int, limit: int, split: dict[int, Pair], joined: dict[Pair, int]
) -> bool:
    """Whether merges of rank below `limit` cut the two tokens' joint bytes into just these two.

    Undoes the merges next to the border, the latest first. Each pair of neighbours found on the
    way stood there until the rank in `limit`: had it a merge of lower rank, the border was lost.
    Of two equal tokens the right one is the later; there a merge of the same rank at the border,
    which lies further left, comes first, hence the + 1.
    """
    while joined.get((left, right), limit) >= limit:
        if left in split and (right not in split or left > right):
            limit, left = left, split[left][1]
        elif right in split:
            limit, right = right + 1, split[right][0]
        else:
            return True
    return False
