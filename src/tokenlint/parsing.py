"""How arguments are parsed: argparse, quicker to start, and with a word for whoever mistypes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterator


class Parser(argparse.ArgumentParser):
    """A parser that asks how wide the terminal is when it writes help, and not at each option.

    A word that is nearly right is met with the one that is.
    """

    def _get_formatter(self) -> argparse.HelpFormatter:
        return argparse.RawDescriptionHelpFormatter(self.prog, width=Parser.width)

    width: ClassVar[int | None] = 80

    def format_help(self) -> str:
        """The help, as wide as the terminal."""
        Parser.width = None
        return super().format_help()

    def format_usage(self) -> str:
        """The usage, as wide as the terminal."""
        Parser.width = None
        return super().format_usage()

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """The values; what no option takes is a usage error."""
        found, unknown = self.parse_known_args(args, namespace)
        if unknown:
            from tokenlint import mistyped

            self.error(mistyped.arguments(unknown, self._options_of(found)))
        return found

    def _options_of(self, found: argparse.Namespace) -> list[str]:
        """The options that could have been meant: those of the command too, where there is one."""
        parsers = [self, *_chosen(self, found)]
        return [name for parser in parsers for name in parser._option_string_actions]  # noqa: SLF001

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            from tokenlint import mistyped

            allowed, is_command = list(action.choices), action.dest == "command"
            named = None if is_command else action
            said = mistyped.choice(value, allowed, is_command=is_command)
            raise argparse.ArgumentError(named, said)


def _chosen(top: argparse.ArgumentParser, found: argparse.Namespace) -> Iterator[Parser]:
    """The parser of the command that was named."""
    for action in top._actions:  # noqa: SLF001
        if isinstance(action, argparse._SubParsersAction) and found.command is not None:  # noqa: SLF001
            yield action.choices[found.command]
