"""What went wrong in a template, as a sentence for the person who wrote it."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from jinja2 import Template
from jinja2.exceptions import SecurityError, TemplateSyntaxError
from jinja2.utils import missing

from .environments import RaisedError
from .limits import NO_MEMORY
from .undefined import AbsentError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_MAX_LENGTH = 300
_ADVICE = {"prompt": "; add it to the variables"}
_TOO_DEEP = "the template calls, includes or nests itself too deeply"


def sentence(error: BaseException, request: Mapping[str, Any]) -> str:
    """Where and what, such as `line 3: the variable 'customer.name' is not defined`."""
    place, what = _place(error), _what(error, request)
    return f"{place}: {what}" if place else what


def _place(error: BaseException) -> str:
    """The line that failed, and the template where it is an included one."""
    if isinstance(error, TemplateSyntaxError):
        return _line(error.lineno, error.name)
    found = ""
    trace = error.__traceback__
    while trace is not None:
        template = trace.tb_frame.f_globals.get("__jinja_template__")
        if isinstance(template, Template):
            found = _line(template.get_corresponding_lineno(trace.tb_lineno), template.name)
        trace = trace.tb_next
    return found


def _line(number: int, name: str | None) -> str:
    return f"line {number} of {name}" if name else f"line {number}"


def _what(error: BaseException, request: Mapping[str, Any]) -> str:
    if isinstance(error, MemoryError):
        return NO_MEMORY
    if isinstance(error, (RecursionError, SyntaxError)):  # Python's own: it nests 20 loops at most
        return _TOO_DEEP
    if isinstance(error, AbsentError):
        return _absent(error, request["variables"], _ADVICE.get(request["kind"], ""))
    said = _clipped(str(getattr(error, "message", None) or error))
    return f"{_introduction(error)}{said}" if said else type(error).__name__


def _introduction(error: BaseException) -> str:
    if isinstance(error, TemplateSyntaxError):
        return "not valid Jinja2: "
    if isinstance(error, SecurityError):
        return "the sandbox forbids it: "
    if isinstance(error, RaisedError):
        return "the template says: "
    return "" if type(error).__module__.startswith(("jinja2.", __package__)) else _kind(error)


def _kind(error: BaseException) -> str:
    return f"{type(error).__name__}: "


def _clipped(text: str) -> str:
    text = " ".join(text[: 2 * _MAX_LENGTH].split())
    text = text if text.endswith("..") else text.removesuffix(".")
    return text if len(text) <= _MAX_LENGTH else text[:_MAX_LENGTH] + "..."


def _absent(error: AbsentError, variables: Mapping[str, Any], advice: str) -> str:
    path, among = str(error.name), variables
    if error.obj is not missing:
        found = [(way, value) for way, value in _mappings(variables) if value is error.obj]
        if not found:
            return _clipped(str(error))
        path, among = f"{found[0][0]}.{path}", found[0][1]
    near = get_close_matches(str(error.name), [str(key) for key in among], 1)
    advice = f"; did you mean {near[0]!r}?" if near else advice
    return f"the variable {_clipped(path)!r} is not defined{advice}"


def _mappings(variables: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every mapping in the variables, with the way to it."""
    stack: list[tuple[str, Any]] = list(variables.items())
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict):
            yield path, value
            stack.extend((f"{path}.{key}", item) for key, item in value.items())
        elif isinstance(value, list):
            stack.extend((f"{path}[{at}]", item) for at, item in enumerate(value))
