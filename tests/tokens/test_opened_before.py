"""A tokenizer's file that was opened before is opened again only for what is not known."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from test_hf_backend import byte_level

from tokenlint.cli import main
from tokenlint.tokens import Loader, TokenizerTable, hf_opening, rank_files, tokenizer_files
from tokenlint.tokens import counts as counting
from tokenlint.tokens.cache import FILE_NAME, Cache
from tokenlint.tokens.counts import Counts

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXTS = ("", "one two", "Ti\u1ebfng Vi\u1ec7t <|im_start|>", "\u1100\u1161 e\u0302\u0323")
JSON, RANKS = "./t.json", "./t.tiktoken"
TABLES = {"ranks": TokenizerTable(RANKS, pattern="(?s).")}


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The files that were opened, in a folder with one of each kind."""
    found: list[str] = []
    open_json, open_ranks = hf_opening.opened, rank_files.parse_ranks

    def json_opened(raw: bytes, **made: str) -> object:
        found.append("json")
        return open_json(raw, **made)  # type: ignore[arg-type]

    def ranks_opened(raw: bytes) -> dict[bytes, int]:
        found.append("ranks")
        return open_ranks(raw)

    monkeypatch.setattr(hf_opening, "opened", json_opened)
    monkeypatch.setattr(tokenizer_files, "parse_ranks", ranks_opened)
    byte_level().save(str(tmp_path / "t.json"))
    lines = (b"%b %d\n" % (b64encode(bytes([byte])), byte) for byte in range(256))
    (tmp_path / "t.tiktoken").write_bytes(b"".join(lines))
    return found


def loader(folder: Path) -> Loader:
    """What a new process would load with, and the same cache."""
    return Loader(folder, TABLES, counts=Counts(Cache(folder / FILE_NAME)))


@pytest.mark.parametrize(("name", "kind"), [(JSON, "json"), ("ranks", "ranks")])
def test_counts_that_are_known_open_nothing_and_are_the_same(
    name: str, kind: str, opened: list[str], tmp_path: Path
) -> None:
    first = loader(tmp_path)
    made = [first.count(name, text) for text in TEXTS]
    assert made == list(map(Loader(tmp_path, TABLES).require(name).count, TEXTS))
    first.counts.keep()
    opened.clear()
    again = loader(tmp_path)
    assert [again.count(name, text) for text in TEXTS] == made
    assert [again.begin(name, text)() for text in TEXTS] == made
    assert opened == []
    assert again.count(name, "another") == first.count(name, "another")
    assert opened == [kind]


@pytest.mark.parametrize(
    "name",
    [JSON, "ranks"],
)
def test_what_is_asked_beside_counts_is_answered_by_the_file(
    name: str, opened: list[str], tmp_path: Path
) -> None:
    first = loader(tmp_path)
    told = first.require(name)
    first.counts.keep()
    opened.clear()
    again = loader(tmp_path).require(name)
    assert (again.fingerprint, again.source) == (told.fingerprint, told.source)
    assert opened == []
    other = again.named("other")
    assert other.encode("one two") == told.encode("one two") == again.encode("one two")
    assert other.special_tokens == told.special_tokens
    assert other.normalizes_nfc == told.normalizes_nfc
    assert other.decode(told.encode("one two")) == told.decode(told.encode("one two"))
    assert len(opened) == 1


@pytest.mark.parametrize(
    ("name", "file", "sentence"),
    [
        (JSON, "t.json", "t.json: not a usable tokenizer.json ("),
        ("ranks", "t.tiktoken", "t.tiktoken: not a usable .tiktoken file ("),
        (RANKS, "t.tiktoken", "t.tiktoken: not a usable .tiktoken file ("),
    ],
)
def test_a_file_that_broke_since_is_refused_at_once(
    name: str, file: str, sentence: str, opened: list[str], tmp_path: Path
) -> None:
    whole = (tmp_path / file).read_bytes()
    first = loader(tmp_path)
    first.get(name)
    first.counts.keep()
    for broken in (whole[:-9], b"", whole.replace(b"a", b"\xff", 1), whole[:300]):
        (tmp_path / file).write_bytes(broken)
        again = loader(tmp_path)
        for loaders in (again, again, loader(tmp_path)):
            assert sentence in str(loaders.get(name))
        again.counts.keep()
    (tmp_path / file).write_bytes(whole)
    assert opened


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tokenlint.tokens.hf_backend.version_of", lambda name: f"{name} 99"),
        ("tokenlint.__version__", "99"),
    ],
)
def test_another_version_opens_again(
    name: str,
    value: object,
    opened: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = loader(tmp_path)
    first.count(JSON, "one two")
    first.counts.keep()
    opened.clear()
    monkeypatch.setattr(name, value)
    loader(tmp_path).require(JSON)
    assert opened == ["json"]


def test_without_a_cache_a_file_is_opened_at_once(opened: list[str], tmp_path: Path) -> None:
    for _ in range(2):
        Loader(tmp_path).require(JSON)
    assert opened == ["json", "json"]


CONFIGURATION = """
select = ["TL201", "TL301"]
tokenizers = ["./t.json"]
[special-tokens]
families = {families}
[[budgets]]
files = ["*.md"]
max-tokens = 2
"""


@pytest.fixture
def project(
    tmp_path: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[str]]:
    """A folder with a cache of its own, and the files that were opened."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOKENLINT_NO_CACHE")
    monkeypatch.setenv("TOKENLINT_CACHE_DIR", str(tmp_path.parent / f"{tmp_path.name}-kept"))
    Path("a.md").write_text("one two three", "utf-8")
    yield opened
    counting.end()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("count", "-t", JSON, "a.md"), 0),
        (("count", "-t", JSON, "--output-format", "json", "a.md"), 0),
        (("check", "a.md"), 1),
    ],
)
def test_a_command_that_knows_its_counts_opens_nothing(
    arguments: tuple[str, ...],
    code: int,
    project: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("tokenlint.toml").write_text(CONFIGURATION.format(families='["chatml"]'), "utf-8")
    said = []
    for times in (1, 0, 0):
        assert main([*arguments]) == code
        said.append(capsys.readouterr())
        assert project == ["json"] * times
        project.clear()
    assert said[1:] == said[:1] * 2
    Path("t.json").write_text(Path("t.json").read_text("utf-8")[:-5], "utf-8")
    assert main([*arguments]) == 2
    assert "t.json: not a usable tokenizer.json (" in capsys.readouterr().err


def test_the_control_strings_of_a_tokenizer_are_those_of_its_file(
    project: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (special,) = (
        token["content"]
        for token in json.loads(Path("t.json").read_text("utf-8"))["added_tokens"][:1]
    )
    Path("tokenlint.toml").write_text(CONFIGURATION.format(families='"tokenizers"'), "utf-8")
    Path("a.md").write_text(f"one {special}", "utf-8")
    said = []
    for _ in range(2):
        assert main(["check", "a.md"]) == 1
        said.append(capsys.readouterr().out)
        assert project == ["json"]
        project.clear()
    assert said[0] == said[1]
    assert "TL201" in said[0]


def test_what_is_inside_of_a_tokenizer_is_read_from_its_file(
    project: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = []
    for _ in range(2):
        assert main(["tokenizers", JSON]) == 0
        said.append(capsys.readouterr().out)
        assert project == ["json"]
        project.clear()
    assert said[0] == said[1]
