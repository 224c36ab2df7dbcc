"""`tokenlint compare --plot`: premiums and fertility as bar charts, in SVG or PNG.

Vega-Lite draws (the package vl-convert-python, which holds all that it needs): it shapes Arabic,
takes a font that has the characters of a label, and runs without a browser and without a network.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tokenlint.atomic import make_folder_for, replace_file
from tokenlint.errors import TokenlintError
from tokenlint.reports.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokenlint.tokens.comparison import Row

_FONTS = (
    "Noto Sans, Noto Sans Arabic, Noto Sans JP, Noto Sans CJK JP, DejaVu Sans, Arial, "
    "Hiragino Sans, Yu Gothic, VL PGothic, sans-serif"
)
_BAR, _WIDTH, _SCALE = 14, 480, 2.0


def demand(file: Path) -> None:
    """Say at once what would keep a chart from being drawn.

    Raises TokenlintError.
    """
    if file.suffix.lower() not in (".svg", ".png"):
        raise TokenlintError(f"--plot {file}: end the name in .svg or .png, which can be drawn")
    if find_spec("vl_convert") is None:
        raise TokenlintError("--plot needs an extra: pip install 'pytest-tokenbudget[plot]'")


def write(file: Path, rows: Sequence[Row], reference: str | None, by: str) -> None:
    """Draw the rows into a file, with a mark in it: a later chart may take its place.

    Raises TokenlintError.
    """
    import vl_convert

    chart = specification(rows, reference, by)
    if file.suffix.lower() == ".png":
        drawn = marked_png(vl_convert.vegalite_to_png(chart, scale=_SCALE))
    else:
        drawn = vl_convert.vegalite_to_svg(chart).replace(">", f">{_MARK}", 1).encode()
    try:
        make_folder_for(file)
        replace_file(file, drawn, lasting=False)  # it can be made again
    except OSError as error:
        raise TokenlintError(f"{file}: the chart cannot be written: {error.strerror}") from None


_MARK = "<!-- tokenlint: chart -->"
_HEAD_OF_PNG = 33  # its signature, and the chunk that every PNG begins with


def marked_png(png: bytes) -> bytes:
    """A PNG that says which program made it, as the format has a place for."""
    said = b"tEXtSoftware\0tokenlint"
    chunk = (len(said) - 4).to_bytes(4) + said + crc32(said).to_bytes(4)
    return png[:_HEAD_OF_PNG] + chunk + png[_HEAD_OF_PNG:]


def specification(rows: Sequence[Row], reference: str | None, by: str) -> dict[str, Any]:
    """The chart in Vega-Lite: a panel of premiums where there are any, and one of fertility.

    Raises TokenlintError where there is nothing to draw.
    """
    panels = []
    if reference is not None and any(row.premium for row in rows):
        title = f"tokens ÷ tokens of {printable(reference)}"
        panels.append(_panel("Premium", "premium", title, rows, by))
    if any(row.fertility for row in rows):
        panels.append(_panel("Fertility", "fertility", _per_unit(rows), rows, by))
    if not panels:
        raise TokenlintError("--plot: no text has words or a reference, so there is no figure")
    return {
        "background": "white",
        "config": {"font": _FONTS, "axis": {"labelLimit": 320}, "legend": {"labelLimit": 320}},
        "vconcat": panels,
    }


def _per_unit(rows: Sequence[Row]) -> str:
    units = {row.word_unit for row in rows if row.fertility}
    return f"tokens per {units.pop()}" if len(units) == 1 else "tokens per unit (see the label)"


def _panel(title: str, figure: str, axis: str, rows: Sequence[Row], by: str) -> dict[str, Any]:
    """One bar for each row that has the figure, and the figure behind it."""
    shown = [row for row in rows if getattr(row, figure)]
    names = list(dict.fromkeys(row.tokenizer for row in rows))
    labels = _labels(shown, figure)
    values = [
        {"label": label, "tokenizer": row.tokenizer, "value": getattr(row, figure)}
        for label, row in zip(labels, shown, strict=True)
    ]
    position = {
        "y": {"field": "label", "type": "nominal", "sort": None, "title": by},
        "yOffset": {"field": "tokenizer", "type": "nominal", "sort": names},
        "x": {"field": "value", "type": "quantitative", "title": axis},
    }
    color = {"field": "tokenizer", "type": "nominal", "sort": names, "scale": {"domain": names}}
    figures = {"field": "value", "type": "quantitative", "format": ".2f"}
    return {
        "title": f"{title} by {by}",
        "width": _WIDTH,
        "height": {"step": _BAR, "for": "offset"},
        "data": {"values": values},
        "encoding": position,
        "layer": [
            {"mark": "bar", "encoding": {"color": color}},
            {
                "mark": {"type": "text", "align": "left", "dx": 3, "fontSize": 9},
                "encoding": {"text": figures},
            },
        ],
    }


def _labels(rows: Sequence[Row], figure: str) -> list[str]:
    """The name of each row, with its form or unit where the rows of the panel differ in that."""
    forms = {row.form for row in rows}
    units = {row.word_unit for row in rows} if figure == "fertility" else {None}
    return [
        ", ".join(
            [
                printable(row.path),
                *[row.form][: len(forms) > 1],
                *[f"per {row.word_unit}"][: len(units) > 1],
            ]
        )
        for row in rows
    ]
