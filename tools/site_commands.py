"""The page of the commands, from the parser that reads them.

Built from the parser's actions and not from its help, whose layout differs from one Python to the
next.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from site_markdown import code, fence, table, text

from tokenlint.arguments import parser

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TOP = """\
# Commands

Made from the command line's own parser. `tokenlint COMMAND --help` says the same in a terminal.
Options stand before or behind paths; what stands behind `--` is a path.
"""


def actions(command: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options and operands of a parser, which argparse has no public name for."""
    return command._actions  # noqa: SLF001


def commands() -> Mapping[str, argparse.ArgumentParser]:
    """The parser of each command."""
    (found,) = (action for action in actions(parser()) if action.dest == "command")
    return dict(found.choices or {})


def page() -> str:
    """All commands."""
    found = commands()
    rows = ([f"[`{name}`](#tokenlint-{name})", said(name)] for name in found)
    sections = (_section(name, command) for name, command in found.items())
    return "\n".join([_TOP, table(["command", "what it does"], rows), *sections])


def said(name: str) -> str:
    """What a command does, in its own words."""
    return text(commands()[name].description or "")


def _section(name: str, command: argparse.ArgumentParser) -> str:
    parts = [
        f"## tokenlint {name}\n",
        f"{said(name)}\n",
        fence("text", f"tokenlint {name} {_operands(command)}".rstrip()),
        table(["option", "what it says"], options(command)),
    ]
    if command.epilog:
        parts.append(fence("text", command.epilog.strip("\n")))
    return "\n".join(parts)


def _operands(command: argparse.ArgumentParser) -> str:
    """The usage behind the command's name."""
    words = [_operand(action) for action in actions(command) if not action.option_strings]
    return " ".join(["[OPTIONS]", *words])


def _operand(action: argparse.Action) -> str:
    name = _value(action)
    return {"*": f"[{name} ...]", "+": f"{name} ...", "?": f"[{name}]"}.get(str(action.nargs), name)


def options(command: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """How each option and operand is written, and what it says."""
    for action in actions(command):
        if action.dest == "help" or action.help is argparse.SUPPRESS:
            continue
        yield _spelled(action), text(_meaning(action))


def _spelled(action: argparse.Action) -> str:
    if not action.option_strings:
        return code(_operand(action))
    value = "" if action.nargs == 0 else f" {_value(action)}"
    return ", ".join(code(f"{name}{value}") for name in action.option_strings)


def _value(action: argparse.Action) -> str:
    if isinstance(action, argparse.BooleanOptionalAction):
        return ""
    return str(action.metavar or ("NAME" if action.choices else action.dest.upper()))


def _meaning(action: argparse.Action) -> str:
    """What an option says; where it takes one of a few words, those first."""
    # Some versions of argparse add the default of a Boolean option, which for us says nothing.
    said = (action.help or "").replace("%%", "%").removesuffix(" (default: None)")
    if not action.choices:
        return said
    return f"one of {', '.join(f'`{choice}`' for choice in action.choices)}; {said}"
