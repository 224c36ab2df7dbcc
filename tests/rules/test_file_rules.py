"""TL103 and TL901: findings about a file and not about its text; TL902: about directives."""

from __future__ import annotations

import shutil
import subprocess
import unicodedata
from typing import TYPE_CHECKING

import pytest

from tokenlint.linter import lint
from tokenlint.rules import Context, decomposed_file_name, not_utf8, unknown_directive
from tokenlint.suppress import matches
from tokenlint.tokens import Document, Unreadable, decode

if TYPE_CHECKING:
    from pathlib import Path


def name_messages(path: str) -> list[str]:
    """What TL103 says of a path."""
    document = Document(path, "")
    findings = list(decomposed_file_name.check(document, Context()))
    assert findings == list(lint(document, [decomposed_file_name.RULE], Context()).findings)
    assert all((f.path, f.start, f.end, f.level) == (path, 0, 0, "error") for f in findings)
    return [f.message for f in findings]


@pytest.mark.parametrize(
    "path",
    ["a.md", "prompts/caf\u00e9.md", "\u1ecd\u0300.md", "\ud55c\uad6d.md", "../x/a b.md"],
)
def test_nfc_names_are_clean(path: str) -> None:
    assert name_messages(path) == []


@pytest.mark.parametrize(
    ("path", "found", "written", "command"),
    [
        (
            "prompts/cafe\u0301.md",
            "U+0065 U+0301",
            "U+00E9",
            r"$'prompts/cafe\314\201.md' $'prompts/caf\303\251.md'",
        ),
        (
            "a/re\u0301sume\u0301/cafe\u0301.md",
            "U+0065 U+0301",
            "U+00E9",
            r"$'a/re\314\201sume\314\201' $'a/r\303\251sum\303\251'",
        ),
        (
            "\u1112\u1161\u11ab.md",
            "U+1112 U+1161 U+11AB",
            "U+D55C",
            r"$'\341\204\222\341\205\241\341\206\253.md' $'\355\225\234.md'",
        ),
        ("\u212b.md", "U+212B", "U+00C5", r"$'\342\204\253.md' $'\303\205.md'"),
        (
            "x\u0315\u0323.md",
            "U+0078 U+0315 U+0323",
            "U+0078 U+0323 U+0315",
            r"$'x\314\225\314\243.md' $'x\314\243\314\225.md'",
        ),
        (
            "-e\u0301 '$(id)' \\.md",
            "U+0065 U+0301",
            "U+00E9",
            r"-- $'-e\314\201 \047$(id)\047 \134.md' $'-\303\251 \047$(id)\047 \134.md'",
        ),
        (
            "X\x7f~/e\u0301.md",
            "U+0065 U+0301",
            "U+00E9",
            r"$'X\177~/e\314\201.md' $'X\177~/\303\251.md'",
        ),
    ],
)
def test_names_that_are_not_nfc(path: str, found: str, written: str, command: str) -> None:
    assert name_messages(path) == [
        f"the file name is not NFC: it holds {found}, which NFC writes {written}; "
        f"rename it: git mv {command}"
    ]


@pytest.mark.skipif(shutil.which("bash") is None, reason="the command is for bash and zsh")
@pytest.mark.parametrize(
    "path",
    [
        "cafe\u0301.md",
        "re\u0301sume\u0301/x/cafe\u0301.md",
        "-e\u0301 '$(touch bad)' `id` \\n \"q\" %s ! #.md",
        "e\u0301\n\x1b[31m.md",
    ],
)
def test_the_command_renames(path: str, tmp_path: Path) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"text")
    if (tmp_path / unicodedata.normalize("NFC", path)).exists():
        pytest.skip("this disk takes both names for one")
    subprocess.run("git init -q && git add .", shell=True, cwd=tmp_path, check=True)
    for _ in range(3):
        (path,) = (
            str(p.relative_to(tmp_path))
            for p in tmp_path.rglob("*.md")
            if ".git" not in p.relative_to(tmp_path).parts
        )
        for message in name_messages(path):
            assert message.isascii()
            assert message.isprintable()
            command = message.partition("rename it: ")[2]
            subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True)
    assert unicodedata.is_normalized("NFC", path)
    assert (tmp_path / path).read_bytes() == b"text"
    assert not list(tmp_path.rglob("bad"))


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (
            b"caf\xe9 \n",
            "not UTF-8: byte 0xe9 at offset 3 (line 1); convert the file to UTF-8",
        ),
        (
            b"\xef\xbb\xbfok\n\nbad \xff",
            "not UTF-8: byte 0xff at offset 11 (line 3); convert the file to UTF-8",
        ),
        (
            b"\xff\xfeh\x00i\x00",
            "not UTF-8: the byte order mark says UTF-16 LE; convert the file to UTF-8",
        ),
        (
            b"\xfe\xff\x00h",
            "not UTF-8: the byte order mark says UTF-16 BE; convert the file to UTF-8",
        ),
        (
            b"\xff\xfe\x00\x00h\x00\x00\x00",
            "not UTF-8: the byte order mark says UTF-32 LE; convert the file to UTF-8",
        ),
    ],
)
def test_bytes_that_are_not_utf8(raw: bytes, message: str) -> None:
    file = decode("a.md", raw)
    (finding,) = lint(file, [not_utf8.RULE], Context()).findings
    assert (finding.code, finding.path, finding.message) == ("TL901", "a.md", message)


@pytest.mark.parametrize("raw", [b"", b"\xef\xbb\xbf", "\u1ec7".encode()])
def test_utf8_is_clean(raw: bytes) -> None:
    assert lint(decode("a.md", raw), [not_utf8.RULE], Context()).findings == ()


def test_binary_files_are_no_finding() -> None:
    file = decode("a.png", b"\x89PNG\x00")
    assert isinstance(file, Unreadable)
    assert lint(file, [not_utf8.RULE], Context()).findings == ()


def warnings(text: str) -> list[tuple[str, str]]:
    """The place that TL902 points at, and what it says."""
    context = Context(is_known_rule=lambda word: matches(word, "TL201", "special-token"))
    document = Document("a.md", text)
    found = list(unknown_directive.check(document, context))
    assert sorted(found) == list(lint(document, [unknown_directive.RULE], context).findings)
    assert all((f.path, f.level) == ("a.md", "warning") for f in found)
    return [(text[f.start : f.end], f.message) for f in found]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tokenlint: a linter for prompts",
        "# tokenlint: ignore[TL201]",
        "<!-- tokenlint: ignore-file[special-token, TL2] -->",
        "{# tokenlint:ignore-next-line[TL20] #}",
        "mytokenlint: ignore[x]",
    ],
)
def test_directives_that_are_right(text: str) -> None:
    assert warnings(text) == []


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (
            "# tokenlint: ignore[TL201, TL999]",
            "TL999",
            "unknown rule 'TL999' in a tokenlint directive: it silences nothing",
        ),
        (
            "# tokenlint: disable[TL201]",
            "disable",
            "unknown directive 'disable': it silences nothing; "
            "write ignore, ignore-next-line or ignore-file",
        ),
        (
            "// tokenlint: ignore-file[sp\u00e9cial]",
            "sp\u00e9cial",
            "unknown rule 'sp\\xe9cial' in a tokenlint directive: it silences nothing",
        ),
        (
            "<!-- tokenlint: ignore-next-line special-token -->",
            "tokenlint: ignore-next-line",
            "ignore-next-line without rules in brackets silences nothing",
        ),
        (
            "# tokenlint: ignore[]",
            "tokenlint: ignore[]",
            "ignore without rules in brackets silences nothing",
        ),
    ],
)
def test_directives_that_silence_nothing(text: str, place: str, message: str) -> None:
    assert warnings(text) == [(place, message)]
