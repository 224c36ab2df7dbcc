"""Where the strings with escapes stand in YAML and TOML: a look that forgives what is broken.

Neither is parsed. A linter must say something about a file that no parser accepts, so both look
for just what decides whether a double quote opens a string, and both find their feet again soon
after a mistake. Every character is passed over a fixed number of times.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Compiled when a file needs them: every run would pay for it, and few have such a file.
_TOML = r"""(?x)
    \#[^\n]*
    | '''(?:[^']++|'(?!''))*+(?:'{3,5})?
    | \"""(?P<lines>(?:[^"\\]++|\\[\s\S]|"(?!""))*+)(?:"{3,5})?
    | "(?P<line>(?:[^"\\\n]++|\\.)*+)"?
    | '[^'\n]*'?
    """

# A string that is not closed ends at a line that is not indented: there it cannot go on.
_GOES_ON = r"\n(?=[ \t\r\n])"
_YAML = rf"""(?x)
    (?P<space>[ \t\r]+ | \#[^\n]*)
    | (?P<newline>\n)
    | (?P<document>(?<![^\n])(?:---|\.\.\.)(?=\s|\Z))
    | (?P<block>[-?](?=\s|\Z))
    | (?P<colon>:(?=\s|\Z))
    | (?P<flow>[\[\]{{}},:])
    | (?P<property>[!&*][^\s,\[\]{{}}]*)
    | "(?P<double>(?:[^"\\\n]++|\\.|\\?{_GOES_ON})*+)"?
    | (?P<single>'(?:[^'\n]++|''|{_GOES_ON})*+'?)
    | (?P<header>[|>][-+0-9]*(?=[ \t]*(?:[ \t]\#[^\n]*)?\r?(?:\n|\Z)))
    """
_PLAIN_END = r"\n|:(?=\s|\Z)|(?<=[ \t])#"
_PLAIN_END_IN_FLOW = r"[\n,\[\]{}]|:(?=[\s,\[\]{}]|\Z)|(?<=[ \t])#"
_BLOCK_LINE = re.compile(r"[\w-]")
_INDENT = re.compile(r" *")


def toml_strings(text: str) -> Iterator[tuple[int, int]]:
    """What stands between the quotes of each basic string, one line or many."""
    for match in re.finditer(_TOML, text):
        if match.lastgroup:
            yield match.span(match.lastgroup)


def yaml_strings(text: str) -> Iterator[tuple[int, int]]:
    """What stands between the quotes of each double-quoted scalar."""
    place, token_at = _Place(text), re.compile(_YAML).match
    while place.at < len(text):
        match = token_at(text, place.at)
        if match is None:
            place.pass_plain()
            continue
        if match.lastgroup == "double":
            yield match.span("double")
        place.pass_token(match, match.lastgroup or "")


@dataclass(eq=False, repr=False)
class _Place:
    """Where the look through a YAML file has come to, and what it stands in.

    `line` is where the line begins, `node` where the last scalar on it does, with its tag or
    anchor. `parent` is the column of what the next scalar belongs to: a key or a dash, if
    `belongs`. `depth` counts open brackets.
    """

    text: str
    at: int = 0
    line: int = 0
    node: int = 0
    parent: int = -1
    depth: int = 0
    belongs: bool = False
    tagged: bool = False

    def pass_token(self, match: re.Match[str], kind: str) -> None:
        """Go past a token and keep what it changes."""
        start, self.at = match.span()
        if kind == "newline":
            self._begin_line()
        elif kind == "flow":
            self._bracket(match[0], start)
        elif kind == "property":
            self.node, self.tagged = start, True
        elif kind in ("double", "single"):
            self._begin_scalar(start)
        elif kind in ("block", "colon") and not self.depth:
            self.parent = (start if kind == "block" else self.node) - self.line
            self.belongs = True
        elif kind == "header" and not self.depth:
            self._pass_indented()

    def pass_plain(self) -> None:
        """Go past a plain scalar, with the lines on which it goes on."""
        self._begin_scalar(self.at)
        end = _PLAIN_END_IN_FLOW if self.depth else _PLAIN_END
        found = re.compile(end).search(self.text, self.at + 1)
        self.at = found.start() if found else len(self.text)
        if self.belongs and not self.depth and self.text.startswith("\n", self.at):
            self._pass_indented()

    def _begin_scalar(self, start: int) -> None:
        if not self.tagged:
            self.node = start
        self.tagged = False

    def _bracket(self, bracket: str, start: int) -> None:
        if bracket in "[{":
            self.depth += 1
        elif self.depth and bracket in "]}":
            self.depth -= 1
        elif not self.depth:  # an ordinary character outside of brackets
            self.at = start
            self.pass_plain()

    def _begin_line(self) -> None:
        indent = _INDENT.match(self.text, self.at)
        self.line = self.node = self.at
        self.belongs = self.tagged = False
        self.parent = (indent.end() - self.at if indent else 0) - 1
        if _BLOCK_LINE.match(self.text, self.at):
            self.depth = 0  # a key or a dash in the first column: some bracket was never closed

    def _pass_indented(self) -> None:
        """Go past the rest of this line and all lines that are blank or deeper than the parent."""
        end = self.text.find("\n", self.at)
        while end >= 0 and self._is_deeper(end + 1):
            end = self.text.find("\n", end + 1)
        self.at = end if end >= 0 else len(self.text)

    def _is_deeper(self, start: int) -> bool:
        indent = _INDENT.match(self.text, start)
        first = indent.end() if indent else start
        if first - start > self.parent:
            return not (first == start and self.text.startswith(("---", "..."), start))
        return self.text.startswith(("\n", "\r\n"), first)
