"""The command line's options. Each has one name and a default of None: "not said"."""

from __future__ import annotations

import argparse
from typing import Any

from tokenlint import __version__
from tokenlint.argv import paths_first
from tokenlint.common_options import (
    add_configuration,
    add_excludes,
    add_fixing,
    add_output,
    add_paths,
    add_selection,
    add_tokenizer,
)
from tokenlint.parsing import Parser

__all__ = ["parser", "paths_first"]

_EXAMPLES = """\
examples:
  tokenlint check                        lint every text file below this folder
  tokenlint check --fix prompts          write decomposed text as NFC
  tokenlint check --diff prompts         show what --fix would write
  git show HEAD:a.md | tokenlint check - --stdin-filename a.md
  tokenlint count prompts --tokenizer o200k_base --tokenizer cl100k_base
  tokenlint compare prompts --reference 'prompts/en/{name}.md' --by language
  tokenlint diff                         what the change costs, beside the default branch
  tokenlint train prompts -o tokenizer.json --vocab-size 8000
  tokenlint explain --text 'Xin chào'    show how a text is cut into tokens
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
  tokenlint count --extract 'prompts.*.system' prompts.yaml
  tokenlint count --extract jinja --variables values.yaml support.jinja
  tokenlint count --chat -t gpt-4o messages.json   the request that a model receives

A count is literal: <|im_start|> in a text costs what its characters cost.
CRLF counts as LF, and a leading byte order mark is not counted.
"""


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser of the command line: of one command where `only` names one, else of all.

    Building the options of every command takes as long as checking a file.
    """
    top = Parser(
        prog="tokenlint",
        description="Count, lint and budget the tokens of the prompts in a repository.",
        epilog=_EXAMPLES,
    )
    top.add_argument("--version", "-V", action="version", version=f"tokenlint {__version__}")
    commands: Any = top.add_subparsers(dest="command", metavar="COMMAND", prog="tokenlint")
    for add in [_COMMANDS[only]] if only in _COMMANDS else _COMMANDS.values():
        add(commands)
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
        allow_abbrev=False,  # what is short for one option today may be short for two tomorrow
    )


def _check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from tokenlint.baseline_options import add_baseline_options
    from tokenlint.cache_options import add_cache_option
    from tokenlint.reports.formats import FORMATS

    check = _command(commands, "check", "look for findings in files and folders", _CHECK)
    add_paths(check)
    add_selection(check)
    add_fixing(check)
    add_output(check, tuple(FORMATS), "full", also=True)
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
    add_baseline_options(check)
    check.add_argument("--exit-zero", action="store_true", help="exit 0 whatever was found")
    add_tokenizer(check)
    add_cache_option(check)
    add_configuration(check)


def _count(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from tokenlint.cache_options import add_cache_option
    from tokenlint.extract_options import add_extract_options
    from tokenlint.money_options import MONEY, add_money_options
    from tokenlint.reports.formats import TABLES

    count = _command(commands, "count", "count bytes, characters, words and tokens", _COUNT + MONEY)
    add_paths(count)
    add_tokenizer(count)
    add_extract_options(count)
    count.add_argument(
        "--sort",
        choices=("path", "tokens", "bytes", "characters", "words"),
        default="path",
        help="by path, or the largest first (default: path)",
    )
    add_money_options(count)
    count.add_argument("--top", type=_positive, metavar="N", help="show only the first N files")
    add_output(count, TABLES, "table", also=True)
    add_cache_option(count)
    add_configuration(count)


def _positive(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, found {text!r}")
    return number


def _compare(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from tokenlint.cache_options import add_cache_option
    from tokenlint.compare_options import COMPARE, add_compare_options
    from tokenlint.reports.formats import TABLES

    compare = _command(commands, "compare", "compare languages, forms and tokenizers", COMPARE)
    add_paths(compare)
    add_tokenizer(compare)
    add_compare_options(compare)
    add_output(compare, TABLES, "table", also=True)
    add_cache_option(compare)
    add_configuration(compare)


def _diff(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from tokenlint.cache_options import add_cache_option
    from tokenlint.diff_options import DIFF, add_diff_options
    from tokenlint.extract_options import add_extract_options
    from tokenlint.money_options import add_money_options
    from tokenlint.reports.diff_formats import NAMES as DIFF_FORMATS

    diff = _command(commands, "diff", "show what a change costs in tokens", DIFF)
    add_diff_options(diff)
    add_money_options(diff)
    add_excludes(diff)
    add_extract_options(diff)
    add_tokenizer(diff)
    add_output(diff, DIFF_FORMATS, "table", also=True)
    add_cache_option(diff)
    add_configuration(diff)


def _train(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from tokenlint.train_options import TRAIN, add_train_options

    train = _command(commands, "train", "train a tokenizer on your own text", TRAIN)
    add_paths(train)
    add_train_options(train)
    add_tokenizer(train)
    add_configuration(train)


def _explain(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from tokenlint.explain_options import EXPLAIN, add_explain_options
    from tokenlint.extract_options import add_extract_options

    explain = _command(commands, "explain", "show how a text is cut into tokens", EXPLAIN)
    add_explain_options(explain)
    add_extract_options(explain)
    add_tokenizer(explain)
    add_output(explain, ("text", "json", "html"), "text")
    add_configuration(explain)


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
    add_configuration(rule)


def _config(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from tokenlint.config_options import CONFIG, add_config_options

    config = _command(commands, "config", "show the configuration, or its schema", CONFIG)
    add_config_options(config)
    add_selection(config)
    add_excludes(config)
    add_tokenizer(config)
    add_output(config, ("table", "json"), "table")
    add_configuration(config)


def _tokenizers(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _command(commands, "tokenizers", "list what can be counted with, or open one of them")
    command.add_argument("name", nargs="?", metavar="NAME", help="show what is in this tokenizer")
    command.add_argument("--all", action="store_true", help="show all of its special tokens")
    add_output(command, ("table", "json"), "table")
    add_configuration(command)


def _clean(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from tokenlint.cache_options import CLEAN, add_clean_options

    add_clean_options(_command(commands, "clean", "remove the counts that are kept", CLEAN))


_COMMANDS = {
    "check": _check,
    "count": _count,
    "compare": _compare,
    "diff": _diff,
    "train": _train,
    "explain": _explain,
    "rule": _rule,
    "tokenizers": _tokenizers,
    "config": _config,
    "clean": _clean,
}
