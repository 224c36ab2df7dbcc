"""What strangers write, or call a file, acts on no terminal, no CI and no forge that shows it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from tokenlint import cli
from tokenlint.cli import main
from tokenlint.printable import logged, printable
from tokenlint.reports.diff_formats import NAMES as DIFF_FORMATS
from tokenlint.reports.formats import FORMATS, TABLES

if TYPE_CHECKING:
    from conftest import Project

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such names on Windows")

EVIL = (
    "\x1b]0;x\x07\x9b31m\r\u202e\u2066\u2028\U000e0041##[add-mask]a|`<img src=x>[a](http://b)@you"
)
NAMES = [
    f"{EVIL.replace('/', '-')}.md",
    "::error::evil.md",
    "a\n::stop-commands::x\n.md",
    "=1+1.md",
]
CONTENT = (
    f"e\u0301 <|im_start|>{EVIL} \ufffd\x1b[2J tokenlint: ignore[{EVIL[:20]}]\nword ##[error]x\n"
)


@pytest.fixture
def hostile(folder: Path) -> Path:
    """A folder of hostile files, with a configuration that says something about each."""
    for name in NAMES:
        Path(name).write_text(CONTENT, "utf-8")
    Path("tokenlint.toml").write_text(
        'select = ["ALL"]\n[[budgets]]\nfiles = ["*.md"]\nmax-tokens = 1\nmax-total = 1\n'
        "max-fertility = 0.1\nmax-bytes = 1\n",
        "utf-8",
    )
    return folder


def acting(text: str) -> set[str]:
    """Characters that act on a terminal."""
    return {char for char in text if char not in "\n\t" and printable(char) != char}


def is_command(line: str, form: str) -> bool:
    """Whether the log of a CI takes a line for a command that is not one of ours."""
    if form == "github" and re.match(r"::(error|warning|notice) ", line):
        return False
    return line.lstrip().startswith("::") or re.search(r"##\w*\[", line) is not None


def require_harmless(capsys: pytest.CaptureFixture[str], form: str = "") -> str:
    out, err = capsys.readouterr()
    assert acting(out + err) == set()
    lines = [*out.split("\n"), *err.split("\n")]
    assert [line for line in lines if is_command(line, form)] == []
    return out


@pytest.fixture(autouse=True)
def in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "_IN_CI", True)


@pytest.mark.parametrize("form", FORMATS)
def test_check(hostile: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert main(["check", "--output-format", form, "."]) == 1
    out = require_harmless(capsys, form)
    if form == "json":
        named = {one["filename"] for one in json.loads(out)}
        assert named == {*NAMES, "tokenlint.toml"}  # escaped, and the same once read


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize("command", ["count", "compare"])
def test_tables(hostile: Path, capsys: pytest.CaptureFixture[str], command: str, form: str) -> None:
    assert main([command, "--output-format", form, "."]) == 0
    require_harmless(capsys, form)


@pytest.mark.parametrize("form", DIFF_FORMATS)
def test_diff(hostile: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    Path("old").mkdir()
    Path("new").mkdir()
    for name in NAMES:
        (Path("new") / name).write_text(CONTENT, "utf-8")
    main(["diff", "--no-index", "old", "new", "--output-format", form, "--max-increase", "1"])
    require_harmless(capsys, form)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_explain(hostile: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    for form in ("text", "html", "json"):
        assert main(["explain", f"./{name}", "--output-format", form]) == 0
        require_harmless(capsys)
    assert main(["explain", "--text", CONTENT]) == 0
    require_harmless(capsys)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize(
    "command",
    [
        ("check", "{0}x"), ("count", "{0}x"), ("compare", "{0}x"), ("explain", "{0}x"),
        ("check", "--config", "{0}x"), ("check", "--baseline", "{0}x"), ("count", "-t", "{0}"),
        ("check", "--select", "{0}"), ("rule", "{0}"), ("tokenizers", "{0}"), ("config", "{0}"),
        ("count", "-t", "./{0}.json"), ("diff", "{0}"), ("diff", "--no-index", "{0}", "{0}x"),
        ("count", "--extract", "{0}"), ("train", "{0}x", "-o", "t.json"), ("check", "--show-files"),
        ("check", "--statistics"), ("explain", "--merges", "{0}"), ("check", "-o", "{0}/x"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_sentences(
    hostile: Path, capsys: pytest.CaptureFixture[str], name: str, command: tuple[str, ...]
) -> None:
    with suppress(SystemExit):
        main([part.format(name) for part in command])
    require_harmless(capsys)


CONFIGURATIONS = [
    "{0} = 1", 'tokenizers = ["{0}"]', 'select = ["{0}"]', '[tokenizer."{0}"]\nsource = "./x.json"',
    '[[budgets]]\nfiles = ["{0}"]\nmax-tokens = 1', '[trust]\n"{0}" = "{0}"', 'baseline = "{0}"',
    '[extract]\n"*" = "{0}"', 'plugins = ["{0}"]', '[special-tokens]\nfamilies = ["{0}"]',
    '[special-tokens]\nextra = ["{0}", "word"]', '[per-file-ignores]\n"{0}" = ["{0}"]',
    '[[premiums]]\nreference = "{0}"\nfiles = "{{name}}.md"\nmax-premium = 1',
]  # fmt: skip


@pytest.mark.parametrize("table", CONFIGURATIONS)
def test_a_configuration(hostile: Path, capsys: pytest.CaptureFixture[str], table: str) -> None:
    quoted = json.dumps(EVIL.replace("\U000e0041", ""))[1:-1].replace("\x9b", "\\u009b")
    key = f'"{quoted}"' if table.startswith("{0} =") else quoted
    Path("tokenlint.toml").write_text(table.format(key), "utf-8")
    for command in ("check", "count", "compare", "tokenizers", "config"):
        main([command])
        require_harmless(capsys)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", '{{"{0}": {{"{0}": 1}}}}'),
        ("a.json", '[{{"role": "{0}", "content": "x"}}, {{"role": 1}}]'),
        ("a.jsonl", '{{"conversations": [{{"from": "{0}", "value": "x"}}]}}'),
        ("a.yaml", '"{0}": !{1} x'),
        ("a.toml", '"{0}" = 1'),
        ("a.jinja", "{{{{ {1} }}}}{{% include '{0}' %}}{{{{ raise_exception('{0}') }}}}"),
    ],
)
def test_what_is_extracted(
    hostile: Path, capsys: pytest.CaptureFixture[str], name: str, content: str
) -> None:
    quoted = json.dumps(EVIL)[1:-1]
    Path(name).write_text(content.format(quoted, "evil"), "utf-8")
    for how in ("*.*", "*", "chat", "jinja"):
        main(["count", name, "--extract", how, "-t", "gpt-4o"])
        require_harmless(capsys)


def test_lines_for_the_log_of_a_ci() -> None:
    told = [
        "##[error]a",
        "x ##vso[task.x]b",
        "##teamcity[c",
        "## [d]",
        "::error::e",
        "  ::f",
        "a::b",
    ]
    assert [logged(line) for line in told] == [
        "## [error]a", "x ## vso[task.x]b", "## teamcity[c", "## [d]", "./::error::e", "./::f",
        "a::b",
    ]  # fmt: skip
    assert json.loads(logged(json.dumps("##[error]"), "json")) == "##[error]"
    assert logged("<a>##[x</a>", "junit") == "<a>#&#35;[x</a>"
    assert logged("::error file=a::b", "github") == "::error file=a::b"


def test_a_patch_stays_a_patch(
    hostile: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A diff may be applied as well, so of it only what acts on a terminal is escaped there."""
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    assert main(["check", "--diff", "--select", "TL101", "."]) == 1
    out, _ = capsysbinary.readouterr()
    assert {char for char in out.decode() if char < " "} <= {"\n", "\r"}


def test_a_patch_can_be_applied(folder: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """Lines end where git ends them: a line separator of Unicode is a character like others.

    What goes to a program has every character as it is in the file.
    """
    Path("a.md").write_bytes("e\u0301 a\u2028b\r\n\x1b[2J \a\r.\nc\u2029".encode())
    assert main(["check", "--diff", "a.md"]) == 1
    patch, _ = capsysbinary.readouterr()
    subprocess.run(["git", "apply", "-"], input=patch, check=True)
    assert Path("a.md").read_bytes() == "\u00e9 a\u2028b\r\n\x1b[2J \a\r.\nc\u2029".encode()


def test_a_patch_is_applied_to_the_files_that_it_names(
    folder: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    files = {
        "prompts/vi/a.md": "e\u0301\n",
        "vi/a.md": "e\u0301\n",
        "a.md": "\ufeffe\u0301\nx\n",
        '\u00e9 -> "b" \\.md': "e\u0301",
        "t\tab\n.md": "e\u0301\n",
        "two words/a b.md": "e\u0301\n",
    }
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(text.encode())
    assert main(["check", "--diff", "--extend-exclude", "vi/a.md", "."]) == 1
    done, _ = capsysbinary.readouterr()
    subprocess.run(["git", "apply", "-"], input=done, check=True)
    kept = {"vi/a.md"} & files.keys()
    fixed = {n: t if n in kept else t.replace("e\u0301", "\u00e9") for n, t in files.items()}
    assert {name: Path(name).read_bytes().decode() for name in files} == fixed


def test_a_patch_in_the_log_of_a_ci(folder: Path) -> None:
    Path("a.md").write_bytes("x\n::error::no\ne\u0301 ##[error]\x1b[2J\n".encode())
    command = [sys.executable, "-m", "tokenlint", "check", "--diff", "a.md"]
    environment = {**os.environ, "CI": "true", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, capture_output=True, check=False, env=environment)
    shown = [" x", "./::error::no", "-e\u0301 ## [error]\\x1b[2J", "+\u00e9 ## [error]\\x1b[2J"]
    assert done.stdout.decode().splitlines()[3:] == shown


# The plugin of pytest

TEST = """\
import pathlib
import pytest

@pytest.mark.prompt_files("*.md")
def test_each(prompt_file, count_tokens, assert_nfc, assert_no_special_tokens):
    assert count_tokens(prompt_file.path) <= 300 - 299

@pytest.mark.token_budget(1, files="*.md")
@pytest.mark.fertility_limit(0.1, files="*.md")
def test_files():
    pass

@pytest.mark.prompt_files("*.md")
def test_nfc(prompt_file, assert_nfc):
    assert_nfc(prompt_file.path)

@pytest.mark.prompt_files("*.md")
def test_special(prompt_file, assert_no_special_tokens):
    assert_no_special_tokens(prompt_file.path)

def test_text(token_budget):
    token_budget.check(pathlib.Path("missing\\x1b\\n::error::.md"))
"""


def test_the_plugin(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    budgets = '[[tool.tokenlint.budgets]]\nfiles = ["*.md"]\nmax-tokens = 1\nmax-total = 1\n'
    budgets += '[[tool.tokenlint.budgets]]\nfiles = ["\\u001b2J\\u202e"]\nmax-tokens = 1\n'
    names = [name for name in NAMES if "\n" not in name]
    project.write({"test_it.py": TEST, "pyproject.toml": budgets} | dict.fromkeys(names, CONTENT))
    report = project.pytester.path / "report.md"
    ran = project.pytester.runpytest_subprocess(
        *("-p", "no:randomly", "-p", "no:cacheprovider", "-v", "--tokenbudget"),
        *("--tokenbudget-report=term:all", f"--tokenbudget-report=markdown:{report}"),
        *("--tokenbudget-update", "--junit-xml=junit.xml", "--color=no"),
    )
    assert ran.ret == 1
    told = ran.stdout.str() + ran.stderr.str()
    assert acting(told) == set()
    assert "1 passed" not in told
    markdown = report.read_text("utf-8")
    assert acting(markdown) == set()
    assert not re.search(r"<img|\]\(|(?<!>)@you|`<", markdown)
    assert "\x1b" not in (project.pytester.path / "tokenbudget.lock").read_text("utf-8")
    ET.parse(project.pytester.path / "junit.xml")  # noqa: S314  (our own output)
