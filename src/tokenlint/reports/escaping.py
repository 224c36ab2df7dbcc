"""Text from files and file names, made harmless for each kind of report.

Everything here makes text `printable` first: control characters, directions, tag characters and
lone surrogates stand as escapes, in every format alike.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from tokenlint.reports.printable import printable

_MARKUP = re.compile(
    r"(?P<reference>[@#](?=\w)|\$|(?<![A-Za-z0-9])GH-(?=[0-9])|:(?=[\w+-]+:))"
    r"|[\\`*\[\]<>|~&!#]|:(?=//)|(?<=www)\.|^\s|\s$"
    r"|(?<![^\W_])_+|_+(?![^\W_])"
)
"""What Markdown reads as more than text, the spaces that it drops, and the references that forges
look for once Markdown is done: mentions, issues, formulas, emoji."""

_NOT_PLAIN = re.compile(r"[`|\\]|^\s|\s$|^$")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]|^\s|\s$")
_IN_HTML = re.compile(r"[&<>\"']")
_NOT_XML = re.compile("[\ufffe\uffff]")
_LINE_ENDS = re.compile(r"([\r\n])")


def markdown_cell(text: str) -> str:
    """Text for a cell of a Markdown table, or the middle of any line: it shows as it is."""
    return _MARKUP.sub(_inert, printable(text))


def _inert(match: re.Match[str]) -> str:
    """A reference is taken apart by HTML: forges look in the finished page, past all escapes."""
    reference = match["reference"]
    return _entities(match[0]) if reference is None else f"<span>{_entities(reference)}</span>"


def markdown_code(text: str) -> str:
    """Text as code, in a cell of a table too: a backtick or a pipe in it makes it HTML."""
    shown = printable(text)
    if _NOT_PLAIN.search(shown) is None:
        return f"`{shown}`"
    return f"<code>{_PUNCTUATION.sub(lambda match: _entities(match[0]), shown)}</code>"


def html_text(text: str) -> str:
    """Text for HTML, between tags or in a quoted attribute."""
    return _IN_HTML.sub(lambda match: _entities(match[0]), printable(text))


def xml_text(text: str) -> str:
    """Text for XML 1.0, between tags or in a quoted attribute, in ASCII whatever the stream."""
    shown = _NOT_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", printable(text))
    escaped = _IN_HTML.sub(lambda match: _entities(match[0]), shown)
    return escaped.encode("ascii", "xmlcharrefreplace").decode()


def _entities(text: str) -> str:
    return "".join(f"&#{ord(char)};" for char in text)


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
