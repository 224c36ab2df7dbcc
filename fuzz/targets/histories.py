"""Bytes become a small history of commits; a diff of any two says what two full counts say."""

from __future__ import annotations

import os
import subprocess
from contextlib import chdir
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from tokenlint.commands import diff
from tokenlint.commands.session import Session
from tokenlint.tokens import Document, decode, load_tokenizer

NAMES = ("a.md", "b.md", "d/a.md", "e\u0301.md", "\u00e9.md", "d", "x.bin", "-n.md", "a b.md")
CONTENTS: tuple[bytes, ...] = (
    b"",
    b"Hello",
    b"Hello\r\nthere",
    "ti\u1ebfng".encode(),
    "tie\u0302\u0301ng".encode(),
)
CONTENTS += (b"\0\1", b"\xff\xfea\0", b"caf\xe9", b"\xef\xbb\xbfx", b"word " * 200, b"<|im_start|>")
PINNED = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"), "a@example.org"),
    **dict.fromkeys(("GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"), "c@example.org"),
}


def target(raw: bytes) -> None:
    """A few commits, and a diff of each with the one before."""
    os.environ.update(PINNED)
    with TemporaryDirectory(prefix="tokenlint-fuzz-") as made, chdir(made):
        folder = Path(made)
        git("init", "-q", "-b", "main")
        git("commit", "-q", "--allow-empty", "-m", "first")
        states: list[dict[str, int]] = [{}]
        for step in raw.split(b"\n")[:4]:
            for name, content in pairwise(step[:12]):
                change(folder, NAMES[name % len(NAMES)], content)
            git("add", "--all")
            git("commit", "-q", "--allow-empty", "-m", "next")
            states.append(counts(folder))
        for at, (before, after) in enumerate(pairwise(states)):
            back = len(states) - 1 - at
            request = diff.Request((f"HEAD~{back}", f"HEAD~{back - 1}"), whole=True)
            outcome = diff.run(request, Session(folder))
            assert not outcome.problems, outcome.problems
            total = outcome.report.difference("o200k_base")
            broken = [file for file in outcome.report.files if not file.is_counted]
            names = {name for file in broken for name in (file.path, file.old_path)}
            told = [total.before, total.after]
            assert told == [of(before, names), of(after, names)], (told, before, after, names)


def of(state: dict[str, int], broken: set[str | None]) -> int:
    """The tokens of a state; what could be counted on one side only is in no sum."""
    folder = Path.cwd()
    return sum(n for name, n in state.items() if str(Path(name).relative_to(folder)) not in broken)


def git(*arguments: str) -> None:
    """Run git, quietly."""
    subprocess.run(["git", *arguments], check=True, capture_output=True)


def change(folder: Path, name: str, content: int) -> None:
    """Write, remove or link a file; what does not fit the file system is left out."""
    path = folder / name
    try:
        if content % 13 == 12:
            path.unlink(missing_ok=True)
        elif content % 13 == 11:
            path.unlink(missing_ok=True)
            path.symlink_to("a.md")
        elif not path.is_symlink():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(CONTENTS[content % 13 % len(CONTENTS)])
    except OSError:
        pass


def counts(folder: Path) -> dict[str, int]:
    """The tokens of every text file, counted from the files themselves."""
    count, found = load_tokenizer("o200k_base").count, {}
    for path in folder.rglob("*"):
        if ".git" in path.parts or path.is_symlink() or not path.is_file():
            continue
        document = decode(path.name, path.read_bytes())
        if isinstance(document, Document):
            found[str(path)] = count(document.countable())
    return found
