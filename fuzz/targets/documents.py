"""Bytes become a document, every rule looks at it, every report tells it, and parsers read it back.

The first byte chooses the file's name, the rest is the file.
"""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree as ET

from tokenlint import fix
from tokenlint.diagnostic import place
from tokenlint.linter import lint
from tokenlint.reports import formats
from tokenlint.reports.checked import Checked
from tokenlint.reports.printable import printable
from tokenlint.reports.text import Summary
from tokenlint.rules import RULES, Context, SpecialTokens
from tokenlint.tokens import Document, count_words, decode

NAMES = ("a.md", "a.json", "a.jsonl", "a.yaml", "a.toml", "a.jinja", "a.txt", "e\u0301.md")
CONTEXT = Context(special_tokens=SpecialTokens(level="low", extra=("<<MINE>>",)))
MOST_PASSES = 10


def target(raw: bytes) -> None:
    """One file, from its bytes to its reports."""
    name, content = NAMES[raw[0] % len(NAMES)] if raw else "a.md", raw[1:]
    document = decode(name, content)
    linted = lint(document, RULES, CONTEXT)
    assert not any("defect" in problem for problem in linted.problems), linted.problems
    if isinstance(document, Document):
        count_words(document.text)
        assert document.encode(document.text) == content, "the bytes do not come back"
        mended(document)
    placed = [place(finding, document) for finding in linted.findings]
    told(Checked(placed, Summary(1), linted.problems, RULES[:2]))


def mended(document: Document) -> None:
    """Fixing ends, and leaves nothing that could be fixed."""
    for unsafe in (False, True):
        now = document
        for _ in range(MOST_PASSES):
            todo = fix.fixable(lint(now, RULES, CONTEXT).findings, unsafe=unsafe)
            if not todo:
                break
            text = fix.apply(now.text, todo)
            now = Document(now.path, text, now.bom)
            text.encode()
        left = fix.fixable(lint(now, RULES, CONTEXT).findings, unsafe=unsafe)
        assert not left, f"still fixable: {left}"


def told(checked: Checked) -> None:
    """Every report can be read, and holds nothing that acts on a terminal."""
    texts = {name: "\n".join(formats.lines(name, checked)) for name in formats.FORMATS}
    for name, text in texts.items():
        forged = {char for char in set(text) - {"\n"} if printable(char) != char}
        assert not forged, f"{name}: {forged}"
    number = len(checked.diagnostics)
    assert len(json.loads(texts["json"])) == number
    assert len([json.loads(line) for line in texts["jsonl"].splitlines()]) == number
    json.loads(texts["sarif"])
    assert len(json.loads(texts["gitlab"])) == number
    ET.fromstring(texts["junit"])
    rows = list(csv.reader(io.StringIO(texts["csv"]), strict=True))
    assert {len(row) for row in rows} <= {len(rows[0])}
    commands = [line for line in texts["github"].split("\n") if line.startswith("::")]
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in commands)
