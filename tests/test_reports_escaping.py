"""Text that could break or forge a report, in each kind of report."""

from __future__ import annotations

import html
import os
import re
import subprocess
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import TEXTS, harmful
from markup import page
from tokenlint.reports.escaping import (
    csv_path,
    html_text,
    markdown_cell,
    markdown_code,
    uri_path,
    workflow_log,
    workflow_property,
    workflow_value,
    xml_text,
)
from tokenlint.reports.printable import printable, printable_diff

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = ["", "a", "prompts/vi/a.md", "two words", "snake_case", "\u1ec7", "U+0301", "1,200 (95 %)"]


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_is_left_as_it_is(text: str) -> None:
    same = (markdown_cell, html_text, workflow_log, printable_diff)
    assert [escape(text) for escape in same] == [text] * len(same)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("a|b", "a&#124;b"),
        ("<|im_end|>", "&#60;&#124;im_end&#124;&#62;"),
        ("__init__", "&#95;&#95;init&#95;&#95;"),
        ("a\nb", "a&#92;x0ab"),
        ("mail @someone", "mail <span>&#64;</span>someone"),
        ("see #12", "see <span>&#35;</span>12"),
        (":tada:", "<span>&#58;</span>tada:"),
        ("\u00b9GH-7", "\u00b9<span>&#71;&#72;&#45;</span>7"),
        ("$x$", "<span>&#36;</span>x<span>&#36;</span>"),
        ("https://a.b", "https&#58;//a.b"),
        ("www.a.b", "www&#46;a.b"),
        ("<!-- tokenlint:check -->", "&#60;&#33;-- tokenlint:check --&#62;"),
        (" a ", "&#32;a&#32;"),
    ],
)
def test_markdown_cells(text: str, cell: str) -> None:
    assert markdown_cell(text) == cell


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a.md", "`a.md`"),
        ("<b>*c*</b>", "`<b>*c*</b>`"),
        ("a`b", "<code>a&#96;b</code>"),
        ("a|b", "<code>a&#124;b</code>"),
        (" a", "<code>&#32;a</code>"),
        ("", "<code></code>"),
        ("\u202ea", "<code>&#92;u202ea</code>"),
    ],
)
def test_markdown_code(text: str, code: str) -> None:
    assert markdown_code(text) == code


@given(TEXTS)
def test_a_cell_of_markdown_shows_the_text_and_nothing_else(text: str) -> None:
    read = page(f"| {markdown_cell(text)} | {markdown_code(text)} |\n| --- | --- |\n| a | b |\n")
    assert read.tables == [[[printable(text)] * 2, ["a", "b"]]]
    assert read.tags <= {"table", "thead", "tbody", "tr", "th", "td", "span", "code"}
    assert (read.comments, read.references) == ([], [])


@given(TEXTS)
def test_a_line_of_markdown_shows_the_text_and_nothing_else(text: str) -> None:
    read = page(f"say {markdown_cell(text)} and {markdown_code(text)}.\n")
    shown = printable(text)
    assert read.text == f"say {shown} and {shown}.\n"
    assert read.tags <= {"p", "span", "code"}


@given(TEXTS)
def test_html_and_xml_show_the_text(text: str) -> None:
    shown = printable(text)
    assert html.unescape(html_text(text)) == shown
    assert not set(html_text(text)) & set("<>\"'")
    escaped = xml_text(text)
    assert escaped.isascii()
    read = ET.fromstring(f'<a b="{escaped}">{escaped}</a>')  # noqa: S314  (made here)
    in_xml = re.sub("[\ufffe\uffff]", lambda found: f"\\u{ord(found[0]):04x}", shown)
    assert (read.text or "", read.attrib) == (in_xml, {"b": in_xml})


@pytest.mark.parametrize(
    ("text", "value", "prop"),
    [
        ("a.md", "a.md", "a.md"),
        ("95 %", "95 %25", "95 %25"),
        ("%0A", "%250A", "%250A"),
        ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("a,b:c::d", "a,b:c::d", "a%2Cb%3Ac%3A%3Ad"),
        ("\x1b[1m\u202e", "\\x1b[1m\\u202e", "\\x1b[1m\\u202e"),
    ],
)
def test_parts_of_workflow_commands(text: str, value: str, prop: str) -> None:
    assert (workflow_value(text), workflow_property(text)) == (value, prop)


def unescaped(text: str, *also: str) -> str:
    """What the runner of GitHub Actions makes of a value."""
    for escape in ("%0D", "%0A", *also, "%25"):
        text = text.replace(escape, chr(int(escape[1:], 16)))
    return text


@given(TEXTS)
def test_values_and_properties_of_workflow_commands(text: str) -> None:
    value, prop = workflow_value(text), workflow_property(text)
    shown = "".join(char if char in "\r\n" else printable(char) for char in text)
    assert unescaped(value) == shown
    assert unescaped(prop, "%3A", "%2C") == shown
    assert not harmful(value + prop)
    assert not set(prop) & set(":,")


@given(TEXTS)
def test_a_line_of_the_log_is_no_command(text: str) -> None:
    line = workflow_log(text)
    assert "##[" not in line
    assert not harmful(line)


@given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("/%:?# \udce9\udc80")))
def test_uris_hold_the_bytes_of_a_path(path: str) -> None:
    uri = uri_path(path)
    assert re.fullmatch(r"([A-Za-z0-9._~/-]|%[0-9A-F]{2})*", uri)
    assert os.fsdecode(unquote_to_bytes(uri)) == path


def test_a_name_with_half_a_surrogate_pair_has_a_uri() -> None:
    assert uri_path("a\ud800") == "a%ED%A0%80"


@given(TEXTS)
def test_no_path_in_csv_is_a_formula(path: str) -> None:
    cell = csv_path(path)
    assert cell == "-" or not cell.startswith(("=", "+", "-", "@"))
    assert cell.removeprefix("./") == printable(path).removeprefix("./")


DIFF = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-\tBa\u0323n\r\n+\tB\u1ea1n\r\n \u200b \u202e\n"


def test_a_diff_of_text_is_left_as_it_is() -> None:
    assert printable_diff(DIFF) == DIFF


@pytest.mark.parametrize(
    ("diff", "shown"),
    [
        ("+\x1b[2Ja\n", "+\\x1b[2Ja\n"),
        ("+a\rb\r\n", "+a\\x0db\r\n"),
        ("+\x9b1m\x00\n", "+\\x9b1m\\x00\n"),
        ("--- \udce9\n", "--- \\udce9\n"),
    ],
)
def test_control_characters_in_a_diff(diff: str, shown: str) -> None:
    assert printable_diff(diff) == shown


@given(TEXTS)
def test_a_diff_keeps_its_lines(text: str) -> None:
    shown = printable_diff(text)
    assert shown.count("\n") == text.count("\n")
    controls = re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", shown.replace("\r\n", ""))
    assert controls == []


def test_a_patch_with_crlf_applies(tmp_path: Path) -> None:
    diff = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-Ba\u0323n\r\n+B\u1ea1n\r\n"
    (tmp_path / "f").write_bytes("Ba\u0323n\r\n".encode())
    raw = printable_diff(diff).encode()
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=raw, check=True)
    assert (tmp_path / "f").read_bytes() == "B\u1ea1n\r\n".encode()
