"""`count` and `diff` with models and calls: what they say, and that nobody else pays for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from tokenlint.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

LONG, SHORT = "Answer in one line, and say what you do not know.\n", "Hello.\n"
GONE = "Be brief, be exact.\n"
MINE = """
[prices.mine]
input = 2.5
cached-input = 0.25
context = 1000
tokenizer = "cl100k_base"
date = "2026-11-01"
"""
PRICE = (
    "mine: $2.50 (cached $0.25) for a million input tokens; price of the configuration of "
    "2026-11-01."
)
CACHED = "cached: where all of it is read from the provider's cache."


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


@pytest.fixture
def prompts(folder: Path) -> Path:
    write(folder, {"a.md": LONG, "b.md": SHORT, "tokenlint.toml": MINE})
    return folder


def test_nobody_asked(prompts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "a.md", "b.md"]) == 0
    assert "$" not in capsys.readouterr().out
    assert main(["count", "a.md", "--output-format", "json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"files", "total"}


def test_count_shows_what_files_cost(prompts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "a.md", "b.md", "--model", "mine", "--calls", "1_000"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "file   bytes  characters  words  o200k_base",
        "a.md      50          50     11          13",
        "b.md       7           7      1           2",
        "total     57          57     12          15",
        "",
        "file   model  tokens    cost   cached  of context  counted with",
        "a.md   mine       13  $0.033  $0.0033       1.3 %  cl100k_base",
        "b.md   mine        2  $0.005  $0.0005       0.2 %  cl100k_base",
        "total  mine       15  $0.038  $0.0038           -  cl100k_base",
        "",
        "Input of 1,000 calls of each file, sent by itself; output is left out.",
        CACHED,
        PRICE,
    ]


def test_the_configuration_can_ask(prompts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(prompts, {"tokenlint.toml": f'models = ["mine"]\ncalls = 1000\n{MINE}'})
    assert main(["count", "a.md", "--output-format", "json"]) == 0
    cost = json.loads(capsys.readouterr().out)["cost"]
    assert cost["models"][0]["total"]["after"]["cost"] == "0.0325"
    assert main(["count", "a.md", "--calls", "2000", "--output-format", "json"]) == 0
    cost = json.loads(capsys.readouterr().out)["cost"]
    assert (cost["calls"], cost["models"][0]["total"]["after"]["cost"]) == (2000, "0.065")


@pytest.mark.parametrize(
    ("configuration", "arguments", "sentence"),
    [
        (
            MINE,
            ["--model", "mine"],
            "mine has a price, but for how many calls? Say --calls N, or calls = N in the "
            "configuration: no volume is made up",
        ),
        (
            MINE,
            ["--calls", "7"],
            "7 calls of which model? Say --model NAME, or models = [NAME] in the "
            "configuration: no model is made up",
        ),
        (
            'models = ["gpt-5"]',
            [],
            "gpt-5 has a price, but for how many calls? Say --calls N, or calls = N in the "
            "configuration: no volume is made up",
        ),
        (
            MINE,
            ["--chat", "--model", "mine", "--calls", "7"],
            "--chat shows requests, not money; leave out --model and --calls",
        ),
        ('[prices.m]\ncurrency = "EUR"', [], None),
    ],
)
def test_half_a_question(
    prompts: Path,
    capsys: pytest.CaptureFixture[str],
    configuration: str,
    arguments: list[str],
    sentence: str | None,
) -> None:
    write(prompts, {"tokenlint.toml": configuration})
    assert main(["count", "a.md", *arguments]) == 2
    told = capsys.readouterr()
    sentence = sentence or (
        f'{prompts}/tokenlint.toml: prices."m": has currency but no input: what a million input '
        "tokens cost"
    )
    assert (told.out, told.err) == ("", f"error: {sentence}\n")


@pytest.mark.parametrize("calls", ["0", "-1", "1.5", "1e3", "", "\u0663", "9" * 20, "_"])
def test_calls_that_are_no_number(
    prompts: Path, capsys: pytest.CaptureFixture[str], calls: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["count", "a.md", "--model", "mine", f"--calls={calls}"])
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert f"argument --calls: expected a whole number above 0, found {calls!r}" in error


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_format_without_a_place_for_money_says_so(
    prompts: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    asked = ["count", "a.md", "--output-format", form]
    assert main(asked) == 0
    plain = capsys.readouterr()
    assert main([*asked, "--model", "mine", "--calls", "1"]) == 0
    told = capsys.readouterr()
    assert told.out == plain.out
    assert told.err == (
        f"note: {form} has no place for what the files cost; table, markdown and json tell it\n"
    )


def test_what_is_left_out_of_the_rows_is_in_the_sum(
    prompts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["count", ".", "--sort", "tokens", "--top", "1", "--model", "mine", "--calls", "1"]
    assert main([*asked, "--output-format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    model = report["cost"]["models"][0]
    assert [file["path"] for file in model["files"]] == [report["files"][0]["path"]]
    assert model["total"]["after"]["tokens"] > model["files"][0]["after"]["tokens"]


def test_markdown(prompts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["count", "a.md", "--model", "mine", "--calls", "1000", "--output-format", "markdown"]
    assert main(asked) == 0
    assert "| `a.md` | mine | 13 | $0.033 | $0.0033 | 1.3 % | cl100k" in capsys.readouterr().out


def test_the_tokens_are_those_of_the_model_whatever_is_configured(
    prompts: Path,
    capsys: pytest.CaptureFixture[str],
    official_count: Callable[[str, str], int],
) -> None:
    text = "Tất nhiên, tôi sẽ giúp bạn.\n"
    write(prompts, {"vi.md": text})
    asked = ["count", "vi.md", "-t", "cl100k_base", "--output-format", "json", "--calls", "1000000"]
    assert main([*asked, "--model", "gpt-4o", "--model", "gpt-4"]) == 0
    models = {
        model["model"]: (model["tokenizer"], model["total"]["after"]["tokens"], model)
        for model in json.loads(capsys.readouterr().out)["cost"]["models"]
    }
    for name, tokenizer in (("gpt-4o", "o200k_base"), ("gpt-4", "cl100k_base")):
        counted = official_count(tokenizer, text)
        assert models[name][:2] == (tokenizer, counted)
        price = Decimal(models[name][2]["input"]["per_million"])
        assert Decimal(models[name][2]["total"]["after"]["cost"]) == counted * price


def git(folder: Path, *arguments: str) -> None:
    env = {
        **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "a"),
        **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@b"),
    }
    subprocess.run(["git", *arguments], cwd=folder, env=env, check=True, capture_output=True)


@pytest.fixture
def changed(prompts: Path) -> Path:
    """A repository in which a file grew, one came and one went since the last commit."""
    write(prompts, {"gone.md": GONE})
    git(prompts, "init", "-q", "-b", "main")
    git(prompts, "add", ".")
    git(prompts, "commit", "-qm", "first")
    (prompts / "gone.md").unlink()
    write(prompts, {"a.md": LONG + LONG, "new.md": SHORT})
    return prompts


def cost_of_diff(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["diff", "HEAD", "--output-format", "json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)["cost"]


def test_diff_says_what_a_change_costs(changed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cost_of_diff(capsys) is None
    cost = cost_of_diff(capsys, "--model", "mine", "--calls", "1000")
    (model,) = cost["models"]
    shown = {
        file["path"]: (file["before"]["cost"], file["after"]["cost"], file["change"])
        for file in model["files"]
    }
    assert shown == {
        "a.md": ("0.0325", "0.065", "0.0325"),
        "new.md": ("0", "0.005", "0.005"),
        "gone.md": ("0.015", "0", "-0.015"),
    }
    assert model["total"]["change"] == "0.0225"


def test_the_comment_of_a_pull_request_begins_with_the_money(
    changed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--model", "mine", "--calls", "1000", "--output-format", "markdown"]
    assert main(["diff", "HEAD", *asked]) == 0
    headline = capsys.readouterr().out.splitlines()[1]
    assert "+2.3 cents on 1,000 calls of `mine`" in headline


def test_nobody_else_pays_for_the_imports(prompts: Path) -> None:
    code = (
        "import sys\n"
        "from tokenlint.cli import main\n"
        "main(sys.argv[1:])\n"
        "print([name for name in ('decimal', 'genai_prices', 'pydantic') if name in sys.modules])\n"
    )
    asked = (["check", "a.md"], ["count", "a.md", "--model", "mine", "--calls", "1"])
    last = [
        subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
        ).stdout.splitlines()[-1]
        for arguments in asked
    ]
    assert last == ["[]", "['decimal']"]
