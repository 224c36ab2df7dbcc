"""What an editor needs: text on standard input, findings in JSON, and edits that can be applied."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console import ROOT, blocks
from tokenlint.cli import main
from tokenlint.commands import check
from tokenlint.commands.session import Session, Stdin
from tokenlint.reports import json_report
from tokenlint.tokens import ColumnUnit, Document, Location

if TYPE_CHECKING:
    from collections.abc import Callable

ASTRAL = "\U0001f600"
NFD = "e\u0301"


@pytest.fixture
def ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, Any, str]]:
    """Gives text to `tokenlint check` as an editor does; returns code, findings and messages."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)

    def ask(text: str, *options: str) -> tuple[int, Any, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        code = main(["check", "--output-format", "json", *options, "-"])
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else None, err

    return ask


def ranges(findings: Any) -> list[tuple[int, int, int, int]]:
    """Rows and columns of each finding: start, then end."""
    return [
        (*finding["location"].values(), *finding["end_location"].values()) for finding in findings
    ]


# Columns


@pytest.mark.parametrize(
    ("text", "code_points", "utf_16"),
    [
        (NFD, (1, 1, 1, 3), (1, 1, 1, 3)),
        (f"{ASTRAL}{NFD}", (1, 2, 1, 4), (1, 3, 1, 5)),
        (f"{ASTRAL}\n{ASTRAL * 3}{NFD}", (2, 4, 2, 6), (2, 7, 2, 9)),
        (f"{ASTRAL}\r\n{NFD}{ASTRAL}", (2, 1, 2, 3), (2, 1, 2, 3)),
        (f"{ASTRAL}\r{ASTRAL}{NFD}", (2, 2, 2, 4), (2, 3, 2, 5)),
        (f"\ufeff{ASTRAL}{NFD}", (1, 2, 1, 4), (1, 3, 1, 5)),
        ("\U00011099\U000110ba", (1, 1, 1, 3), (1, 1, 1, 5)),  # Kaithi: the text itself is astral
    ],
)
def test_the_unit_of_columns(
    text: str,
    code_points: tuple[int, ...],
    utf_16: tuple[int, ...],
    ask: Callable[..., tuple[int, Any, str]],
) -> None:
    for options, expected in (
        ((), code_points),
        (("--column-unit", "code-point"), code_points),
        (("--column-unit", "utf-16"), utf_16),
    ):
        code, findings, err = ask(text, "--select", "TL101", *options)
        assert (code, err) == (1, "")
        assert ranges(findings) == [expected]
        assert ranges(findings[0]["fix"]["edits"]) == [expected]


TEXT = st.text(st.sampled_from(["a", "\r", "\n", ASTRAL, "\u1ec7", "e", "\u0301", "\u0323"]))


@given(TEXT, st.data())
def test_utf_16_columns_are_those_of_the_codec(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    before = re.split("\r\n|\r|\n", text[:offset])
    if text[offset - 1 : offset + 1] == "\r\n":  # between the two, the line has not ended
        before = [*before[:-2], before[-2] + "\r"]
    column = len(before[-1].encode("utf-16-le")) // 2 + 1
    assert Document("a", text).location(offset, "utf-16") == Location(len(before), column)


def test_only_programs_are_given_other_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["check", "--column-unit", "utf-16"]) == 2
    sentence = "error: --column-unit utf-16 is for programs; add --output-format json\n"
    assert capsys.readouterr() == ("", sentence)


# Edits


def findings_in(text: str, unit: ColumnUnit) -> Any:
    stdin = Stdin(text.encode(), "a.md")
    request = check.Request(stdin=stdin, column_unit=unit)
    outcome = check.run(request, Session(Path.cwd(), isolated=True))
    return json.loads(json_report.render(outcome.diagnostics))


def fixed_by_tokenlint(text: str) -> str | None:
    request = check.Request(stdin=Stdin(text.encode(), "a.md"), fix=True)
    return check.run(request, Session(Path.cwd(), isolated=True)).fixed_stdin


def offset_in_utf_16(text: str, row: int, column: int) -> int:
    """Where a position is in the bytes of UTF-16, found as an editor finds it."""
    ends = [match.end() for match in re.finditer("\r\n|\r|\n", text)]
    line = [0, *ends][row - 1]
    return len(text[:line].encode("utf-16-le")) + 2 * (column - 1)


def apply_edits(text: str, findings: Any) -> str:
    """What docs/editors.md tells an editor to do, in UTF-16 and from the end to the start."""
    raw = text.encode("utf-16-le")
    edits = sorted(
        (
            offset_in_utf_16(text, *edit["location"].values()),
            offset_in_utf_16(text, *edit["end_location"].values()),
            edit["content"],
        )
        for finding in findings
        if finding["fix"] and finding["fix"]["applicability"] == "safe"
        for edit in finding["fix"]["edits"]
    )
    kept: list[tuple[int, int, str]] = []
    for edit in edits:
        if not kept or edit[0] >= kept[-1][1]:
            kept.append(edit)
    for start, end, content in reversed(kept):
        raw = raw[:start] + content.encode("utf-16-le") + raw[end:]
    return raw.decode("utf-16-le")


@given(TEXT)
@settings(deadline=None)
def test_applied_edits_are_what_fix_writes(text: str) -> None:
    now = text
    for _ in range(10):
        findings = findings_in(now, "utf-16")
        after = apply_edits(now, findings)
        if after == now:
            break
        now = after
    assert now == fixed_by_tokenlint(text)


def test_edits_of_a_whole_file(ask: Callable[..., tuple[int, Any, str]]) -> None:
    text = (ROOT / "examples" / "prompts" / "vi" / "support.md").read_text("utf-8")
    text = "".join(f"{ASTRAL} {line}\r\n" for line in text.splitlines())
    _, findings, _ = ask(text, "--column-unit", "utf-16", "--stdin-filename", "a.md")
    assert len(findings) > 40
    assert apply_edits(text, findings) == fixed_by_tokenlint(text)
    assert fixed_by_tokenlint(text) != text


# The path that the text goes by


def test_the_configuration_of_the_path_holds(ask: Callable[..., tuple[int, Any, str]]) -> None:
    Path("prompts").mkdir()
    Path("prompts/tokenlint.toml").write_text(
        'exclude = ["old.md"]\nforce-exclude = true\n[per-file-ignores]\n"*.jinja" = ["TL201"]\n'
    )
    marker = "<|im_start|>"
    for name, codes in (
        ("prompts/new.md", ["TL201"]),
        ("prompts/a.jinja", []),
        ("a.jinja", ["TL201"]),
    ):
        _, findings, _ = ask(marker, "--stdin-filename", name)
        assert [finding["code"] for finding in findings] == codes
        assert all(finding["filename"] == name for finding in findings)
    assert ask(marker, "--stdin-filename", "prompts/old.md", "--force-exclude")[:2] == (0, [])
    assert not Path("prompts/new.md").exists()


def test_the_answer_in_the_documentation(ask: Callable[..., tuple[int, Any, str]]) -> None:
    page = (ROOT / "docs" / "editors.md").read_text("utf-8")
    [shown] = blocks(page, "json")
    _, findings, _ = ask(f"Hello, {NFD}", "--stdin-filename", "prompts/vi/a.md")
    assert findings == [json.loads(shown)]
