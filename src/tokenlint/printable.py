"""Text from files and file names, made harmless where it is shown."""

from __future__ import annotations

import os
import re

_HARMFUL = (  # compiled by who needs it: most runs print plain text
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """The text with control, direction and tag characters as escapes: they could forge output."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_HARMFUL, lambda match: escape(match.group()), text)


def escape(text: str) -> str:
    r"""Each character as `\x1b`, `\u202e` or `\U000e0041`."""
    return text.encode("ascii", "backslashreplace").decode() if text > "\x7f" else _low(text)


def _low(text: str) -> str:
    return "".join(f"\\x{ord(char):02x}" for char in text)


def in_ci() -> bool:
    """Whether what is printed goes to the log of a CI, by what the usual ones set."""
    return any(map(os.environ.get, ("CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION")))


_COMMAND = re.compile(r"##(?=\w*\[)")


def logged(line: str, form: str = "") -> str:
    """A line of a report as the log of a CI may have it, which reads commands out of lines.

    `##[error]`, `##vso[...]` and `##teamcity[...]` are commands wherever they stand, `::error::` is
    one at the beginning. What is JSON or XML stays the same value.
    """
    if form == "github" and line.startswith("::"):  # a command of our own
        return line
    shown = _COMMAND.sub(_INSTEAD.get(form, "## "), line) if "##" in line else line
    if "::" not in shown:
        return shown
    return _AT_BEGINNING.sub("&#58;:" if form == "junit" else "./::", shown)


_AT_BEGINNING = re.compile(r"^\s*+::", re.MULTILINE)
_INSTEAD = dict.fromkeys(("json", "jsonl", "sarif", "gitlab"), r"#\\u0023") | {"junit": "#&#35;"}


_MARKUP = re.compile(
    r"(?P<reference>[@#](?=\w)|\$|(?<![A-Za-z0-9])GH-(?=[0-9])|:(?=[\w+-]+:))"
    r"|[\\`*\[\]<>|~&!#]|:(?=//)|(?<=www)\.|^\s|\s$"
    r"|(?<![^\W_])_+|_+(?![^\W_])"
)
"""What Markdown reads as more than text, the spaces that it drops, and the references that forges
look for once Markdown is done: mentions, issues, formulas, emoji."""


def markdown_cell(text: str) -> str:
    """Text for a cell of a Markdown table, or the middle of any line: it shows as it is."""
    return _MARKUP.sub(_inert, printable(text))


def _inert(match: re.Match[str]) -> str:
    """A reference is taken apart by HTML: forges look in the finished page, past all escapes."""
    reference = match["reference"]
    return entities(match[0]) if reference is None else f"<span>{entities(reference)}</span>"


def entities(text: str) -> str:
    """Each character as HTML writes it by number."""
    return "".join(f"&#{ord(char)};" for char in text)
