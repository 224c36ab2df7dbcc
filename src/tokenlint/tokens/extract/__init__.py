"""What of a file is the prompt: the whole of it, its body, values in it, or what it renders to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenlint.errors import ExtractError
from tokenlint.frozen import frozen
from tokenlint.tokens.document import Unreadable
from tokenlint.tokens.extract.how import ALL, Extract
from tokenlint.tokens.extract.part import Part, Run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenlint.tokens.document import Document
    from tokenlint.tokens.rendering import Renderer

__all__ = ["ALL", "Extract", "ExtractError", "Extractor", "Part", "Run"]


@frozen
class Extractor:
    """Finds the prompts of documents.

    `read` is how it gets at a file of variables, and `folders` is where templates may include from.
    """

    read: Callable[[Path], Document | Unreadable]
    renderer: Renderer
    folders: tuple[Path, ...] = ()

    def parts(self, document: Document, how: Extract = ALL) -> tuple[Part, ...]:
        """The prompts of a document, at least one.

        Raises ExtractError, and what rendering and reading messages raise: RenderError and
        ChatError. None of them names the document.
        """
        if how.kind == "all":
            return (Part(document.text, 0, len(document.text)),)
        if how.kind == "body":
            return (_body(document),)
        if how.kind == "jinja":
            return (self._rendered(document, how),)
        if how.kind == "chat":
            from tokenlint.tokens.extract.messages import message_parts

            return message_parts(document)
        from tokenlint.tokens.extract.selecting import select

        return select(document, how.path)

    def _rendered(self, document: Document, how: Extract) -> Part:
        text, end = document.text, len(document.text)
        rendered = self.renderer.prompt(text, self._variables(how.variables), folders=self.folders)
        if rendered == text:
            return Part(text, 0, end)
        # No character of it has a place of its own: the whole template made it.
        return Part(rendered, 0, end, origin=lambda: [Run(0, 0, end, even=False)])

    def _variables(self, file: Path | None) -> dict[str, Any]:
        if file is None:
            return {}
        from tokenlint.tokens.extract.values import variables_of

        document = self.read(file)
        if isinstance(document, Unreadable):
            raise ExtractError(f"the file of variables cannot be read: {document.message}")
        try:
            return variables_of(document)
        except ExtractError as error:
            raise ExtractError(f"in the file of variables {document.path}: {error}") from None


def _body(document: Document) -> Part:
    from tokenlint.tokens.extract.front_matter import front_matter

    found, end = front_matter(document.text), len(document.text)
    start = found.body if found else 0
    return Part(document.text[start:], start, end)
