"""The references of translations, read so that TL304 has something to compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.patterns import shown_path
from tokenlint.rules import over_premium
from tokenlint.rules.base import Reference
from tokenlint.tokens import Unreadable, read_document

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenlint.commands.session import Scope, Session
    from tokenlint.files import Found
    from tokenlint.premiums import Counterpart
    from tokenlint.tokens import Document


def expect(found: Found, scope: Scope, session: Session, problems: list[str]) -> None:
    """Note in the scope what a file is held to; a reference that cannot be read is a problem.

    Those of the file before are forgotten: texts are large.
    """
    scope.references.clear()
    if not scope.config.premiums or over_premium.RULE not in scope.config.rules_for(found.path):
        return
    references: list[Reference] = []
    for counterpart in scope.premiums.of(found.path):
        shown = shown_path(counterpart.path, session.working_folder)
        why = scope.config.boundary.refusal(counterpart.path)
        document = (
            read_reference(counterpart.path, shown, session)
            if why is None
            else Unreadable(shown, "unreadable", why)
        )
        if isinstance(document, Unreadable):
            problems.append(
                f"{document.message}; it is the reference of {found.shown}, whose premium is "
                "unknown"
            )
            continue
        references += (
            Reference(document, counterpart.premium.max_premium, name, counterpart.language)
            for name in _tokenizers(counterpart, scope)
        )
    scope.references[found.shown] = tuple(references)


def read_reference(path: Path, shown: str, session: Session) -> Document | Unreadable:
    """A file that others are held against, under the size limit of its configuration."""
    scope = session.scope_for(path)
    scope.knows(path, shown)
    limit = scope.config.max_file_size
    return read_document(path, shown, max_size=limit)


def _tokenizers(counterpart: Counterpart, scope: Scope) -> tuple[str, ...]:
    return counterpart.premium.tokenizers or scope.config.tokenizers


def dead(scope: Scope, files: list[Found]) -> Iterator[str]:
    """A sentence for each premium that compares none of the files with anything."""
    for at, entry in enumerate(scope.config.premiums):
        if all(scope.premiums.counterpart(entry, found.path) is None for found in files):
            yield (
                f"{scope.config.path}: premiums[{at}] compares nothing: no file but a reference "
                f"matches {entry.files}; correct the pattern or remove the premium"
            )
