"""Configured premiums become what a translation may cost beside its reference."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen
from tokenlint.languages import language_code, language_of
from tokenlint.patterns import plain_path, relative_to
from tokenlint.translations import Template, on_disk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@frozen
class Premium:
    """One `[[tool.tokenlint.premiums]]` table; its paths start at the configuration's folder."""

    reference: str
    files: str
    max_premium: float
    tokenizers: tuple[str, ...] | None = None

    @cached_property
    def template(self) -> Template:
        """The paths of the translations."""
        return Template(plain_path(self.files))

    @property
    def mistake(self) -> str | None:
        """One sentence where no file could ever have a reference."""
        reference, files = Template(self.reference), self.template
        for template in (reference, files):
            if template.unknown is not None:
                return template.unknown
        if set(self.reference + self.files) & set("*?"):
            return "write {language} and {name} for what varies, without * and ?"
        for name in sorted(reference.placeholders - files.placeholders):
            return f"its reference has {{{name}}}, but its files have not: {self.files}"
        return None


@frozen
class Counterpart:
    """The reference of one file under one premium."""

    premium: Premium
    path: Path
    language: str | None


@frozen
class Premiums:
    """All premiums of a configuration, asked about one file at a time."""

    entries: tuple[Premium, ...]
    root: Path

    def of(self, path: Path) -> Iterator[Counterpart]:
        """The references that a file is held to; a reference is not held to itself."""
        for entry in self.entries:
            counterpart = self.counterpart(entry, path)
            if counterpart is not None:
                yield counterpart

    def covers(self, path: Path) -> bool:
        """Whether any premium is about a file."""
        return any(True for _ in self.of(path))

    def counterpart(self, entry: Premium, path: Path) -> Counterpart | None:
        """The reference of a file under a premium; None where it is about other files."""
        relative = relative_to(path, self.root)
        captures = entry.template.captures(relative)
        if captures is None:
            return None
        reference = plain_path(entry.reference)
        reference = Template(reference).fill(captures)
        if plain_path(relative) == reference:
            return None
        language = captures.get("language")
        found = on_disk(self.root, reference)
        if language and language_code(language) is None and not found.exists():
            return None  # a folder such as `system`: no language, and nobody translated it
        return Counterpart(entry, found, language or language_of(relative))
