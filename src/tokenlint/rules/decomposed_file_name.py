"""A path that is not in NFC.

A macOS archive or an old file system gives `café.md` in its decomposed form. It looks the same,
but globs, imports, URLs and `git` on other systems see another name, and a prompt that is loaded
by its name is not found. The rule looks at the whole path as it is reported; it renames nothing.

Rename with git, so that the history follows:

    git mv "$(printf 'prompts/cafe\\314\\201.md')" prompts/café.md

Patterns in the configuration are compared in NFC, so `"prompts/café.md"` matches both names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Finding, Rule
from tokenlint.rules.nfc import changes, code_points
from tokenlint.tokens import Document

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(document: Document, _context: Context) -> Iterator[Finding]:
    """At most one finding, about the path."""
    path = document.path
    for change in changes(Document(path, path)):
        yield RULE.finding(
            path,
            f"the file name is not NFC: it holds {code_points(change.found)}, which NFC writes "
            f"{code_points(change.nfc)}; rename the file",
        )
        return


RULE = Rule(
    code="TL103",
    name="decomposed-file-name",
    summary="a path that is not NFC, so that the same name typed elsewhere does not find it",
    doc=__doc__,
    check=check,
)
