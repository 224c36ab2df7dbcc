"""Plugins: what they bring, who may let them run, and what a defect in them does."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from console import ROOT, blocks, commands
from tokenlint.cli import main
from tokenlint.config import load_config, read_config
from tokenlint.errors import ConfigError
from tokenlint.linter import lint
from tokenlint.rules import RULES, Context, Finding, Rule, decomposed
from tokenlint.tokens import Document, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

NUMBERS = count()

MODULE = """
import re
from pathlib import Path

from tokenlint import load_tokenizer
from tokenlint.plugins import hookimpl
from tokenlint.rules import Edit, Finding, Fix, Rule

Path("imported").touch()


def check(document, context):
    for match in re.finditer("TODO", document.text):
        fix = Fix("Remove it", (Edit(*match.span(), ""),))
        yield TODO.finding(document.path, "unfinished", match.span(), fix=fix)


def check_count(document, context):
    yield COUNT.finding(document.path, f"{context.count(document, None)} tokens", level="warning")


TODO = Rule("MC001", "no-todo", "unfinished text", "What is unfinished.", check, fixable="safe")
COUNT = Rule("MC102", "counted", "how long", "The length.", check_count, default=False)


@hookimpl
def tokenlint_rules():
    return [COUNT, TODO]


@hookimpl
def tokenlint_load_tokenizer(name):
    if name == "acme/2":
        return load_tokenizer("cl100k_base").named(name)
    if name == "acme-3":
        raise OSError("no licence\\nfor this machine")
    if name == "acme-5":
        return len
"""

HEADER = """
from tokenlint.plugins import hookimpl
from tokenlint.rules import Rule


def check(document, context):
    yield from ()

"""


@dataclass(frozen=True)
class Ran:
    """What a run came to."""

    code: int
    out: str
    err: str

    @property
    def findings(self) -> list[tuple[str, str, str]]:
        """Path, code and message of each finding of a JSON report."""
        found = json.loads(self.out)
        return [(one["filename"], one["code"], one["message"]) for one in found]


class Run(Protocol):
    def __call__(self, *arguments: str) -> Ran: ...


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, and beside it one that modules are imported from."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.delenv("TOKENLINT_ALLOW_PLUGINS", raising=False)
    (tmp_path / "site").mkdir()
    (tmp_path / "repository").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.chdir(tmp_path / "repository")
    return tmp_path / "repository"


@pytest.fixture
def module(folder: Path) -> Callable[[str], str]:
    """Writes a module under a name that no other test has; returns the name."""

    def make(source: str) -> str:
        name = f"plugin_of_test_{next(NUMBERS)}"
        (folder.parent / "site" / f"{name}.py").write_text(source, "utf-8")
        return name

    return make


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> Ran:
        return Ran(main(arguments), *capsys.readouterr())

    return run


def write(files: Mapping[str, str]) -> None:
    for name, content in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(content, "utf-8")


CHECK = ("check", "--output-format", "json")


# Who may let them run


@pytest.mark.parametrize(
    ("options", "variable", "allowed"),
    [
        ((), None, False),
        ((), "0", False),
        ((), "yes", False),
        ((), "1", True),
        (("--allow-plugins",), None, True),
        (("--allow-plugins",), "0", True),
    ],
)
@pytest.mark.parametrize("where", ["", "vendor/"])
def test_only_who_allows_it_runs_code(
    options: tuple[str, ...],
    variable: str | None,
    allowed: bool,
    where: str,
    module: Callable[[str], str],
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = module(MODULE)
    write({f"{where}tokenlint.toml": f'plugins = ["{name}"]', f"{where}a.md": "TODO"})
    if variable is not None:
        monkeypatch.setenv("TOKENLINT_ALLOW_PLUGINS", variable)
    ran = run(*CHECK, *options)
    assert Path("imported").exists() is allowed
    if allowed:
        assert ran == Ran(1, ran.out, "")
        assert ran.findings == [(f"{where}a.md", "MC001", "unfinished")]
    else:
        path = Path.cwd() / where / "tokenlint.toml"
        sentence = (
            f"error: {path}: plugins: the code of {name} would run; where you trust this file, "
            "allow it with --allow-plugins or TOKENLINT_ALLOW_PLUGINS=1\n"
        )
        assert ran == Ran(2, "", sentence)


def test_the_other_ways_in_ask_as_well(module: Callable[[str], str]) -> None:
    name = module(MODULE)
    write({"pyproject.toml": f'[tool.tokenlint]\nplugins = ["{name}"]\nselect = ["MC"]'})
    for read in (load_config, read_config):
        path = Path.cwd() if read is load_config else Path("pyproject.toml")
        with pytest.raises(ConfigError, match="allow it with --allow-plugins"):
            read(path)
    config = load_config(Path.cwd(), allow_plugins=True)
    assert [rule.code for rule in config.rules] == ["MC001", "MC102"]


def test_isolated_runs_nothing(module: Callable[[str], str], run: Run) -> None:
    write({"tokenlint.toml": f'plugins = ["{module(MODULE)}"]', "a.md": "TODO"})
    assert run(*CHECK, "--isolated").findings == []
    assert not Path("imported").exists()


def test_nothing_is_imported_for_it_unless_configured() -> None:
    write({"tokenlint.toml": "plugins = []", "a.md": "Hello."})
    script = (
        "import sys; from tokenlint.cli import main; code = main(['check', '--allow-plugins']);"
        "sys.exit(code or int(not {'pluggy', 'tokenlint.plugins'}.isdisjoint(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert done.returncode == 0, done


# What they bring


TEXTS = {
    "a.md": "TODO\n",
    "b/c.md": "TODO TODO\n",
    "d.md": "TODO # tokenlint: ignore[MC001]\n",
    "e.md": "# tokenlint: ignore-file[no-todo]\nTODO\n",
    "f.md": "TODO # tokenlint: ignore[MC0]\n",
}
A, C = ("a.md", "MC001", "unfinished"), ("b/c.md", "MC001", "unfinished")


@pytest.mark.parametrize(
    ("configuration", "options", "findings"),
    [
        ("", (), [A, C, C]),
        ('select = ["MC001"]', (), [A, C, C]),
        ('select = ["no-todo"]', (), [A, C, C]),
        ('select = ["MC"]\nignore = ["MC1"]', (), [A, C, C]),
        ('select = ["TL"]', (), []),
        ('ignore = ["MC"]', (), []),
        ('[per-file-ignores]\n"b/**" = ["MC0"]', (), [A]),
        ('[per-file-ignores]\n"!b/**" = ["no-todo"]', (), [C, C]),
        ("", ("--ignore", "no-todo"), []),
        ("", ("--select", "MC001", "a.md"), [A]),
        ("", ("--extend-select", "counted", "a.md"), [("a.md", "MC102", "2 tokens"), A]),
        ("", ("--select", "ALL", "a.md"), [("a.md", "MC102", "2 tokens"), A]),
    ],
)
def test_rules_are_chosen_like_others(
    configuration: str,
    options: tuple[str, ...],
    findings: list[tuple[str, str, str]],
    module: Callable[[str], str],
    run: Run,
) -> None:
    write({**TEXTS, "tokenlint.toml": f'plugins = ["{module(MODULE)}"]\n{configuration}'})
    ran = run(*CHECK, "--allow-plugins", *options)
    assert ran.err == ""
    assert sorted(ran.findings) == sorted(findings)


def test_a_fix_is_written(module: Callable[[str], str], run: Run) -> None:
    write({"tokenlint.toml": f'plugins = ["{module(MODULE)}"]', "a.md": "TODO cafe\u0301 TODO"})
    assert run(*CHECK, "--allow-plugins", "--fix") == Ran(0, "[]\n", "")
    assert Path("a.md").read_text("utf-8") == " caf\u00e9 "


def test_rules_are_those_of_the_configuration_that_names_them(
    module: Callable[[str], str], run: Run
) -> None:
    write({"sub/tokenlint.toml": f'plugins = ["{module(MODULE)}"]', "sub/a.md": "TODO"})
    write({"a.md": "TODO # tokenlint: ignore[MC001]"})
    ran = run(*CHECK, "--allow-plugins")
    assert [found[:2] for found in ran.findings] == [("a.md", "TL902"), ("sub/a.md", "MC001")]
    ran = run("check", "--allow-plugins", "--select", "MC001")
    assert ran.err.startswith("error: --select: unknown rule 'MC001'; the rules are TL101 ")


def test_an_unknown_rule_names_those_of_plugins_too(module: Callable[[str], str], run: Run) -> None:
    write({"tokenlint.toml": f'plugins = ["{module(MODULE)}"]\nselect = ["MC9"]'})
    ran = run("check", "--allow-plugins")
    assert re.search(
        r"tokenlint.toml: select: unknown rule 'MC9'; .* MC001 no-todo, MC102 counted\n$", ran.err
    )


def test_rules_are_listed_and_explained(module: Callable[[str], str], run: Run) -> None:
    write({"tokenlint.toml": f'plugins = ["{module(MODULE)}"]'})
    lines = run("rule", "--allow-plugins").out.splitlines()
    assert [line.split()[0] for line in lines] == [*(r.code for r in RULES), "MC001", "MC102"]
    assert lines[-2].split(maxsplit=3) == ["MC001", "[*]", "no-todo", "unfinished text"]
    page = "MC102 counted (off by default; no fix)\n\nThe length.\n"
    assert run("rule", "counted", "--allow-plugins") == Ran(0, page, "")
    assert run("rule", "TL404").code == 0  # a built-in one needs no plugin
    ran = run("rule")
    assert (ran.code, len(ran.out.splitlines())) == (2, len(RULES))
    assert "--allow-plugins" in ran.err
    assert "--allow-plugins" in run("rule", "MC102").err


def test_the_schema_knows_their_rules(module: Callable[[str], str], run: Run) -> None:
    write({"tokenlint.toml": f'plugins = ["{module(MODULE)}"]'})
    plain = json.loads(run("config", "--schema").out)
    more = json.loads(run("config", "--schema", "--allow-plugins").out)
    codes, names = (definition["enum"] for definition in more["definitions"]["rule"]["anyOf"][:2])
    assert codes[-2:] == ["MC001", "MC102"]
    assert names[-2:] == ["no-todo", "counted"]
    assert plain["definitions"]["rule"]["anyOf"][0]["enum"] == [rule.code for rule in RULES]


# Tokenizers


def test_a_tokenizer_counts(module: Callable[[str], str], run: Run) -> None:
    write(
        {
            "tokenlint.toml": f'plugins = ["{module(MODULE)}"]\ntokenizers = ["acme/2", "own"]\n'
            '[tokenizer.own]\nsource = "acme/2"\n',
            "a.md": "Xin ch\u00e0o",
        }
    )
    ran = run("count", "--allow-plugins", "--output-format", "json", "-t", "cl100k_base", "a.md")
    expected = json.loads(ran.out)["total"]["tokens"]["cl100k_base"]
    ran = run("count", "--allow-plugins", "--output-format", "json", "a.md")
    assert json.loads(ran.out)["total"]["tokens"] == {"acme/2": expected, "own": expected}


@pytest.mark.parametrize(
    ("table", "name", "sentence"),
    [
        ("", "acme-3", "acme-3: a plugin failed to load it: OSError: no licence"),
        ("", "acme-4", "unknown tokenizer 'acme-4'"),
        (
            "",
            "acme-5",
            "acme-5: what a plugin gave for it has no name, fingerprint, special_tokens, "
            "normalizes_nfc, source, count, encode, decode, normalize, pieces, named\n",
        ),
        (
            '[tokenizer.own]\nsource = "acme/2"\nsha256 = "0"',
            "own",
            "acme/2: comes from a plugin, which has no file to pin; leave out sha256",
        ),
    ],
)
def test_a_tokenizer_that_is_not_had(
    table: str, name: str, sentence: str, module: Callable[[str], str], run: Run
) -> None:
    write({"tokenlint.toml": f'plugins = ["{module(MODULE)}"]\n{table}', "a.md": ""})
    ran = run("count", "--allow-plugins", "-t", name, "a.md")
    assert ran.code == 2
    assert ran.err.startswith(f"error: {sentence}")


def test_a_published_name_counts_what_it_counts(module: Callable[[str], str], run: Run) -> None:
    source = HEADER + "@hookimpl\ndef tokenlint_load_tokenizer(name):\n    raise ValueError(name)"
    write({"tokenlint.toml": f'plugins = ["{module(source)}"]', "a.md": "Hello."})
    ran = run("count", "--allow-plugins", "-t", "o200k_base", "-t", "gpt-4o", "a.md")
    assert (ran.code, ran.out.split()[-2:]) == (0, ["2", "2"])


# Modules that cannot be used


RULES_OF = "@hookimpl\ndef tokenlint_rules():\n    return"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (
            "import no_such_module",
            "NAME cannot be imported (ModuleNotFoundError: No module named 'no_such_module'); "
            "install it where tokenlint runs, or correct its name",
        ),
        (
            "def",
            "NAME cannot be imported (SyntaxError: invalid syntax (NAME.py, line 1)); "
            "install it where tokenlint runs, or correct its name",
        ),
        (
            "raise SystemExit(0)",
            "NAME cannot be imported (SystemExit: 0); "
            "install it where tokenlint runs, or correct its name",
        ),
        (
            "def tokenlint_rules(): return []",
            "NAME has no hook; put @tokenlint.plugins.hookimpl on its tokenlint_rules or "
            "tokenlint_load_tokenizer",
        ),
        (
            HEADER + "@hookimpl\ndef tokenlint_reports(): ...",
            "NAME does not fit the hooks: PluginValidationError: unknown hook "
            "'tokenlint_reports' in plugin <module 'NAME' from 'FILE'>",
        ),
        (
            HEADER + "@hookimpl\ndef tokenlint_rules(extra): ...",
            "NAME does not fit the hooks: PluginValidationError: Plugin 'NAME' for hook "
            "'tokenlint_rules'",
        ),
        (
            HEADER + f"{RULES_OF} 1 / 0",
            "tokenlint_rules of NAME failed: ZeroDivisionError: division by zero",
        ),
        (
            HEADER + f"{RULES_OF} None",
            "tokenlint_rules of NAME failed: TypeError: 'NoneType' object is not iterable",
        ),
        (HEADER + f"{RULES_OF} [1]", "NAME brings 1, which is not a tokenlint.rules.Rule"),
        (
            HEADER + f"{RULES_OF} [Rule('TL101', 'mine', '', '', check)]",
            "NAME brings the rule TL101 mine, but a code is two to ten capital letters, which do "
            "not begin with TL, and three digits, such as MC001",
        ),
        (
            HEADER + f"{RULES_OF} [Rule('MC1', 'mine', '', '', check)]",
            "NAME brings the rule MC1 mine, but a code is two to ten capital letters, which do "
            "not begin with TL, and three digits, such as MC001",
        ),
        (
            HEADER + f"{RULES_OF} [Rule('MC001', 'ALL', '', '', check)]",
            "NAME brings the rule MC001 ALL, but a name is small letters and hyphens, such as "
            "no-secrets",
        ),
        (
            HEADER + f"{RULES_OF} [Rule('MC001', 'special-token', '', '', check)]",
            "NAME brings the rule MC001 special-token, but there is TL201 special-token; "
            "rename one",
        ),
        (
            HEADER + f"{RULES_OF} [Rule('MC001', 'a', '', '', check), "
            "Rule('MC001', 'b', '', '', check)]",
            "NAME brings the rule MC001 b, but there is MC001 a; rename one",
        ),
    ],
)
def test_a_module_that_does_not_fit_is_one_sentence(
    source: str, sentence: str, module: Callable[[str], str], run: Run, folder: Path
) -> None:
    name = module(source)
    write({"tokenlint.toml": f'plugins = ["{name}"]', "a.md": "TODO"})
    file = folder.parent / "site" / f"{name}.py"
    said = sentence.replace("NAME", name).replace("FILE", str(file))
    path = Path.cwd() / "tokenlint.toml"
    assert run(*CHECK, "--allow-plugins") == Ran(2, "", f"error: {path}: plugins: {said}\n")


# A rule with a defect


def check_that_ends_with(error: BaseException) -> Rule:
    def check(document: Document, _context: Context) -> Iterator[Finding]:
        yield rule.finding(document.path, "before")
        raise error

    rule = Rule("MC001", "bad", "", "", check)
    return rule


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("wrong\nvery"), "ValueError: wrong"),
        (KeyError("x"), "KeyError: 'x'"),
        (AssertionError(), "AssertionError"),
        (RecursionError("deep"), "RecursionError: deep"),
        (SystemExit(0), "SystemExit: 0"),
    ],
)
def test_a_rule_that_raises_does_not_hide_the_others(error: BaseException, said: str) -> None:
    document = Document("a.md", "cafe\u0301")
    linted = lint(document, [check_that_ends_with(error), decomposed.RULE], Context())
    assert [(found.code, found.message[:6]) for found in linted.findings] == [
        ("MC001", "before"),
        ("TL101", "decomp"),
    ]
    [problem] = linted.problems
    beginning = f"a.md: the rule MC001 bad failed, which is a defect of the rule: {said} "
    assert re.fullmatch(re.escape(beginning) + r"\(test_plugins\.py, line \d+\)", problem)


def test_an_interrupt_passes() -> None:
    with pytest.raises(KeyboardInterrupt):
        lint(Document("a.md", ""), [check_that_ends_with(KeyboardInterrupt())], Context())


def test_a_rule_about_unreadable_files_that_raises() -> None:
    def check(_file: Unreadable) -> Iterator[Finding]:
        raise ValueError("oh")

    file = Unreadable("a.md", "binary", "binary")
    linted = lint(file, [Rule("MC001", "bad", "", "", check_unreadable=check)], Context())
    assert linted.problems[0].startswith("a.md: the rule MC001 bad failed")


@pytest.mark.parametrize(
    ("yielded", "said"),
    [
        ("1", "TypeError: it yields 1 and not a Finding"),
        (
            "Finding(document.path, 0, 0, 'TL101', 'bad', '')",
            "ValueError: it yields a finding of TL101 in a.md",
        ),
        (
            "Finding('b.md', 0, 0, 'MC001', 'bad', '')",
            "ValueError: it yields a finding of MC001 in b.md",
        ),
        (
            "RULE.finding(document.path, '', (2, 1))",
            "ValueError: it yields 2 to 1 in a text of 4 characters",
        ),
        (
            "RULE.finding(document.path, '', (0, 5))",
            "ValueError: it yields 0 to 5 in a text of 4 characters",
        ),
        (
            "RULE.finding(document.path, '', fix=Fix('', (Edit(-1, 0, ''),)))",
            "ValueError: it yields -1 to 0 in a text of 4 characters",
        ),
    ],
)
def test_a_rule_is_held_to_its_own_findings(
    yielded: str, said: str, module: Callable[[str], str], run: Run
) -> None:
    source = (
        "from tokenlint.plugins import hookimpl\n"
        "from tokenlint.rules import Edit, Finding, Fix, Rule\n\n"
        f"def check(document, context):\n    yield {yielded}\n\n"
        "RULE = Rule('MC001', 'bad', '', '', check)\n\n"
        "@hookimpl\ndef tokenlint_rules():\n    return [RULE]\n"
    )
    write({"tokenlint.toml": f'plugins = ["{module(source)}"]', "a.md": "TODO"})
    ran = run(*CHECK, "--allow-plugins", "a.md")
    assert (ran.code, ran.out) == (2, "[]\n")
    problem = f"error: a.md: the rule MC001 bad failed, which is a defect of the rule: {said} ("
    assert ran.err.startswith(problem)


# The page


def test_the_plugin_in_the_documentation(folder: Path) -> None:
    page = (ROOT / "docs" / "plugins.md").read_text("utf-8")
    [source] = blocks(page, "python")
    _, configuration = blocks(page, "toml")
    write(
        {
            "../site/my_company/rules.py": source,
            "tokenlint.toml": configuration,
            "prompts/a.md": "You are Acme Chat.\n",
        }
    )
    environment = {**os.environ, "PYTHONPATH": str(folder.parent / "site"), "NO_COLOR": "1"}
    [console] = blocks(page, "console")
    shown = commands(console)
    assert len(shown) == 3
    for command, output in shown:
        words = [sys.executable, "-m", *command.split()]
        done = subprocess.run(words, capture_output=True, check=False, env=environment)
        assert (done.stdout.decode(), done.stderr) == (output, b"")
    write({"history/a.md": "Acme Chat\n"})
    words = [sys.executable, "-m", "tokenlint", "check", "--allow-plugins", "--fix"]
    done = subprocess.run(words, capture_output=True, check=False, env=environment)
    assert done.returncode == 0
    assert Path("prompts/a.md").read_text() == "You are Acme Assist.\n"
    assert Path("history/a.md").read_text() == "Acme Chat\n"
