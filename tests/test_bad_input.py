"""Each thing that can be wrong has its sentence and its exit code, and hides nothing else."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from tokenlint.cli import main
from tokenlint.tokens import known, vocabularies

if TYPE_CHECKING:
    from collections.abc import Mapping

MARKER = "<|im_start|>\n"


@dataclass(frozen=True)
class Ran:
    """What a run came to, line by line."""

    code: int
    out: list[str]
    err: list[str]


class Run(Protocol):
    def __call__(self, *arguments: str, stdin: bytes | None = None) -> Ran:
        """Run with the arguments; reading stdin is an error unless there is some."""


class NoStdin(io.RawIOBase):
    """Standard input that nobody may wait for."""

    def readable(self) -> bool:
        return True

    def readinto(self, _buffer: object) -> int:
        raise AssertionError("standard input was read")


pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line in this process."""

    def run(*arguments: str, stdin: bytes | None = None) -> Ran:
        raw = NoStdin() if stdin is None else io.BytesIO(stdin)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(raw)))
        before = contents()
        code = main(list(arguments))
        assert contents() == before, "a check wrote something"
        out, err = capsys.readouterr()
        return Ran(code, out.splitlines(), err.splitlines())

    return run


def write(files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def contents() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


CHECK = ("check", "--output-format", "concise", "--select", "TL101,TL201,TL901")


def check(run: Run, *arguments: str, stdin: bytes | None = None) -> Ran:
    """A check that leaves out what `good.md` is there for: one finding, wherever it is named."""
    ran = run(*CHECK, *arguments, stdin=stdin)
    kept = [line for line in ran.out if not line.startswith("good.md:1:1: TL201 ")]
    assert len(ran.out) - len(kept) == ("good.md" in arguments or "." in arguments), ran
    return Ran(ran.code, kept, ran.err)


# Bytes that are no text

UTF16 = "not UTF-8: the byte order mark says {0}; convert the file to UTF-8"
NUL = "binary file (it holds NUL bytes), not checked"

ENCODED = [
    (b"caf\xe9\n", "not UTF-8: byte 0xe9 at offset 3 (line 1); convert the file to UTF-8"),
    (b"a\r\n\nb\xff", "not UTF-8: byte 0xff at offset 5 (line 3); convert the file to UTF-8"),
    (b"\xef\xbb\xbfa\xe9", "not UTF-8: byte 0xe9 at offset 4 (line 1); convert the file to UTF-8"),
    (b"a\xc3", "not UTF-8: byte 0xc3 at offset 1 (line 1); convert the file to UTF-8"),
    (
        b"\xed\xa0\xbd",
        "not UTF-8: byte 0xed at offset 0 (line 1); convert the file to UTF-8",
    ),
    ("a\n".encode("utf-16-le").join([b"\xff\xfe", b""]), UTF16.format("UTF-16 LE")),
    ("a\n".encode("utf-16-be").join([b"\xfe\xff", b""]), UTF16.format("UTF-16 BE")),
    ("a\n".encode("utf-32-le").join([b"\xff\xfe\0\0", b""]), UTF16.format("UTF-32 LE")),
    ("a\n".encode("utf-32-be").join([b"\0\0\xfe\xff", b""]), UTF16.format("UTF-32 BE")),
    (b"\xff\xfe", UTF16.format("UTF-16 LE")),
]


def reason_of(sentence: str) -> str:
    return next((name for name in ("UTF-16", "UTF-32") if name in sentence), "not UTF-8")


@pytest.mark.parametrize(("content", "sentence"), ENCODED)
@pytest.mark.parametrize("arguments", [["good.md", "bad.md"], ["."]])
def test_text_in_another_encoding(
    run: Run, content: bytes, sentence: str, arguments: list[str]
) -> None:
    write({"good.md": MARKER, "bad.md": content})
    summary = f"Checked 1 file, skipped 1 (1 {reason_of(sentence)})."
    assert check(run, *arguments) == Ran(
        1, [f"bad.md:1:1: TL901 {sentence}", "Found 2 findings.", summary], []
    )
    # Not even a fix touches it.
    assert check(run, *arguments, "--fix").out[0] == f"bad.md:1:1: TL901 {sentence}"


@pytest.mark.parametrize(("content", "sentence"), ENCODED)
def test_text_in_another_encoding_is_never_called_clean(
    run: Run, content: bytes, sentence: str
) -> None:
    """Where TL901 is off, a named file is an error and one that was met is counted."""
    write({"bad.md": content})
    skipped = f"Checked 0 files, skipped 1 (1 {reason_of(sentence)})."
    assert run("check", "--ignore", "TL901", "bad.md") == Ran(
        2, [skipped], [f"error: bad.md: {sentence}"]
    )
    assert run("check", "--ignore", "TL901") == Ran(0, [skipped], [])
    assert run("count", "bad.md").code == 2
    assert run("count", "bad.md").err[0] == f"error: bad.md: {sentence}"


@pytest.mark.parametrize("content", [b"\0", b"\x89PNG\r\n\x1a\n\0\0", b"a" * 8191 + b"\0"])
def test_binary_files(run: Run, content: bytes) -> None:
    write({"good.md": MARKER, "bad.png": content})
    end = ["Found 1 finding.", "Checked 1 file, skipped 1 (1 binary)."]
    assert check(run, "bad.png", "good.md") == Ran(2, end, [f"error: bad.png: {NUL}"])
    assert check(run, ".") == Ran(1, end, [])
    assert run("count", "bad.png").err[0] == f"error: bad.png: {NUL}"


def test_a_nul_far_into_a_file_is_a_character(run: Run) -> None:
    write({"late.md": "a" * 8192 + "\0\n" + MARKER})
    ran = run(*CHECK, "late.md")
    assert ran.code == 1
    assert ran.out[0].startswith("late.md:2:1: TL201 ")
    assert run("count", "late.md").code == 0


CLEAN = [
    ("", 0),
    ("\n", 1),
    ("\ufeff", 0),
    ("\ufeff\n", 1),
    ("no newline at the end", 5),
    ("\r\r\r", 1),
    ("\x0c\x1b[31m\x7f", 6),
]


@pytest.mark.parametrize(("content", "tokens"), CLEAN)
def test_odd_text_that_is_clean(run: Run, content: str, tokens: int) -> None:
    write({"a.md": content})
    assert run(*CHECK, "a.md") == Ran(0, ["All checks passed!", "Checked 1 file."], [])
    counted = run("count", "a.md")
    assert (counted.code, counted.err) == (0, [])
    assert counted.out[-1].split() == [
        "a.md",
        str(len(content.encode())),
        str(len(content.removeprefix("\ufeff"))),
        str(len(content.split()) if content.startswith("no") else int("[31m" in content)),
        str(tokens),
    ]


# Paths that are no files


def test_a_path_that_does_not_exist(run: Run) -> None:
    write({"good.md": MARKER})
    end = ["Found 1 finding.", "Checked 1 file, skipped 2 (2 missing)."]
    missing = [f"error: {name}: no such file or directory" for name in ("*.txt", "gone.md")]
    assert check(run, "gone.md", "*.txt", "good.md") == Ran(2, end, missing)


def test_a_name_that_is_too_long(run: Run) -> None:
    name = "x" * 5000
    end = ["Checked 0 files, skipped 1 (1 unreadable)."]
    assert check(run, name) == Ran(2, end, [f"error: {name}: File name too long"])


def test_a_broken_link(run: Run) -> None:
    write({"good.md": MARKER})
    Path("broken.md").symlink_to("nowhere.md")
    end = ["Found 1 finding.", "Checked 1 file, skipped 1 (1 broken link)."]
    sentence = "error: broken.md: a symbolic link to a file that does not exist"
    assert check(run, "broken.md", "good.md") == Ran(2, end, [sentence])
    assert check(run, ".") == Ran(1, end, [])


def test_a_link_to_itself(run: Run) -> None:
    Path("loop.md").symlink_to("loop.md")
    end = ["Checked 0 files, skipped 1 (1 unreadable)."]
    sentence = "error: loop.md: Too many levels of symbolic links"
    assert check(run, "loop.md") == Ran(2, end, [sentence])


def test_a_pipe_is_not_opened(run: Run) -> None:
    os.mkfifo("pipe.md")
    write({"good.md": MARKER})
    end = ["Found 1 finding.", "Checked 1 file, skipped 1 (1 not a regular file)."]
    sentence = "error: pipe.md: not a regular file; use - to read standard input"
    assert check(run, "pipe.md", "good.md") == Ran(2, end, [sentence])
    assert check(run, ".") == Ran(1, end, [])


def test_a_file_that_is_deleted_meanwhile(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"good.md": MARKER, "brief.md": MARKER})
    real = os.stat

    def stat(path: Any, *arguments: Any, **named: Any) -> os.stat_result:
        if str(path).endswith("brief.md"):
            raise FileNotFoundError(2, "No such file or directory")
        return real(path, *arguments, **named)

    monkeypatch.setattr(os, "stat", stat)
    end = ["Found 1 finding.", "Checked 1 file, skipped 1 (1 missing)."]
    sentence = "error: brief.md: no such file or directory"
    assert check(run, "brief.md", "good.md") == Ran(2, end, [sentence])
    assert check(run, ".") == Ran(1, end, [])


def test_a_file_without_permission(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"good.md": MARKER, "secret.md": MARKER})
    real: Any = os.open

    def opened(path: Any, *arguments: Any, **named: Any) -> Any:
        if str(path).endswith("secret.md"):
            raise PermissionError(13, "Permission denied")
        return real(path, *arguments, **named)

    monkeypatch.setattr(os, "open", opened)
    end = ["Found 1 finding.", "Checked 1 file, skipped 1 (1 no permission)."]
    sentence = "error: secret.md: no permission to read it"
    monkeypatch.setattr(sys.modules[__name__], "contents", dict)
    assert check(run, "secret.md", "good.md") == Ran(2, end, [sentence])
    assert check(run, ".") == Ran(1, end, [])


def test_a_folder_without_permission(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"good.md": MARKER, "secret/a.md": MARKER})
    real = os.scandir

    def scandir(path: str | Path) -> object:
        if Path(path).name == "secret":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(sys.modules[__name__], "contents", dict)
    sentence = "error: secret: no permission to list this folder"
    end = ["Found 1 finding.", "Checked 1 file, skipped 1 (1 no permission)."]
    assert check(run, "secret", "good.md") == Ran(2, end, [sentence])
    end = ["Found 1 finding.", "Checked 1 file, skipped 1 (1 folder without permission)."]
    assert check(run, ".") == Ran(1, end, [])


# Nothing to check


@pytest.mark.parametrize("arguments", [["check"], ["check", "."], ["check", "empty"]])
def test_an_empty_folder_is_said_and_stdin_left_alone(run: Run, arguments: list[str]) -> None:
    Path("empty").mkdir()
    note = f"note: there is no file to check in {arguments[1] if arguments[1:] else '.'}"
    assert run(*arguments) == Ran(0, ["Checked 0 files."], [note])
    assert run("count", *arguments[1:]).code == 0


def test_a_folder_of_nothing_but_ignored_files(run: Run) -> None:
    write({".gitignore": "*\n", "a.md": MARKER})
    note = "note: there is no file to check in ."
    assert run("check") == Ran(0, ["Checked 0 files."], [note])


# Standard input


def test_standard_input(run: Run) -> None:
    ran = run(*CHECK, "-", stdin=MARKER.encode())
    assert (ran.code, ran.out[0][:11]) == (1, "-:1:1: TL20")
    assert check(run, "-", stdin=b"") == Ran(0, ["All checks passed!", "Checked 1 file."], [])


@pytest.mark.parametrize(("content", "sentence"), [*ENCODED, (b"\0", NUL)])
def test_standard_input_that_is_no_text(run: Run, content: bytes, sentence: str) -> None:
    ran = check(run, "-", "--stdin-filename", "sub/a.md", stdin=content)
    if sentence == NUL:
        end = "Checked 0 files, skipped 1 (1 binary)."
        assert ran == Ran(2, [end], [f"error: sub/a.md: {sentence}"])
    else:
        assert ran.code == 1
        assert ran.out[0] == f"sub/a.md:1:1: TL901 {sentence}"


@pytest.mark.parametrize("paths", [["-", "good.md"], ["good.md", "-"], ["-", "."], ["-", "-"]])
@pytest.mark.parametrize("command", ["check", "count"])
def test_standard_input_beside_other_paths(run: Run, paths: list[str], command: str) -> None:
    write({"good.md": MARKER})
    mixed = "error: - stands for standard input and cannot be mixed with other paths"
    assert run(command, *paths) == Ran(2, [], [mixed])


# Git


@pytest.mark.parametrize("without", ["git", "commits", "a readable index", "a working tree"])
def test_a_repository_that_is_not_whole(
    run: Run, monkeypatch: pytest.MonkeyPatch, without: str
) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    write({"good.md": MARKER, ".gitignore": "ignored.md\n", "ignored.md": MARKER})
    if without == "git":
        monkeypatch.setenv("PATH", "")
    if without == "a readable index":
        write({".git/index": b"no index"})
    if without == "a working tree":
        subprocess.run(["git", "config", "core.bare", "true"], check=True)
    end = ["Found 1 finding.", "Checked 2 files."]
    assert check(run, ".") == Ran(1, end, [])


# Tokenizers


def budgeted(**limits: object) -> str:
    keys = "".join(f"{name.replace('_', '-')} = {value}\n" for name, value in limits.items())
    return f'[[budgets]]\nfiles = ["*.md"]\n{keys}'


RULES = ("check", "--output-format", "concise")


def test_an_unknown_tokenizer(run: Run) -> None:
    write({"good.md": MARKER, "tokenlint.toml": budgeted(max_tokens=2, tokenizers='["gpt-6"]')})
    ran = run(*RULES, "good.md")
    assert ran.code == 2
    assert [line[:19] for line in ran.out[:1]] == ["good.md:1:1: TL201 "]
    assert ran.out[1:] == ["Found 1 finding.", "Checked 1 file."]
    assert len(ran.err) == 1
    assert ran.err[0].startswith("error: unknown tokenizer 'gpt-6': ")
    assert 'add [tool.tokenlint.tokenizer."gpt-6"] with source = the encoding' in ran.err[0]


def test_a_damaged_vocabulary(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is never handed to the engine, and what needs no tokenizer is still checked."""
    data = folder.parent / f"{folder.name} data"
    shutil.copytree(vocabularies._DATA, data)
    packed = data / "o200k_base.packed"
    raw = bytearray(packed.read_bytes())
    raw[len(raw) // 2] ^= 1
    packed.write_bytes(raw)
    monkeypatch.setattr(vocabularies, "_DATA", data)
    monkeypatch.setattr(known, "ENGINES", {})
    monkeypatch.setattr(vocabularies, "_carried", lambda *_: iter(()))
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder / "cache"))
    write({"good.md": MARKER, "tokenlint.toml": budgeted(max_tokens=2)})
    ran = run(*RULES, "good.md")
    assert ran.code == 2
    assert ran.out[0].startswith("good.md:1:1: TL201 ")
    assert ran.out[1:] == ["Found 1 finding.", "Checked 1 file."]
    assert len(ran.err) == 1
    assert ran.err[0].startswith("error: ")
    assert str(packed) in ran.err[0]
    assert packed.read_bytes() == raw
    assert run("count", "good.md") == Ran(2, [], ran.err)


def test_a_million_spaces(run: Run) -> None:
    write(
        {"tokenlint.toml": budgeted(max_tokens=10), "good.md": MARKER, "wide.md": " " * 1_000_000}
    )
    ran = run(*RULES, "good.md", "wide.md")
    assert "Checked 2 files." in ran.out
    assert any(line.startswith("good.md:1:1: TL201 ") for line in ran.out)
    over = "TL301 7,813 tokens, 7,803 over the budget of 10 (o200k_base; *.md)"
    assert f"wide.md:1:1: {over}" in ran.out
    assert (ran.code, ran.err) == (1, [])


# Configuration and command line


def test_a_wrong_key_and_a_wrong_type(run: Run, folder: Path) -> None:
    path = folder / "tokenlint.toml"
    write({"tokenlint.toml": "max-size = 1\n", "good.md": MARKER})
    wrong = f"error: {path}: max-size: unknown key; did you mean max-file-size?"
    assert run("check", "good.md") == Ran(2, [], [wrong])
    write({"tokenlint.toml": "max-file-size = -1\n"})
    wrong = "max-file-size: expected a whole number that is not negative, found -1"
    assert run("check", "good.md") == Ran(2, [], [f"error: {path}: {wrong}"])


def test_two_budgets_for_one_file(run: Run) -> None:
    write({"tokenlint.toml": budgeted(max_bytes=9) + budgeted(max_bytes=20), "a.md": "x"})
    note = "note: a.md has two budgets of bytes: 9 (*.md) and 20 (*.md); 9 holds"
    assert run("check", "a.md") == Ran(0, ["All checks passed!", "Checked 1 file."], [note])


@pytest.mark.parametrize(
    ("file", "why"), [("good.md/report.txt", "Not a directory"), (".", "Is a directory")]
)
@pytest.mark.parametrize("command", ["check", "count"])
def test_a_report_that_cannot_be_written(run: Run, file: str, why: str, command: str) -> None:
    write({"good.md": MARKER})
    sentence = f"error: {file}: the report cannot be written: {why}"
    assert run(command, "good.md", "--output-file", file) == Ran(2, [], [sentence])


@pytest.mark.parametrize("command", [["check"], ["check", "-"], ["count"], ["rule"]])
def test_an_option_that_does_not_exist(run: Run, command: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(*command, "--wrong")
    assert caught.value.code == 2


# Standard output that is closed early


@pytest.mark.parametrize("lines", [1, 3000])
def test_a_reader_that_had_enough(lines: int) -> None:
    """As under `head -1`: no traceback, whether the report fits into the pipe or not."""
    write({"a.md": MARKER * lines})
    command = [sys.executable, "-m", "tokenlint", *CHECK, "a.md"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        if lines > 1:
            process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read().decode()
    assert said == ""
    assert process.returncode == 1
