"""A template and its variables to text, or to one sentence that says why not."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

from tokenlint.errors import RenderError
from tokenlint.tokens.rendering.plain import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from tokenlint.tokens.rendering.process import Child

DEADLINE = 10.0
"Seconds that one rendering may take; the start of the process does not count."

MAX_CHARACTERS = 10_000_000
"Characters that a rendered text, or any string on the way to it, may have."


class Renderer:
    """Renders Jinja2 templates; nothing runs before the first one, and threads may share it.

    The process is kept for the next template, and ends with the Renderer or with Python.
    """

    def __init__(
        self,
        deadline: float = DEADLINE,
        *,
        max_characters: int = MAX_CHARACTERS,
        now: datetime | None = None,
    ) -> None:
        """Limits of each rendering, and what `strftime_now` tells instead of the clock."""
        self._settings = {
            "seconds": deadline,
            "characters": max_characters,
            "now": now and now.isoformat(),
        }
        self._lock = Lock()
        self._child: Child | None = None

    def prompt(
        self, template: str, variables: Mapping[str, Any], *, folders: Sequence[Path] = ()
    ) -> str:
        """A prompt template with its variables filled in, by the rules that Jinja2 has by default.

        Nothing is trimmed but one newline at the end, and an undefined variable is an error.
        Includes, imports and `extends` name templates below `folders`, the first that has one.
        Raises RenderError.
        """
        return self._rendered("prompt", template, variables, folders)

    def chat(self, template: str, context: Mapping[str, Any]) -> str:
        """What a chat template makes of `messages`, `tools`, `bos_token` and so on.

        Rendered by the rules of Hugging Face transformers. Raises RenderError.
        """
        return self._rendered("chat", template, context, ())

    def close(self) -> None:
        """End the process; the next template starts another one."""
        with self._lock:
            self._drop()

    def _rendered(
        self, kind: str, template: str, variables: Mapping[str, Any], folders: Sequence[Path]
    ) -> str:
        request = {"kind": kind, "template": template, "variables": plain(variables)}
        answer = self._answer(request | self._settings, folders)
        if "text" in answer:
            return str(answer["text"])
        raise RenderError(_printable(str(answer.get("error"))))

    def _answer(self, request: dict[str, Any], folders: Sequence[Path]) -> dict[str, Any]:
        from tokenlint.tokens.rendering.folders import look_up

        with self._lock:
            try:
                child = self._running()
                answer = child.ask(request, lambda name: look_up(name, folders))
            except BaseException:  # above all KeyboardInterrupt: the exchange broke off half-way
                self._drop()
                raise
            if answer.get("spent"):
                self._drop()
            return answer

    def _running(self) -> Child:
        """The process of this Renderer, started where there is none to be used."""
        from tokenlint.tokens.rendering.process import Child

        if self._child is None or not self._child.is_usable:
            self._drop()
            self._child = Child()
        return self._child

    def _drop(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.end()


def _printable(sentence: str) -> str:
    """A sentence with the template's own words in it on one line, and no control characters."""
    text = " ".join(sentence.split())
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
