"""The pages of report formats, exit codes and environment variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from site_commands import actions, commands
from site_markdown import code, table

from tokenlint.asked import CLEAN, FOUND, WRONG

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

_REPORTS = """\
# Report formats by command

`--output-format NAME` chooses one, `--also NAME=FILE` writes further ones in the same run.
[Report formats](../formats.md) shows what each looks like and what it promises to programs.
"""
_ENVIRONMENT = """\
# Exit codes and environment variables

## Exit codes
"""
CODES = {
    CLEAN: "nothing was found, or only warnings",
    FOUND: "findings of error level, a limit of `diff` is crossed, or `--diff` would change a file",
    WRONG: "something must be put right first: usage, configuration, a tokenizer or a named file "
    "that cannot be had",
    130: "the run was interrupted",
}
"What the exit codes mean. `check --exit-zero` turns 1 into 0."

VARIABLES: Mapping[str, Mapping[str, str]] = {
    "Settings of tokenlint": {
        "TOKENLINT_ALLOW_NETWORK": "`1` allows downloads, as `--allow-network` does",
        "TOKENLINT_ALLOW_OUTSIDE": "`1` lets a configuration name files outside of its repository, "
        "as `--allow-outside` does",
        "TOKENLINT_ALLOW_PLUGINS": "`1` runs configured plugins, as `--allow-plugins` does",
        "TOKENLINT_CACHE_DIR": "the folder of the cache: counts, and the paths and times of clean "
        "files; empty: the usual one",
        "TOKENLINT_NO_CACHE": "anything but `0` or nothing at all does without that cache",
        "TOKENLINT_ENGINE": "`tiktoken` counts without the extra `fast`, `fast` never without it",
        "NO_COLOR": "where it is set, output has no colour unless `--color always` says so",
    },
    "Settings of the pytest plugin": {
        "TOKENBUDGET_TOKENIZER": "tokenizers by comma, where no marker and no option names one",
        "TOKENBUDGET_MAX": "the most tokens of a text that no marker and no call limits",
    },
    "What others set": {
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": "GitLab: the commit that `tokenlint diff` compares with",
        "GITHUB_BASE_REF": "GitHub: the branch that `tokenlint diff` compares with",
        "GITHUB_WORKSPACE": "GitHub: the folder at which paths in reports for it start",
        "CI_PROJECT_DIR": "GitLab: the same",
        "GITHUB_STEP_SUMMARY": "GitHub: the file that shows a job's summary",
        "CI": "a line of output that would be a command to the log of a CI is made harmless",
        "GITHUB_ACTIONS": "the same",
        "TF_BUILD": "the same, on Azure Pipelines",
        "TEAMCITY_VERSION": "the same, on TeamCity",
        "PRE_COMMIT": "pre-commit: file names are safe from being read as options",
        "TIKTOKEN_CACHE_DIR": "tiktoken's cache, where rank files are looked for; empty: nowhere",
        "DATA_GYM_CACHE_DIR": "the same, where the first is not set",
        "XDG_CACHE_HOME": "the folder in which the cache has its own",
        "LOCALAPPDATA": "the same on Windows",
        "GIT_CONFIG_COUNT": "git's own settings in the environment, which git is still given",
    },
}
"Every variable that is read here; Hugging Face's library and git read their own."


def formats(command: argparse.ArgumentParser) -> Sequence[str]:
    """The formats that a command knows, the default first."""
    for action in actions(command):
        if "--output-format" in action.option_strings and action.choices is not None:
            names = [str(name) for name in action.choices]
            return sorted(names, key=lambda name: name != action.default)
    return ()


def reports_page() -> str:
    """Which command writes which formats."""
    rows = (
        [f"[`{name}`](commands.md#tokenlint-{name})", ", ".join(map(code, found))]
        for name, command in commands().items()
        if (found := formats(command))
    )
    return f"{_REPORTS}\n{table(['command', 'formats, the default first'], rows)}"


def environment_page() -> str:
    """Exit codes and environment variables."""
    parts = [
        _ENVIRONMENT,
        table(["code", "means"], ([str(at), said] for at, said in CODES.items())),
    ]
    for title, variables in VARIABLES.items():
        rows = ([code(name), said] for name, said in variables.items())
        parts += [f"## {title}\n", table(["variable", "what it does"], rows)]
    return "\n".join(parts)
