"""Who wrote a control string, and what a finding says and does because of it.

In what strangers write a control string is an attack until proven otherwise. The owner of a
repository who writes one means it, most often, so there it is a warning.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen

if TYPE_CHECKING:
    from tokenlint.rules.base import Context, Finding, Level, Rule
    from tokenlint.tokens import Document

_OWNER = "written by the owner"
_BY_OWNERS = ("system", "developer")
_BY_STRANGERS = ("user", "tool", "function")
_TEMPLATES = (".jinja", ".jinja2", ".j2", "chat_template.json", "tokenizer_config.json")
_PAGES = (".md", ".mdx", ".markdown")
_TEST = re.compile(r"(?:^|/)(?:tests?|__tests__|spec)/|(?:^|/)test_[^/]*$|[._](?:test|spec)\.\w+$")
_NEAR = 100  # characters in which a backtick is looked for
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)


@frozen
class _Speaker:
    """Who wrote a stretch: how bad a control string is there, and what a message adds."""

    level: Level = "error"
    note: str = ""
    help: str = ""
    firm: bool = False


def spoken(
    rule: Rule, document: Document, context: Context, message: str, span: tuple[int, int]
) -> Finding:
    """A finding about a control string, as bad as it is for who wrote it."""
    by = _speaker(document, context, span)
    said = f"{message}; {by.note}" if by.note else message
    advice = by.help.replace("CODE", rule.code)
    return rule.finding(document.path, said, span, level=by.level, help=advice, firm=by.firm)


def _speaker(document: Document, context: Context, span: tuple[int, int]) -> _Speaker:
    """What was declared of a file holds for all of it; else roles and the kind of file say."""
    trust = context.trust_for(document.path)
    if trust is not None:
        return _OF_OWNER if trust == "owner" else _OF_STRANGER
    if (role := _role(document, span)) is not None:
        return _in_message(role)
    if document.path.lower().endswith(_TEMPLATES):
        return _OF_TEMPLATE
    return _Speaker(help=_help(document, span[0]))


def is_by_stranger(document: Document, span: tuple[int, int]) -> bool:
    """Whether a stretch is what a user or a tool says in a file of messages."""
    return _role(document, span) in _BY_STRANGERS


def _role(document: Document, span: tuple[int, int]) -> str | None:
    from tokenlint.rules.messages import role_at  # a run without findings needs no JSON

    return role_at(document, *span)


_OF_OWNER = _Speaker("warning", _OWNER)
_OF_STRANGER = _Speaker(
    note="written by an outsider",
    help="no inline directive silences this in a file that strangers write; per-file-ignores can",
    firm=True,
)
_OF_TEMPLATE = _Speaker(
    "warning",
    f"in a template, {_OWNER}",
    'a chat template needs these: "*.jinja" = ["CODE"] in per-file-ignores; where strangers write '
    'it, "PATH" = "outside" in trust',
)


def _in_message(role: str) -> _Speaker:
    if role in _BY_OWNERS:
        return _Speaker("warning", f"in {role} content, {_OWNER}")
    if role in _BY_STRANGERS:
        advice = 'if these messages are your own, such as a test: "PATH" = "owner" in trust'
        return _Speaker(note=f"in {role} content", help=advice, firm=True)
    return _Speaker(note="in assistant content" if role == "assistant" else "")


def _help(document: Document, start: int) -> str:
    """What silences a finding in a file that has to show control strings."""
    if _TEST.search(document.path):
        return 'a constant of a test: "tests/**" = ["CODE"] in per-file-ignores'
    if not document.path.lower().endswith(_PAGES) or not _is_quoted(document, start):
        return ""
    return (
        "an example that shows it: tokenlint: ignore-file[CODE] in a comment, "
        'or "docs/**" = ["CODE"] in per-file-ignores'
    )


def _is_quoted(document: Document, start: int) -> bool:
    """Whether an offset stands in a fenced block, or between backticks on its line."""
    if bisect_right(_fences(document), start) % 2:
        return True
    around = document.text[max(0, start - _NEAR) : start], document.text[start : start + _NEAR]
    before, after = around[0].rpartition("\n")[2], around[1].partition("\n")[0]
    return "`" in before and "`" in after


@lru_cache(maxsize=1)
def _fences(document: Document) -> tuple[int, ...]:
    """Where the lines begin that open or close a fenced block."""
    found, opened = [], ""
    for match in _FENCE.finditer(document.text):
        fence = match[1]
        if not opened or (fence[0] == opened[0] and len(fence) >= len(opened)):
            found.append(match.start())
            opened = "" if opened else fence
    return tuple(found)
