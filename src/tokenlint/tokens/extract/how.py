"""What of a file is the prompt, as a configuration or a command line says it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from tokenlint.errors import ExtractError
from tokenlint.frozen import frozen

if TYPE_CHECKING:
    from pathlib import Path

Kind = Literal["all", "body", "path", "jinja", "chat"]
WORDS = tuple(kind for kind in get_args(Kind) if kind != "path")
"The words that name a kind by themselves; every other text is a path."


@frozen
class Extract:
    """What of a file is the prompt; `variables` is the file with the values for a template."""

    kind: Kind = "all"
    path: str = ""
    variables: Path | None = None

    @classmethod
    def parse(cls, text: str, variables: Path | None = None) -> Extract:
        """What a user wrote; raises ExtractError, whose sentence names the column of a mistake."""
        if variables is not None and text != "jinja":
            raise ExtractError(f"variables are for extract = 'jinja' only, and here it is {text!r}")
        if text in WORDS:
            return cls(text, variables=variables)  # type: ignore[arg-type]
        from tokenlint.tokens.extract.path import steps

        steps(text)
        return cls("path", text)

    def __str__(self) -> str:
        """What the user wrote."""
        return self.path if self.kind == "path" else self.kind


ALL = Extract()
"The whole file: what holds where nobody said anything else."
