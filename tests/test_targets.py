"""Reports in files: a later run replaces an earlier report, and nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tokenlint.cli import main
from tokenlint.reports.diff_formats import NAMES as DIFF_FORMATS
from tokenlint.reports.formats import FORMATS, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}]
PROMPT = "Ba\u0323n <|im_end|>\n"
PROMPTS = {
    "a.md": PROMPT,
    "plain.md": "You are a helpful assistant.\n",
    "table.md": "| name | meaning |\n| --- | --- |\n| a | b |\n",
    "page.html": "<!doctype html>\n<html><body>Hello</body></html>\n",
    "chat.json": json.dumps(CHAT),
    "settings.json": '{"files": ["a.md"], "name": "a"}',
    "list.json": '[{"description": "a tool", "name": "b"}]',
    "rows.csv": "path,answer\na,b\n",
    "figures.txt": "file names are long\n",
    "comment.md": "<!-- our own -->\n# Hello\n",
    "tokenlint.toml": "# nothing\n",
    "sum.txt": "Answer: 3 tokens\n",
    "found.txt": "Found 3 findings and a cat\n",
    "rule.txt": "TL101 is a rule of ours.\n",
}


@pytest.fixture(autouse=True)
def project(folder: Path) -> Path:
    """A folder of prompts, some of which look a little like reports."""
    for name, text in PROMPTS.items():
        (folder / name).write_bytes(text.encode())
    (folder / "old").mkdir()
    (folder / "old/a.md").write_text("Hello\n")
    return folder


def asked() -> Iterator[list[str]]:
    """Every command with every format that it has."""
    for name in FORMATS:
        yield ["check", "a.md", "--output-format", name]
        yield ["check", "plain.md", "--output-format", name]
        yield ["check", "nowhere.md", "--output-format", name]
    yield ["check", "a.md", "--statistics"]
    yield ["check", ".", "--show-files"]
    for name in TABLES:
        yield ["count", "--output-format", name]
        yield ["count", "--chat", "chat.json", "--output-format", name]
        yield ["count", "a.md", "--model", "gpt-4o", "--calls", "10", "--output-format", name]
        yield ["compare", "--output-format", name]
        yield ["compare", "--by", "folder", "--output-format", name]
        yield ["compare", "--reference", "plain.md", "--output-format", name]
    for name in DIFF_FORMATS:
        yield ["diff", "--no-index", "old", "new", "--output-format", name]
        yield ["diff", "--no-index", "old", "old", "--output-format", name]
    for name in ("text", "json", "html"):
        yield ["explain", "a.md", "--output-format", name]
        yield ["explain", "--text", "Hello", "--output-format", name]
        yield ["explain", "--chat", "chat.json", "--output-format", name]
        yield ["explain", "--merges", "hello", "--output-format", name]


@pytest.mark.parametrize("arguments", list(asked()), ids=" ".join)
def test_a_second_run_replaces_the_report_of_the_first(
    arguments: list[str], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "new").mkdir()
    (project / "new/a.md").write_text("Hello, hello\n")
    file = project / "report.txt"
    code = main([*arguments, "-o", "report.txt"])
    first, place = file.read_bytes(), file.stat().st_ino
    said = capsys.readouterr()
    assert main([*arguments, "-o", "report.txt"]) == code
    assert capsys.readouterr() == said
    assert file.read_bytes() == first
    assert file.stat().st_ino != place  # it is another file


REFUSED = (
    "error: refusing to overwrite {}, which is no report; delete it first, or choose another name\n"
)


@pytest.mark.parametrize("name", PROMPTS)
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "-o", "{}"),
        ("check", "-q", "--also", "json={}"),
        ("check", "{}", "--exit-zero", "--also", "csv={}"),
        ("count", "-o", "{}"),
        ("compare", "a.md", "--also", "markdown={}"),
        ("diff", "--no-index", "old", "old", "-o", "{}"),
        ("explain", "--text", "Hello", "-o", "{}"),
    ],
    ids=" ".join,
)
def test_a_prompt_is_never_replaced(
    arguments: tuple[str, ...], name: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([one.format(name) for one in arguments]) == 2
    assert capsys.readouterr() == ("", REFUSED.format(name))
    assert (project / name).read_bytes() == PROMPTS[name].encode()


def test_nothing_runs_before_a_report_is_refused(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--fix", "--write-baseline", "b.json", "-o", "plain.md"]) == 2
    assert capsys.readouterr() == ("", REFUSED.format("plain.md"))
    assert not (project / "b.json").exists()
    assert (project / "a.md").read_bytes() == PROMPT.encode()


def test_a_baseline_is_no_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a.md", "--write-baseline", "b.json"]) == 0
    capsys.readouterr()
    assert main(["check", "a.md", "--also", "json=b.json"]) == 2
    assert capsys.readouterr() == ("", REFUSED.format("b.json"))


def test_a_baseline_and_a_report_need_two_files(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "a.md", "--write-baseline", "b.json", "--also", "json=./b.json"]) == 2
    sentence = "error: b.json: a report and the baseline cannot stand in one file\n"
    assert capsys.readouterr() == ("", sentence)
    assert not (project / "b.json").exists()


def test_what_cannot_be_looked_at_is_left_to_the_writing(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = type(project).open

    def refuse(path: Path, mode: str = "r") -> object:
        if path.name == "plain.md":
            raise PermissionError(13, "Permission denied")
        return usual(path, mode)

    def fail(path: Path, target: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(project), "open", refuse)
    monkeypatch.setattr(type(project), "replace", fail)
    assert main(["check", "old", "-o", "plain.md"]) == 2
    sentence = "error: plain.md: the report cannot be written: Permission denied\n"
    assert capsys.readouterr() == ("", sentence)


def test_a_link_is_followed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "link.json").symlink_to("plain.md")
    assert main(["check", "-o", "link.json"]) == 2
    assert capsys.readouterr() == ("", REFUSED.format("link.json"))


def test_what_the_run_reads_is_safe_outside_of_the_working_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project / "old")
    assert main(["check", "..", "-o", "../plain.md"]) == 2
    assert capsys.readouterr() == ("", REFUSED.format("../plain.md"))
    assert main(["check", "../a.md", "-o", "../a.md"]) == 2
    assert capsys.readouterr() == ("", REFUSED.format("../a.md"))


def test_elsewhere_a_file_is_what_its_owner_says(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project / "old")
    assert main(["check", "-o", "../plain.md"]) == 0
    assert capsys.readouterr() == ("", "")
    assert (project / "plain.md").read_text() == "All checks passed!\nChecked 1 file.\n"
