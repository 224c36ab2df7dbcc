"""The child of `watched`: it makes one tokenizer, and says what it does with texts."""

from __future__ import annotations

import json
import os
import sys
from typing import IO, TYPE_CHECKING, Any

from tokenlint.errors import TokenlintError
from tokenlint.tokens.rendering.jinja_child.limits import allow_seconds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenlint.tokens.tokenizer import Tokenizer


def main() -> None:
    """Serve the process that started this one, until it closes the pipe."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints goes where the errors go
    serve(requests, answers)


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer each line: the first one says what the bytes behind it are."""

    def say(message: Mapping[str, Any]) -> None:
        answers.write(json.dumps(message).encode() + b"\n")
        answers.flush()

    made = json.loads(requests.readline())
    tokenizer = _tokenizer(requests.read(made["size"]), made)
    say({"value": "ready"})
    while line := requests.readline():
        request = json.loads(line)
        allow_seconds(_resource(), request["seconds"])  # where nobody is left to end it
        say(answer(tokenizer, request))


def answer(tokenizer: Tokenizer, request: Mapping[str, Any]) -> dict[str, Any]:
    """The `value` that was asked for, or the `error` that says why there is none."""
    try:
        return {"value": _value(tokenizer, request["do"], request["text"])}
    except TokenlintError as error:
        return {"error": str(error)}


def _value(tokenizer: Tokenizer, what: str, text: str) -> list[int] | list[str] | str:
    if what == "normalize":
        return tokenizer.normalize(text)
    if what == "pieces":
        return [piece.decode("latin-1") for piece in tokenizer.pieces(text)]
    return tokenizer.encode(text, control=what == "control")


def _tokenizer(raw: bytes, made: Mapping[str, Any]) -> Tokenizer:
    """The same tokenizer as in the parent, with nobody to watch it."""
    if "pattern" not in made:
        from tokenlint.tokens import hf_backend

        return hf_backend.from_json(raw, name=made["name"], source=made["source"], watch=False)
    from tokenlint.tokens.rank_files import parse_ranks
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

    how = {key: made[key] for key in ("digest", "source")}
    return TiktokenTokenizer(made["name"], parse_ranks(raw), made["pattern"], {}, **how)


def _resource() -> Any | None:
    try:
        import resource
    except ImportError:  # Windows has no limits to set
        return None
    return resource
