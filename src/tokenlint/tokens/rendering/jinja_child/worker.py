"""The child: it takes requests as lines of JSON, renders, and answers the same way."""

from __future__ import annotations

import os
import random
import signal
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from importlib import import_module
from typing import IO, Any

from jinja2 import Template, TemplateNotFound
from jinja2.exceptions import TemplateRuntimeError

from . import limits
from .bounds import Bounds
from .environments import for_chat, for_prompt
from .failures import sentence
from .lines import from_line, to_line

LookUp = Callable[[str], Mapping[str, str]]

_LATE = (
    *(f"encodings.{name}" for name in ("ascii", "idna", "latin_1", "unicode_escape", "utf_8")),
    *("html", "jinja2.constants", "jinja2.debug", "pprint", "textwrap", "unicodedata"),
)
"What Jinja2 and Python import on a first use; once confined, the child can open no file for it."


def main() -> None:
    """Serve the process that started this one, until it closes the pipe."""
    resource = _module("resource")
    for name in _LATE:
        import_module(name)
    warnings.simplefilter("ignore")  # about the Python code that Jinja2 makes; showing one reads it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the other one, which ends this
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints goes where the errors go
    limits.confine(resource)
    try:
        serve(requests, answers, resource)
    except MemoryError:
        os._exit(limits.NO_MEMORY_EXIT)


def serve(requests: IO[bytes], answers: IO[bytes], resource: Any | None = None) -> None:
    """Answer each request; one template is rendered after another."""

    def say(message: Mapping[str, Any]) -> None:
        answers.write(to_line(message))
        answers.flush()

    def look_up(name: str) -> Mapping[str, str]:
        say({"include": name})
        found: Mapping[str, str] = from_line(requests.readline())
        return found

    say({"ready": True})
    while line := requests.readline():
        request = from_line(line)
        limits.allow_seconds(resource, request["seconds"])
        say(answer(request, look_up))


def answer(request: Mapping[str, Any], look_up: LookUp) -> dict[str, Any]:
    """The rendered `text`, or the `error`; `spent` says that this process had better end."""
    variables = request["variables"]
    random.seed(0)  # the same template is the same text each time, whatever it draws
    try:
        return {"text": _rendered(_template(request, look_up), variables)}
    except MemoryError as error:
        return {"error": sentence(error, request), "spent": True}
    except Exception as error:  # noqa: BLE001  (a template can raise anything)
        return {"error": sentence(error, request)}


def _template(request: Mapping[str, Any], look_up: LookUp) -> Template:
    if request["kind"] == "chat":
        return _chat(request["template"], request["characters"], request["now"])
    made = for_prompt(Bounds(request["characters"]), partial(_source, look_up))
    return made.from_string(request["template"])


@lru_cache(maxsize=4)
def _chat(template: str, characters: int, now: str | None) -> Template:
    """A compiled chat template; a file of a thousand conversations has one for all."""
    return for_chat(Bounds(characters), now).from_string(template)


def _rendered(template: Template, variables: Mapping[str, Any]) -> str:
    """The text of a template, without the detour by which Jinja2 rewrites tracebacks."""
    parts = template.root_render_func(template.new_context(dict(variables)))
    return template.environment.concat(parts)


def _source(look_up: LookUp, name: str) -> str:
    found = look_up(name)
    if "source" in found:
        return found["source"]
    if "missing" in found:
        raise TemplateNotFound(name, found["missing"])
    raise TemplateRuntimeError(found["refused"])


def _module(name: str) -> Any | None:
    try:
        return import_module(name)
    except ImportError:  # Windows has no limits to set
        return None
