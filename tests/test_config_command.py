"""`tokenlint config`: the schema accepts what is read, and what holds is shown with its origin."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from console import ROOT, blocks, matches, run
from tokenlint.cli import main
from tokenlint.commands.config import as_toml, plain
from tokenlint.commands.config_schema import build
from tokenlint.config import Config, read_config
from tokenlint.errors import ConfigError
from tokenlint.keys import TABLE, is_known_rule
from tokenlint.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SCHEMA = build(RULES)
VALIDATOR = Draft7Validator(SCHEMA)
WHOLE_PYPROJECT = Draft7Validator(build(RULES, pyproject=True))


def write(files: Mapping[str, str]) -> None:
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8", newline="")


def is_read(text: str, folder: Path) -> bool:
    """Whether a configuration file with this text is accepted."""
    path = folder / "tokenlint.toml"
    path.write_text(text, "utf-8")
    try:
        read_config(path, allow_plugins=False)
    except ConfigError:
        return False
    return True


def nested(schema: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every key of the schema with what it says, those of tables inside included."""
    for key, known in schema.get("properties", {}).items():
        yield f"{where}{key}", known
        yield from nested(known, f"{where}{key}.")
    for inner in ("items", "additionalProperties"):
        if isinstance(schema.get(inner), dict):
            yield from nested(schema[inner], where)


# The schema


def test_it_is_a_schema() -> None:
    Draft7Validator.check_schema(SCHEMA)
    Draft7Validator.check_schema(WHOLE_PYPROJECT.schema)
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(("key", "known"), list(nested(SCHEMA)))
def test_every_key_has_one_sentence(key: str, known: Mapping[str, Any]) -> None:
    sentence = known["description"]
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert len(sentence) < 190


@pytest.mark.parametrize("key", SCHEMA["properties"])
def test_a_default_is_what_holds_when_nothing_is_said(key: str) -> None:
    name = key.replace("-", "_")
    known = SCHEMA["properties"][key]
    if "default" not in known:
        assert getattr(Config.DEFAULT, name) is None
        return
    assert VALIDATOR.is_valid({key: known["default"]})
    assert TABLE("", {key: known["default"]}) == {name: getattr(Config.DEFAULT, name)}


def test_the_configuration_in_the_readme_is_accepted() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    block = next(block for block in blocks(readme, "toml") if "max-file-size" in block)
    said = tomllib.loads(block)
    assert list(WHOLE_PYPROJECT.iter_errors(said)) == []
    said["tool"]["tokenlint"]["colour"] = 1
    assert len(list(WHOLE_PYPROJECT.iter_errors(said))) == 1


@pytest.mark.parametrize("name", ["examples/tokenlint.toml", "pyproject.toml"])
def test_the_configurations_of_this_repository_are_accepted(name: str) -> None:
    said = tomllib.loads((ROOT / name).read_text("utf-8"))
    validator = WHOLE_PYPROJECT if name == "pyproject.toml" else VALIDATOR
    assert list(validator.iter_errors(said)) == []


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("", True),
        ('select = ["ALL", "TL", "TL1", "TL10", "TL101", "decomposed"]', True),
        ('select = ["TL99"]', False),
        ('select = ["T"]', False),
        ('select = ["MC001"]', False),
        ('select = "TL1"', False),
        ('[per-file-ignores]\n"*.md" = ["TL201"]', True),
        ('[per-file-ignores]\n"*.md" = ["x"]', False),
        ('special-tokens.families = ["chatml", "qwen2.5"]', True),
        ('special-tokens.families = "tokenizers"', True),
        ('special-tokens.families = ["gpt-9"]', False),
        ("special-tokens.families = []", False),
        ('special-tokens.tokenizers = ["o200k_base"]', False),
        ('[[budgets]]\nfiles = ["*.md"]\nmax-tokens = 1', True),
        ('[[budgets]]\nfiles = ["*.md"]', False),
        ("[[budgets]]\nfiles = []\nmax-tokens = 1", False),
        ("[[budgets]]\nmax-tokens = 1", False),
        ('[[budgets]]\nfiles = ["*.md"]\nmax-tokens = 0', False),
        ('budgets = { files = ["*.md"], max-tokens = 1 }', False),
        ('[[premiums]]\nfiles = "{language}.md"\nreference = "en.md"\nmax-premium = 1.5', True),
        ('[[premiums]]\nfiles = "{language}.md"\nreference = "en.md"', False),
        ('[tokenizer.mine]\nsource = "o200k_base"', True),
        ("[tokenizer.mine]", False),
        ('tokenizer = "o200k_base"', False),
        ("tokenizers = []", False),
        ("warn-at = 1", True),
        ("warn-at = 1.1", False),
        ("warn-at = true", False),
        ("max-file-size = 0", True),
        ("max-file-size = -1", False),
        ("count-bom = 1", False),
        ('not-nfc = ["singleton"]', True),
        ("not-nfc = []", False),
        ("plugins = []", True),
        ('plugins = ["my-company"]', False),
        ("max_file_size = 1", False),
    ],
)
def test_the_schema_accepts_what_is_read(text: str, accepted: bool, folder: Path) -> None:
    assert is_read(text, folder) is accepted
    assert VALIDATOR.is_valid(tomllib.loads(text)) is accepted


@pytest.mark.parametrize(
    "text",
    [
        'exclude = ["!"]',  # a pattern that no path matches
        '[per-file-ignores]\n"a\\\\" = ["TL101"]',
        '[[premiums]]\nfiles = "a.md"\nreference = "{name}.md"\nmax-premium = 1',
        "max-file-size = 1.0",  # JSON has one kind of number
        "warn-at = nan",  # JSON has no such number
        'plugins = ["my_company"]',  # only the command line can allow it
    ],
)
def test_what_a_schema_cannot_know(text: str, folder: Path) -> None:
    assert not is_read(text, folder)
    assert VALIDATOR.is_valid(tomllib.loads(text))


@given(
    st.sampled_from(["TL", "ALL", "T", "A", "L"]),
    st.sampled_from(["", "0", "1", "10", "101", "9017"]),
)
def test_a_word_is_in_the_schema_where_it_means_a_rule(letters: str, digits: str) -> None:
    word = letters + digits
    assert VALIDATOR.is_valid({"select": [word]}) is is_known_rule(word)


SCALARS = st.one_of(
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from([-0.5, 0.5, 1.5]),
    st.sampled_from(["a", "high", "lf", "TL1", "tokenizers", "owner"]),
)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.dictionaries(st.sampled_from(["a", "files", "level", "source"]), inner, max_size=2),
    ),
    max_leaves=4,
)
WORDS = st.lists(st.sampled_from(["ALL", "TL", "TL2", "TL101", "not-nfc", "TL7", "x"]), max_size=2)
GLOBS = st.lists(st.sampled_from(["a", "*.md", "!b/**"]), max_size=2)
NAMES = st.lists(st.sampled_from(["o200k_base", "gpt-4o"]), max_size=2)
BUDGET = st.fixed_dictionaries(
    {},
    optional={
        "files": GLOBS,
        "max-tokens": st.integers(-1, 2),
        "max-fertility": st.sampled_from([0, 0.5, 2]),
        "tokenizers": NAMES,
        "warn-at": st.sampled_from([0, 0.5, 1, 2]),
        "max-words": st.just(1),
    },
)
PREMIUM = st.fixed_dictionaries(
    {},
    optional={
        "reference": st.just("en/{name}.md"),
        "files": st.just("{language}/{name}.md"),
        "max-premium": st.sampled_from([0, 1.5]),
        "tokenizers": NAMES,
    },
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "tokenizers": NAMES,
    "tokenizer": st.dictionaries(
        st.just("mine"),
        st.fixed_dictionaries(
            {}, optional={"source": st.just("o200k_base"), "special-tokens": st.just({"<a>": 1})}
        ),
        max_size=1,
    ),
    "select": WORDS,
    "ignore": WORDS,
    "per-file-ignores": st.dictionaries(st.sampled_from(["*.md", "!a/"]), WORDS, max_size=2),
    "exclude": GLOBS,
    "special-tokens": st.fixed_dictionaries(
        {},
        optional={
            "level": st.sampled_from(["high", "highest"]),
            "families": st.lists(st.sampled_from(["qwen2.5", "llama", "x"]), max_size=2),
            "extra": st.just(["<<A>>"]),
        },
    ),
    "trust": st.dictionaries(st.just("*.md"), st.sampled_from(["owner", "me"]), max_size=1),
    "budgets": st.lists(BUDGET, max_size=2),
    "premiums": st.lists(PREMIUM, max_size=2),
    "warn-at": st.sampled_from([0, 0.5, 1, 2]),
    "not-nfc": st.lists(st.sampled_from(["singleton", "mark-order", "x"]), max_size=2),
}
CONFIGURATIONS = st.one_of(
    st.fixed_dictionaries({}, optional=VALUES),
    st.dictionaries(
        st.sampled_from([*{*TABLE.schema["properties"]} - {"plugins"}]), JUNK, max_size=1
    ),
    st.sampled_from([*VALUES]).flatmap(lambda key: st.fixed_dictionaries({key: VALUES[key]})),
)


@given(CONFIGURATIONS)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_schema_accepts_exactly_what_is_read(content: dict[str, Any]) -> None:
    try:
        TABLE("", content)
        refused = ""
    except ConfigError as error:
        refused = str(error)
    wrong = [error.message for error in VALIDATOR.iter_errors(content)]
    assert bool(wrong) is bool(refused), (wrong, refused)


@given(CONFIGURATIONS)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_values_are_shown_as_toml(content: dict[str, Any]) -> None:
    text = "\n".join(f"{key} = {as_toml(value)}" for key, value in content.items())
    assert tomllib.loads(text) == content


@given(st.text(), st.text())
def test_any_text_is_shown_as_toml(key: str, value: str) -> None:
    text = f"a = {as_toml({key: [value]})}"
    assert tomllib.loads(text) == {"a": {key: [value]}}


def test_the_schema_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tokenlint.toml").write_text("it is = broken")  # an editor is to help to mend it
    assert main(["config", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == SCHEMA
    assert main(["config", "--schema", "--pyproject", "-o", "schema.json"]) == 0
    assert json.loads((folder / "schema.json").read_text()) == WHOLE_PYPROJECT.schema


# What holds


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["config", "--output-format", "json", *arguments]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def said(answer: Mapping[str, Any]) -> list[tuple[str, Any, str]]:
    """What is not a default."""
    rows = (tuple(row.values()) for row in answer["values"])
    return [row for row in rows if row[2] != "default"]


def test_without_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = shown(capsys)
    assert (answer["path"], answer["file"], answer["folder"]) == (".", None, ".")
    assert answer["rules"] == [rule.code for rule in RULES if rule.default]
    assert [row["key"] for row in answer["values"]] == list(TABLE.schema["properties"])
    assert said(answer) == []
    by_key = {row["key"]: row["value"] for row in answer["values"]}
    assert by_key["select"] is None
    assert by_key["max-file-size"] == 50_000_000
    assert by_key["special-tokens"] == {"extra": []}


TEAM = """\
[tool.tokenlint]
tokenizers = ["o200k_base"]
ignore = ["TL103"]
warn-at = 0.9
exclude = ["old"]
[tool.tokenlint.per-file-ignores]
"*.jinja" = ["TL2"]
[tool.tokenlint.special-tokens]
level = "low"
[tool.tokenlint.tokenizer.mine]
source = "cl100k_base"
[[tool.tokenlint.budgets]]
files = ["*.md"]
max-tokens = 5
"""


def test_the_origin_of_each_value(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write({"pyproject.toml": TEAM})
    options = ["-t", "cl100k_base", "--exclude", "a b", "--no-respect-gitignore"]
    assert said(shown(capsys, "--show", *options)) == [
        ("tokenizers", ["cl100k_base"], "command line"),
        ("tokenizer", {"mine": {"source": "cl100k_base", "special-tokens": {}}}, "file"),
        ("ignore", ["TL103"], "file"),
        ("per-file-ignores", {"*.jinja": ["TL2"]}, "file"),
        ("exclude", ["a", "b"], "command line"),
        ("respect-gitignore", False, "command line"),
        ("special-tokens", {"level": "low", "extra": []}, "file"),
        ("budgets", [{"files": ["*.md"], "max-tokens": 5}], "file"),
        ("warn-at", 0.9, "file"),  # said, although it is the default
    ]


@pytest.mark.parametrize(
    ("options", "rows", "on"),
    [
        ([], [("ignore", ["TL2", "TL4"], "file")], {"TL101", "TL901"}),
        (
            ["--ignore", "TL901"],
            [("ignore", ["TL901"], "command line"), ("ignore", ["TL2", "TL4"], "file")],
            {"TL101"},
        ),
        (
            ["--extend-select", "TL201"],
            [("extend-select", ["TL201"], "command line"), ("ignore", ["TL2", "TL4"], "file")],
            {"TL101", "TL201", "TL901"},
        ),
        (["--select", "TL201"], [("select", ["TL201"], "command line")], {"TL201"}),
        (
            ["--isolated", "--select", "TL4,TL901"],
            [("select", ["TL4", "TL901"], "command line")],
            {"TL401", "TL402", "TL403", "TL404", "TL901"},
        ),
    ],
)
def test_selections_on_top_of_each_other(
    options: list[str],
    rows: list[tuple[str, Any, str]],
    on: set[str],
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write({"tokenlint.toml": 'ignore = ["TL2", "TL4"]\n'})
    answer = shown(capsys, *options)
    assert said(answer) == rows
    some = {"TL101", "TL201", "TL401", "TL402", "TL403", "TL404", "TL901"}
    assert some & {*answer["rules"]} == on


@pytest.mark.parametrize(
    ("path", "file", "top", "excluded", "has_201"),
    [
        (".", "pyproject.toml", ".", False, True),
        ("a.md", "pyproject.toml", ".", False, True),
        ("a.jinja", "pyproject.toml", ".", False, False),
        ("sub", "sub/tokenlint.toml", "sub", False, True),
        ("sub/deep/a.jinja", "sub/tokenlint.toml", "sub", False, True),
        ("old/a.md", "pyproject.toml", ".", True, True),
    ],
)
def test_a_file_or_a_folder(
    path: str,
    file: str,
    top: str,
    excluded: bool,
    has_201: bool,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = ("a.md", "a.jinja", "sub/deep/a.jinja", "old/a.md")
    write({"pyproject.toml": TEAM, "sub/tokenlint.toml": "", **dict.fromkeys(names, "")})
    answer = shown(capsys, path)
    assert (answer["path"], answer["file"], answer["folder"]) == (path, file, top)
    assert answer["excluded"] is excluded
    assert ("TL201" in answer["rules"]) is has_201


def test_a_path_that_does_not_exist(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "a.md"]) == 2
    assert capsys.readouterr().err == "error: a.md: no such file or directory\n"


def test_the_nearest_file_governs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    marker = "<|im_start|>\n"
    write(
        {
            "pyproject.toml": '[tool.tokenlint]\nselect = ["TL201"]\n',
            "a.md": marker,
            "sub/tokenlint.toml": 'select = ["TL1"]\n',
            "sub/b.md": f"cafe\u0301 {marker}",
            "sub/deep/pyproject.toml": "[tool.tokenlint]\n",
            "sub/deep/c.md": f"cafe\u0301 {marker}",
            "sub/other/pyproject.toml": "[project]\n",
            "sub/other/d.md": marker,
        }
    )
    assert main(["check", "--output-format", "json"]) == 1
    found = [(one["filename"], one["code"]) for one in json.loads(capsys.readouterr().out)]
    assert found == [
        ("a.md", "TL201"),
        ("sub/b.md", "TL101"),
        ("sub/deep/c.md", "TL101"),
        ("sub/deep/c.md", "TL201"),
    ]


PAGE = (ROOT / "docs" / "config.md").read_text("utf-8")


@pytest.mark.parametrize("block", blocks(PAGE, "console"))
def test_commands_print_what_the_page_shows(block: str) -> None:
    command, _, output = block.partition("\n")
    assert matches(output, run(command.removeprefix("$ ")))


def test_plain_values_are_those_of_the_file() -> None:
    said = {"budgets": [{"files": ["*.md"], "max-tokens": 5, "warn-at": 0.5}]}
    read = Config().apply(TABLE("", said))
    assert plain(read.budgets, TABLE.schema["properties"]["budgets"]) == said["budgets"]
