"""The pages of the Python API, from its signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

from site_markdown import code, fence, table, text

import pytest_tokenbudget
import tokenlint
import tokenlint.batches
from pytest_tokenbudget import asserting, fixtures, plugin, streams

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PYTHON = """\
# Python

What `tokenlint` and `pytest_tokenbudget` promise to keep. Everything else in them can change with
any release. Both are typed (`py.typed`).
"""
_PYTEST = """\
# pytest

The plugin is on where `pytest-tokenbudget` is installed. Before a test counts, nearly nothing of it
is loaded.
"""
CALLED = {
    "token_budget": fixtures.TokenBudget,
    "count_tokens": fixtures.CountTokens,
    "fertility": fixtures.TokensPerWord,
    "token_stream": streams.TokenStream,
    "assert_nfc": asserting.AssertClean,
    "assert_no_special_tokens": asserting.AssertClean,
    "prompt_file": fixtures.PromptFile,
    "tokenizer": None,
}
"The object behind each fixture; None is a tokenizer itself."


def python_page() -> str:
    """The promised names of both packages, and of the module for corpora."""
    parts = [_PYTHON]
    for package in (tokenlint, tokenlint.batches, pytest_tokenbudget):
        parts.append(f"## {package.__name__}\n")
        names = sorted(set(package.__all__) - {"__version__"})
        parts += [_named(package.__name__, name, getattr(package, name)) for name in names]
        if "__version__" in package.__all__:
            parts.append("### tokenlint.\\_\\_version\\_\\_\n\nThe version, as text.\n")
    return "\n".join(parts)


def _named(package: str, name: str, value: Any) -> str:
    shown = f"class {name}" if inspect.isclass(value) else f"{name}{_signature(value)}"
    parts = [f"### {package}.{name}\n", fence("text", shown), paragraphs(value)]
    if inspect.isclass(value) and not issubclass(value, Exception):
        parts.append(table(["member", "what it is"], members(value)))
    return "\n".join(part for part in parts if part)


def members(of: type, called: str = "") -> Iterator[tuple[str, str]]:
    """The public members of a class and what they say; `called` is the name of an object."""
    for name, value in vars(of).items():
        if name == "__call__":
            yield code(f"{called}{_signature(value)}"), text(inspect.getdoc(value) or "")
        elif not name.startswith("_") and (shown := _member(name, value)):
            yield code(f"{called}.{shown}".lstrip(".")), text(inspect.getdoc(value) or "")


def _member(name: str, value: object) -> str:
    if isinstance(value, property):
        return name
    return f"{name}{_signature(value)}" if inspect.isfunction(value) else ""


def _signature(function: Callable[..., Any]) -> str:
    found = inspect.signature(function)
    kept = [part for name, part in found.parameters.items() if name != "self"]
    shown = str(found.replace(parameters=kept))
    return re.sub(r"'([^']*)'", r"\1", shown)  # annotations are text, defaults stay as they are


def paragraphs(of: object) -> str:
    """A docstring as prose."""
    found = (inspect.getdoc(of) or "").split("\n\n")
    return "\n\n".join(map(text, found)) + "\n"


def pytest_page() -> str:
    """Markers, fixtures, options and ini keys of the plugin."""
    return "\n".join(
        [_PYTEST, "## Markers\n", _markers(), "## Fixtures\n", _fixtures(), _options(), _keys()]
    )


def _markers() -> str:
    return "\n".join(_marker(line) for line in plugin.MARKERS)


def _marker(line: str) -> str:
    signature, _, meaning = line.partition(": ")
    block = fence("text", f"@pytest.mark.{signature}")
    return f"### {signature.partition('(')[0]} marker\n\n{block}\n{text(_sentence(meaning))}\n"


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}.".replace("..", ".")


def fixture_names() -> list[str]:
    """The fixtures that the plugin defines."""
    kind = type(plugin.count_tokens)
    return [name for name, value in vars(plugin).items() if isinstance(value, kind)]


def _fixtures() -> str:
    return "\n".join(_fixture(name) for name in fixture_names())


def _fixture(name: str) -> str:
    behind = CALLED[name]
    uses = table(["use", "what it does"], members(behind, name) if behind else ())
    parts = [f"### {name} fixture\n", paragraphs(getattr(plugin, name)), uses]
    return "\n".join(part for part in parts if part)


class _Heard:
    """Listens to what a plugin adds to pytest's options and keys."""

    def __init__(self) -> None:
        self.options: list[tuple[str, str]] = []
        self.keys: list[tuple[str, str, str]] = []

    def getgroup(self, *_: str) -> _Heard:
        return self

    def addoption(self, name: str, *, help: str, metavar: str = "", **_: object) -> None:  # noqa: A002
        self.options.append((code(f"{name} {metavar}".strip()), text(help)))

    def addini(self, name: str, help: str, *, type: str, **_: object) -> None:  # noqa: A002
        kind = "string" if type == "int" else type  # the same key: older versions have no int
        self.keys.append((code(name), kind, text(help)))


def heard() -> _Heard:
    """What the plugin adds."""
    listening = _Heard()
    plugin.pytest_addoption(listening)  # type: ignore[arg-type]
    return listening


def _options() -> str:
    return "## Options\n\n" + table(["option", "what it says"], heard().options)


def _keys() -> str:
    return "## Keys in pytest's configuration\n\n" + table(
        ["key", "type", "what it says"], heard().keys
    )
