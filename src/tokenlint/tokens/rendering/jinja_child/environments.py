"""The sandbox set up for a prompt, or as transformers sets it up for a chat."""

from __future__ import annotations

import json
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from jinja2 import FunctionLoader, TemplateNotFound, nodes
from jinja2.exceptions import TemplateError
from jinja2.ext import Extension, loopcontrols

from .sandbox import BoundedEnvironment
from .undefined import Remembering, StrictlyRemembering

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2.parser import Parser
    from jinja2.runtime import Macro

    from .bounds import Bounds


class RaisedError(TemplateError):
    """What a chat template itself has to say against the messages, with `raise_exception`."""


def for_prompt(bounds: Bounds, load: Callable[[str], str]) -> BoundedEnvironment:
    """Jinja2 as it is by default, and strict about what is undefined."""
    made = BoundedEnvironment(bounds, undefined=StrictlyRemembering, loader=FunctionLoader(load))
    made.guard_filters()
    return made


def for_chat(bounds: Bounds, now: str | None) -> BoundedEnvironment:
    """Jinja2 as it is for the chat templates of models; `now` is the time in ISO form, if fixed."""
    made = BoundedEnvironment(
        bounds,
        undefined=Remembering,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[_Generation, loopcontrols],
        loader=FunctionLoader(_no_other),
    )
    made.filters["tojson"] = _to_json
    made.globals.update(raise_exception=_raise, strftime_now=partial(_strftime, now))
    made.guard_filters()
    return made


class _Generation(Extension):
    """`{% generation %}`: it marks what the assistant wrote, for training, and changes no text."""

    tags = {"generation"}  # noqa: RUF012  (as Jinja2 declares it)

    def parse(self, parser: Parser) -> nodes.Node:
        """The body between the tags, as a block of its own."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_unchanged"), [], [], body).set_lineno(line)

    def _unchanged(self, caller: Macro) -> str:
        return caller()


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """JSON without the escapes that Jinja2's own filter makes for HTML."""
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def _no_other(name: str) -> str:
    raise TemplateNotFound(name, f"a chat template includes no other one, such as {name!r}")


def _raise(message: object) -> None:
    raise RaisedError(str(message))


def _strftime(now: str | None, pattern: str) -> str:
    moment = datetime.fromisoformat(now) if now else datetime.now()  # local, as transformers does
    return moment.strftime(pattern)
