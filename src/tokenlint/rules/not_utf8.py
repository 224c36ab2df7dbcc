"""Bytes that are not UTF-8.

Models are given Unicode text. A file in Latin-1, in UTF-16 (what `>` wrote in Windows PowerShell)
or with damaged bytes is either refused or read as something else by whatever loads it. The
message gives the offset of the first wrong byte, or what the byte order mark says.

Nothing else is checked in such a file, and it is never rewritten: convert it, for example with
`iconv -f UTF-16 -t UTF-8`. Files with NUL bytes and no byte order mark are binary, not text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.rules.base import Finding, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.tokens import Unreadable


def check_unreadable(file: Unreadable) -> Iterator[Finding]:
    """One finding where the bytes are text in another encoding, or damaged."""
    if file.reason in ("not UTF-8", "UTF-16", "UTF-32"):
        yield RULE.finding(file.path, file.detail)


RULE = Rule(
    code="TL901",
    name="not-utf-8",
    summary="bytes that are not UTF-8, with the offset or what the byte order mark says",
    doc=__doc__,
    check_unreadable=check_unreadable,
)
