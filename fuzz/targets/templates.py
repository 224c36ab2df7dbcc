"""A template and its variables: a text or a sentence, in bounded time, and nothing else happens."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tokenlint.errors import TokenlintError
from tokenlint.tokens.rendering import Renderer

RENDERER = Renderer(2.0, max_characters=100_000)
WATCHED = Path(tempfile.mkdtemp(prefix="tokenlint-fuzz-"))
VARIABLES = {"name": "An", "items": [1, 2, 3], "d": {"k": "v"}, "watched": str(WATCHED)}


def target(raw: bytes) -> None:
    """One template, rendered as a prompt and as a chat."""
    template = raw.decode(errors="replace")
    for render in (RENDERER.prompt, RENDERER.chat):
        try:
            text = render(template, VARIABLES)
        except TokenlintError:
            continue
        assert len(text) <= 100_000
    assert not list(WATCHED.iterdir())
