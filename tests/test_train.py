"""`tokenlint train`: the file, the tables, the notes, and what is refused before any work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tokenizers import Tokenizer

from tokenlint.cli import main
from tokenlint.commands.corpus import Corpus, gather
from tokenlint.commands.train import stages
from tokenlint.errors import UncountableTextError
from tokenlint.reports.training import readable
from tokenlint.tokens import load_tokenizer
from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tokenlint.commands.session import Session

SEA = "she sells sea shells by the sea shore; the shells she sells are sea shells\n" * 5
VIETNAMESE = (
    "H\u00f4m nay tr\u1eddi \u0111\u1eb9p, ng\u00e0y mai tr\u1eddi c\u0169ng \u0111\u1eb9p.\n" * 5
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with text to learn from and text that is held out."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "sea.txt").write_text(SEA, "utf-8")
    (tmp_path / "corpus" / "vi.txt").write_text(VIETNAMESE, "utf-8")
    (tmp_path / "held.txt").write_text("sea shells by the shore", "utf-8")
    return tmp_path


def trained(*arguments: str, code: int = 0) -> None:
    """A run of the command."""
    assert main(["train", *arguments]) == code


def names_in(folder: Path) -> list[str]:
    """What a folder holds."""
    return sorted(path.name for path in folder.iterdir())


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The JSON report of a run."""
    trained("--output-format", "json", *arguments)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_what_was_trained_is_a_tokenizer_like_any_other(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trained("corpus", "-o", "tokenizer.json", "--vocab-size", "300")
    assert capsys.readouterr() == (
        "Learned 44 merges from 2 files (650 bytes): a vocabulary of 300, written to "
        "tokenizer.json.\n",
        "",
    )
    judge = Tokenizer.from_file("tokenizer.json")
    assert main(["count", "-t", "./tokenizer.json", "held.txt"]) == 0
    counted = capsys.readouterr().out.split()[-1]
    assert int(counted) == len(judge.encode("sea shells by the shore").ids)
    assert load_tokenizer("tokenizer.json").encode("sea") == judge.encode("sea").ids
    assert names_in(folder) == ["corpus", "held.txt", "tokenizer.json"]


def test_the_same_text_gives_the_same_bytes(folder: Path) -> None:
    trained("corpus", "-o", "a.json", "--vocab-size", "300")
    trained("corpus/vi.txt", "corpus/sea.txt", "-o", "b.json", "--vocab-size", "300")
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()
    (folder / "corpus" / "sea.txt").write_bytes(
        b"\xef\xbb\xbf" + SEA.replace("\n", "\r\n").encode()
    )
    trained("corpus", "-o", "c.json", "--vocab-size", "300")
    assert (folder / "a.json").read_bytes() == (folder / "c.json").read_bytes()


def test_the_output_is_no_text_to_learn_from(folder: Path) -> None:
    trained(".", "-o", "corpus/t.json", "--vocab-size", "300")
    once = (folder / "corpus" / "t.json").read_bytes()
    trained(".", "-o", "corpus/t.json", "--vocab-size", "300", "--force")
    assert (folder / "corpus" / "t.json").read_bytes() == once


def test_evaluation(
    capsys: pytest.CaptureFixture[str], official_count: Callable[[str, str], int]
) -> None:
    trained("corpus/sea.txt", "--vocab-size", "270", "--evaluate", "held.txt")
    o200k = official_count("o200k_base", "sea shells by the shore")
    cl100k = official_count("cl100k_base", "sea shells by the shore")
    assert (o200k, cl100k) == (5, 5)
    assert capsys.readouterr() == (
        "tokenizer    merges  vocabulary  tokens  bytes per token  to trained\n"
        "trained           0         256      23             1.00        2.09\n"
        "trained          14         270      11             2.09        1.00\n"
        "o200k_base        -           -       5             4.60        0.45\n"
        "cl100k_base       -           -       5             4.60        0.45\n"
        "\n"
        "Learned 14 merges from 1 file (375 bytes): a vocabulary of 270, not kept.\n",
        "",
    )


def test_the_tokenizers_that_were_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ("corpus", "--vocab-size", "300", "--evaluate", "held.txt")

    def names(*arguments: str) -> list[str]:
        rows = report(capsys, *base, *arguments)["evaluation"]["rows"]
        return [row["tokenizer"] for row in rows if row["merges"] is None]

    assert names() == ["o200k_base", "cl100k_base"]
    assert names("-t", "o200k_base") == ["o200k_base"]
    (folder / "tokenlint.toml").write_text('tokenizers = ["cl100k_base"]')
    assert names() == ["cl100k_base"]
    assert names("-t", "o200k_base") == ["o200k_base"]


def test_evaluation_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(
        capsys, "corpus", "--vocab-size", "301", "--special", "<|end|>", "--evaluate", "held.txt",
        "--show-merges", "1", "-o", "t.json", "-t", "o200k_base",
    )  # fmt: skip
    assert found["training"] == {
        "path": "t.json",
        "vocabulary": 301,
        "merges": 44,
        "asked": 301,
        "special_tokens": {"<|end|>": 300},
        "files": 2,
        "bytes": 650,
    }
    tokens = len(Tokenizer.from_file("t.json").encode("sea shells by the shore").ids)
    assert found["evaluation"] == {
        "files": 1,
        "bytes": 23,
        "rows": [
            {
                "tokenizer": "trained",
                "merges": 0,
                "vocabulary": 256,
                "tokens": 23,
                "bytes_per_token": 1.0,
                "ratio_to_trained": 23 / tokens,
            },
            {
                "tokenizer": "trained",
                "merges": 44,
                "vocabulary": 300,
                "tokens": tokens,
                "bytes_per_token": 23 / tokens,
                "ratio_to_trained": 1.0,
            },
            {
                "tokenizer": "o200k_base",
                "merges": None,
                "vocabulary": None,
                "tokens": 5,
                "bytes_per_token": 4.6,
                "ratio_to_trained": 5 / tokens,
            },
        ],
    }
    assert found["merges"] == [
        {"left": " ", "right": "s", "left_hex": "20", "right_hex": "73", "count": 50}
    ]


def test_what_was_not_asked_for_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, "corpus", "--vocab-size", "300", "-o", "t.json")
    assert (found["evaluation"], found["merges"]) == (None, None)


def test_first_merges(capsys: pytest.CaptureFixture[str]) -> None:
    trained("corpus/vi.txt", "--vocab-size", "300", "--show-merges", "4", "-q")
    assert capsys.readouterr().out == (
        "merge  seen  pair\n"
        '    1    10  "n" + "g"\n'
        r'''    2    10  "r" + "\xe1"'''
        "\n"
        r'''    3    10  "t" + "r\xe1"'''
        "\n"
        r'''    4    10  "\xb9" + "p"'''
        "\n"
    )


@pytest.mark.parametrize(
    ("piece", "text"),
    [
        (b" the", '" the"'),
        ("\u1ec7".encode(), '"\u1ec7"'),
        (b"\xe1\xbb", r'"\xe1\xbb"'),
        (b"a\xe1\xbb\x87\xe1", r'"a' + "\u1ec7" + r'\xe1"'),
        (b"\xcc\x81", r'"\u0301"'),
        (b"\\xe1", r'"\\xe1"'),
        (b'say "x"', r'"say \"x\""'),
        (b"\n\t\r", r'"\n\t\r"'),
        (b"\x1b[31m", r'"\x1b[31m"'),
        ("\u00a0\u3000\u202e\u200d".encode(), r'"\xa0\u3000\u202e\u200d"'),
    ],
)
def test_pieces_are_readable(piece: bytes, text: str) -> None:
    assert readable(piece) == text


@pytest.mark.parametrize(
    ("merges", "expected"),
    [
        (0, [0]),
        (1, [0, 1]),
        (100, [0, 100]),
        (101, [0, 100, 101]),
        (7744, [0, 100, 500, 1000, 2000, 5000, 7744]),
        (20000, [0, 100, 500, 1000, 2000, 5000, 10000, 20000]),
    ],
)
def test_stages(merges: int, expected: list[int]) -> None:
    assert stages(merges) == expected


def test_a_text_smaller_than_the_vocabulary(capsys: pytest.CaptureFixture[str]) -> None:
    trained("corpus", "--vocab-size", "9000", "-o", "t.json")
    size = Tokenizer.from_file("t.json").get_vocab_size()
    captured = capsys.readouterr()
    assert f"a vocabulary of {size}, written to t.json." in captured.out
    assert captured.err == (
        f"note: the text is too small for a vocabulary of 9,000: after {size - 256} merges no "
        f"pair was seen twice, so it has {size}\n"
    )


def test_held_out_text_that_was_trained_on(capsys: pytest.CaptureFixture[str]) -> None:
    trained("corpus", "--vocab-size", "260", "--evaluate", "held.txt", "corpus/sea.txt")
    assert capsys.readouterr().err == (
        "note: corpus/sea.txt was trained on as well: its figures flatter what was trained\n"
    )


def test_decomposed_text_is_learned_as_composed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "nfd.txt").write_text("e\u0323\u0302" * 9, "utf-8")
    first = {}
    for form in ("nfc", "none"):
        arguments = ("nfd.txt", "--vocab-size", "260", "--show-merges", "1", "--normalize", form)
        merge = report(capsys, *arguments)["merges"][0]
        first[form] = (merge["left"], merge["right"], merge["count"])
    assert first == {"nfc": ("\\xbb", "\\x87", 9), "none": ("e", "\\xcc", 9)}


def test_a_split_pattern_of_another(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "n.txt").write_text("1234 1234 1234", "utf-8")
    pieces = {}
    for pattern in ("simple", "cl100k_base"):
        trained("n.txt", "--vocab-size", "300", "--pattern", pattern, "-o", f"{pattern}.json", "-q")
        pieces[pattern] = load_tokenizer(f"{pattern}.json").pieces("1234")
    assert pieces == {"simple": [b"1234"], "cl100k_base": [b"123", b"4"]}


def test_stdin(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tokenlint", "train", "-", "--vocab-size", "260", "-o", "t.json"],
        input=SEA.encode(),
        cwd=folder,
        capture_output=True,
        check=True,
    )
    assert done.stdout == (
        b"Learned 4 merges from 1 file (375 bytes): a vocabulary of 260, written to t.json.\n"
    )
    assert done.stderr == b""


# What is refused, before any work.

NEEDED = ("--vocab-size", "300")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("corpus", *NEEDED),
            "say what is wanted: -o FILE keeps the tokenizer, --evaluate and --show-merges tell "
            "about it",
        ),
        (
            ("corpus", *NEEDED, "-o", "corpus"),
            "corpus: a folder; name the file: corpus/tokenizer.json",
        ),
        (
            ("corpus", *NEEDED, "-o", "t.txt"),
            "t.txt: name it .json, so that it loads as a tokenizer.json",
        ),
        (
            ("corpus", *NEEDED, "-o", "empty.txt/t.json"),
            "empty.txt/t.json: the tokenizer cannot be written: Not a directory",
        ),
        (("corpus", *NEEDED, "-o", "old.json"), "old.json: exists already; --force replaces it"),
        (("empty.txt", *NEEDED, "-o", "t.json"), "nothing to learn from: the files hold no text"),
        (
            ("blank.txt", *NEEDED, "-o", "t.json"),
            "nothing to learn from: the files hold only white space",
        ),
        (
            ("void", *NEEDED, "-o", "t.json"),
            "nothing to learn from: no file was found that can be read",
        ),
        (
            ("corpus", *NEEDED, "-o", "t.json", "--evaluate", "empty.txt"),
            "nothing to evaluate on: the files hold no text",
        ),
        (
            ("corpus", "--vocab-size", "255", "-o", "t.json"),
            "a vocabulary of 255 cannot be trained: it must hold the 256 bytes and every special "
            "token, so give 256 to 1,000,000",
        ),
        (
            ("corpus", *NEEDED, "-o", "t.json", "--special", "s"),
            "'s' is an ordinary piece of text here, not a special token",
        ),
    ],
)
def test_wrong_usage(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    (folder / "empty.txt").touch()
    (folder / "blank.txt").write_text(" \n\u3000\n")
    (folder / "void").mkdir()
    (folder / "old.json").write_text("{}")
    before = sorted(folder.rglob("*"))
    trained(*arguments, code=2)
    assert capsys.readouterr() == ("", f"error: {message}\n")
    assert sorted(folder.rglob("*")) == before


def test_every_file_that_cannot_be_read_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "latin.txt").write_bytes(b"caf\xe9")
    trained("corpus", "gone.txt", *NEEDED, "-o", "t.json", "--evaluate", "latin.txt", code=2)
    assert capsys.readouterr() == (
        "",
        "error: gone.txt: no such file or directory\n"
        "error: latin.txt: not UTF-8: byte 0xe9 at offset 3 (line 1); convert the file to UTF-8\n"
        "error: nothing was trained: put this right first\n",
    )
    assert not (folder / "t.json").exists()


def test_files_that_were_only_met_are_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "corpus" / "latin.txt").write_bytes(b"caf\xe9")
    trained("corpus", *NEEDED, "-o", "t.json")
    captured = capsys.readouterr()
    assert captured.out.startswith("Learned 44 merges from 2 files (650 bytes)")
    assert captured.err == "skipped 1 (1 not UTF-8)\n"


def test_a_file_is_not_read_and_overwritten(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.json").write_text(SEA)
    trained("a.json", *NEEDED, "-o", "a.json", "--force", code=2)
    assert capsys.readouterr().err == (
        "error: a.json: it cannot be read from and written to at once\n"
        "error: nothing was trained: put this right first\n"
    )
    assert (folder / "a.json").read_text() == SEA


def test_an_unknown_tokenizer_is_said_before_the_work(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("-o", "t.json", "--evaluate", "held.txt", "-t", "o200k_bse")
    trained("corpus", *NEEDED, *arguments, code=2)
    assert capsys.readouterr().err.startswith("error: unknown tokenizer 'o200k_bse': did you mean")
    assert not (folder / "t.json").exists()


def test_a_tokenizer_that_cannot_cut_the_held_out_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: TiktokenTokenizer, text: str) -> int:
        raise UncountableTextError(f"{self.name} cannot cut this text")

    monkeypatch.setattr(TiktokenTokenizer, "count", refuse)
    arguments = ("--evaluate", "held.txt", "-t", "o200k_base", "-o", "t.json", "-q")
    trained("corpus", *NEEDED, *arguments, code=2)
    captured = capsys.readouterr()
    assert [line.split()[0] for line in captured.out.splitlines()] == [
        "tokenizer",
        "trained",
        "trained",
    ]
    assert captured.err == "error: o200k_base cannot cut this text\n"
    assert Tokenizer.from_file("t.json").get_vocab_size() == 300


def test_a_file_that_is_gone_meanwhile(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(paths: Sequence[str], session: Session, **settings: Any) -> Corpus:
        found = gather(paths, session, **settings)
        (folder / "corpus" / "vi.txt").unlink(missing_ok=True)
        return found

    monkeypatch.setattr("tokenlint.commands.train.gather", gone)
    trained("corpus", *NEEDED, "-o", "t.json", code=2)
    assert capsys.readouterr().err == "error: corpus/vi.txt: no such file or directory\n"
    assert not (folder / "t.json").exists()


def test_a_disk_that_refuses(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (folder / "t.json").write_text("old")
    monkeypatch.setattr("pathlib.Path.replace", full)
    trained("corpus", *NEEDED, "-o", "t.json", "--force", code=2)
    assert capsys.readouterr().err == (
        "error: t.json: the tokenizer cannot be written: No space left on device\n"
    )
    assert (folder / "t.json").read_text() == "old"
    assert names_in(folder) == ["corpus", "held.txt", "t.json"]


@pytest.mark.parametrize("size", ["0", "-3", "many", "9" * 30])
def test_vocab_size_takes_a_number(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        trained("corpus", "--vocab-size", size, "-o", "t.json")
    assert "expected a whole number above 0" in capsys.readouterr().err


def test_bars_are_drawn_on_a_terminal_only(folder: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "tokenlint",
        "train",
        "corpus",
        *NEEDED,
        "-o",
        "t.json",
        "--force",
    ]
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=theirs, check=True)
    os.close(theirs)
    assert b"Compute merges" in os.read(ours, 65536)
    os.close(ours)
    piped = subprocess.run(command, cwd=folder, capture_output=True, check=True)
    assert piped.stderr == b""
