"""Text from files and file names, made harmless for each kind of report.

Everything here makes text `printable` first: control characters, directions, tag characters and
lone surrogates stand as escapes, in every format alike.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from tokenlint.printable import entities, markdown_cell, printable

__all__ = [
    "csv_path",
    "html_text",
    "markdown_cell",
    "markdown_code",
    "uri_path",
    "workflow_log",
    "workflow_property",
    "workflow_value",
    "xml_text",
]

_NOT_PLAIN = re.compile(r"[`|\\]|^\s|\s$|^$")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]|^\s|\s$")
_IN_HTML = re.compile(r"[&<>\"']")
_NOT_XML = re.compile("[\ufffe\uffff]")
_LINE_ENDS = re.compile(r"([\r\n])")


def markdown_code(text: str) -> str:
    """Text as code, in a cell of a table too: a backtick or a pipe in it makes it HTML."""
    shown = printable(text)
    if _NOT_PLAIN.search(shown) is None:
        return f"`{shown}`"
    return f"<code>{_PUNCTUATION.sub(lambda match: entities(match[0]), shown)}</code>"


def html_text(text: str) -> str:
    """Text for HTML, between tags or in a quoted attribute."""
    return _IN_HTML.sub(lambda match: entities(match[0]), printable(text))


def xml_text(text: str) -> str:
    """Text for XML 1.0, between tags or in a quoted attribute, in ASCII whatever the stream."""
    shown = _NOT_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", printable(text))
    escaped = _IN_HTML.sub(lambda match: entities(match[0]), shown)
    return escaped.encode("ascii", "xmlcharrefreplace").decode()


def workflow_value(text: str) -> str:
    """Text for the message of a workflow command of GitHub Actions; it may have several lines."""
    parts = _LINE_ENDS.split(text.replace("%", "%25"))
    shown = "".join(part if part in ("\r", "\n") else printable(part) for part in parts)
    return shown.replace("\r", "%0D").replace("\n", "%0A")


def workflow_property(text: str) -> str:
    """Text for a property of a workflow command of GitHub Actions, such as its file."""
    return workflow_value(text).replace(":", "%3A").replace(",", "%2C")


def workflow_log(text: str) -> str:
    """A line of the log of GitHub Actions that is no command: an old form is read anywhere."""
    return printable(text).replace("##[", "## [")


def uri_path(path: str) -> str:
    """A path with `/` as a URI reference: its bytes percent-encoded, those of no text as well."""
    try:
        raw = path.encode(errors="surrogateescape")
    except UnicodeEncodeError:  # a name on Windows can have half a surrogate pair
        raw = path.encode(errors="surrogatepass")
    return quote(raw, safe="/")


def csv_path(path: str) -> str:
    """A path for a cell of CSV, written so that no spreadsheet takes it for a formula."""
    shown = printable(path)
    return f"./{shown}" if shown.startswith(("=", "+", "@", "-")) and shown != "-" else shown
