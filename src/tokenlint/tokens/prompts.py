"""What of a file is the prompt, and what it costs: the whole of it, a value in it, or a request."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from tokenlint.frozen import frozen
from tokenlint.tokens.document import Document, Unreadable, read_document
from tokenlint.tokens.loading import Loader
from tokenlint.tokens.surrogates import is_encodable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tokenlint.tokens.chat import Conversation, Frame
    from tokenlint.tokens.extract import Extract, Extractor
    from tokenlint.tokens.rendering import Renderer


@frozen
class Prompt:
    """One prompt of a file, as it is counted, and where it stands in the file's text.

    `name` is the path of a value, the number of a request, or empty. `bytes` are those of the
    text, or of a whole file as it is.
    """

    text: str
    start: int = 0
    end: int = 0
    name: str = ""
    bytes: int = 0
    conversation: Conversation | None = None


@frozen
class Prompts:
    """Reads the prompts of documents, and counts them, each document's last ones remembered."""

    loader: Loader = field(default_factory=Loader)
    read: Callable[[Path], Document | Unreadable] = read_document
    newlines: Literal["lf", "as-is"] = "lf"
    count_bom: bool = False
    folders: tuple[Path, ...] = ()
    _last: dict[tuple[Document, Extract | None], tuple[Prompt, ...]] = field(default_factory=dict)
    _frames: dict[str, Frame] = field(default_factory=dict)
    _remarks: dict[tuple[str, str], str] = field(default_factory=dict)

    def of(self, document: Document, how: Extract | None = None) -> tuple[Prompt, ...]:
        """The prompts of a document; None means that the whole document is one.

        Raises ExtractError, RenderError and ChatError, which do not name the document.
        """
        if (document, how) not in self._last:
            found = self._found(document, how)
            self._last.clear()  # texts are large, and most are asked about in a row
            self._last[document, how] = found
        return self._last[document, how]

    def count(self, prompt: Prompt, name: str) -> int:
        """The tokens of a prompt with a tokenizer; those of a request are with its frame.

        Raises TokenizerError and UncountableTextError, for a request ChatError and RenderError.
        """
        if prompt.conversation is None:
            return self.loader.count(name, prompt.text)
        return self.frame(name).total(prompt.conversation)

    def begin(self, prompt: Prompt, name: str) -> Callable[[], int]:
        """Start to count a prompt; the function waits for the count, and raises what `count` does.

        Raises TokenizerError.
        """
        if prompt.conversation is None:
            return self.loader.begin(name, prompt.text)
        return lambda: self.count(prompt, name)

    def frame(self, name: str) -> Frame:
        """What a tokenizer, or its model, adds to messages.

        Raises TokenizerError.
        """
        if name not in self._frames:
            from tokenlint.tokens.chat import frame_for

            self._frames[name] = frame_for(name, self.loader, self._renderer)
        return self._frames[name]

    @property
    def notes(self) -> list[str]:
        """How the requests that were met were counted, a sentence for each tokenizer."""
        frames = self._frames.items()
        return [f"requests count with their frame ({name}: {one.label})" for name, one in frames]

    @property
    def remarks(self) -> list[str]:
        """What was met in files and is counted otherwise than it looks, each file's once."""
        return list(filter(None, self._remarks.values()))

    def _found(self, document: Document, how: Extract | None) -> tuple[Prompt, ...]:
        if how is None or how.kind == "all":
            text = document.countable(newlines=self.newlines, count_bom=self.count_bom)
            return (Prompt(text, bytes=document.size),)
        is_chat = how.kind == "chat"
        found = tuple(_requests(document) if is_chat else self._extracted(document, how))
        self._remark(document, how, [prompt.text for prompt in found])
        return found

    def _remark(self, document: Document, how: Extract, texts: Sequence[str]) -> None:
        if how.kind == "body" and document.text.startswith(("---", "+++")):
            from tokenlint.tokens.remarks import about_body

            self._remarks[document.path, "body"] = about_body(document)
        if how.kind != "body" and not all(map(is_encodable, texts)):
            from tokenlint.tokens.remarks import about_surrogates

            self._remarks[document.path, "surrogates"] = about_surrogates(document.path, texts)

    def _extracted(self, document: Document, how: Extract) -> list[Prompt]:
        found = []
        for part in self._extractor.parts(document, how):
            text = part.text
            if how.kind == "body":
                text = Document("", text).countable(newlines=self.newlines)
            size = len(text.encode(errors="surrogatepass"))
            found.append(Prompt(text, part.start, part.end, part.name, size))
        return found

    @cached_property
    def _renderer(self) -> Renderer:
        from tokenlint.tokens.rendering import Renderer

        return Renderer()

    @cached_property
    def _extractor(self) -> Extractor:
        from tokenlint.tokens.extract import Extractor

        return Extractor(self.read, self._renderer, self.folders)


def _requests(document: Document) -> list[Prompt]:
    from tokenlint.tokens.chat import conversations

    found = []
    all_ = conversations(document)
    for number, conversation in enumerate(all_, 1):
        messages = conversation.messages
        text = "\n".join(message.content for message in messages)
        start, end = (messages[0].start, messages[-1].end) if messages else (0, 0)
        size = sum(len(message.content.encode(errors="surrogatepass")) for message in messages)
        name = f"request {number}" if len(all_) > 1 else "the request"
        found.append(Prompt(text, start, end, name, size, conversation))
    return found
