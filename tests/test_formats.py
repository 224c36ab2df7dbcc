"""The formats from the command line: one to look at, others in files, and the page about them."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from console import ROOT, blocks
from markup import page
from tokenlint.answers import forge
from tokenlint.cli import main
from tokenlint.reports.formats import FORMATS, TABLES

if TYPE_CHECKING:
    from collections.abc import Callable

NFD = "Ba\u0323n\n"
MARKER = "<|im_end|>\n"
FORGES = ("GITHUB_WORKSPACE", "GITHUB_STEP_SUMMARY", "CI_PROJECT_DIR")


@pytest.fixture(autouse=True)
def nowhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The run stands in an empty folder, on no machine of a forge."""
    for name in FORGES:
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def written(nowhere: Path) -> Callable[..., None]:
    def write(**files: str) -> None:
        for name, text in files.items():
            (nowhere / f"{name}.md").write_bytes(text.encode())

    return write


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    return code, *capsys.readouterr()


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_of_a_check_without_findings(
    name: str, written: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    written(a="plain\n")
    code, shown, said = out(capsys, "check", "--output-format", name)
    assert (code, said) == (0, "")
    assert ("a.md" in shown) is (name == "junit")  # where what passes has a place


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_the_same_in_a_file(
    name: str, nowhere: Path, written: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    written(a=NFD, b=MARKER)
    code, shown, _ = out(capsys, "check", "--output-format", name, "a.md", "b.md")
    assert code == 1
    assert "a.md" in shown
    assert "b.md" in shown
    arguments = ("--also", f"{name}=also", "--output-format", name, "-o", "file", "a.md", "b.md")
    assert out(capsys, "check", *arguments) == (1, "", "")
    assert (nowhere / "file").read_text("utf-8") == shown
    assert (nowhere / "also").read_text("utf-8") == shown


def test_several_reports_at_once(
    nowhere: Path, written: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    written(a=NFD)
    also = ("--also", "sarif=out.sarif", "--also=junit=out.xml", "--also", "csv=a=b.csv")
    code, shown, _ = out(capsys, "check", "--output-format", "concise", *also, "a.md")
    assert code == 1
    assert shown.startswith("a.md:1:2: TL101 [*] decomposed text")
    sarif = json.loads((nowhere / "out.sarif").read_bytes())
    assert [result["ruleId"] for result in sarif["runs"][0]["results"]] == ["TL101"]
    assert sarif["runs"][0]["invocations"][0]["exitCode"] == 1
    suites = ET.fromstring((nowhere / "out.xml").read_bytes())  # noqa: S314  (made here)
    assert suites.attrib["failures"] == "1"
    with (nowhere / "a=b.csv").open(encoding="utf-8", newline="") as stream:
        assert [row["code"] for row in csv.DictReader(stream)] == ["TL101"]


def test_a_report_that_cannot_be_written_keeps_no_other_back(
    nowhere: Path, written: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    written(a="plain\n")
    also = ("--also", "json=a.md/a.json", "--also", "json=a.json")
    assert out(capsys, "check", *also, "a.md") == (
        2,
        "All checks passed!\nChecked 1 file.\n",
        f"error: {Path('a.md/a.json')}: the report cannot be written: Not a directory\n",
    )
    assert json.loads((nowhere / "a.json").read_bytes()) == []


def test_a_report_is_written_whole_or_not_at_all(
    nowhere: Path,
    written: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written(a=NFD)
    (nowhere / "old.json").write_text("[]")

    def refuse(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    code, _, said = out(capsys, "check", "-q", "--also", "json=old.json", "a.md")
    sentence = "error: old.json: the report cannot be written: No space left on device\n"
    assert (code, said) == (2, sentence)
    assert (nowhere / "old.json").read_text() == "[]"
    assert sorted(path.name for path in nowhere.iterdir()) == ["a.md", "old.json"]


def test_a_run_does_not_read_what_it_writes(
    nowhere: Path, written: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    written(a=NFD)
    arguments = ("check", "-q", "-o", "out.txt", "--also", "sarif=out.sarif")
    assert out(capsys, *arguments)[0] == 1
    first = (nowhere / "out.txt").read_text("utf-8")
    assert out(capsys, *arguments)[0] == 1
    assert (nowhere / "out.txt").read_text("utf-8") == first
    code, _, _ = out(capsys, "check", "--select", "TL2", "out.sarif", "--also", "sarif=out.sarif")
    assert code == 1  # what is named is read


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--also", "sarif"], "expected a format and a file, as in markdown=FILE, found 'sarif'"),
        (["--also", "sarif="], "expected a format and a file, as in markdown=FILE, found 'sarif='"),
        (["--also", "sarf=x"], "there is no format 'sarf'; did you mean sarif?"),
    ],
)
def test_a_wrong_also(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["check", *arguments])
    assert raised.value.code == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "count", "compare"])
@pytest.mark.parametrize(
    "arguments", [["--also", "json=x", "--also", "csv=x"], ["-o", "x", "--also", "csv=x"]]
)
def test_two_reports_in_one_file(
    command: str, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = "error: x: two reports cannot stand in one file; name another\n"
    assert out(capsys, command, *arguments) == (2, "", sentence)


def test_columns_of_utf_16_are_for_programs(
    written: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    written(a=f"\U0001f600{NFD}")
    unit = ("--column-unit", "utf-16", "--output-format", "jsonl")
    code, shown, _ = out(capsys, "check", *unit, "a.md")
    assert (code, json.loads(shown)["location"]) == (1, {"row": 1, "column": 4})
    sentence = "error: --column-unit utf-16 is for programs; leave out --also csv=x\n"
    assert out(capsys, "check", *unit, "--also", "csv=x", "a.md") == (2, "", sentence)


def test_fixing_standard_input_writes_reports_too(
    nowhere: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-m", "tokenlint", "check", "--fix", "-q", "--also", "json=a", "-"]
    done = subprocess.run(command, input=(NFD + MARKER).encode(), capture_output=True, check=False)
    assert done.stdout == f"B\u1ea1n\n{MARKER}".encode()
    assert [one["code"] for one in json.loads((nowhere / "a").read_bytes())] == ["TL201"]


def test_the_files_of_a_run_in_a_file(
    nowhere: Path, written: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    written(a=NFD, b=MARKER)
    assert out(capsys, "check", "--show-files", "-o", "files.txt") == (0, "", "")
    assert (nowhere / "files.txt").read_text("utf-8") == "a.md\nb.md\n"


# Diffs


@pytest.mark.parametrize(("is_terminal", "shown"), [(True, "\\x1b"), (False, "\x1b")])
def test_a_diff_is_safe_on_a_terminal(
    written: Callable[..., None],
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    is_terminal: bool,
    shown: str,
) -> None:
    written(a=f"\x1b[2J {NFD}")
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: is_terminal)
    main(["check", "--select", "TL101", "--diff", "a.md"])
    lines = capsysbinary.readouterr().out.decode().splitlines()
    assert lines[-2:] == [f"-{shown}[2J Ba\u0323n", f"+{shown}[2J B\u1ea1n"]


@pytest.mark.skipif(sys.platform == "win32", reason="no such file names there")
def test_a_file_name_forges_no_header(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a\n+++ b.md").write_bytes(b"e\xcc\x81\n")
    main(["check", "--isolated", "--select", "TL101", "--diff", "."])
    lines = capsysbinary.readouterr().out.decode().splitlines()
    assert lines[:2] == ['--- "a/a\\012+++ b.md"', '+++ "b/a\\012+++ b.md"']


# What forges say


def test_the_summary_of_a_job_is_added_to(
    tmp_path_factory: pytest.TempPathFactory,
    written: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    summary = tmp_path_factory.mktemp("runner") / "summary"
    summary.write_text("before")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    written(a=NFD)
    assert out(capsys, "check", "a.md")[0] == 1
    assert summary.read_text() == "before"
    assert out(capsys, "check", "--output-format", "github", "a.md")[0] == 1
    _, comment, _ = out(capsys, "check", "--output-format", "markdown", "a.md")
    assert summary.read_text("utf-8") == f"before\n{comment}"


def test_an_empty_variable_is_no_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "")
    assert forge.job_summary() is None


@pytest.mark.parametrize("name", ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"])
def test_the_checkout_is_the_root_of_paths(
    name: str, nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = nowhere / "a" / "b"
    inside.mkdir(parents=True)
    assert forge.place(inside).from_root("x.md") == "x.md"
    (nowhere / "a" / ".git").mkdir()
    assert forge.place(inside).from_root("x.md") == "b/x.md"
    monkeypatch.setenv(name, str(nowhere))
    assert forge.place(inside).from_root("x.md") == "a/b/x.md"
    assert forge.place(inside).from_root("../../x.md") == "x.md"
    monkeypatch.setenv(name, str(nowhere / "elsewhere"))
    assert forge.place(inside).from_root("x.md") == "b/x.md"


# File names


NAMES = [
    "a|b`c`.md",
    "::error::x.md",
    "##[error]x.md",
    "a%0A%25.md",
    "<!-- tokenlint:check -->.md",
    "]]>&amp;<b>.md",
    "@someone #12.md",
    "\u202egpj.md",
    "e\u0301.md",
    "a\nb.md",
    "\x1b[31m.md",
    os.fsdecode(b"\xff\xe9.md"),
]


@pytest.fixture
def hostile(nowhere: Path) -> list[str]:
    made = []
    for name in NAMES:
        try:
            (nowhere / name).write_bytes(MARKER.encode())
        except OSError:  # a file system that takes only some names
            continue
        made.append(name)
    return made


@pytest.mark.parametrize("name", FORMATS)
def test_no_file_name_forges_a_report(name: str, nowhere: Path, hostile: list[str]) -> None:
    """In a process of its own, because what a stream cannot encode is decided there."""
    command = [sys.executable, "-m", "tokenlint", "check", "--select", "TL201"]
    done = subprocess.run(
        [*command, "--output-format", name, "--also", f"{name}=../report", *hostile],
        capture_output=True,
        check=False,
        cwd=nowhere,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert (done.returncode, done.stderr) == (1, b"")
    text = done.stdout.decode()
    assert (nowhere.parent / "report").read_text("utf-8") == text
    assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\udc80-\udcff]", text) == []
    assert COUNTERS[name](text) == len(hostile)


def github_annotations(text: str) -> int:
    assert not re.search(r"^(?!::error file=).*##\[", text, re.MULTILINE)
    return len(re.findall(r"^::error file=[^:\n]*::", text, re.MULTILINE))


def markdown_rows(text: str) -> int:
    read = page(text)
    assert (read.comments, read.references) == (["tokenlint:check"], [])
    return len(read.tables[-1]) - 1


COUNTERS: dict[str, Callable[[str], int]] = {
    "full": lambda text: len(re.findall("^TL201 ", text, re.MULTILINE)),
    "concise": lambda text: len(re.findall(":1:1: TL201 ", text)),
    "json": lambda text: len(json.loads(text)),
    "jsonl": lambda text: len([json.loads(line) for line in text.splitlines()]),
    "csv": lambda text: len(list(csv.DictReader(text.splitlines()))),
    "sarif": lambda text: len(json.loads(text)["runs"][0]["results"]),
    "github": github_annotations,
    "gitlab": lambda text: len({issue["fingerprint"] for issue in json.loads(text)}),
    "junit": lambda text: len(ET.fromstring(text).findall("*/*/failure")),  # noqa: S314
    "markdown": markdown_rows,
}


# Counts and comparisons


@pytest.mark.parametrize("command", ["count", "compare"])
@pytest.mark.parametrize("name", TABLES)
def test_tables_beside_each_other(
    command: str,
    name: str,
    nowhere: Path,
    written: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    written(a="one two\n", b="three\n")
    paths = ("a.md", "b.md")
    code, shown, _ = out(capsys, command, "--output-format", name, *paths)
    assert code == 0
    assert shown.count("a.md") == 1
    json_too = ("--output-format", "json", "--also", f"{name}=also")
    code, first, _ = out(capsys, command, *json_too, *paths)
    assert (code, set(json.loads(first))) == (0, SHAPES[command])
    assert (nowhere / "also").read_text("utf-8") == shown


SHAPES = {"count": {"files", "total"}, "compare": {"reference", "rows"}}


# The page


PAGE = (ROOT / "docs" / "formats.md").read_text("utf-8")


def test_every_format_has_a_section() -> None:
    sections = re.findall("^## `(.*)`$", PAGE, re.MULTILINE)
    assert sections == list(dict.fromkeys((*FORMATS, *TABLES)))


def test_what_the_page_shows_can_be_asked_for(
    written: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = [line for block in blocks(PAGE, "sh") for line in block.splitlines()]
    commands = [line.split("  #")[0].split()[1:] for line in shown if line.startswith("tokenlint ")]
    assert len(commands) >= len(FORMATS)
    written(a="plain\n")
    for arguments in commands:
        assert main([*arguments, "--exclude", "out*,*.sarif"]) == 0, arguments
        capsys.readouterr()


def test_junit_has_a_case_for_each_file_that_was_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, raw in {
        "b.md": b"cafe\xcc\x81",
        "c.md": b"fine",
        "a.md": b"fine",
        "x": b"\0",
    }.items():
        (tmp_path / name).write_bytes(raw)
    assert main(["check", "--output-format", "junit"]) == 1
    suite = ET.fromstring(capsys.readouterr().out)[0]  # noqa: S314  (made here)
    assert [(case.get("name"), [part.tag for part in case]) for case in suite] == [
        ("a.md", []),
        ("b.md", ["failure"]),
        ("c.md", []),
    ]


def test_the_folders_of_a_report_are_made(
    written: Callable[..., None], nowhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(a="plain\n")
    also = ("--also", "json=new/one/b.json", "--write-baseline", "new/c.json")
    code, shown, said = out(capsys, "check", "-o", "new/folder/r.txt", *also, "a.md")
    assert (code, shown, said) == (0, "", "note: new/c.json: 0 entries now, 0 before\n")
    found = {p.relative_to(nowhere).as_posix() for p in nowhere.rglob("new/**/*") if p.is_file()}
    assert found == {"new/folder/r.txt", "new/one/b.json", "new/c.json"}
    code, shown, said = out(capsys, "check", "-o", "a.md/r.txt", "a.md")
    why = "the report cannot be written: Not a directory"
    assert (code, shown, said) == (2, "", f"error: a.md/r.txt: {why}\n")
