"""`tokenlint compare --plot`: what is drawn, in which formats, and what is said without it."""

from __future__ import annotations

import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tokenlint.cli import main
from tokenlint.errors import TokenlintError
from tokenlint.reports import plot
from tokenlint.tokens.comparison import Row

VI = Row("vi", "nfc", "o200k_base", 30, 10, "word", 60, 90, 3.0, 2.0, 3.0, 1.5)
JA = Row("日本語", "nfc", "o200k_base", 40, 50, "grapheme", 50, 150, 0.8, 1.2, 3.7, 2.0)
AR = Row("العربية", "nfc", "cl100k_base", 50, 10, "word", 70, 99, 5.0, 1.4, 2.0, 2.5)
EMPTY = Row("no", "nfc", "o200k_base", 0, None, "word", 0, 0, None, None, None, None)

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def drawn(tmp_path: Path) -> Any:
    """The texts of the SVG that rows become."""
    pytest.importorskip("vl_convert", reason="the extra `plot` is not installed")

    def draw(*rows: Row, reference: str | None = "en.txt", by: str = "language") -> list[str]:
        file = tmp_path / "chart.svg"
        plot.write(file, rows, reference, by)
        root = ET.parse(file).getroot()  # noqa: S314  (written here)
        return [text.text or "" for text in root.iter(f"{SVG}text")]

    return draw


def panels(*rows: Row, reference: str | None = "en.txt") -> list[dict[str, Any]]:
    """The panels of the chart of rows."""
    found: list[dict[str, Any]] = plot.specification(rows, reference, "language")["vconcat"]
    return found


def bars(panel: dict[str, Any]) -> list[tuple[str, str, float]]:
    """Label, tokenizer and value of each bar."""
    values = panel["data"]["values"]
    return [(value["label"], value["tokenizer"], value["value"]) for value in values]


def test_a_panel_of_premiums_and_one_of_fertility() -> None:
    premium, fertility = panels(VI, AR)
    assert bars(premium) == [("vi", "o200k_base", 1.5), ("العربية", "cl100k_base", 2.5)]
    assert bars(fertility) == [("vi", "o200k_base", 3.0), ("العربية", "cl100k_base", 5.0)]
    assert fertility["encoding"]["x"]["title"] == "tokens per word"


def test_what_has_no_figure_has_no_bar() -> None:
    premium, fertility = panels(VI, EMPTY, replace(VI, path="x", premium=None))
    assert [label for label, _, _ in bars(premium)] == ["vi"]
    assert [label for label, _, _ in bars(fertility)] == ["vi", "x"]


def test_without_a_reference_only_fertility_is_drawn() -> None:
    (only,) = panels(VI, reference=None)
    assert only["title"] == "Fertility by language"
    (only,) = panels(replace(VI, fertility=None))
    assert only["title"] == "Premium by language"


def test_labels_say_in_what_rows_differ() -> None:
    premium, fertility = panels(VI, JA, replace(VI, form="nfd"))
    assert [label for label, _, _ in bars(premium)] == ["vi, nfc", "日本語, nfc", "vi, nfd"]
    assert [label for label, _, _ in bars(fertility)] == [
        "vi, nfc, per word",
        "日本語, nfc, per grapheme",
        "vi, nfd, per word",
    ]


def test_rows_without_any_figure() -> None:
    with pytest.raises(TokenlintError, match="no text has words or a reference"):
        plot.specification([EMPTY], None, "file")


def test_titles_axes_legend_and_figures_are_written(drawn: Any) -> None:
    texts = drawn(VI, AR, JA)
    for text in (
        "Premium by language",
        "tokens ÷ tokens of en.txt",
        "Fertility by language",
        "tokens per unit (see the label)",
        "language",
        "tokenizer",
        "o200k_base",
        "cl100k_base",
        "vi",
        "العربية",
        "日本語",
        "日本語, per grapheme",
        "1.50",
        "2.50",
        "0.80",
    ):
        assert text in texts


def test_names_with_markup_stay_text(drawn: Any) -> None:
    assert "<b>&'\"" in drawn(replace(VI, path="<b>&'\""))


def test_the_command_draws_both_formats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("vl_convert", reason="the extra `plot` is not installed")
    monkeypatch.chdir(tmp_path)
    for name, text in {"en": "A short text.", "vi": "Một văn bản ngắn.", "x": "123"}.items():
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    for file, head in (("a.svg", b"<svg "), ("b.PNG", b"\x89PNG\r\n")):
        arguments = ["en.txt", "vi.txt", "--reference", "en.txt", "--plot", file]
        assert main(["compare", *arguments]) == 0
        assert (tmp_path / file).read_bytes().startswith(head)
    assert "Premium by language" in (tmp_path / "a.svg").read_text("utf-8")
    main(["compare", "en.txt", "x.txt", "--plot", "c.svg"])
    assert "Fertility by file" in (tmp_path / "c.svg").read_text("utf-8")
    main(["compare", "en.txt", "x.txt", "--plot", "c.svg", "--by", "total"])
    assert "Fertility by total" in (tmp_path / "c.svg").read_text("utf-8")
    assert capsys.readouterr().err == ""
    assert main(["compare", "en.txt", "--plot", "b.PNG"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["compare", "en.txt", "--plot", "c.svg", "-o", "c.svg"]) == 2
    assert capsys.readouterr().err == (
        "error: c.svg: two reports cannot stand in one file; name another\n"
    )
    assert main(["compare", "en.txt", "--plot", "new/folder/c.svg"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["compare", "en.txt", "--plot", "en.txt/c.svg"]) == 2
    assert capsys.readouterr().err == (
        "error: en.txt/c.svg: the chart cannot be written: Not a directory\n"
    )


@pytest.mark.parametrize("name", ["chart", "chart.pdf", "svg"])
def test_a_format_that_cannot_be_drawn(name: str) -> None:
    with pytest.raises(TokenlintError) as caught:
        plot.demand(Path(name))
    assert str(caught.value) == f"--plot {name}: end the name in .svg or .png, which can be drawn"


def test_an_empty_name_is_not_the_folder(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["compare", "en.txt", "--plot", ""])
    said = capsys.readouterr().err.splitlines()[-1]
    assert (caught.value.code, said) == (
        2,
        "tokenlint compare: error: argument --plot: the name is empty; name a file, as in "
        "costs.svg",
    )


def test_without_the_extra_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plot, "find_spec", lambda _name: None)
    with pytest.raises(TokenlintError) as caught:
        plot.demand(Path("chart.svg"))
    assert str(caught.value) == "--plot needs an extra: pip install 'pytest-tokenbudget[plot]'"


def test_the_library_is_imported_only_to_draw(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a text")
    code = (
        "import sys; from tokenlint.cli import main; main(['compare', 'a.txt', '-q']);"
        "sys.exit('vl_convert' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)


@pytest.mark.parametrize("name", ["logo.svg", "photo.png"])
def test_a_picture_that_is_no_chart_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    pytest.importorskip("vl_convert", reason="the extra `plot` is not installed")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "en.txt").write_text("A short text.")
    raw = b'<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>' if name[0] == "l" else PNG
    (tmp_path / name).write_bytes(raw)
    assert main(["compare", "en.txt", "--plot", name]) == 2
    assert capsys.readouterr() == (
        "",
        f"error: refusing to overwrite {name}, which is no report; delete it first, or choose "
        "another name\n",
    )
    assert (tmp_path / name).read_bytes() == raw


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    """A part of a PNG: length, type, data, and a checksum over type and data."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


SIGNATURE = b"\x89PNG\r\n\x1a\n"
IHDR = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
REST = chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND")
PNG = SIGNATURE + IHDR + REST
"A picture of one pixel."


def test_the_mark_is_a_chunk_of_its_own() -> None:
    software = chunk(b"tEXt", b"Software\0tokenlint")
    assert plot.marked_png(PNG) == SIGNATURE + IHDR + software + REST
