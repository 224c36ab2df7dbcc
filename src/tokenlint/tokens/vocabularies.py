"""Where the bytes of a vocabulary come from, and the sha256 that each must have.

In order: this package's own data files, an installed package that carries the file (read as
data, never imported), tiktoken's cache (never written or cleaned here), and, where the user
allowed it, the vendor's server. Every byte is checked against its hash before it is used.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.errors import TokenizerError
from tokenlint.small_files import TOKENIZER, read_small
from tokenlint.tokens.rank_files import (
    RANK_FILES,
    Carrier,
    Packed,
    Published,
    RankFile,
    cache_name,
    url_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_DATA = Path(__file__).parent.parent / "data"


def find_ranks(name: str, *, network: bool = False) -> Published | Packed:
    """The ranks of a known rank file from the first place that has it whole.

    They are checked, and unpacked or parsed when somebody asks for them.

    Raises TokenizerError, naming every place that was tried.
    """
    file = RANK_FILES[name]
    tried: list[str] = []
    for packed, source in _own(file, tried):
        return Packed(packed, file.sha256, source)
    raw, source = find_raw(name, network=network, tried=tried)
    return Published(raw, file.sha256, source)


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
        raw = read_small(path, TOKENIZER)
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
            yield carrier.unpack(read_small(path, TOKENIZER)), f"the package {carrier.package}"
        except (OSError, zlib.error) as error:
            tried.append(f"{path} ({getattr(error, 'strerror', None) or 'damaged'})")


def cache_folder() -> Path | None:
    """The folder of tiktoken's cache as its environment variables say; None where it is off."""
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            return Path(os.environ[variable]) if os.environ[variable] else None
    import tempfile

    return Path(tempfile.gettempdir(), "data-gym-cache")


def _cached(file: RankFile, tried: list[str]) -> Iterator[tuple[bytes, str]]:
    folder = cache_folder()
    if folder is None:
        tried.append("tiktoken's cache (switched off by an empty TIKTOKEN_CACHE_DIR)")
        return
    path = folder / cache_name(url_of(file.name))
    try:
        yield read_small(path, TOKENIZER), f"tiktoken's cache ({path})"
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
    path = folder / cache_name(url_of(file.name))
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
