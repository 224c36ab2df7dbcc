"""Findings with edits become new bytes, written whole or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tokenlint.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tokenlint.rules import Edit, Finding
    from tokenlint.tokens import Document


def fixable(findings: Iterable[Finding], *, unsafe: bool = False) -> list[Finding]:
    """The findings whose fix may be applied: the safe ones, and the unsafe where allowed."""
    return [f for f in findings if f.fix and (unsafe or f.fix.applicability == "safe")]


def apply(text: str, findings: Iterable[Finding]) -> str:
    """The text with the findings' edits made; of edits that overlap the first one holds."""
    edits: list[Edit] = sorted(
        (edit for finding in findings if finding.fix for edit in finding.fix.edits),
        key=lambda edit: (edit.start, edit.end),
    )
    parts, at = [], 0
    for edit in edits:
        if edit.start >= at:
            parts += [text[at : edit.start], edit.content]
            at = edit.end
    return "".join([*parts, text[at:]])


def write(path: Path, document: Document, text: str) -> None:
    """Replace a file's text, through a temporary file beside it and a rename.

    Owner, mode and links are kept. Raises OSError, with the file as it was; FileExistsError where
    the file is no longer what `document` was read from.
    """
    raw = document.encode(text)
    _require_unchanged(path, document)
    if not os.access(path, os.W_OK):
        raise PermissionError(0, "no permission to write it")
    # What an editor saved meanwhile must not be lost: it is looked at once more.
    replace_file(path, raw, require=lambda target: _require_unchanged(target, document))


def _require_unchanged(target: Path, document: Document) -> None:
    if target.read_bytes() != document.encode(document.text):
        raise FileExistsError(0, "it changed while it was checked")
