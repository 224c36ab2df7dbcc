"""The command line's options. Each has one name and a default of None: "not said"."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint import __version__
from tokenlint.argv import paths_first
from tokenlint.compare_options import COMPARE, add_compare_options
from tokenlint.config_options import CONFIG, add_config_options
from tokenlint.train_options import TRAIN, add_train_options

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["parser", "paths_first"]

_EXAMPLES = """\
examples:
  tokenlint check                        lint every text file below this folder
  tokenlint check --fix prompts          write decomposed text as NFC
  tokenlint check --diff prompts         show what --fix would write
  git show HEAD:a.md | tokenlint check - --stdin-filename a.md
  tokenlint count prompts --tokenizer o200k_base --tokenizer cl100k_base
  tokenlint compare prompts --reference 'prompts/en/{name}.md' --by language
  tokenlint train prompts -o tokenizer.json --vocab-size 8000
  tokenlint rule TL201                   what a rule looks for, and how to silence it
  tokenlint tokenizers                   what can be counted with on this machine

exit codes: 0 nothing found, or warnings only; 1 findings of error level, or --diff would change
a file; 2 something must be put right first
"""

_CHECK = """\
examples:
  tokenlint check                                  this folder, .gitignore respected
  tokenlint check --select TL1,special-token a.md  only some rules; codes, prefixes or names
  tokenlint check --output-format json | jq .      for other programs
  tokenlint check --budgets                        only the files and groups that have a budget

A finding is silenced by  tokenlint: ignore[TL201]  on its line, in any comment,
by  ignore-next-line[TL201]  above it,  ignore-file[TL201]  anywhere, or by
[tool.tokenlint.per-file-ignores]  in pyproject.toml.
"""

_COUNT = """\
examples:
  tokenlint count prompts                          tokens with o200k_base
  tokenlint count --sort tokens --top 10 .         the ten largest
  tokenlint count --tokenizer gpt-4o --tokenizer ./tokenizer.json a.md
  tokenlint count --output-format json prompts | jq .total

A count is literal: <|im_start|> in a text costs what its characters cost.
CRLF counts as LF, and a leading byte order mark is not counted.
"""


def _words(text: str) -> list[str]:
    """Rules or globs, by comma or by space; the option may be repeated."""
    return text.replace(",", " ").split()


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="tokenlint",
        description="Count, lint and budget the tokens of the prompts in a repository.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", "-V", action="version", version=f"tokenlint {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    _check(commands)
    _count(commands)
    _compare(commands)
    _train(commands)
    _rule(commands)
    _tokenizers(commands)
    _config(commands)
    return top


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    summary: str,
    epilog: str = "",
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # what is short for one option today may be short for two tomorrow
    )


def _check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    check = _command(commands, "check", "look for findings in files and folders", _CHECK)
    _paths(check)
    _selection(check)
    _fixing(check)
    _output(check, ("full", "concise", "json"), "full")
    check.add_argument(
        "--column-unit",
        choices=("code-point", "utf-16"),
        default="code-point",
        help="what columns in JSON count; editors count in UTF-16 (default: code-point)",
    )
    check.add_argument("--statistics", action="store_true", help="count findings rule by rule")
    check.add_argument("--show-files", action="store_true", help="list the files, check nothing")
    check.add_argument(
        "--budgets", action="store_true", help="check the budgets of the configuration, all of them"
    )
    check.add_argument("--exit-zero", action="store_true", help="exit 0 whatever was found")
    _tokenizer(check)
    _configuration(check)


def _paths(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "paths", nargs="*", metavar="PATH", help="files and folders (default: .), or - for stdin"
    )
    command.add_argument(
        "--stdin-filename", metavar="PATH", help="the path that standard input goes by"
    )
    _leaving_out(command)


def _leaving_out(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--force-exclude",
        action=argparse.BooleanOptionalAction,
        help="apply excludes to files that are named, as pre-commit needs",
    )
    command.add_argument(
        "--respect-gitignore",
        action=argparse.BooleanOptionalAction,
        help="leave out what git ignores (on by default)",
    )
    command.add_argument(
        "--exclude",
        action="extend",
        type=_words,
        metavar="GLOB",
        help="leave these out, and not the defaults",
    )
    command.add_argument(
        "--extend-exclude",
        action="extend",
        type=_words,
        metavar="GLOB",
        help="leave these out as well",
    )


def _selection(command: argparse.ArgumentParser) -> None:
    for option, meaning in (
        ("--select", "only these rules: codes, prefixes (TL1), names or ALL"),
        ("--extend-select", "these rules as well"),
        ("--ignore", "not these rules"),
    ):
        command.add_argument(option, action="extend", type=_words, metavar="RULES", help=meaning)
    command.add_argument(
        "--ignore-directives",
        action="store_false",
        default=None,
        dest="inline_directives",
        help="let no inline directive silence anything",
    )


def _fixing(command: argparse.ArgumentParser) -> None:
    command.add_argument("--fix", action="store_true", help="write the safe fixes")
    command.add_argument(
        "--unsafe-fixes", action="store_true", help="write fixes that may change meaning as well"
    )
    command.add_argument(
        "--diff", action="store_true", help="show what --fix would write, and write nothing"
    )
    command.add_argument(
        "--exit-non-zero-on-fix", action="store_true", help="exit 1 where something was fixed"
    )


def _output(command: argparse.ArgumentParser, formats: Sequence[str], default: str) -> None:
    command.add_argument(
        "--output-format", choices=formats, default=default, help=f"default: {default}"
    )
    command.add_argument(
        "--output-file", "-o", type=Path, metavar="FILE", help="write the report there"
    )
    command.add_argument("--quiet", "-q", action="store_true", help="findings only, no summary")
    command.add_argument("--verbose", "-v", action="store_true", help="say what was left out")
    command.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="default: auto"
    )


def _tokenizer(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--tokenizer",
        "-t",
        action="append",
        metavar="NAME",
        dest="tokenizers",
        help="an encoding, a model or a path; repeat for several (default: o200k_base)",
    )


def _configuration(command: argparse.ArgumentParser) -> None:
    command.add_argument("--config", type=Path, metavar="FILE", help="use this configuration file")
    command.add_argument("--isolated", action="store_true", help="use no configuration file")
    command.add_argument(
        "--allow-plugins",
        action="store_true",
        default=os.environ.get("TOKENLINT_ALLOW_PLUGINS") == "1",
        help="run the code of configured plugins (also: TOKENLINT_ALLOW_PLUGINS=1)",
    )
    command.add_argument(
        "--allow-network",
        action="store_true",
        default=os.environ.get("TOKENLINT_ALLOW_NETWORK") == "1" or None,
        dest="network",
        help="download a vocabulary that is missing (also: TOKENLINT_ALLOW_NETWORK=1)",
    )


def _count(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    count = _command(commands, "count", "count bytes, characters, words and tokens", _COUNT)
    _paths(count)
    _tokenizer(count)
    count.add_argument(
        "--sort",
        choices=("path", "tokens", "bytes", "characters", "words"),
        default="path",
        help="by path, or the largest first (default: path)",
    )
    count.add_argument("--top", type=_positive, metavar="N", help="show only the first N files")
    _output(count, ("table", "json"), "table")
    _configuration(count)


def _positive(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, found {text!r}")
    return number


def _compare(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    compare = _command(commands, "compare", "compare languages, forms and tokenizers", COMPARE)
    _paths(compare)
    _tokenizer(compare)
    add_compare_options(compare)
    _output(compare, ("table", "json", "csv", "markdown"), "table")
    _configuration(compare)


def _train(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    train = _command(commands, "train", "train a tokenizer on your own text", TRAIN)
    _paths(train)
    add_train_options(train)
    _tokenizer(train)
    _configuration(train)


def _rule(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    rule = _command(commands, "rule", "explain a rule, or list all rules")
    rule.add_argument("rule", nargs="?", metavar="RULE", help="a code, a name or a prefix")
    rule.add_argument("--all", action="store_true", help="the pages of all rules")
    rule.add_argument(
        "--families", action="store_true", help="the families of control strings that TL201 knows"
    )
    rule.add_argument(
        "--output-format", choices=("text", "json"), default="text", help="default: text"
    )
    _configuration(rule)


def _config(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    config = _command(commands, "config", "show the configuration, or its schema", CONFIG)
    add_config_options(config)
    _selection(config)
    _leaving_out(config)
    _tokenizer(config)
    _output(config, ("table", "json"), "table")
    _configuration(config)


def _tokenizers(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _command(commands, "tokenizers", "list what can be counted with, and what is missing")
    _output(command, ("table", "json"), "table")
    _configuration(command)
