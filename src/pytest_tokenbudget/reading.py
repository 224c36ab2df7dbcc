"""Texts and files become what is counted: read once, named as messages name them."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_tokenbudget import lock
from pytest_tokenbudget.errors import Mistake
from pytest_tokenbudget.globs import matching
from pytest_tokenbudget.verdicts import Text

if TYPE_CHECKING:
    from tokenlint.config import Config
    from tokenlint.tokens import Document, Limit, Loader
    from tokenlint.tokens.extract import Extract
    from tokenlint.tokens.prompts import Prompt, Prompts


@dataclass(frozen=True)
class Reader:
    """Reads files from the rootdir, as the configuration says."""

    root: Path
    config: Config
    loader: Loader

    def text(
        self,
        source: object,
        label: str | None = None,
        owner: str | None = None,
        how: Extract | None = None,
    ) -> Text:
        """A string as it is, or the file at a path, decoded as `tokenlint check` decodes it.

        `owner` is the node id of the test that a string belongs to. Raises Mistake.
        """
        if isinstance(source, str):
            if how is not None:
                raise Mistake("extract is about files; give a pathlib.Path and not a string")
            name = owner if owner is None or label is None else f"{owner} ({label})"
            subject = None if name is None else lock.subject(name)
            return Text(label or "the text", source, subject)
        if isinstance(source, os.PathLike):
            return self.read(self.found(os.fsdecode(source)), label, how)
        raise Mistake(f"expected a str, or a path for a file, found {type(source).__name__}")

    def read(
        self,
        path: Path,
        label: str | None = None,
        how: Extract | None = None,
        limit: Limit | None = None,
    ) -> Text:
        """The prompts of a file as they are counted; `how` goes before what is configured.

        A `limit` of the configuration may say itself what of the file it is about.
        Raises Mistake where there are none.
        """
        from tokenlint.errors import TokenlintError
        from tokenlint.tokens import Unreadable, read_document

        own = self.shown(path)
        if how is not None and how.variables is not None:
            how = replace(how, variables=self.root / how.variables)
        document = read_document(path, label or own, max_size=self.config.max_file_size)
        if isinstance(document, Unreadable):
            tried = f", tried {path}" if document.reason == "missing" else ""
            raise Mistake(f"{document.message}{tried}")
        try:
            prompts = self.prompts.of(document, how or self._configured(path, limit))
        except TokenlintError as error:
            raise Mistake(f"{document.path}: {error}") from None
        said = how if limit is None else limit.extract
        return self._text(document, prompts, label or own, self._subject(path, said))

    def _configured(self, path: Path, limit: Limit | None) -> Extract | None:
        if limit is None:
            return self.config.counted_as(path)
        return limit.extract or self.config.extract_of(path)

    @cached_property
    def prompts(self) -> Prompts:
        """Reads and counts the prompts of files."""
        from tokenlint.tokens.prompts import Prompts

        config = self.config
        return Prompts(
            self.loader, config.read_inside, config.newlines, config.count_bom, (config.root,)
        )

    def _text(
        self, document: Document, prompts: tuple[Prompt, ...], label: str, subject: str | None
    ) -> Text:
        content = "\n".join(prompt.text for prompt in prompts)
        size = sum(prompt.bytes for prompt in prompts)
        first = prompts[0]
        body = document.text[first.start : first.end]
        row: int | None = document.location(first.start).row
        if first.name or (first.end and len(body.splitlines()) != len(content.splitlines())):
            row = None  # a value, or what a template gave
        return Text(label, content, subject, size, prompts, row)

    def _subject(self, path: Path, how: Extract | None) -> str | None:
        """What is outside the project, as in a temporary folder, is called otherwise every time."""
        normal = Path(os.path.normpath(path))
        if not normal.is_relative_to(self.root):
            return None
        name = normal.relative_to(self.root).as_posix()
        return lock.subject(name if how is None else f"{name} ({how})")

    def found(self, path: str) -> Path:
        """A path from the rootdir, in the form in which the file system has it."""
        exact = self.root / path
        if os.path.lexists(exact):
            return exact
        return next(iter(matching(self.root, glob.escape(path), lambda _: False)), exact)

    def shown(self, path: Path) -> str:
        """How messages name a file: from the rootdir, where it is below it."""
        return (
            path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)
        )
