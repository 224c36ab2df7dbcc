"""What of a file is the prompt, from configuration and command line to counts and findings."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tokenlint.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class Ran:
    """Exit code, what was printed, and what was said beside it."""

    code: int
    out: str
    said: list[str]

    @property
    def findings(self) -> list[str]:
        """The concise lines of a check."""
        return [line for line in self.out.splitlines() if ": TL" in line]


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ran]:
    """The command in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Ran:
        code = main(arguments)
        out, err = capsys.readouterr()
        return Ran(code, out, err.splitlines())

    return run


def write(files: Mapping[str, str]) -> None:
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())


def counted(ran: Ran) -> dict[str, Any]:
    """The JSON of a count: for each file bytes, characters, words and tokens."""
    assert ran.code == 0, ran
    return {
        file["path"]: (file["bytes"], file["characters"], file["words"], *file["tokens"].values())
        for file in json.loads(ran.out)["files"]
    }


def checked(run: Callable[..., Ran]) -> Ran:
    return run("check", "--output-format", "concise")


PROMPTS = """\
# what people say
prompts:
  support:
    system: |
      You are a helpful assistant.
      Answer in Vietnamese.
    note: not sent
  sales:
    system: "Sell th\\xe9 things."
"""
FRONT = "---\r\ntitle: not sent\r\n---\r\nHello there.\r\n"
MESSAGES = '[{"role": "user", "content": "Xin ch\u00e0o"}]\n'
JSON = ("--output-format", "json")
VALUES = ("--extract", "jinja", "--variables", "v.json")


@pytest.mark.parametrize(
    ("name", "content", "options", "expected"),
    [
        ("a.md", FRONT, (), (41, 37, 5, 10)),
        ("a.md", FRONT, ("--extract", "all"), (41, 37, 5, 10)),
        ("a.md", FRONT, ("--extract", "body"), (13, 13, 2, 3)),
        ("a.md", FRONT, ("--extract", "title"), (8, 8, 2, 2)),
        ("a.md", "No front matter.\n---\n", ("--extract", "body"), (21, 21, 3, 5)),
        ("p.yaml", PROMPTS, ("--extract", "prompts.support.system"), (51, 51, 8, 10)),
        ("p.yaml", PROMPTS, ("--extract", "prompts.*.system"), (68, 67, 11, 14)),
        ("p.json", '{"a": ["x\\ny", "\\u1ec7"]}', ("--extract", "a[0]"), (3, 3, 2, 3)),
        ("p.json", '{"a": ["x\\ny", "\\u1ec7"]}', ("--extract", "a[*]"), (6, 4, 3, 4)),
        ("p.toml", 'a = """\nHello \\\n  there."""', ("--extract", "a"), (12, 12, 2, 3)),
        ("p.jinja", "Hello {{ name }}!\n", VALUES, (10, 10, 2, 3)),
    ],
)
def test_count(
    run: Callable[..., Ran],
    name: str,
    content: str,
    options: tuple[str, ...],
    expected: tuple[int, ...],
) -> None:
    write({name: content, "v.json": '{"name": "Lan"}'})
    assert counted(run("count", name, *options, *JSON)) == {name: expected}


def test_values_count_like_files_that_hold_them(run: Callable[..., Ran]) -> None:
    values = [one["system"] for one in yaml.safe_load(PROMPTS)["prompts"].values()]
    write({"p.yaml": PROMPTS, **{f"{number}.txt": one for number, one in enumerate(values)}})
    whole = counted(run("count", "p.yaml", "--extract", "prompts.*.system", *JSON))["p.yaml"]
    single = counted(run("count", "0.txt", "1.txt", *JSON)).values()
    assert whole == tuple(map(sum, zip(*single, strict=True)))


@pytest.mark.parametrize(
    "config",
    [
        '[extract]\n"*.yaml" = "prompts.*.system"\n',
        '[extract]\n"*.yaml" = { extract = "prompts.*.system" }\n',
        '[extract]\n"*" = "body"\n"!*.md" = "prompts.*.system"\n"a.md" = "all"\n',
        '[[budgets]]\nfiles = ["*.yaml"]\nextract = "prompts.*.system"\nmax-tokens = 99\n',
    ],
)
def test_the_configuration_says_it_of_paths_and_of_budgets(
    run: Callable[..., Ran], config: str
) -> None:
    write({"p.yaml": PROMPTS, "a.md": FRONT, "tokenlint.toml": config})
    assert counted(run("count", "p.yaml", "a.md", *JSON)) == {
        "a.md": (41, 37, 5, 10),
        "p.yaml": (68, 67, 11, 14),
    }


def test_every_command_that_counts_does_it_alike(run: Callable[..., Ran]) -> None:
    write({"p.yaml": PROMPTS, "tokenlint.toml": '[extract]\n"*.yaml" = "prompts.*.system"\n'})
    compared = json.loads(run("compare", "p.yaml", *JSON).out)["rows"][0]
    assert (compared["tokens"], compared["words"], compared["characters"]) == (14, 11, 67)


BUDGET = '[[budgets]]\nfiles = ["p.yaml"]\nextract = "prompts.*.system"\n'


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ("max-tokens = 17", []),
        ("max-each = 12", []),
        ("max-bytes = 80", []),
        ("max-characters = 80", []),
        ("max-total = 20", []),
        ("max-fertility = 1.4", []),
        (
            "max-tokens = 13",
            ["p.yaml:5:7: TL301 14 tokens in 2 values, 1 over the budget of 13 "
             "(o200k_base; p.yaml)"],
        ),
        (
            "max-each = 9",
            ["p.yaml:5:7: TL301 10 tokens in prompts.support.system, 1 over the budget of 9 "
             "(o200k_base; p.yaml)"],
        ),
        (
            "max-bytes = 60",
            ["p.yaml:5:7: TL301 68 bytes in 2 values, 8 over the budget of 60 (p.yaml)"],
        ),
        (
            "max-fertility = 1.2",
            ["p.yaml:1:1: TL303 1.27 tokens per word, over the limit of 1.2 (14 tokens, 11 words; "
             "o200k_base; p.yaml)"],
        ),
        (
            "max-total = 13",
            ["tokenlint.toml:1:1: TL302 1 file is 14 tokens, 1 over the total budget of"
             " 13 (o200k_base; p.yaml); largest: p.yaml 14"],
        ),
    ],
)  # fmt: skip
def test_budgets(run: Callable[..., Ran], limits: str, expected: list[str]) -> None:
    write({"p.yaml": PROMPTS, "tokenlint.toml": f"{BUDGET}{limits}\n"})
    ran = checked(run)
    assert ran.findings == expected
    assert (ran.code, ran.said) == (int(bool(expected)), [])


def test_a_budget_without_an_extraction_is_about_the_whole_file(run: Callable[..., Ran]) -> None:
    more = '[[budgets]]\nfiles = ["p.yaml"]\nmax-tokens = 20\n'
    write({"p.yaml": PROMPTS, "tokenlint.toml": f"{BUDGET}max-tokens = 20\n{more}"})
    assert checked(run).findings == [
        "p.yaml:1:1: TL301 46 tokens, 26 over the budget of 20 (o200k_base; p.yaml)"
    ]


def test_a_finding_in_a_value_stands_where_it_is_written(run: Callable[..., Ran]) -> None:
    prompts = PROMPTS.replace("Answer", "Ans\u0065\u0301wer <|im_start|>")
    write({"p.yaml": prompts, "tokenlint.toml": f"{BUDGET}max-each = 99\n"})
    places = [line.rpartition(": TL")[0] for line in checked(run).findings]
    assert places == ["p.yaml:6:10", "p.yaml:6:16"]


REQUEST = '[[budgets]]\nfiles = ["m.json"]\nextract = "chat"\n'


def test_requests(run: Callable[..., Ran]) -> None:
    write({"m.json": MESSAGES, "tokenlint.toml": f"{REQUEST}max-tokens = 9\n"})
    ran = checked(run)
    assert ran.findings == [
        "m.json:1:31: TL301 10 tokens in the request, 1 over the budget of 9 (o200k_base, "
        "estimate by OpenAI's documented formula; m.json)"
    ]
    ran = run("count", "m.json", *JSON)
    assert counted(ran) == {"m.json": (9, 8, 2, 10)}
    assert ran.said == [
        "note: requests count with their frame (o200k_base: estimate by OpenAI's documented "
        "formula)"
    ]


def test_every_request_of_a_file_by_itself(run: Callable[..., Ran]) -> None:
    longer = MESSAGES.replace("Xin", "Xin xin")
    config = REQUEST.replace("m.json", "m.jsonl")
    write({"m.jsonl": MESSAGES + longer, "tokenlint.toml": f"{config}max-each = 10\n"})
    assert [line.partition(" (")[0] for line in checked(run).findings] == [
        "m.jsonl:1:31: TL301 warning: 10 tokens in request 1, 100 % of the budget of 10",
        "m.jsonl:2:31: TL301 11 tokens in request 2, 1 over the budget of 10",
    ]


@pytest.mark.parametrize(
    ("files", "config", "said"),
    [
        (
            {"p.yaml": "prompt: x\n"},
            BUDGET + "max-tokens = 5",
            "p.yaml: line 1: 'prompts.*.system' selects nothing: the file has no key 'prompts', "
            "but 'prompt'",
        ),
        (
            {"p.yaml": "a: [\n"},
            BUDGET + "max-tokens = 5",
            "p.yaml: line 2: invalid YAML: ",
        ),
        (
            {"p.jinja": "{{ name }}", "v.json": "{}"},
            '[extract]\n"*.jinja" = { extract = "jinja", variables = "v.json" }\n'
            '[[budgets]]\nfiles = ["*.jinja"]\nmax-tokens = 5',
            "p.jinja: line 1: the variable 'name' is not defined; add it to the variables",
        ),
        (
            {"p.jinja": "{{ name }}"},
            '[[budgets]]\nfiles = ["*.jinja"]\nextract = "jinja"\nvariables = "../v.json"\n'
            "max-tokens = 5",
            "p.jinja: the file of variables cannot be read: ../v.json: outside of ",
        ),
        (
            {"m.json": '[{"role": "user"}]'},
            REQUEST + "max-tokens = 5",
            "m.json: line 1: ",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_extracted_is_an_error_and_the_rest_is_checked(
    run: Callable[..., Ran], files: dict[str, str], config: str, said: str
) -> None:
    write({**files, "b.md": "<|im_start|>", "tokenlint.toml": config + "\n"})
    ran = checked(run)
    assert ran.code == 2
    assert [line.partition(" ")[0] for line in ran.findings] == ["b.md:1:1:"]
    assert len(ran.said) == 1
    assert ran.said[0].startswith(f"error: {said}")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (
            '[extract]\n"*.md" = "a..b"\n',
            "extract.\"*.md\": 'a..b' is no path, column 2: '..' (at any depth) is not read; name "
            "each key on the way, or write *",
        ),
        (
            '[extract]\n"*.md" = 5\n',
            'extract."*.md": expected a string such as "body", or a table with extract',
        ),
        (
            'extract = "body"\n',
            'extract: expected globs; for all files write "**" = "body"',
        ),
        (
            '[extract]\n"*.md" = { variables = "v.yaml" }\n',
            'extract."*.md": has variables and no extract; add extract = "jinja"',
        ),
        (
            '[[budgets]]\nfiles = ["*"]\nmax-tokens = 1\nextract = "body"\nvariables = "v"\n',
            "budgets[0].extract: variables are for extract = 'jinja' only, and here it is 'body'",
        ),
    ],
)  # fmt: skip
def test_mistakes_in_the_configuration(run: Callable[..., Ran], config: str, said: str) -> None:
    write({"tokenlint.toml": config})
    ran = run("check")
    assert ran.code == 2
    assert ran.said == [f"error: {Path('tokenlint.toml').absolute()}: {said}"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--chat", "--extract", "body"), "--chat counts requests and --extract something else; "
                                          "leave one out"),
        (("--variables", "v.yaml"), "--variables is for templates; add --extract jinja"),
        (("--extract", "a["), "'a[' is no path, column 2: "),
    ],
)  # fmt: skip
def test_mistakes_on_the_command_line(
    run: Callable[..., Ran], options: tuple[str, ...], said: str
) -> None:
    write({"a.md": "a"})
    ran = run("count", "a.md", *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.said[0].startswith(f"error: {said}")


def test_standard_input(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    stdin = io.TextIOWrapper(io.BytesIO(PROMPTS.encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    write({"tokenlint.toml": '[extract]\n"*.yaml" = "prompts.*.system"\n'})
    assert counted(run("count", "-", "--stdin-filename", "x.yaml", *JSON)) == {
        "x.yaml": (68, 67, 11, 14)
    }


def test_a_glob_that_matches_no_file_is_noted(run: Callable[..., Ran]) -> None:
    config = '[extract]\n"promts/*.md" = "body"\n"*.md" = "body"\n"!*.md" = "all"\n'
    write({"a.md": FRONT, "tokenlint.toml": config})
    ran = run("check")
    assert ran.code == 0
    path = Path("tokenlint.toml").absolute()
    assert ran.said == [f'note: {path}: extract."promts/*.md" matches no file']
    assert run("check", "a.md").said == []


def test_a_near_miss_of_a_word_is_no_path(run: Callable[..., Ran]) -> None:
    write({"a.md": FRONT})
    (said,) = run("count", "a.md", "--extract", "bdy").said
    assert said.endswith("has no key 'bdy', but 'title'; did you mean body?")


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\n\nintro\n\n---\n\nend\n", None),
        ("---\n# a comment\n\ntitle: x\n...\nend\n", "end\n"),
        ("---\n---\nend\n", "end\n"),
        ("---\ntitle:\n---\nend\n", "end\n"),
        ("---\nno key here\n---\nend\n", None),
    ],
)
def test_what_is_front_matter(run: Callable[..., Ran], text: str, body: str | None) -> None:
    write({"a.md": text})
    found = counted(run("count", "a.md", "--extract", "body", *JSON))["a.md"][1]
    assert found == len(text if body is None else body)


def test_the_configuration_command_shows_it_all(run: Callable[..., Ran]) -> None:
    config = (
        '[extract]\n"*.md" = "body"\n[diff]\nmax-increase = "2%"\n[[budgets]]\nfiles = ["*.md"]\n'
        'max-increase = 5\nmax-total-increase = "7.5%"\n'
    )
    write({"a.md": FRONT, "tokenlint.toml": config})
    ran = run("config")
    assert (ran.code, ran.said) == (0, [])
    assert '{ max-increase = "2%" }' in ran.out
    assert 'max-increase = 5, max-total-increase = "7.5%"' in ran.out


ONE_KEY = "---\ntitle: x\nHello there.\n"
TALK = '{"messages": [{"role": "user", "content": "a \\ud800"}]}'


@pytest.mark.parametrize(
    ("name", "text", "how", "notes"),
    [
        ("a.md", "---\ntitle: x\n---\nHello there.\n", "body", []),
        ("a.md", "---\n\nA rule above, and one key: here.\n", "body", []),
        ("a.md", ONE_KEY, "title", None),
        ("a.json", '{"a": "\\ud83d\\ude00", "b": "\\ud800"}', "a", []),
        ("a.json", '{"a": "\\ud800"}', None, []),
        (
            "a.md",
            ONE_KEY,
            "body",
            [
                "note: a.md: no line closes the front matter that --- opens on line 1, so the "
                "whole file counts as its body"
            ],
        ),
        (
            "a.md",
            "+++\r\ntitle = 1\r\n",
            "body",
            [
                "note: a.md: no line closes the front matter that +++ opens on line 1, so the "
                "whole file counts as its body"
            ],
        ),
        (
            "a.json",
            '{"a": ["\\ud800 and \\udc00", "\\udc00\\ud800"]}',
            "a.*",
            ["note: a.json: 4 lone surrogates, which every tokenizer reads as U+FFFD"],
        ),
        (
            "a.json",
            TALK,
            "chat",
            ["note: a.json: 1 lone surrogate, which every tokenizer reads as U+FFFD"],
        ),
    ],
)
@pytest.mark.parametrize("command", ["count", "check", "compare"])
def test_what_counts_otherwise_than_it_looks_is_noted(
    run: Callable[..., Ran],
    name: str,
    text: str,
    how: str | None,
    notes: list[str] | None,
    command: str,
) -> None:
    said = "" if how is None else f'[extract]\n"*" = "{how}"\n'
    budget = '[[budgets]]\nfiles = ["a.*"]\nmax-tokens = 100\nmax-bytes = 100\n'
    write({name: text, "tokenlint.toml": budget + said})
    ran = run(command, name)
    if notes is None:  # the path finds nothing in a file without front matter
        assert ran.code == 2
    else:
        assert (ran.code, [one for one in ran.said if " frame " not in one]) == (0, notes)


def test_requests_and_changes_note_it_too(run: Callable[..., Ran], tmp_path: Path) -> None:
    note = "a.json: 1 lone surrogate, which every tokenizer reads as U+FFFD"
    write({"a.json": TALK, "old/a.json": TALK.replace("ud8", "ud9"), "new/a.json": TALK})
    assert run("count", "--chat", "-t", "gpt-4o", "a.json").said == [f"note: {note}"]
    ran = run("diff", "--no-index", "--extract", "chat", "old", "new")
    assert f"note: {note}" in ran.said
