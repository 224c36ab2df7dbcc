"""Where a configuration is found, what each of its keys does, and what is said of a wrong one."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from tokenlint.cli import main
from tokenlint.config import Config, Configs, load_config, read_config
from tokenlint.errors import ConfigError
from tokenlint.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

NFD_TEXT = "cafe\u0301\n"
MARKER = "<|im_start|>\n"
NFD_NAME = "cafe\u0301.md"
NFC_NAME = "caf\u00e9.md"


@dataclass(frozen=True)
class Ran:
    """What a run came to."""

    code: int
    out: str
    err: str

    @property
    def findings(self) -> list[tuple[str, str]]:
        """Path and code of each finding of a JSON report."""
        return [(found["filename"], found["code"]) for found in json.loads(self.out)]


class Run(Protocol):
    def __call__(self, command: str, *arguments: str) -> Ran:
        """Run a command, with its report in JSON."""


pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line, its findings in JSON."""

    def run(command: str, *arguments: str) -> Ran:
        code = main([command, "--output-format", "json", *arguments])
        return Ran(code, *capsys.readouterr())

    return run


def write(files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def codes(config: Config) -> set[str]:
    return {rule.code for rule in config.rules}


DEFAULT = {rule.code for rule in RULES if rule.default}
ALL = {rule.code for rule in RULES}
TL1 = {code for code in ALL if code.startswith("TL1")}


# Where it is found


def limit(number: int, table: str = "") -> str:
    return f"{table}max-file-size = {number}\n"


PYPROJECT = "[tool.tokenlint]\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, Config.DEFAULT.max_file_size),
        ({"tokenlint.toml": limit(1)}, 1),
        ({".tokenlint.toml": limit(2)}, 2),
        ({"pyproject.toml": limit(3, PYPROJECT)}, 3),
        ({"tokenlint.toml": limit(1), ".tokenlint.toml": limit(2)}, 1),
        ({".tokenlint.toml": limit(2), "pyproject.toml": limit(3, PYPROJECT)}, 2),
        ({"tokenlint.toml": "", "pyproject.toml": limit(3, PYPROJECT)}, 50_000_000),
        ({"../tokenlint.toml": limit(4)}, 4),
        ({"../tokenlint.toml": limit(4), "pyproject.toml": limit(3, PYPROJECT)}, 3),
        ({"../tokenlint.toml": limit(4), "pyproject.toml": "[project]\nname = 'a'\n"}, 4),
        ({"../tokenlint.toml": limit(4), "pyproject.toml": "# tokenlint\n[tool.other]\n"}, 4),
        ({"../tokenlint.toml": limit(4), "pyproject.toml": "# tokenlint\ntool = 3\n"}, 4),
        ({"../tokenlint.toml": limit(4), "pyproject.toml": "not TOML"}, 4),
        ({"../tokenlint.toml": limit(4), "pyproject.toml/x": ""}, 4),
        ({"pyproject.toml": PYPROJECT, "../tokenlint.toml": limit(4)}, 50_000_000),
    ],
    ids=repr,
)
def test_the_nearest_file_holds(
    folder: Path, monkeypatch: pytest.MonkeyPatch, files: Mapping[str, str], expected: int
) -> None:
    (folder / "here").mkdir()
    monkeypatch.chdir("here")
    write(files)
    assert load_config(folder / "here").max_file_size == expected


def test_each_file_has_the_configuration_nearest_to_it(run: Run) -> None:
    write({
        "tokenlint.toml": 'ignore = ["TL101"]\n',
        "a.md": NFD_TEXT,
        "sub/deep/b.md": NFD_TEXT,
        "sub/deep/tokenlint.toml": 'select = ["TL101"]\n',
        "sub/deep/er/c.md": NFD_TEXT,
    })  # fmt: skip
    assert run("check").findings == [("sub/deep/b.md", "TL101"), ("sub/deep/er/c.md", "TL101")]
    assert run("check", "a.md", "sub/deep/b.md").findings == [("sub/deep/b.md", "TL101")]


def test_folders_share_one_configuration(folder: Path) -> None:
    configs = Configs(folder)
    assert configs.for_folder(folder / "a" / "b") is configs.for_folder(folder / "c")
    assert configs.for_folder(folder).root == folder


def test_a_path_deeper_than_python_recurses(folder: Path) -> None:
    assert load_config(folder / ("d/" * 1200)).path is None


def test_a_folder_where_nobody_may_look(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> os.stat_result:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "stat", refuse)
    assert load_config(folder).path is None


def test_a_file_that_is_named_holds_everywhere_from_the_working_folder_on(run: Run) -> None:
    write({
        "conf/x.toml": 'exclude = ["sub/b.md"]\nselect = ["TL101"]\n',
        "a.md": NFD_TEXT + MARKER,
        "sub/b.md": NFD_TEXT,
        "sub/c.md": NFD_TEXT,
        "sub/tokenlint.toml": 'ignore = ["ALL"]\n',
    })  # fmt: skip
    ran = run("check", "--config", "conf/x.toml")
    assert ran.findings == [("a.md", "TL101"), ("sub/c.md", "TL101")]


def test_isolated_reads_no_file(run: Run) -> None:
    write({"tokenlint.toml": "wrong = 1\n", "a.md": NFD_TEXT})
    assert run("check", "--isolated").findings == [("a.md", "TL101")]


@pytest.mark.parametrize(
    ("files", "arguments", "sentence"),
    [
        ({}, ["--config", "no.toml"], "no.toml: No such file or directory"),
        ({"d/x": ""}, ["--config", "d"], "d: Is a directory"),
        (
            {"pyproject.toml": "[project]\n"},
            ["--config", "pyproject.toml"],
            "pyproject.toml: has no [tool.tokenlint] table",
        ),
        (
            {"x.toml": ""},
            ["--config", "x.toml", "--isolated"],
            "--config names a file and --isolated wants none; leave one out",
        ),
    ],
)
def test_a_file_that_is_named_and_cannot_be_used(
    run: Run, files: Mapping[str, str], arguments: list[str], sentence: str
) -> None:
    write({**files, "a.md": NFD_TEXT})
    assert run("check", *arguments) == Ran(2, "", f"error: {sentence}\n")


@pytest.mark.parametrize("name", ["tokenlint.toml", ".tokenlint.toml"])
def test_a_link_that_leads_nowhere_is_no_missing_file(run: Run, folder: Path, name: str) -> None:
    write({"sub/a.md": NFD_TEXT})
    (folder / name).symlink_to("gone.toml")
    sentence = "a symbolic link to a file that does not exist; correct or remove it"
    assert run("check", "sub") == Ran(2, "", f"error: {folder}/{name}: {sentence}\n")


# What each key does, set alone


def test_tokenizers(run: Run) -> None:
    write({"tokenlint.toml": 'tokenizers = ["cl100k_base", "gpt-4o", "cl100k_base"]\n'})
    write({"a.md": "Ti\u1ebfng Vi\u1ec7t\n"})
    counted = json.loads(run("count", "a.md").out)
    assert counted["total"]["tokens"] == {"cl100k_base": 7, "gpt-4o": 4}


def test_tokenizer_tables(run: Run) -> None:
    table = '[tokenizer.mine]\nsource = "o200k_base"\n'
    write({"tokenlint.toml": f'tokenizers = ["mine"]\n{table}', "a.md": "Ti\u1ebfng Vi\u1ec7t"})
    assert json.loads(run("count", "a.md").out)["total"]["tokens"] == {"mine": 3}


def test_a_tokenizer_file_starts_at_the_file_that_names_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"conf/x.toml": 'tokenizers = ["./no.json"]\n', "a.md": "x", "here/b.md": "x"})
    monkeypatch.chdir("here")
    ran = run("count", "--config", "../conf/x.toml")
    assert ran.code == 2
    assert "conf/no.json: No such file or directory; no tokenizer there\n" in ran.err


def test_select(run: Run) -> None:
    write({"tokenlint.toml": 'select = ["special-token"]\n', "a.md": NFD_TEXT + MARKER})
    assert run("check").findings == [("a.md", "TL201")]


def test_extend_select(run: Run) -> None:
    write({"tokenlint.toml": 'extend-select = ["TL102"]\n', "a.md": "\u212b " + NFD_TEXT})
    assert run("check").findings == [("a.md", "TL102"), ("a.md", "TL101")]


def test_ignore(run: Run) -> None:
    write({"tokenlint.toml": 'ignore = ["TL1"]\n', "a.md": NFD_TEXT + MARKER})
    assert run("check").findings == [("a.md", "TL201")]


@pytest.mark.parametrize(
    ("pattern", "kept"),
    [
        ("docs/a.md", ["b.md", "docs/b.md"]),
        ("docs", ["b.md"]),
        ("docs/**", ["b.md"]),
        ("b.md", ["docs/a.md"]),
        ("/b.md", ["docs/a.md", "docs/b.md"]),
        ("*.md", []),
        ("!docs/**", ["docs/a.md", "docs/b.md"]),
    ],
)
def test_per_file_ignores(run: Run, pattern: str, kept: list[str]) -> None:
    write({"tokenlint.toml": f'[per-file-ignores]\n"{pattern}" = ["special-token"]\n'})
    write(dict.fromkeys(("docs/a.md", "docs/b.md", "b.md"), MARKER))
    assert run("check").findings == [(path, "TL201") for path in kept]


def test_per_file_ignores_take_out_only_their_rules(run: Run) -> None:
    write({"tokenlint.toml": '[per-file-ignores]\n"a.md" = ["TL2"]\n"*" = ["TL102"]\n'})
    write({"a.md": NFD_TEXT + MARKER})
    assert run("check").findings == [("a.md", "TL101")]


@pytest.mark.parametrize("written", [NFC_NAME, NFD_NAME])
def test_per_file_ignores_match_a_name_in_either_form(run: Run, written: str) -> None:
    write({"tokenlint.toml": f'[per-file-ignores]\n"p/{written}" = ["special-token"]\n'})
    write({f"p/{NFD_NAME}": MARKER, f"p/{NFC_NAME}": MARKER})
    assert run("check", "--select", "TL201,TL103").findings == [(f"p/{NFD_NAME}", "TL103")]
    # Both are linted, and nothing is renamed.
    ran = run("check", "--select", "TL201", "--config", os.devnull, "--fix")
    assert ran.findings == [(f"p/{NFD_NAME}", "TL201"), (f"p/{NFC_NAME}", "TL201")]
    assert sorted(path.name for path in Path("p").iterdir()) == [NFD_NAME, NFC_NAME]


def test_exclude(run: Run) -> None:
    write({"tokenlint.toml": 'exclude = ["docs"]\n', "docs/a.md": MARKER, "build/b.md": MARKER})
    assert run("check").findings == [("build/b.md", "TL201")]


def test_extend_exclude(run: Run) -> None:
    write({"tokenlint.toml": 'extend-exclude = ["docs"]\n', "docs/a.md": MARKER})
    write({"build/b.md": MARKER, "c.md": MARKER})
    assert run("check").findings == [("c.md", "TL201")]


def test_force_exclude(run: Run) -> None:
    write({"tokenlint.toml": "force-exclude = true\n", "build/a.md": MARKER})
    assert run("check", "build/a.md").findings == []
    assert run("check", "build/a.md", "--no-force-exclude").findings == [("build/a.md", "TL201")]


def test_respect_gitignore(run: Run) -> None:
    write({"tokenlint.toml": "respect-gitignore = false\n", ".gitignore": "a.md\n", "a.md": MARKER})
    assert run("check").findings == [("a.md", "TL201")]
    assert run("check", "--respect-gitignore").findings == []


def test_inline_directives(run: Run) -> None:
    write({"tokenlint.toml": "inline-directives = false\n"})
    write({"a.md": f"{MARKER[:-1]} tokenlint: ignore[TL201]\n"})
    assert run("check").findings == [("a.md", "TL201")]
    assert run("check", "--isolated").findings == []


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ('level = "high"', {"<|im_start|>"}),
        ('level = "low"', {"<|im_start|>", "<s>"}),
        ('families = ["llama3"]', set()),
        ('families = ["chatml"]', {"<|im_start|>", "<s>"}),
        ('extra = ["<<MINE>>"]', {"<|im_start|>", "<<MINE>>"}),
    ],
)
def test_special_tokens(run: Run, table: str, found: set[str]) -> None:
    strings = ("<|im_start|>", "<s>", "<<MINE>>")
    write({"tokenlint.toml": f"[special-tokens]\n{table}\n"})
    write({"a.txt": "".join(f"say {text} here\n" for text in strings)})
    report = json.loads(run("check", "a.txt", "--select", "TL201").out)
    assert {strings[finding["location"]["row"] - 1] for finding in report} == found


def test_budgets(run: Run) -> None:
    write({"tokenlint.toml": '[[budgets]]\nfiles = ["a.md"]\nmax-bytes = 3\n', "a.md": "four"})
    assert run("check", "a.md").findings == [("a.md", "TL301")]


def test_warn_at(run: Run) -> None:
    budget = '[[budgets]]\nfiles = ["a.md"]\nmax-bytes = 10\n'
    write({"tokenlint.toml": f"warn-at = 0.5\n{budget}", "a.md": "12345"})
    assert run("check", "a.md").findings == [("a.md", "TL301")]
    write({"tokenlint.toml": budget})
    assert run("check", "a.md").findings == []


def test_max_file_size(run: Run) -> None:
    write({"tokenlint.toml": "max-file-size = 16\n", "a.md": MARKER + "x" * 4})
    assert run("check", "a.md") == Ran(
        2, "[]\n", "error: a.md: 17 bytes, over the size limit of 16 (max-file-size)\n"
    )
    write({"a.md": MARKER + "x" * 3})
    assert run("check", "a.md").findings == [("a.md", "TL201")]


def characters(run: Run) -> int:
    total = json.loads(run("count", "a.md").out)["total"]["characters"]
    assert isinstance(total, int)
    return total


def test_newlines(run: Run) -> None:
    write({"tokenlint.toml": "", "a.md": "a\r\nb\r\n"})
    assert characters(run) == 4
    write({"tokenlint.toml": 'newlines = "as-is"\n'})
    assert characters(run) == 6


def test_count_bom(run: Run) -> None:
    write({"tokenlint.toml": "", "a.md": "\ufeff\ufeffa"})
    assert characters(run) == 2
    write({"tokenlint.toml": "count-bom = true\n"})
    assert characters(run) == 3


# Default, then the file, then the command line


def test_the_command_line_goes_before_the_file_and_the_file_before_the_default(run: Run) -> None:
    write({"a.md": "Ti\u1ebfng Vi\u1ec7t\n"})

    def tokens(*arguments: str) -> object:
        return json.loads(run("count", "a.md", *arguments).out)["total"]["tokens"]

    assert tokens() == {"o200k_base": 4}
    write({"tokenlint.toml": 'tokenizers = ["cl100k_base"]\n'})
    assert tokens() == {"cl100k_base": 7}
    assert tokens("-t", "o200k_base", "-t", "o200k_base") == {"o200k_base": 4}


@pytest.mark.parametrize(
    ("file", "line", "expected"),
    [
        ({}, {}, DEFAULT),
        ({"select": ()}, {}, set()),
        ({"select": ("ALL",)}, {}, ALL),
        ({"select": ("TL",)}, {}, ALL),
        ({"select": ("TL101", "special-token")}, {}, {"TL101", "TL201"}),
        ({"ignore": ("ALL",)}, {}, set()),
        ({"ignore": ("TL101",)}, {}, DEFAULT - {"TL101"}),
        ({"extend_select": ("TL102",)}, {}, DEFAULT | {"TL102"}),
        # The closer word holds, and of two alike the one that ignores.
        ({"select": ("TL1",), "ignore": ("TL101",)}, {}, TL1 - {"TL101"}),
        ({"select": ("TL101",), "ignore": ("TL1",)}, {}, {"TL101"}),
        ({"select": ("decomposed",), "ignore": ("TL1",)}, {}, {"TL101"}),
        ({"select": ("TL101",), "ignore": ("decomposed",)}, {}, set()),
        ({"select": ("ALL",), "ignore": ("ALL",)}, {}, set()),
        ({"extend_select": ("TL1",), "ignore": ("TL101",)}, {}, (DEFAULT | TL1) - {"TL101"}),
        ({"extend_select": ("TL102",), "ignore": ("TL1",)}, {}, (DEFAULT - TL1) | {"TL102"}),
        # The command line is said on top of the file ...
        ({"ignore": ("TL201",)}, {"ignore": ("TL101",)}, DEFAULT - {"TL101", "TL201"}),
        ({"select": ("TL101", "TL201")}, {"ignore": ("TL1",)}, {"TL201"}),
        ({"select": ("TL201",)}, {"extend_select": ("TL102",)}, {"TL102", "TL201"}),
        ({"ignore": ("TL101",)}, {"extend_select": ("TL1",)}, DEFAULT | TL1),
        ({"extend_select": ("TL102",)}, {"ignore": ("TL102",)}, DEFAULT),
        # ... and a select there forgets the file.
        ({"ignore": ("TL101",)}, {"select": ("TL1",)}, TL1),
        ({"extend_select": ("TL201",)}, {"select": ("TL101",)}, {"TL101"}),
        ({"select": ("TL2",)}, {"select": ("TL1",), "ignore": ("TL102",)}, TL1 - {"TL102"}),
        ({"ignore": ("TL101",)}, {"select": None, "ignore": None}, DEFAULT - {"TL101"}),
    ],
)
def test_selection(
    file: Mapping[str, object], line: Mapping[str, object], expected: set[str]
) -> None:
    assert codes(Config().apply(file).apply(line)) == expected


def test_selection_on_the_command_line(run: Run) -> None:
    write({"tokenlint.toml": 'select = ["TL101"]\nignore = ["TL201"]\n', "a.md": NFD_TEXT + MARKER})
    assert run("check").findings == [("a.md", "TL101")]
    assert run("check", "--ignore", "TL1").findings == []
    assert run("check", "--select", "TL2").findings == [("a.md", "TL201")]
    assert len(run("check", "--extend-select", "special-token,TL102").findings) == 2


def test_a_configuration_says_nothing_by_default() -> None:
    assert Config().apply(dict.fromkeys(["select", "ignore", "exclude", "tokenizers"])) == Config()


# What is said of a wrong one

WRONG_KEYS = [
    ("selct = []", "selct: unknown key; did you mean select?"),
    ("per_file_ignores = {}", "per_file_ignores: unknown key; did you mean per-file-ignores?"),
    ("[special-tokens]\nlevl = 'high'", "special-tokens.levl: unknown key; did you mean level?"),
    (
        "[[budgets]]\nfiles = ['a']\nmax_tokens = 1",
        "budgets[0].max_tokens: unknown key; did you mean max-tokens?",
    ),
    ("[tokenizer.x]\nsorce = 'a'", 'tokenizer."x".sorce: unknown key; did you mean source?'),
]

WRONG_TYPES = [
    ("tokenizers = 'gpt-4o'", "tokenizers: expected a list of strings, found a string"),
    ("tokenizers = []", "tokenizers: is an empty list; name at least one"),
    (
        "tokenizer = 'x/y'",
        'tokenizer: expected tables; to choose a tokenizer write tokenizers = ["x/y"]',
    ),
    ("tokenizer = 3", "tokenizer: expected a table, found a number"),
    (
        "tokenizer.x = 'y'",
        'tokenizer."x": expected a table with a source; a list of names is "tokenizers"',
    ),
    (
        "[tokenizer.x]",
        'tokenizer."x": has no source: name an encoding, a file or a hub repository',
    ),
    (
        "[tokenizer.x]\nsource = 'a'\nspecial-tokens = {a = -1}",
        'tokenizer."x".special-tokens."a": expected a whole number that is not negative, found -1',
    ),
    ("select = 'TL1'", "select: expected a list of strings, found a string"),
    ("ignore = [101]", "ignore: expected a list of strings, found a number in it"),
    ("per-file-ignores = []", "per-file-ignores: expected a table, found a list"),
    (
        "per-file-ignores = {'*.md' = 'TL1'}",
        'per-file-ignores."*.md": expected a list of strings, found a string',
    ),
    (
        "per-file-ignores = {'!' = ['TL1']}",
        "per-file-ignores: '!' is not a pattern that any path matches",
    ),
    ("exclude = ['a\\']", "exclude: 'a\\\\' is not a pattern that any path matches"),
    ("extend-exclude = ['[a']", "extend-exclude: '[a' is not a pattern that any path matches"),
    ("force-exclude = 1", "force-exclude: expected true or false, found a number"),
    ("respect-gitignore = 'yes'", "respect-gitignore: expected true or false, found a string"),
    ("inline-directives = []", "inline-directives: expected true or false, found a list"),
    ("special-tokens = 'high'", "special-tokens: expected a table, found a string"),
    (
        "special-tokens.level = 'medum'",
        "special-tokens.level: expected one of high, medium, low, found 'medum'",
    ),
    (
        "[budgets]\nfiles = ['a']\nmax-tokens = 1",
        "budgets: expected a list, found a table; for a list of tables write [[budgets]]",
    ),
    (
        "[[budgets]]\nmax-tokens = 1",
        'budgets[0]: has no files: name them, for example files = ["prompts/**/*.md"]',
    ),
    (
        "[[budgets]]\nfiles = ['a']",
        "budgets[0]: has no limit: give max-tokens, max-total or another max- key",
    ),
    (
        "[[budgets]]\nfiles = 'a'\nmax-tokens = 1",
        "budgets[0].files: expected a list of strings, found a string",
    ),
    (
        "[[budgets]]\nfiles = ['']\nmax-tokens = 1",
        "budgets[0].files: '' is not a pattern that any path matches",
    ),
    (
        "[[budgets]]\nfiles = ['a']\nmax-tokens = 0",
        "budgets[0].max-tokens: expected a whole number above 0, found 0",
    ),
    (
        "[[budgets]]\nfiles = ['a']\nmax-tokens = 1.5",
        "budgets[0].max-tokens: expected a whole number that is not negative, found 1.5",
    ),
    (
        "[[budgets]]\nfiles = ['a']\nmax-fertility = 0",
        "budgets[0].max-fertility: expected a number above 0, found 0",
    ),
    (
        "[[budgets]]\nfiles = ['a']\nmax-tokens = 1\nwarn-at = 90",
        "budgets[0].warn-at: expected a share of at most 1 (0.9 is 90 %), found 90",
    ),
    ("warn-at = '90 %'", "warn-at: expected a number above 0, found a string"),
    (
        "max-file-size = '1 MB'",
        "max-file-size: expected a whole number that is not negative, found a string",
    ),
    ("newlines = 'crlf'", "newlines: expected one of lf, as-is, found 'crlf'"),
    ("count-bom = 'no'", "count-bom: expected true or false, found a string"),
]


@pytest.mark.parametrize(("content", "sentence"), WRONG_KEYS + WRONG_TYPES)
def test_a_wrong_key_or_type_is_named(run: Run, content: str, sentence: str) -> None:
    write({"tokenlint.toml": f"{content}\n", "a.md": MARKER})
    path = Path("tokenlint.toml").absolute()
    assert run("check") == Ran(2, "", f"error: {path}: {sentence}\n")
    assert run("count") == Ran(2, "", f"error: {path}: {sentence}\n")


def test_a_key_of_pyproject_is_named_with_its_table(run: Run) -> None:
    path = Path("pyproject.toml").absolute()
    write({"pyproject.toml": "[tool.tokenlint]\nselct = []\n"})
    sentence = "selct: unknown key; did you mean select?"
    assert run("check") == Ran(2, "", f"error: {path}: [tool.tokenlint] {sentence}\n")
    write({"pyproject.toml": "[tool]\ntokenlint = 3\n"})
    sentence = "expected a table, found a number"
    assert run("check") == Ran(2, "", f"error: {path}: [tool.tokenlint] {sentence}\n")


def test_a_table_of_pyproject_in_another_file(run: Run) -> None:
    write({"tokenlint.toml": '[tool.tokenlint]\nselect = ["TL101"]\n', "a.md": MARKER})
    ran = run("check")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(
        "tokenlint.toml: tool: unknown key; in tokenlint.toml the keys stand at the top level, "
        "without tool.tokenlint\n"
    )


def test_a_key_that_looks_like_nothing_lists_the_keys(run: Run) -> None:
    write({"tokenlint.toml": "zzz = 1\n"})
    ran = run("check")
    assert ran.code == 2
    assert "zzz: unknown key; known keys: baseline, budgets, calls, count-bom, diff, " in ran.err


@pytest.mark.parametrize(
    ("word", "meant"),
    [("tl101", "TL101"), ("special-tokn", "special-token"), ("Decomposed", "decomposed")],
)
def test_a_rule_that_is_nearly_right(run: Run, word: str, meant: str) -> None:
    ran = run("check", "--isolated", "--select", word)
    assert ran.code == 2
    assert ran.err == f"error: --select: unknown rule '{word}'; did you mean {meant}?\n"


@pytest.mark.parametrize("key", ["select", "extend-select", "ignore"])
@pytest.mark.parametrize("word", ["TL999", "T", "", "nfd", "E501"])
def test_an_unknown_rule_is_named(run: Run, key: str, word: str) -> None:
    write({"tokenlint.toml": f'{key} = ["TL101", "{word}"]\n', "a.md": MARKER})
    ran = run("check")
    assert (ran.code, ran.out) == (2, "")
    assert f"tokenlint.toml: {key}: unknown rule '{word}'; the rules are TL101 " in ran.err
    if word:
        ran = run("check", "--isolated", f"--{key}", word)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"error: --{key}: unknown rule '{word}'; the rules are TL101 ")


def test_an_unknown_rule_in_per_file_ignores_is_named(run: Run) -> None:
    write({"tokenlint.toml": '[per-file-ignores]\n"*.md" = ["TL999"]\n'})
    ran = run("check")
    assert ran.code == 2
    assert "per-file-ignores.\"*.md\": unknown rule 'TL999'; the rules are " in ran.err


def test_an_unknown_family_is_named(run: Run) -> None:
    write({"tokenlint.toml": '[special-tokens]\nfamilies = ["chatml", "lama3"]\n'})
    ran = run("check")
    assert ran.code == 2
    assert "special-tokens.families: " in ran.err
    assert "lama3" in ran.err
    assert "llama3" in ran.err


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"a = 1\nb = \n", "not valid TOML: Invalid value (at line 2, column 5)"),
        (b"a = 1\na = 2\n", "not valid TOML: Cannot overwrite a value (at line 2, column 6)"),
        (b"select = [\n", "not valid TOML: Invalid value (at end of document)"),
        (b"# caf\xe9\n", "not UTF-8 (byte 0xe9 at offset 5), as TOML has to be"),
        ("a = 1\n".encode("utf-16"), "not UTF-8 (byte 0xff at offset 0), as TOML has to be"),
    ],
)
def test_a_file_that_is_no_toml(run: Run, content: bytes, sentence: str) -> None:
    write({"tokenlint.toml": content})
    path = Path("tokenlint.toml").absolute()
    ran = run("check")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"error: {path}: {sentence}\n"


def test_toml_that_is_nested_too_deeply(run: Run) -> None:
    write({"tokenlint.toml": "a = " + "[" * 5000})
    ran = run("check")
    assert ran.code == 2
    assert "tokenlint.toml: not valid TOML: " in ran.err


def test_a_byte_order_mark_and_windows_line_endings_do_no_harm(run: Run) -> None:
    write({"tokenlint.toml": "\ufeffselect = [\r\n'TL101']\r\n", "a.md": NFD_TEXT + MARKER})
    assert run("check").findings == [("a.md", "TL101")]


def test_a_file_without_permission(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"tokenlint.toml": ""})

    def refuse(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    path = folder / "tokenlint.toml"
    assert run("check") == Ran(2, "", f"error: {path}: Permission denied\n")
    with pytest.raises(ConfigError):
        read_config(path)


def test_an_unknown_tokenizer_leaves_the_other_rules_at_work(run: Run) -> None:
    budget = '[[budgets]]\nfiles = ["a.md"]\nmax-tokens = 5\n'
    write({"tokenlint.toml": f'tokenizers = ["gpt-99"]\n{budget}', "a.md": NFD_TEXT + MARKER})
    ran = run("check", "a.md")
    assert (ran.code, ran.findings) == (2, [("a.md", "TL101"), ("a.md", "TL201")])
    assert ran.err.startswith("error: unknown tokenizer 'gpt-99': use an encoding (")
    assert ran.err.count("\n") == 1


def test_the_configuration_that_a_plugin_asks_for(folder: Path) -> None:
    write({"tokenlint.toml": 'exclude = ["b.md"]\n', "a.md": "", "b.md": "", "sub/c.md": ""})
    write({"sub/tokenlint.toml": ""})
    config = load_config(folder)
    names = ["a.md", "sub/c.md", "sub/tokenlint.toml", "tokenlint.toml"]
    assert [path.relative_to(folder).as_posix() for path in config.files()] == names
    assert config.limits().entries == ()
