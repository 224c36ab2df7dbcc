"""`tokenlint count`: figures held to tiktoken, the table, the JSON, and what is left out."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
import tiktoken

from tokenlint.cli import main
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.vocabularies import find_ranks

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = {
    "a.md": "You are a helper.\n",
    "b/vi.md": "B\u1ea1n l\u00e0 tr\u1ee3 l\u00fd h\u1eefu \u00edch.\n",
    "c.md": "The marker <|endoftext|> ends a document.\n",
    "ja.md": "\u3042\u306a\u305f\u306f\u89aa\u5207\u3067\u3059\u3002",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a few files in several languages."""
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    return tmp_path


def judge(text: str, name: str = "o200k_base") -> int:
    """The count of tiktoken's own engine, built here."""
    return len(engine(name).encode(text))


@cache
def engine(name: str) -> tiktoken.Encoding:
    encoding = ENCODINGS[name]
    ranks = find_ranks(encoding.vocabulary).ranks
    return tiktoken.Encoding(
        name, pat_str=encoding.pattern, mergeable_ranks=ranks, special_tokens={}
    )


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The JSON report of a count."""
    assert main(["count", "--output-format", "json", *arguments]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_counts_are_those_of_tiktoken(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, ".")
    assert {file["path"]: file["tokens"]["o200k_base"] for file in found["files"]} == {
        name: judge(text) for name, text in TEXTS.items()
    }
    assert found["total"]["tokens"]["o200k_base"] == sum(map(judge, TEXTS.values()))


def test_json_is_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, "-t", "o200k_base", "-t", "cl100k_base", "a.md", "ja.md")
    a, ja = TEXTS["a.md"], TEXTS["ja.md"]
    assert found == {
        "files": [
            {
                "path": "a.md",
                "bytes": 18,
                "characters": 18,
                "words": 4,
                "tokens": {"o200k_base": judge(a), "cl100k_base": judge(a, "cl100k_base")},
            },
            {
                "path": "ja.md",
                "bytes": 27,
                "characters": 9,
                "words": None,
                "tokens": {"o200k_base": judge(ja), "cl100k_base": judge(ja, "cl100k_base")},
            },
        ],
        "total": {
            "files": 2,
            "bytes": 45,
            "characters": 27,
            "words": 4,
            "tokens": {
                "o200k_base": judge(a) + judge(ja),
                "cl100k_base": judge(a, "cl100k_base") + judge(ja, "cl100k_base"),
            },
        },
    }


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "a.md", "ja.md"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "file   bytes  characters  words  o200k_base",
        "a.md      18          18      4           5",
        "ja.md     27           9      -           6",
        "total     45          27      4          11",
    ]


def test_one_file_has_no_total(capsys: pytest.CaptureFixture[str]) -> None:
    main(["count", "a.md"])
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize(
    ("by", "order"),
    [
        ("path", ["a.md", "b/vi.md", "c.md", "ja.md"]),
        ("tokens", ["c.md", "b/vi.md", "ja.md", "a.md"]),
        ("bytes", ["c.md", "b/vi.md", "ja.md", "a.md"]),
        ("characters", ["c.md", "b/vi.md", "a.md", "ja.md"]),
        ("words", ["b/vi.md", "c.md", "a.md", "ja.md"]),
    ],
)
def test_sort(capsys: pytest.CaptureFixture[str], by: str, order: list[str]) -> None:
    assert [file["path"] for file in report(capsys, "--sort", by)["files"]] == order


def test_top_says_what_it_leaves_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "--sort", "tokens", "--top", "1"]) == 0
    captured = capsys.readouterr()
    assert [line.split()[0] for line in captured.out.splitlines()] == ["file", "c.md", "total"]
    assert captured.err == "3 more files in the total, left out by --top\n"


@pytest.mark.parametrize("text", ["0", "-1", "x", "\u0663"])
def test_top_takes_a_number(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["count", "--top", text])
    assert "expected a whole number above 0" in capsys.readouterr().err


def test_what_cannot_be_read_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "latin.md").write_bytes(b"caf\xe9")
    (folder / "logo.png").write_bytes(b"\x89PNG\0")
    assert main(["count", "."]) == 0
    assert capsys.readouterr().err == "skipped 2 (1 binary, 1 not UTF-8)\n"
    assert main(["count", "latin.md", "a.md", "gone.md"]) == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines()[1].startswith("a.md")
    assert captured.err.splitlines()[:2] == [
        "error: gone.md: no such file or directory",
        "error: latin.md: not UTF-8: byte 0xe9 at offset 3 (line 1); convert the file to UTF-8",
    ]


def test_windows_line_ends_and_a_byte_order_mark_cost_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "crlf.md").write_bytes(b"\xef\xbb\xbf# Role\r\n\r\n- Be short.\r\n")
    found = report(capsys, "crlf.md")["files"][0]
    assert found["tokens"]["o200k_base"] == judge("# Role\n\n- Be short.\n")
    assert (found["bytes"], found["characters"]) == (26, 20)


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        ('newlines = "as-is"', "# Role\r\n\r\n- Be short.\r\n"),
        ("count-bom = true", "\ufeff# Role\n\n- Be short.\n"),
    ],
)
def test_both_are_settings(
    folder: Path, capsys: pytest.CaptureFixture[str], setting: str, text: str
) -> None:
    (folder / "tokenlint.toml").write_text(setting)
    (folder / "crlf.md").write_bytes(b"\xef\xbb\xbf# Role\r\n\r\n- Be short.\r\n")
    assert report(capsys, "crlf.md")["files"][0]["tokens"]["o200k_base"] == judge(text)


def test_an_unknown_tokenizer_counts_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "-t", "o200k_bse", "a.md"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(
        "error: unknown tokenizer 'o200k_bse': did you mean o200k_base? "
    )


def test_stdin(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tokenlint", "count", "-"],
        input=TEXTS["a.md"].encode(),
        cwd=folder,
        capture_output=True,
        check=True,
    )
    assert done.stdout.split()[-5:] == [b"-", b"18", b"18", b"4", b"5"]


def test_the_total_of_nothing(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "empty").mkdir()
    assert report(capsys, "empty") == {
        "files": [],
        "total": {
            "files": 0,
            "bytes": 0,
            "characters": 0,
            "words": 0,
            "tokens": {"o200k_base": 0},
        },
    }


ODD_FILES = {
    "crlf.md": b"one\r\ntwo\rthree\n",
    "bom.md": "\ufeffB\u1ea1n l\u00e0\n".encode(),
    "korean.md": "\ub2f9\uc2e0\uc740 \uc720\uc6a9\ud55c".encode(),
    "utf16.md": "text".encode("utf-16"),
    "latin.md": b"caf\xe9",
    "half.md": b"\xed\xa0\x80",
    "binary.md": b"a\0b",
    "empty.md": b"",
    "again.md": b"one\ntwo\nthree\n",
    "config/x.json": b'{"system": "You help.", "other": "not counted"}',
}


@pytest.mark.parametrize("more", [(), ("-t", "cl100k_base", "-t", "o200k_base")])
def test_what_was_counted_before_is_reported_alike(
    more: tuple[str, ...],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, raw in ODD_FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(raw)
    (folder / "tokenlint.toml").write_text('[extract]\n"config/*.json" = "system"\n')
    monkeypatch.setenv("TOKENLINT_CACHE_DIR", str(folder / "kept"))
    said = []
    for first in (("--no-cache",), (), ()):
        assert main(["count", "--output-format", "json", *more, *first, "latin.md", "."]) == 2
        said.append(capsys.readouterr())
    assert said[0] == said[1] == said[2]
    assert "latin.md: not UTF-8" in said[0].err
    found = {file["path"]: file for file in json.loads(said[0].out)["files"]}
    assert {*TEXTS, "crlf.md", "bom.md", "korean.md", "again.md", "empty.md"} < set(found)
    assert found["config/x.json"]["characters"] == len("You help.")


def test_what_was_counted_before_is_not_decoded(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOKENLINT_CACHE_DIR", str(folder / "kept"))
    monkeypatch.delenv("TOKENLINT_NO_CACHE", raising=False)
    first = report(capsys, "a.md", "b", "c.md", "ja.md")

    def refuse(path: str, raw: bytes) -> None:
        raise AssertionError(f"{path} was decoded")

    monkeypatch.setattr("tokenlint.commands.recalled.decode", refuse)
    assert report(capsys, "a.md", "b", "c.md", "ja.md") == first
