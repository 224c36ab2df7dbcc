"""How git is called: with settings that no repository can change."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from tokenlint.errors import GitError, TokenlintError

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Container, Mapping
    from pathlib import Path

_PINNED = (
    "core.fsmonitor=false",  # it can name a program, and a repository's own file may set it
    "core.quotePath=false",
    "core.untrackedCache=false",
    "safe.bareRepository=explicit",  # a folder may look like a repository with settings of its own
)
_ENVIRONMENT = {
    "LC_ALL": "C",  # messages in English
    "GIT_OPTIONAL_LOCKS": "0",  # nothing written
    "GIT_NO_LAZY_FETCH": "1",  # nothing fetched, which git knows from 2.44 on ...
    "GIT_ALLOW_PROTOCOL": "none",  # ... and an older one by having no protocol to fetch with
    "GIT_TERMINAL_PROMPT": "0",
}

_LOCAL_VARIABLES = re.compile(
    "GIT_(ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|DIR|GRAFT_FILE|IMPLICIT_WORK_TREE|INDEX_FILE"
    "|INTERNAL_SUPER_PREFIX|OBJECT_DIRECTORY|PREFIX|SHALLOW_FILE|WORK_TREE"
    "|(GLOB|NOGLOB|ICASE|LITERAL)_PATHSPECS|EXTERNAL_DIFF|DIFF_OPTS)"
)
"Set by git for its hooks; they would turn a question about one folder into one about another."


SECONDS = 120.0
"How long an answer of git may take: of a million files it knows within a tenth of that."


class GitStuckError(TokenlintError):
    """Git that gives no answer, as where a .gitignore is a pipe that nobody writes to.

    It is no GitError: to go on without git would not be an answer either.
    """


def command(*arguments: str) -> list[str]:
    """The command line of git with the pinned settings."""
    return ["git", *(part for setting in _PINNED for part in ("-c", setting)), *arguments]


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """The environment of git: this process's, without what points at some other repository.

    Settings go into it because a name may hold `=`, at which the option `-c` would cut it.
    """
    kept = {key: value for key, value in os.environ.items() if not _LOCAL_VARIABLES.fullmatch(key)}
    count = kept.get("GIT_CONFIG_COUNT", "")
    first = int(count) if count.isdecimal() else 0
    for at, (name, value) in enumerate(settings.items(), first):
        kept |= {f"GIT_CONFIG_KEY_{at}": name, f"GIT_CONFIG_VALUE_{at}": value}
    return kept | {"GIT_CONFIG_COUNT": str(first + len(settings))} | _ENVIRONMENT


def ask(
    folder: Path,
    *arguments: str,
    fine: Container[int] = (0,),
    settings: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """What git answers; `fine` are the exit codes that are an answer, `settings` hold besides.

    Raises GitError.
    """
    import subprocess

    try:
        done = subprocess.run(
            command(*arguments),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            env=environment(settings or {}),
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise GitStuckError(
            f"git {arguments[0]} gave no answer in {folder} within {SECONDS:g} s; look whether a "
            ".gitignore there is a pipe, or the disk does not answer"
        ) from None
    except OSError as error:
        raise not_run(error) from None
    if done.returncode not in fine:
        raise GitError(f"git {arguments[0]} failed in {folder}: {said(done.stderr)}")
    return done


def not_run(error: OSError) -> GitError:
    """What is said where there is no git to run."""
    return GitError(f"git cannot be run: {error.strerror or error}")


def said(stderr: bytes) -> str:
    """Everything that git says on stderr, on one line: what to do often stands below the first."""
    return " ".join(stderr.decode(errors="replace").split()) or "no message"


def first_line(output: bytes) -> str:
    """An answer of one line, such as the name of a branch."""
    return os.fsdecode(output.split(b"\n", 1)[0])


def split(output: bytes) -> list[str]:
    """The names in an answer that was asked for with `-z`."""
    return [os.fsdecode(name) for name in output.split(b"\0") if name]


def top_of(folder: Path) -> Path:
    """The top of the working tree that a folder is in, by the way that leads to the folder.

    Raises GitError.
    """
    up = first_line(ask(folder, "rev-parse", "--show-cdup").stdout).count("/")
    return folder.parents[up - 1] if up else folder
