r"""A path that is not in NFC.

A macOS archive or an old file system gives `café.md` in its decomposed form. It looks the same,
but globs, imports, URLs and `git` on other systems see another name, and a prompt that is loaded
by its name is not found. The rule looks at the whole path as it is reported; it renames nothing.

The message ends with the command that does, for bash and zsh, in ASCII so that it survives being
copied, and through git so that the history follows:

    git mv $'prompts/cafe\314\201.md' $'prompts/caf\303\251.md'

Where a folder's name is the reason, the command renames the folder; run `tokenlint` again after
it, because a name further down may need the same. In another shell, `printf` reads the same
escapes. On a macOS disk that takes both names for one, git needs `-f` as well.

Patterns in the configuration are compared in NFC, so `"prompts/café.md"` matches both names.
"""

from __future__ import annotations

import unicodedata
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
            f"{code_points(change.nfc)}; rename it: {_command(path)}",
        )
        return


def _command(path: str) -> str:
    """The `git mv` for the first part of a path that is not NFC: files below a folder follow it."""
    parts = path.split("/")
    at = next(i for i, part in enumerate(parts) if not unicodedata.is_normalized("NFC", part))
    old = "/".join(parts[: at + 1])
    new = "/".join([*parts[:at], unicodedata.normalize("NFC", parts[at])])
    options = "-- " if path.startswith("-") else ""
    return f"git mv {options}{_quoted(old)} {_quoted(new)}"


def _quoted(name: str) -> str:
    """A name as a word of bash or zsh: its UTF-8 bytes, all that is not plain ASCII as octal."""
    raw = name.encode("utf-8", "surrogateescape")
    plain = "".join(
        chr(byte) if 0x20 <= byte < 0x7F and byte not in b"'\\" else f"\\{byte:03o}" for byte in raw
    )
    return f"$'{plain}'"


RULE = Rule(
    code="TL103",
    name="decomposed-file-name",
    summary="a path that is not NFC, so that the same name typed elsewhere does not find it",
    doc=__doc__,
    check=check,
    may_find=lambda document, _look, _context: not document.path.isascii(),
)
